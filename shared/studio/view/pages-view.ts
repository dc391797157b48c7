import { type Area, changedAreas, type Pixels } from '../../images/changed-areas.ts'
import type { RenderedPages } from '../state.ts'
import { h } from './dom.ts'

export interface PagesView {
  readonly node: HTMLElement
  show(pages: RenderedPages): void
  clear(): void
}

/** How long a changed place stays marked, in ms. */
const markedMs = 2500
/** Width at which pictures of pages are compared, in pixels. */
const comparedWidth = 420

/** A displayed page. Its picture stays until the next one is ready. */
interface Slot {
  readonly number: number // from 1
  readonly node: HTMLElement
  readonly image: HTMLImageElement
  isVisible: boolean
  /** The render that the picture belongs to. Absent: there is no picture yet. */
  drawn: RenderedPages | undefined
  /** The picture in reduced size, for the comparison with the next one. */
  pixels: Pixels | undefined
}

/**
 * The pages of a document as pictures below each other. Pages are drawn when they come into view. When the document
 * changes, its pages are replaced in place, so the view neither flickers nor scrolls, and changed places are marked.
 *
 * viewed  called with the first page in view
 */
export function createPagesView(viewed: (page: number) => void): PagesView {
  const node = h('div', { class: 'pages', tabindex: '0', role: 'region', 'aria-label': 'Pages' })
  const slots: Slot[] = []
  let shown: RenderedPages | undefined
  let loading = new AbortController()
  const observer = new IntersectionObserver(seen, { root: node, rootMargin: '200px 0px' })
  return { node, show, clear }

  function show(pages: RenderedPages): void {
    if (pages === shown) return
    shown = pages
    loading.abort()
    loading = new AbortController()
    while (slots.length > pages.count) remove(slots.pop())
    while (slots.length < pages.count) add(slots.length + 1)
    for (const { number, image } of slots) image.alt = `Page ${number} of ${pages.count}`
    void load(pages, loading.signal)
  }

  function clear(): void {
    shown = undefined
    loading.abort()
    for (const slot of slots.splice(0)) remove(slot)
  }

  function add(number: number): void {
    const image = h('img', { alt: '', draggable: 'false' })
    const slot: Slot = {
      ...{ number, image, node: h('div', { class: 'page' }, image) },
      ...{ isVisible: false, drawn: undefined, pixels: undefined },
    }
    // Until its own picture is available, a page is as large as the page before it.
    slot.node.style.aspectRatio = slots.at(-1)?.node.style.aspectRatio || '210 / 297'
    slots.push(slot)
    node.append(slot.node)
    observer.observe(slot.node)
  }

  function remove(slot: Slot | undefined): void {
    if (slot === undefined) return
    observer.unobserve(slot.node)
    slot.node.remove()
    URL.revokeObjectURL(slot.image.src)
  }

  function seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const slot = slots.find((slot) => slot.node === target)
      if (slot !== undefined) slot.isVisible = isIntersecting
    }
    const first = slots.find((slot) => slot.isVisible)
    if (first === undefined || shown === undefined) return
    viewed(firstInView())
    void load(shown, loading.signal)
  }

  /** The page at the upper edge of the view, without the margin in which pages are drawn ahead. */
  function firstInView(): number {
    const { top } = node.getBoundingClientRect()
    return slots.find((slot) => slot.node.getBoundingClientRect().bottom > top + 20)?.number ?? 1
  }

  /** Draws the pages in view one after another, first the one that came with the render. */
  async function load(pages: RenderedPages, signal: AbortSignal): Promise<void> {
    const drawn = slots[pages.first.number - 1]
    if (drawn !== undefined && drawn.drawn !== pages) await place(drawn, pages, pages.first.picture, signal)
    for (const slot of slots) {
      if (!slot.isVisible || slot.drawn === pages || signal.aborted) continue
      // A page that fails keeps its old picture: if the failure persists, the next render reports the reason.
      const picture = await pages.draw(slot.number, signal).catch(() => undefined)
      if (picture !== undefined && slot.drawn !== pages) await place(slot, pages, picture, signal)
    }
  }

  async function place(slot: Slot, pages: RenderedPages, picture: Blob, signal: AbortSignal): Promise<void> {
    const before = slot.pixels
    slot.drawn = pages
    const src = URL.createObjectURL(picture)
    const next = new Image()
    next.src = src
    try {
      await next.decode()
    } catch {
      URL.revokeObjectURL(src)
      return
    }
    if (signal.aborted || !slots.includes(slot)) {
      URL.revokeObjectURL(src)
      return
    }
    URL.revokeObjectURL(slot.image.src)
    slot.image.src = src
    slot.node.style.aspectRatio = `${next.naturalWidth} / ${next.naturalHeight}`
    slot.node.dataset['drawn'] = String(Number(slot.node.dataset['drawn'] ?? 0) + 1)
    const pixels = pixelsOf(next)
    slot.pixels = pixels
    if (before !== undefined && pixels !== undefined) mark(slot.node, changedAreas(before, pixels))
  }
}

/**
 * The picture in reduced size. Undefined if the browser does not provide pixels, as some do to resist fingerprinting.
 */
function pixelsOf(image: HTMLImageElement): Pixels | undefined {
  const canvas = document.createElement('canvas')
  canvas.width = comparedWidth
  canvas.height = Math.max(1, Math.round((comparedWidth * image.naturalHeight) / image.naturalWidth))
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null || canvas.height > comparedWidth * 20) return undefined
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  try {
    return context.getImageData(0, 0, canvas.width, canvas.height)
  } catch {
    return undefined
  }
}

function mark(page: HTMLElement, areas: readonly Area[]): void {
  for (const old of page.querySelectorAll('.changed')) old.remove()
  for (const { left, top, width, height } of areas) {
    const sign = h('span', { class: 'changed', 'aria-hidden': 'true' })
    const percent = (share: number) => `${(share * 100).toFixed(2)}%`
    Object.assign(sign.style, {
      ...{ left: percent(left), top: percent(top) },
      ...{ width: percent(width), height: percent(height) },
    })
    page.append(sign)
    setTimeout(() => sign.remove(), markedMs)
  }
}
