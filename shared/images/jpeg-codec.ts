/** Decodes and encodes JPEG with `jpeg-js`, on both hosts. */

/** The functions of the library that are used. */
type JpegLibrary = typeof import('jpeg-js')

/** Pixels in rows from the top: three bytes each (red, green, blue), or four with alpha, which is always 255. */
export interface JpegPixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

export interface JpegLimits {
  readonly maxPixels: number
  /** Maximum memory for decoding: about 15 bytes per pixel. */
  readonly maxBytes: number
}

export interface JpegCodec {
  /** Returns undefined for a file that is damaged or exceeds a limit. */
  decode(bytes: Uint8Array, channels: 3 | 4, limits: JpegLimits): JpegPixels | undefined
  /** Encodes pixels of four bytes. The quality is 1 to 100. */
  encode(pixels: JpegPixels, quality: number): Uint8Array
}

let loaded: Promise<JpegCodec> | undefined

/** Loads the library at the first call. */
export function loadJpegCodec(): Promise<JpegCodec> {
  loaded ??= open()
  return loaded
}

async function open(): Promise<JpegCodec> {
  // The package is CommonJS, so its functions are in the default export.
  const imported = (await import('jpeg-js')) as unknown as { default?: JpegLibrary } & JpegLibrary
  const library = imported.default ?? imported
  return {
    decode(bytes, channels, { maxPixels, maxBytes }) {
      try {
        const { width, height, data } = library.decode(bytes, {
          useTArray: true,
          formatAsRGBA: channels === 4,
          maxResolutionInMP: maxPixels / 1_000_000,
          maxMemoryUsageInMB: maxBytes / 1_048_576,
        })
        return { width, height, data }
      } catch {
        return undefined
      }
    },
    encode: (pixels, quality) => encode(library, pixels, quality),
  }
}

/**
 * jpeg-js ends with `Buffer.from(bytes)`, and Workers have no `Buffer`. A substitute is set only during this
 * synchronous call, so that no other package takes the Worker for Node.
 */
function encode({ encode: encodeJpeg }: JpegLibrary, pixels: JpegPixels, quality: number): Uint8Array {
  const globals = globalThis as { Buffer?: unknown }
  const isSubstituted = globals.Buffer === undefined
  if (isSubstituted) globals.Buffer = { from: (bytes: readonly number[]) => Uint8Array.from(bytes) }
  try {
    return Uint8Array.from(encodeJpeg(pixels, quality).data)
  } finally {
    if (isSubstituted) delete globals.Buffer
  }
}
