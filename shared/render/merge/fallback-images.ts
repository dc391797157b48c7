/**
 * PNGs for pictures that not every program shows: drawings (SVG) and WebP in documents that are handed out as they are.
 * Drawn by whatever engine turns SVG into PNG; where there is none, or it fails, the document goes without and says so.
 */
import type { Converter } from '../../convert/run.ts'
import { toBase64 } from '../../plugin/base64.ts'
import { bytesOf, fromBytes } from '../../plugin/byte-source.ts'
import type { Warning } from '../../plugin/contract.ts'
import type { Hasher } from '../../ports/hasher.ts'
import type { PictureTwin } from '../../ports/merger.ts'
import { LruCache } from '../../template/cache.ts'

export interface TwinAccess {
  readonly converter: Pick<Converter, 'can' | 'convert'>
  readonly clock: { now(): number }
  readonly hasher: Hasher
  readonly deadline: number // ms since the epoch
}

/** px of the longer side: a picture as wide as a page stays legible in print. */
const longerSide = 1_600
/** One render's; a document with more of them says that they have none. */
const twinsAtMost = 40
const bytesAtMost = 5_000_000
/** For all of them, and no more than half of the time that is left. */
const timeoutMs = 20_000
const atOnce = 2

/** A logo is the same in every document: what was drawn last, by content. */
const cacheBytes = 16_777_216
const caches = new WeakMap<object, LruCache<Uint8Array>>()

/** Throws only the signal's reason. */
export async function drawTwins(
  { converter, clock, hasher, deadline }: TwinAccess,
  wanted: readonly PictureTwin[],
  signal: AbortSignal,
): Promise<{ readonly twins: ReadonlyMap<string, Uint8Array | undefined>; readonly warnings: Warning[] }> {
  const twins = new Map<string, Uint8Array | undefined>(wanted.map(({ key }) => [key, undefined]))
  const possible = converter.can('svg', 'png')
  const drawn = caches.get(converter) ?? new LruCache<Uint8Array>(cacheBytes)
  caches.set(converter, drawn)
  const now = clock.now()
  const until = now + Math.min(timeoutMs, (deadline - now) / 2)
  const waiting = possible ? wanted.slice(0, twinsAtMost) : []
  const one = async (picture: PictureTwin): Promise<Uint8Array | undefined> => {
    if (picture.bytes.length > bytesAtMost) return undefined
    const running = hasher.sha256()
    running.update(picture.bytes)
    const key = running.hex()
    const known = drawn.get(key)
    if (known !== undefined) return known
    try {
      const { value, format } = await converter.convert({
        source: fromBytes(picture.kind === 'svg' ? picture.bytes : inDrawing(picture)),
        from: 'svg',
        to: 'png',
        options: {
          ...(picture.width >= picture.height
            ? { PixelWidth: pixels(picture) }
            : { PixelHeight: pixels(picture) }),
          Translucent: 1,
        },
        deadline: until,
        signal,
      })
      if (format !== 'png') return undefined
      const png = await bytesOf(value)
      drawn.set(key, png, png.length)
      return png
    } catch {
      // A picture that cannot be drawn is no reason to go without the document.
      signal.throwIfAborted()
      return undefined
    }
  }
  const line = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      twins.set(next.key, await one(next))
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, line))
  const without = wanted.filter(({ key }) => twins.get(key) === undefined)
  return { twins, warnings: without.length === 0 ? [] : [warningOf(without, possible)] }
}

/** A picture of pixels keeps its size; a drawing has none. */
const pixels = ({ kind, width, height }: PictureTwin): number =>
  kind === 'svg' ? longerSide : Math.min(2 * longerSide, Math.max(width, height))

/** The drawing that shows a picture and nothing else. */
function inDrawing({ bytes, width, height }: PictureTwin): Uint8Array {
  const size = `width="${width}" height="${height}"`
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="data:image/webp;base64,${toBase64(bytes)}"/></svg>`,
  )
}

function warningOf(without: readonly PictureTwin[], possible: boolean): Warning {
  const kinds = [...new Set(without.map(({ kind }) => (kind === 'svg' ? 'SVG' : 'WebP')))].join(', ')
  const because = possible ? '' : ' No engine here draws them.'
  return {
    code: 'picture.no-png',
    message: `${without.length} ${without.length === 1 ? 'picture has' : 'pictures have'} no PNG beside ${kinds}: older office programs show nothing there.${because}`,
  }
}
