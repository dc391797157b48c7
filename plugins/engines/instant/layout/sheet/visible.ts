import { hasGlyphs, PlainRun } from '../../text/plain-text.ts'
import type { GlyphRun, Placed, Pt } from '../frame.ts'

/** A rectangle in the coordinates of the items. Content outside of it is not drawn. */
export interface Window {
  readonly left: Pt
  readonly top: Pt
  readonly right: Pt
  readonly bottom: Pt
}

/**
 * Removes the glyphs outside of a window, so that the PDF contains no hidden text (observed in LibreOffice). Groups that clip
 * their content reduce the window. Groups with a transformation are left unchanged.
 */
export function visibleIn(items: readonly Placed[], window: Window): Placed[] {
  const visible: Placed[] = []
  for (const placed of items) {
    const part = visiblePart(placed, window)
    if (part !== undefined) visible.push(part)
  }
  return visible
}

function visiblePart(placed: Placed, window: Window): Placed | undefined {
  const { x, y, item } = placed
  if (item.kind === 'glyphs') {
    const { face, size } = item.run
    if (y + face.descent * size <= window.top || y - face.ascent * size >= window.bottom) return undefined
    const { run, offset } = cutRun(item.run, window.left - x, window.right - x)
    if (run === item.run) return hasGlyphs(run) ? placed : undefined
    return hasGlyphs(run) ? { x: x + offset, y, item: { ...item, run } } : undefined
  }
  if (item.kind !== 'group' || item.transform !== undefined) return placed
  const { frame, clip } = item
  const inner: Window = {
    left: clip ? Math.max(0, window.left - x) : window.left - x,
    top: clip ? Math.max(0, window.top - y) : window.top - y,
    right: clip ? Math.min(frame.width, window.right - x) : window.right - x,
    bottom: clip ? Math.min(frame.height, window.bottom - y) : window.bottom - y,
  }
  if (inner.right <= inner.left || inner.bottom <= inner.top) return undefined
  return { ...placed, item: { ...item, frame: { ...frame, items: visibleIn(frame.items, inner) } } }
}

interface CutRun {
  readonly run: GlyphRun
  readonly offset: Pt
}

/** `cutRun` for plain characters, each of which is a cluster of its own. */
function cutPlainRun(run: PlainRun, from: Pt, to: Pt): CutRun {
  const { text, style } = run
  const { scale, plain } = style
  let [first, last] = [text.length, -1]
  let [x, offset, end] = [0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const next = x + (plain.advances[text.charCodeAt(at)] ?? 0) * scale
    if (next > from && x < to) {
      if (first > at) {
        first = at
        offset = x
      }
      last = at
      end = next
    }
    x = next
  }
  return { run: new PlainRun(text.slice(first, last + 1), style, end - offset), offset }
}

/**
 * Cuts a run to the glyphs that overlap a range. `offset` is the distance of the first remaining glyph from the start of the
 * run.
 */
function cutRun(run: GlyphRun, from: Pt, to: Pt): CutRun {
  const uncut = { run, offset: 0 }
  if ((from <= 0 && to >= run.width) || run.rtl) return uncut
  if (run instanceof PlainRun) return cutPlainRun(run, from, to)
  const { glyphs, advances, clusters, offsets, text } = run
  let [first, last] = [glyphs.length, -1]
  let [x, offset, end] = [0, 0, 0]
  for (let at = 0; at < glyphs.length; at++) {
    const next = x + (advances[at] ?? 0)
    if (next > from && x < to) {
      if (first > at) [first, offset] = [at, x]
      ;[last, end] = [at, next]
    }
    x = next
  }
  if (last < first)
    return { run: { ...run, glyphs: [], advances: [], clusters: [], text: '', width: 0 }, offset: 0 }
  // All glyphs of a cluster are kept together.
  const start = clusters[first] ?? 0
  let stop = text.length
  for (let at = last + 1; at < glyphs.length; at++) {
    if (clusters[at] === clusters[last]) return uncut
    stop = Math.min(stop, clusters[at] ?? stop)
  }
  if (first > 0 && clusters[first - 1] === start) return uncut
  const part = <T>(list: ArrayLike<T>): T[] => Array.from(list).slice(first, last + 1)
  return {
    offset,
    run: {
      ...run,
      text: text.slice(start, stop),
      glyphs: part(glyphs),
      advances: part(advances),
      clusters: part(clusters).map((cluster) => cluster - start),
      ...(offsets !== undefined && { offsets: Array.from(offsets).slice(first * 2, (last + 1) * 2) }),
      width: end - offset,
    },
  }
}
