import type { DecodeWebp, EncodeWebp } from '../../../../shared/plugin/contract.ts'

/** A module of `@jsquash/webp`: libwebp as WebAssembly. */
export type WebpFactory = (options: object) => Promise<unknown>

/** What a host bundles of a module, and how it joins the imports with the compiled code. */
export interface WebpParts {
  readonly factory: WebpFactory
  readonly instantiate: (imports: object) => { readonly exports: object }
}

interface DecoderModule {
  decode(bytes: Uint8Array): { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> } | null
}
interface EncoderModule {
  encode(rgba: Uint8Array, width: number, height: number, options: object): Uint8Array | null
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

async function open<Module>(load: () => Promise<WebpParts>): Promise<Module> {
  const { factory, instantiate } = await load()
  const module = await factory({
    noInitialRun: true,
    instantiateWasm(imports: object, done: (instance: unknown) => void) {
      const instance = instantiate(imports)
      done(instance)
      return instance.exports
    },
  })
  return module as Module
}

/**
 * Returns a function that loads the decoder when it is first called, and again after a picture made the module fail, since
 * the memory of a failed module cannot be trusted.
 */
export function webpLoader(load: () => Promise<WebpParts>): () => Promise<DecodeWebp> {
  let loading: Promise<DecoderModule> | undefined
  return async () => {
    const globals = globalThis as { ImageData?: unknown }
    globals.ImageData ??= DecodedPixels
    loading ??= open<DecoderModule>(load)
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

/** Returns a function that loads the encoder when it is first called, and again after the module failed. */
export function webpEncoderLoader(load: () => Promise<WebpParts>): () => Promise<EncodeWebp> {
  let loading: Promise<EncoderModule> | undefined
  return async () => {
    loading ??= open<EncoderModule>(load)
    const module = await loading
    return ({ width, height, rgba }, quality) => {
      try {
        const encoded = module.encode(rgba, width, height, { ...encoderDefaults, quality })
        if (encoded === null) throw new Error('libwebp encoded nothing.')
        // The bytes are part of the memory of the module, which the next picture overwrites.
        return encoded.slice()
      } catch (error) {
        loading = undefined
        throw error
      }
    }
  }
}

/** The defaults of libwebp's `WebPConfig`; the module requires every member. Source: libwebp, `encode.h`. */
const encoderDefaults = {
  target_size: 0,
  target_PSNR: 0,
  method: 4,
  sns_strength: 50,
  filter_strength: 60,
  filter_sharpness: 0,
  filter_type: 1,
  partitions: 0,
  segments: 4,
  pass: 1,
  show_compressed: 0,
  preprocessing: 0,
  autofilter: 0,
  partition_limit: 0,
  alpha_compression: 1,
  alpha_filtering: 1,
  alpha_quality: 100,
  lossless: 0,
  exact: 0,
  image_hint: 0,
  emulate_jpeg_size: 0,
  thread_level: 0,
  low_memory: 0,
  near_lossless: 100,
  use_delta_palette: 0,
  use_sharp_yuv: 0,
}
