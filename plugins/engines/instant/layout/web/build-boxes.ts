/**
 * Builds the box tree of a page. Inline content between blocks is wrapped in anonymous blocks, and a block inside an inline
 * element splits it (CSS 2.2, 9.2.1.1).
 */

import type { Element } from 'hast'
import type { StyledElement } from '../../../../../shared/css/cascade.ts'
import { colorOf, isColor } from '../../../../../shared/css/color.ts'
import { partsOf } from '../../../../../shared/css/declarations.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import { registerBackground } from './background.ts'
import type {
  BlockBox,
  InlineItem,
  InlineState,
  LayoutBox,
  OutOfFlowBox,
  TextDecoration,
  WebLink,
} from './box.ts'
import { type BoxBuild, childrenOf, idOf, isText } from './box-build.ts'
import { buildTable } from './build-table.ts'
import { controlOf } from './controls.ts'
import { boxPaintOf, sideOf, textColour } from './dimensions.ts'
import { isFlex } from './flex.ts'
import { isGrid } from './grid.ts'
import { markerOf } from './markers.ts'
import {
  type MissingPicture,
  missingPictureBox,
  missingPictureItems,
  missingPictureOf,
} from './missing-picture.ts'
import { pictureOf } from './pictures.ts'
import { recordUndrawnPlace, recordUndrawnStyle } from './undrawn.ts'

/** Elements that are nested deeper are dropped, as the HTML reader does for other outputs. */
const maxDepth = 200
const blocks = new Set('block flex grid list-item flow-root'.split(' '))
const tableParts = /^table-(?:row|cell|caption|column|header|footer)/

function isWithinDepth({ depth, undrawn }: BoxBuild): boolean {
  if (depth > maxDepth) undrawn.add('deeply nested elements')
  return depth <= maxDepth
}

/** Builds the block box of an element with all its content. */
export function buildBlock(build: BoxBuild, of: StyledElement, state?: InlineState): BlockBox {
  const { element, style } = of
  const marker = style.display === 'list-item' ? markerOf(of) : undefined
  const inherited: InlineState = {
    style,
    rise: 0,
    decorations: decorationsOf(style, state?.decorations ?? []),
    ...(state?.link !== undefined && { link: state.link }),
  }
  const content = new BlockContent(build, style)
  if (marker !== undefined) content.add({ kind: 'marker', marker, state: inherited })
  build.depth++
  if (isWithinDepth(build)) addChildren(build, of, inherited, content)
  build.depth--
  const heading = headingOf(build, element)
  const id = idOf(element)
  const unstyled = content.finish()
  const children = withFirstLetter(build, of, unstyled)
  return {
    kind: 'block',
    style,
    children,
    tag: element.tagName,
    ...(children !== unstyled && { hasFirstLetter: true }),
    ...(id !== undefined && { id }),
    ...(heading !== undefined && { heading }),
  }
}

/** Collects the content of a block: inline items until a block-level box interrupts them. */
class BlockContent {
  readonly #boxes: LayoutBox[] = []
  readonly #style: ComputedStyle
  readonly #build: BoxBuild
  #items: InlineItem[] = []

  constructor(build: BoxBuild, style: ComputedStyle) {
    this.#build = build
    this.#style = style
  }

  /** The block is a flex or grid container, so each of its child elements becomes an item. */
  get holdsItems(): boolean {
    return isFlex(this.#style) || isGrid(this.#style)
  }

  add(item: InlineItem): void {
    this.#items.push(item)
  }

  block(box: LayoutBox): void {
    // The marker belongs to the first line of the list item, which may be inside this block.
    const marker = this.#items.find((item) => item.kind === 'marker' && !item.marker.isInside)
    if (marker !== undefined && !this.#hasContent()) {
      this.#items = []
      if (!insertMarker(box, marker)) this.#boxes.push({ kind: 'lines', style: this.#style, items: [marker] })
    } else this.#flush()
    this.#boxes.push(box)
  }

  /** Adds an out-of-flow box: as an inline item if text precedes it, otherwise between blocks. */
  out(box: OutOfFlowBox, state: InlineState): void {
    if (this.#hasContent()) this.#items.push({ kind: 'out-of-flow', box, state })
    else this.#boxes.push(box)
  }

  finish(): readonly LayoutBox[] {
    this.#flush()
    return this.#boxes
  }

  #hasContent(): boolean {
    return this.#items.some(
      (item) =>
        item.kind === 'atomic' ||
        item.kind === 'break' ||
        (item.kind === 'marker' && item.marker.isInside) ||
        (item.kind === 'text' && !isCollapsible(item)),
    )
  }

  #flush(): void {
    const items = this.#items
    this.#items = []
    this.#build.check()
    const keeps = this.#hasContentOf(items)
    if (keeps) this.#boxes.push({ kind: 'lines', style: this.#style, items })
  }

  #hasContentOf(items: readonly InlineItem[]): boolean {
    return items.some(
      (item) =>
        item.kind === 'marker' ||
        item.kind === 'mark' ||
        item.kind === 'atomic' ||
        item.kind === 'break' ||
        (item.kind === 'text' && !isCollapsible(item)),
    )
  }
}

const isCollapsible = ({ text, state }: Extract<InlineItem, { kind: 'text' }>): boolean =>
  /^[ \t\r\n\f]*$/.test(text) && !/^(?:pre|break-spaces)/.test(state.style.word('white-space') ?? '')

/** Inserts the marker before the first line inside a box. Returns false if the box has no line. */
function insertMarker(box: LayoutBox, marker: InlineItem): boolean {
  if (box.kind === 'lines') {
    ;(box.items as InlineItem[]).unshift(marker)
    return true
  }
  if (box.kind !== 'block') return false
  const first = box.children[0]
  // A list item that begins with a nested item shows both markers on one line.
  return first !== undefined && insertMarker(first, marker)
}

function addChildren(build: BoxBuild, of: StyledElement, state: InlineState, content: BlockContent): void {
  build.counters.open()
  addGenerated(build, of, 'before', state, content)
  for (const child of childrenOf(build, of)) {
    if (isText(child)) for (const item of textItems(child.value, state)) content.add(item)
    else addElement(build, child, state, content)
  }
  addGenerated(build, of, 'after', state, content)
  build.counters.close()
}

/** The items of a text. Small capitals are upper-case letters in a smaller size (CSS Fonts 4, 6.6). */
function textItems(written: string, state: InlineState): readonly InlineItem[] {
  const { style } = state
  const text = style.word('hyphens') === 'none' ? written.replaceAll('\u00ad', '') : written
  const caps = style.word('font-variant-caps') ?? style.word('font-variant')
  const letters = entryOf(smallLetters, caps)
  if (letters === undefined || style.word('text-transform') === 'uppercase')
    return [{ kind: 'text', text, state }]
  const smallStyle = style.memoized('small-caps', () =>
    style.extended([
      ['font-size', `${style.size * smallCapsScale}pt`],
      ['text-transform', 'none'],
    ]),
  )
  return text
    .split(letters)
    .map(
      (part, index): InlineItem =>
        index % 2 === 0
          ? { kind: 'text', text: part, state }
          : { kind: 'text', text: part.toUpperCase(), state: { ...state, style: smallStyle } },
    )
    .filter((item) => item.kind !== 'text' || item.text !== '')
}

/** The text that becomes small capitals; it is the odd parts when a text is split. */
const smallLetters: Readonly<Record<string, RegExp>> = {
  'small-caps': /(\p{Ll}+)/u,
  'all-small-caps': /(.+)/su,
}
/** The size of small capitals relative to the text (observed in Chromium). */
const smallCapsScale = 0.7

/** Adds the content that rules generate before or after that of an element, in a box of its own. */
function addGenerated(
  build: BoxBuild,
  of: StyledElement,
  place: 'before' | 'after',
  state: InlineState,
  content: BlockContent,
): void {
  if (of.isGenerated === true) return
  const made = build.cascade.generated(of, place, build.counters)
  if (made === undefined || made.style.display === 'none') return
  const { text, picture, style } = made
  if (text === '' && picture === undefined && isInvisible(style)) return
  recordUndrawnStyle(style, build)
  if (registerBackground(style, build.media)) build.undrawn.add('background pictures')
  const children = text === '' ? [] : [{ type: 'text' as const, value: text }]
  const element: Element = {
    type: 'element',
    ...(picture === undefined
      ? { tagName: 'span', properties: {} }
      : { tagName: 'img', properties: { src: picture, alt: '' } }),
    children,
  }
  placeElement(
    build,
    { element, parent: of, siblings: [element], index: 0, style, isGenerated: true },
    state,
    content,
  )
}

/** Whether an inline box without text leaves no trace. */
const isInvisible = (style: ComputedStyle): boolean =>
  style.display === 'inline' && outOfFlowPlacement(style) === undefined && boxPaintOf(style) === undefined

function addElement(
  build: BoxBuild,
  child: StyledElement,
  inherited: InlineState,
  content: BlockContent,
): void {
  const { element, style } = child
  const href = element.tagName === 'a' ? attributeOf(element, 'href') : undefined
  build.counters.apply(style)
  placeElement(build, child, href === undefined ? inherited : { ...inherited, link: { href } }, content)
}

/** Adds the box of an element whose counters have been applied. */
function placeElement(
  build: BoxBuild,
  child: StyledElement,
  state: InlineState,
  content: BlockContent,
): void {
  const { element, style } = child
  const { display } = style
  if (display === 'contents') {
    addContents(build, child, inlineState(style, state, state.link), content)
    return
  }
  const drawing = pictureOf(build, child)
  const missing = drawing && missingPictureOf(drawing, element, build.quirks)
  const picture =
    missing === undefined || missing.look === 'inline'
      ? drawing
      : missingPictureBox(build, style, inlineState(style, state, state.link), missing)
  const control = picture === undefined ? controlOf(build, child, state) : undefined
  /** The element as a box of its own, to which the decorations of the text before it do not extend. */
  const ownBox = () =>
    display === 'table' ? buildTable(build, child) : buildBlock(build, child, { ...state, decorations: [] })
  const placement = outOfFlowPlacement(style)
  if (placement !== undefined) {
    if (placement === 'left' || placement === 'right') build.floats = true
    recordUndrawnPlace(child, build)
    const box = picture ?? (display === 'table' ? undefined : control) ?? ownBox()
    content.out({ kind: 'out-of-flow', style, placement, box }, state)
  } else if (content.holdsItems) content.block(picture ?? control ?? ownBox())
  else if (element.tagName === 'br') content.add({ kind: 'break', state })
  else if (element.tagName === 'wbr') content.add({ kind: 'break-opportunity', state })
  else if (picture !== undefined) {
    if (missing?.look === 'inline')
      addMissingPicture(child, missing, inlineState(style, state, state.link), content)
    else if (blocks.has(display)) content.block(picture)
    else addAtomicInline(child, picture, inlineState(style, state, state.link), content)
  } else addInFlow(build, child, control, state, content)
}

/** Adds the children of an element that has no box of its own (CSS Display 3, 2.5). */
function addContents(build: BoxBuild, of: StyledElement, state: InlineState, content: BlockContent): void {
  build.depth++
  if (isWithinDepth(build)) addChildren(build, of, state, content)
  build.depth--
}

/** Adds a control of a form, or an element with content, to the flow of blocks and lines. */
function addInFlow(
  build: BoxBuild,
  child: StyledElement,
  control: ReturnType<typeof controlOf>,
  state: InlineState,
  content: BlockContent,
): void {
  const { style } = child
  const { display } = style
  if (control !== undefined) {
    if (control.style.display === 'flex') content.block(control)
    else
      addAtomicInline(child, control, inlineState(style, { ...state, decorations: [] }, state.link), content)
  } else if (display === 'table') content.block(buildTable(build, child))
  else if (display === 'inline-table')
    addAtomicInline(child, buildTable(build, child), inlineState(style, state, state.link), content)
  else if (/^inline-(?:block|flex|grid)$/.test(display)) {
    const inner = inlineState(style, { ...state, decorations: [] }, state.link)
    addAtomicInline(child, buildBlock(build, child, inner), inner, content)
  } else if (blocks.has(display) || tableParts.test(display)) {
    if (tableParts.test(display)) build.undrawn.add('parts of tables outside of tables')
    content.block(buildBlock(build, child, state))
  } else addInline(build, child, state, content)
}

/** How the element is taken out of the flow; undefined if it is in the flow. */
function outOfFlowPlacement(style: ComputedStyle): OutOfFlowBox['placement'] | undefined {
  const position = style.word('position')
  if (position === 'absolute' || position === 'fixed') return position
  const float = style.word('float')
  if (float === 'inline-start' || float === 'inline-end') return sideOf(style, float)
  return float === 'left' || float === 'right' ? float : undefined
}

/** Adds the icon of a picture that cannot be drawn, and its alternative text as an inline block. */
function addMissingPicture(
  { element, style }: StyledElement,
  missing: MissingPicture,
  state: InlineState,
  content: BlockContent,
): void {
  const id = idOf(element)
  if (id !== undefined) content.add({ kind: 'mark', id, state })
  const items = missingPictureItems(style, state, missing)
  if (missing.text === '' && missing.icon) {
    for (const item of items) content.add(item)
    return
  }
  // A picture with an empty alternative text is invisible, but a line that holds nothing else has its usual height.
  const inlineBlock = new ComputedStyle(new Map([['display', 'inline-block']]), style.variables, style)
  const lines: LayoutBox = { kind: 'lines', style: inlineBlock, items }
  content.add({ kind: 'atomic', box: { kind: 'block', style: inlineBlock, children: [lines] }, state })
}

/** Adds a box that is laid out in a line as one unit. */
function addAtomicInline(
  { element }: StyledElement,
  box: LayoutBox,
  state: InlineState,
  content: BlockContent,
): void {
  const id = box.kind === 'picture' ? idOf(element) : undefined
  if (id !== undefined) content.add({ kind: 'mark', id, state })
  content.add({ kind: 'atomic', box, state })
}

function addInline(build: BoxBuild, child: StyledElement, state: InlineState, content: BlockContent): void {
  const { element, style } = child
  const inner = inlineState(style, state, state.link)
  const id = idOf(element)
  if (id !== undefined) content.add({ kind: 'mark', id, state: inner })
  content.add({ kind: 'open', state: inner })
  build.depth++
  if (isWithinDepth(build)) addChildren(build, child, inner, content)
  build.depth--
  content.add({ kind: 'close', state: inner })
}

/**
 * Gives the first letter of a block the style that rules have for it, also where the letter is in a block within it. The
 * letter includes the punctuation around it. Source: CSS Pseudo-Elements 4, 2.2.
 */
function withFirstLetter(
  build: BoxBuild,
  of: StyledElement,
  children: readonly LayoutBox[],
): readonly LayoutBox[] {
  if (isFlex(of.style) || isGrid(of.style)) return children
  const at = children.findIndex((child) => child.kind !== 'out-of-flow')
  const first = children[at]
  if (
    first?.kind === 'block' &&
    first.hasFirstLetter !== true &&
    !isFlex(first.style) &&
    !isGrid(first.style)
  ) {
    const inner = withFirstLetter(build, of, first.children)
    return inner === first.children ? children : children.with(at, { ...first, children: inner })
  }
  if (first?.kind !== 'lines') return children
  const index = first.items.findIndex(
    (item) =>
      item.kind === 'atomic' || item.kind === 'break' || (item.kind === 'text' && !isCollapsible(item)),
  )
  const item = first.items[index]
  if (item?.kind !== 'text') return children
  const style = build.cascade.firstLetter(of, item.state.style)
  if (style !== undefined) recordUndrawnStyle(style, build)
  const [, , letter = ''] = (style && firstLetter.exec(item.text)) ?? []
  if (style === undefined || letter === '') return children
  const [before, after] = [first.items.slice(0, index), first.items.slice(index + 1)]
  const rest: InlineItem = { ...item, text: item.text.slice(item.text.indexOf(letter) + letter.length) }
  const state = inlineState(style, item.state, item.state.link)
  const text: InlineItem = { kind: 'text', text: letter, state }
  const placement = outOfFlowPlacement(style)
  if (placement !== 'left' && placement !== 'right') {
    const items = [
      ...before,
      { kind: 'open', state },
      text,
      { kind: 'close', state },
      rest,
      ...after,
    ] as const
    return children.with(at, { ...first, items })
  }
  build.floats = true
  const box: BlockBox = { kind: 'block', style, children: [{ kind: 'lines', style, items: [text] }] }
  const float: OutOfFlowBox = { kind: 'out-of-flow', style, placement, box }
  return children.toSpliced(at, 1, float, { ...first, items: [...before, rest, ...after] })
}

/** The blanks before the first letter of a text, and the letter with its marks and the punctuation around it. */
const firstLetter = /^(\s*)([\p{P}\u00a0]*[^\p{P}\s]\p{M}*[\p{Pe}\p{Pf}\p{Po}]*)/u

/** Computes the state that an inline element passes on to its content. */
function inlineState(style: ComputedStyle, parent: InlineState, link: WebLink | undefined): InlineState {
  const align = style.word('vertical-align') ?? 'baseline'
  const raised = style.parent?.size ?? style.size
  const length = style.length('vertical-align', style.size)
  const shift =
    align === 'super'
      ? raised / 3 + 0.75
      : align === 'sub'
        ? -(raised / 5 + 0.75)
        : length !== undefined && /^[+-]?[\d.]/.test(align)
          ? length
          : 0
  return {
    style,
    rise: parent.rise + shift,
    decorations: decorationsOf(style, parent.decorations),
    ...(link !== undefined && { link }),
  }
}

/** Text decorations apply to all content of an element, so they accumulate (CSS Text Decoration 3, 2). */
function decorationsOf(
  style: ComputedStyle,
  inherited: readonly TextDecoration[],
): readonly TextDecoration[] {
  const value = style.declared('text-decoration')?.toLowerCase()
  if (value === undefined || value.startsWith('none')) return inherited
  const kinds = (['underline', 'line-through', 'overline'] as const).filter((kind) => value.includes(kind))
  if (kinds.length === 0) return inherited
  const named = style.declared('text-decoration-color') ?? partsOf(value).find(isColor)
  const colour = named === undefined ? undefined : colorOf(named)
  return [
    ...inherited,
    ...kinds.map((kind) => ({
      kind,
      colour: colour === undefined ? textColour(style) : Number.parseInt(colour, 16),
    })),
  ]
}

function headingOf(build: BoxBuild, element: Element): BlockBox['heading'] {
  const level = /^h([1-6])$/.exec(element.tagName)?.[1]
  if (level === undefined) return undefined
  const title = textOf(element).replace(/\s+/g, ' ').trim().slice(0, 500)
  if (title === '') return undefined
  const heading = {
    level: Number(level),
    title,
    bookmark: idOf(element) ?? `heading-${build.headings.length + 1}`,
  }
  build.headings.push(heading)
  return heading
}

function textOf(element: Element): string {
  return element.children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('')
}
