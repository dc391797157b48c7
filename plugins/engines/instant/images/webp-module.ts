import type { DecodeWebp } from '../../../../shared/plugin/contract.ts'

/** The module `webp_dec` of `@jsquash/webp`: libwebp as WebAssembly. */
export type WebpFactory = (options: object) => Promise<unknown>
interface WebpModule {
  decode(bytes: Uint8Array): { width: number; height: number; data: ArrayLike<number> } | null
}

/** What the module makes its answer with; servers and Workers have no such class. */
class Pixels {
  readonly data: ArrayLike<number>
  readonly width: number
  readonly height: number
  constructor(data: ArrayLike<number>, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}

/** A decoder that is made at the first picture. `instantiate` puts the imports and the module of the side together. */
export function webpDecoder(
  load: () => Promise<{ factory: WebpFactory; instantiate: (imports: object) => { exports: object } }>,
): DecodeWebp {
  let loading: Promise<WebpModule> | undefined
  const open = async (): Promise<WebpModule> => {
    const { factory, instantiate } = await load()
    const globals = globalThis as { ImageData?: unknown }
    globals.ImageData ??= Pixels
    const made = await factory({
      noInitialRun: true,
      instantiateWasm(imports: object, done: (instance: unknown) => void) {
        const instance = instantiate(imports)
        done(instance)
        return instance.exports
      },
    })
    return made as WebpModule
  }
  return async (bytes) => {
    loading ??= open()
    const { width, height, data } = (await loading).decode(bytes) ?? { width: 0, height: 0, data: [] }
    return width > 0 && height > 0 ? { width, height, rgba: Uint8Array.from(data) } : undefined
  }
}
