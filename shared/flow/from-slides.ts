/**
 * Slides as text: a heading for each slide, what it shows in reading order, and its notes. The readers of PPTX and ODP
 * produce `Slide`; the `write-*.ts` files write the flow.
 */
import type { Warning } from '../plugin/values.ts'
import {
  type Flow,
  type FlowAlign,
  type FlowBlock,
  type FlowInline,
  type FlowPicture,
  plainText,
} from './flow.ts'
import { pictureMime } from './flow-pictures.ts'
import { type FlowBox, inReadingOrder } from './reading-order.ts'

export interface Slide {
  /** Target of links to it, without '#'. */
  readonly anchor: string
  readonly hidden: boolean
  /** The slide opens the presentation or a part of it, so its heading is one level higher. */
  readonly opening: boolean
  readonly title: readonly FlowInline[] // empty: without a title
  readonly items: readonly SlideItem[]
  readonly notes: readonly FlowBlock[]
  readonly height?: number // pt
}

/** A shape, picture, table or chart of a slide, or a group of them. */
export interface SlideItem {
  readonly box?: FlowBox | undefined // in the coordinates of its group or slide
  readonly blocks: readonly FlowBlock[]
  readonly children?: readonly SlideItem[]
  readonly size?: number // pt, of its largest text
}

/** A paragraph of a shape. `level` counts from 0. */
export interface SlideLine {
  readonly inlines: readonly FlowInline[]
  readonly level: number
  readonly list: 'bullets' | 'numbers' | undefined
  readonly start?: number // of numbers
  readonly align?: FlowAlign
}

export interface SlideShow {
  readonly title?: string
  readonly slides: readonly Slide[]
  readonly pictures: ReadonlyMap<string, FlowPicture>
}

export function flowOfSlides({ title, slides, pictures }: SlideShow): {
  readonly flow: Flow
  readonly warnings: readonly Warning[]
} {
  const shown = slides.filter(({ hidden }) => !hidden)
  const blocks = shown.flatMap((slide) => slideBlocks(slide, slides.indexOf(slide) + 1))
  const omitted = slides.length - shown.length
  const warnings: readonly Warning[] =
    omitted === 0
      ? []
      : [
          {
            code: 'flow.hidden-slides',
            message: `${omitted} hidden ${omitted === 1 ? 'slide was' : 'slides were'} left out.`,
          },
        ]
  return { flow: { ...(title && { title }), blocks, pictures }, warnings }
}

function slideBlocks(slide: Slide, number: number): readonly FlowBlock[] {
  const ordered = inReadingOrder(slide.items)
  const headline = slide.title.length > 0 ? undefined : headlineOf(ordered, slide.height)
  const [line] = headline?.blocks ?? []
  const inlines: readonly FlowInline[] =
    line?.kind === 'paragraph'
      ? line.inlines
      : slide.title.length > 0
        ? slide.title
        : [{ kind: 'text', text: `Slide ${number}`, style: {} }]
  return [
    { kind: 'heading', level: slide.opening ? 1 : 2, inlines: onOneLine(inlines), anchors: [slide.anchor] },
    ...ordered.flatMap((item) => (item === headline ? [] : itemBlocks(item))),
    ...(slide.notes.length === 0 ? [] : [notesBlock(slide.notes)]),
  ]
}

const notesTitle: FlowBlock = {
  kind: 'paragraph',
  inlines: [{ kind: 'text', text: 'Notes', style: { bold: true } }],
}
const notesBlock = (blocks: readonly FlowBlock[]): FlowBlock => ({
  kind: 'quote',
  blocks: [notesTitle, ...blocks],
})

function itemBlocks({ blocks, children = [] }: SlideItem): readonly FlowBlock[] {
  return [...blocks, ...inReadingOrder(children).flatMap(itemBlocks)]
}

/** The longest headline in characters. */
const maxHeadline = 120

/**
 * Stands in for a missing title: one line in the upper half of the slide whose text is larger than all others.
 * Undefined when no text is.
 */
function headlineOf(items: readonly SlideItem[], height = 0): SlideItem | undefined {
  const sizes = items.flatMap(largestSizes).toSorted((a, b) => b - a)
  const largest = sizes[0]
  if (largest === undefined || sizes[1] === largest) return undefined
  return items.find(
    ({ size, box, blocks: [first, ...more] }) =>
      size === largest &&
      (box?.y ?? 0) <= height / 2 &&
      more.length === 0 &&
      first?.kind === 'paragraph' &&
      plainText(first.inlines).trim().length <= maxHeadline &&
      /\p{L}{2}/u.test(plainText(first.inlines)),
  )
}

function largestSizes({ size, children = [] }: SlideItem): readonly number[] {
  return [...(size === undefined ? [] : [size]), ...children.flatMap(largestSizes)]
}

/** Headings are one line, so breaks become spaces. */
function onOneLine(inlines: readonly FlowInline[]): readonly FlowInline[] {
  return inlines.map((inline) => (inline.kind === 'break' ? { kind: 'text', text: ' ', style: {} } : inline))
}

const isBlank = (inlines: readonly FlowInline[]): boolean =>
  inlines.every((inline) => inline.kind === 'break' || (inline.kind === 'text' && inline.text.trim() === ''))

/** The paragraphs of a title as one line, without spaces at its ends. */
export function titleOfLines(lines: readonly SlideLine[]): readonly FlowInline[] {
  const full = lines.filter(({ inlines }) => !isBlank(inlines))
  return full.flatMap(({ inlines }, at): readonly FlowInline[] => [
    ...(at === 0 ? [] : [{ kind: 'text' as const, text: ' ', style: {} }]),
    ...trimmed(inlines),
  ])
}

/** A list while it is built. */
interface OpenSlideList {
  readonly level: number
  readonly block: { kind: 'list'; ordered: boolean; start: number; items: { readonly blocks: FlowBlock[] }[] }
}

/** Paragraphs as blocks: those with bullets and numbers become lists, nested by their levels. Blank ones are dropped. */
export function blocksOfLines(lines: readonly SlideLine[]): FlowBlock[] {
  const out: FlowBlock[] = []
  let open: OpenSlideList[] = []
  let code: string[] = []
  const closeCode = () => {
    if (code.length > 0) out.push({ kind: 'code', text: code.join('\n') })
    code = []
  }
  for (const { inlines: lineInlines, level, list, start = 1, align } of lines) {
    if (list === undefined && isCode(lineInlines)) {
      open = []
      code.push(plainText(lineInlines))
      continue
    }
    const inlines = trimmed(lineInlines)
    if (isBlank(inlines)) continue
    closeCode()
    const paragraph: FlowBlock = { kind: 'paragraph', inlines, ...(align !== undefined && { align }) }
    if (list === undefined) {
      open = []
      out.push(paragraph)
      continue
    }
    const ordered = list === 'numbers'
    open = open.filter((item) => item.level <= level)
    if (open.at(-1)?.level === level && open.at(-1)?.block.ordered !== ordered) open.pop()
    const current = open.at(-1)
    if (current?.level === level) {
      current.block.items.push({ blocks: [paragraph] })
      continue
    }
    const block: OpenSlideList['block'] = { kind: 'list', ordered, start, items: [{ blocks: [paragraph] }] }
    const container: FlowBlock[] = current?.block.items.at(-1)?.blocks ?? out
    container.push(block)
    open.push({ level, block })
  }
  closeCode()
  return out
}

/** A paragraph in the font of a code listing. */
const isCode = (inlines: readonly FlowInline[]): boolean =>
  !isBlank(inlines) &&
  inlines.every(
    (inline) =>
      inline.kind === 'break' ||
      (inline.kind === 'text' &&
        inline.link === undefined &&
        (inline.style.code === true || inline.text.trim() === '')),
  )

/** Inlines without white space at their ends, which moves text on a slide and means nothing in a flow. */
function trimmed(inlines: readonly FlowInline[]): readonly FlowInline[] {
  const isSpace = (flowInline: FlowInline) => isBlank([flowInline])
  const first = inlines.findIndex((inline) => !isSpace(inline))
  const last = inlines.findLastIndex((inline) => !isSpace(inline))
  return inlines.slice(first, last + 1).map((inline, at, all) => {
    if (inline.kind !== 'text') return inline
    const start = at === 0 ? inline.text.trimStart() : inline.text
    return { ...inline, text: at === all.length - 1 ? start.trimEnd() : start }
  })
}

/** Maximum size of all pictures of a presentation together, in bytes; each use counts, because each is written. */
const maxPictureBytes = 64 * 2 ** 20

/** The remaining limits of the text of a presentation, and what was omitted. One for each presentation. */
export class SlideBudget {
  readonly pictures = new Map<string, FlowPicture>()
  readonly #lost = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #pictureBytes = maxPictureBytes
  /** Paragraphs, and cells of tables and charts, that may still be read: more than any presentation has. */
  #lines = 400_000

  /** Takes `count` lines from the budget; false when there are not as many left. */
  take(count = 1): boolean {
    this.#lines -= count
    if (this.#lines < 0) this.lose('paragraphs and cells beyond the limit')
    return this.#lines >= 0
  }

  lose(kind: string): void {
    this.#lost.set(kind, (this.#lost.get(kind) ?? 0) + 1)
  }

  /** A picture as blocks, or its description where it cannot be shown. */
  picture(name: string, bytes: Uint8Array | undefined, description: string): readonly FlowBlock[] {
    const mime = bytes === undefined ? undefined : pictureMime(bytes)
    if (bytes === undefined || mime === undefined || bytes.length > this.#pictureBytes) {
      this.lose('pictures')
      return this.described(description)
    }
    this.#pictureBytes -= bytes.length
    const picture = this.#names.get(name) ?? `picture${this.#names.size + 1}`
    this.#names.set(name, picture)
    this.pictures.set(picture, { bytes, mime })
    return [{ kind: 'paragraph', inlines: [{ kind: 'picture', picture, text: description }] }]
  }

  /** The description of something that a text cannot show. */
  described(description: string): readonly FlowBlock[] {
    return description === ''
      ? []
      : [{ kind: 'paragraph', inlines: [{ kind: 'text', text: `[${description}]`, style: {} }] }]
  }

  get warnings(): readonly Warning[] {
    return [...this.#lost].map(([kind, count]) => ({
      code: 'flow.left-out',
      message: `Omitted from the presentation: ${kind} (${count}).`,
    }))
  }
}
