/**
 * PNGs beside pictures that not every program shows, SVG and WebP, in documents that are delivered without a conversion.
 * They are drawn by whichever engine converts SVG to PNG. Where there is none, or where it fails, the document is
 * delivered without the PNG, and a warning reports how many pictures are concerned.
 */
import type { Converter } from '../../convert/converter.ts'
import { toBase64 } from '../../plugin/base64.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import type { Warning } from '../../plugin/values.ts'
import type { Hasher } from '../../ports/hasher.ts'
import type { FallbackImageRequest } from '../../ports/merger.ts'
import { LruCache } from '../../template/cache.ts'

export interface FallbackAccess {
  readonly converter: Pick<Converter, 'can' | 'convert'>
  readonly clock: { now(): number }
  readonly hasher: Hasher
  readonly deadline: number // ms since the epoch
}

/** Pixels of the longer side: a picture as wide as a page stays legible in print. */
const longerSide = 1_600
/** The maximum number of images drawn for one render. Further pictures get no PNG. */
const maxImages = 40
const maxImageBytes = 5_000_000
/** The time limit for all images of a render. They never take more than half of the time before the deadline. */
const timeoutMs = 20_000
const concurrency = 2

/** A logo is the same in every document, so the latest drawings are cached by the hash of the picture. */
const cacheBytes = 16_777_216
const caches = new WeakMap<object, LruCache<Uint8Array>>()

export interface FallbackImages {
  /** The images by the key of the picture; undefined for those that could not be drawn. */
  readonly images: ReadonlyMap<string, Uint8Array | undefined>
  readonly warnings: readonly Warning[]
}

/** Throws only the signal's reason. */
export async function drawFallbackImages(
  access: FallbackAccess,
  requests: readonly FallbackImageRequest[],
  signal: AbortSignal,
): Promise<FallbackImages> {
  const { converter, clock, deadline } = access
  const images = new Map<string, Uint8Array | undefined>(requests.map(({ key }) => [key, undefined]))
  const canDraw = converter.can('svg', 'png')
  const now = clock.now()
  const imageDeadline = now + Math.min(timeoutMs, (deadline - now) / 2)
  const pending = canDraw ? requests.slice(0, maxImages) : []
  const drawPending = async () => {
    for (let request = pending.shift(); request !== undefined; request = pending.shift())
      images.set(request.key, await drawOne(access, request, imageDeadline, signal))
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, pending.length) }, drawPending))
  const missing = requests.filter(({ key }) => images.get(key) === undefined)
  return { images, warnings: missing.length === 0 ? [] : [warningOf(missing, canDraw)] }
}

/** One PNG, from the cache or drawn until `deadline`; undefined where that is not possible. */
async function drawOne(
  { converter, hasher }: FallbackAccess,
  picture: FallbackImageRequest,
  deadline: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  if (picture.bytes.length > maxImageBytes) return undefined
  const cache = caches.get(converter) ?? new LruCache<Uint8Array>(cacheBytes)
  caches.set(converter, cache)
  const hash = hasher.sha256()
  hash.update(picture.bytes)
  const key = hash.hex()
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const size = picture.width >= picture.height ? 'PixelWidth' : 'PixelHeight'
  try {
    const { value, format } = await converter.convert({
      source: fromBytes(picture.kind === 'svg' ? picture.bytes : inDrawing(picture)),
      from: 'svg',
      to: 'png',
      options: { [size]: pixels(picture), Translucent: 1 },
      deadline,
      signal,
    })
    if (format !== 'png') return undefined
    const png = await bytesOf(value)
    cache.set(key, png, png.length)
    return png
  } catch {
    // A picture that cannot be drawn must not make the document fail.
    signal.throwIfAborted()
    return undefined
  }
}

/** A WebP picture keeps its size within limits; a drawing has no size in pixels. */
const pixels = ({ kind, width, height }: FallbackImageRequest): number =>
  kind === 'svg' ? longerSide : Math.min(2 * longerSide, Math.max(width, height))

/** An SVG that shows the picture and nothing else. */
function inDrawing({ bytes, width, height }: FallbackImageRequest): Uint8Array {
  const size = `width="${width}" height="${height}"`
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="data:image/webp;base64,${toBase64(bytes)}"/></svg>`,
  )
}

function warningOf(missing: readonly FallbackImageRequest[], canDraw: boolean): Warning {
  const kinds = [...new Set(missing.map(({ kind }) => (kind === 'svg' ? 'SVG' : 'WebP')))].join(', ')
  const because = canDraw ? '' : ' No engine here draws them.'
  return {
    code: 'picture.no-png',
    message: `${missing.length} ${missing.length === 1 ? 'picture has' : 'pictures have'} no PNG beside ${kinds}: older office programs show nothing there.${because}`,
  }
}
