import type { DecodeWebp } from '../../../../shared/plugin/contract.ts'

/** The module `webp_dec` of `@jsquash/webp`: libwebp as WebAssembly. */
export type WebpFactory = (options: object) => Promise<unknown>
interface WebpModule {
  decode(bytes: Uint8Array): { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> } | null
}

/** A substitute for the `ImageData` that the module constructs, which servers and Workers lack. */
class DecodedPixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number
  constructor(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}

/**
 * Returns a function that loads libwebp when it is first called, and again after a picture made the module fail, since
 * the memory of a failed module cannot be trusted. `load` imports what the host bundles; `instantiate` joins the imports
 * with the compiled module.
 */
export function webpLoader(
  load: () => Promise<{ factory: WebpFactory; instantiate: (imports: object) => { exports: object } }>,
): () => Promise<DecodeWebp> {
  let loading: Promise<WebpModule> | undefined
  const open = async (): Promise<WebpModule> => {
    const { factory, instantiate } = await load()
    const globals = globalThis as { ImageData?: unknown }
    globals.ImageData ??= DecodedPixels
    const module = await factory({
      noInitialRun: true,
      instantiateWasm(imports: object, done: (instance: unknown) => void) {
        const instance = instantiate(imports)
        done(instance)
        return instance.exports
      },
    })
    return module as WebpModule
  }
  return async () => {
    loading ??= open()
    const module = await loading
    return (bytes) => {
      try {
        const { width, height, data } = module.decode(bytes) ?? { width: 0, height: 0, data: undefined }
        if (data === undefined || width === 0 || height === 0) return undefined
        return { width, height, rgba: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
      } catch (error) {
        loading = undefined
        throw error
      }
    }
  }
}
