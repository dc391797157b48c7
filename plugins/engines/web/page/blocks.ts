/**
 * Writes the blocks of a page as paragraphs, lists and tables. Boxes that offices cannot express are
 * approximated: a box around several blocks becomes a table of one cell, blocks beside each other a table of
 * one row, and a border above or below a box a paragraph with that border.
 */

import type { StyledElement } from '../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../shared/css/style.ts'
import { minOf } from '../../../../shared/extremes.ts'
import { xml } from '../../../../shared/flow/write-odf.ts'
import { type BlockContext, type Blocks, boxTable, type CellMore, spacer, tiny } from './block-tools.ts'
import { type InlineTools, inlinesOf } from './inline-content.ts'
import { listOf } from './lists.ts'
import {
  alignOf,
  type BorderLine,
  type BoxStyle,
  boxOf,
  boxValues,
  hasBoxStyle,
  type InheritedFormatting,
  inheritedByContent,
  lineHeight,
  lineValue,
  noBox,
  sides,
  textAttributes,
} from './odf/attributes.ts'
import { idOf, type PageOdfStyles } from './odf/document.ts'
import { collapsed, isVisible, type OdfInline, writeInlines } from './odf/inlines.ts'
import type { OdfAttributes, OdfNode, OdfParagraph, OdfTable, ParagraphBase, TableCell } from './odf/nodes.ts'
import { pt } from './odf/nodes.ts'
import type { Pictures } from './pictures.ts'
import { blocksOnOneLine, rowOf } from './rows.ts'
import { tableOf } from './tables.ts'
import { isBlank, isReplaced, isText, type StyledChild, type Tree } from './tree.ts'
import type { Widths } from './widths.ts'

/** Maximum number of characters in a box that becomes a table cell, which should fit on one page. */
const maxBoxedCharacters = 2500

export class BlockWriter implements Blocks {
  readonly tree: Tree
  readonly styles: PageOdfStyles
  readonly widths: Widths
  readonly #tools: InlineTools
  #out: OdfNode[] = []
  /**
   * The pending space before the next block: the largest of the margins, and the padding that is added to it.
   */
  #gap = 0
  #padding = 0
  #break = false
  #bookmarks: string[] = []
  readonly #running: ReadonlySet<unknown>

  constructor(
    parts: {
      readonly tree: Tree
      readonly styles: PageOdfStyles
      readonly widths: Widths
      readonly pictures: Pictures
    },
    linked: ReadonlySet<string>,
    running: ReadonlySet<unknown>,
  ) {
    this.tree = parts.tree
    this.styles = parts.styles
    this.widths = parts.widths
    this.#tools = { ...parts, linked }
    this.#running = running
  }

  inside(work: () => void): OdfNode[] {
    const before = [this.#gap, this.#padding, this.#break] as const
    ;[this.#gap, this.#padding, this.#break] = [0, 0, false]
    const nodes = this.collect(work)
    const last = nodes.at(-1)
    if (last?.kind === 'paragraph' && this.#gap + this.#padding > 0) last.below = this.#gap + this.#padding
    ;[this.#gap, this.#padding, this.#break] = before
    return nodes
  }

  /** Writes an element that is repeated on every page. */
  running(styled: StyledElement, context: BlockContext): OdfNode[] {
    const inner = {
      ...context,
      cell: true,
      around: withoutBackground(inheritedByContent(styled.style, context.inherited)),
    }
    return this.inside(() => this.#inner(styled, inner))
  }

  collect(work: () => void): OdfNode[] {
    const out = this.#out
    this.#out = []
    work()
    const nodes = this.#out
    this.#out = out
    return nodes
  }

  children(of: StyledElement, children: readonly StyledChild[], context: BlockContext): void {
    let loose: StyledChild[] = []
    const flush = () => {
      if (loose.length > 0) this.#loose(of, loose, context)
      loose = []
    }
    for (let at = 0; at < children.length; at++) {
      const child = children[at] as StyledChild
      if (isText(child) || !this.tree.isBlock(child)) {
        const alone =
          !isText(child) &&
          isReplaced(child) &&
          child.style.display === 'block' &&
          child.element.tagName !== 'br'
        if (alone) flush()
        loose.push(child)
        if (alone) {
          const centred =
            child.style.get('margin-left') === 'auto' && child.style.get('margin-right') === 'auto'
          this.#loose(of, loose, centred ? { ...context, align: 'center' } : context)
          loose = []
        }
        continue
      }
      flush()
      const row = blocksOnOneLine(this.tree, children, at)
      if (row === undefined) this.block(child, context)
      else {
        rowOf(this, row.members, of.style, context)
        at = row.last
      }
    }
    flush()
  }

  block(styled: StyledElement, context: BlockContext): void {
    const { element, style } = styled
    if (this.#running.has(element)) return
    if (!context.cell && breaks(style.word('break-before'))) this.#breakPage()
    const id = attributeOf(element, 'id')
    if (id !== undefined && this.#tools.linked.has(id)) this.#bookmarks.push(id)
    const margin = (side: string) => Math.max(0, style.length(`margin-${side}`, context.width) ?? 0)
    this.#gap = Math.max(this.#gap, margin('top'))
    const inner: BlockContext = {
      ...context,
      inherited: withoutBackground(inheritedByContent(style, context.inherited)),
    }
    this.#inner(styled, inner)
    this.#gap = Math.max(this.#gap, margin('bottom'))
    if (!context.cell && breaks(style.word('break-after'))) this.#breakPage()
  }

  #inner(styled: StyledElement, context: BlockContext): void {
    const { element, style } = styled
    const { tree } = this
    const count = Number(style.get('column-count'))
    if (element.tagName === 'hr') {
      const { lines } = boxOf(style, context.width)
      this.#rule(style, context, lines.top ?? lines.bottom)
    } else if (/^(?:inline-)?table$/.test(style.display)) tableOf(this, styled, context)
    else if (this.#isList(styled)) listOf(this, styled, context)
    else if (this.#isRow(styled))
      this.#boxed(styled, context, (inner) => rowOf(this, tree.elements(styled), style, inner))
    else if (!tree.holdsBlocks(styled)) this.#leaf(styled, context)
    else if (count > 1 && count < 10 && hasColumns(context)) this.#columns(styled, count, context)
    else this.#boxed(styled, context, (inner) => this.children(styled, tree.children(styled), inner))
  }

  #isList(styled: StyledElement): boolean {
    if (/flex|grid/.test(styled.style.display)) return false
    return this.tree.elements(styled).some((child) => child.style.display === 'list-item')
  }

  /** Whether the children of an element are beside each other. */
  #isRow(styled: StyledElement): boolean {
    const { style } = styled
    const across = /flex$/.test(style.display) && !style.word('flex-direction')?.startsWith('column')
    if (!across && style.display !== 'grid') return false
    return (
      this.tree.elements(styled).length > 1 &&
      this.tree.children(styled).every((child) => !isText(child) || isBlank(child))
    )
  }

  /** Writes a block that contains blocks. */
  #boxed(styled: StyledElement, context: BlockContext, work: (inner: BlockContext) => void): void {
    const { style, element } = styled
    const box = boxOf(style, context.width)
    const { left, right } = this.margins(style, context)
    const outer = {
      ...context,
      left,
      right,
      ...(element.tagName === 'blockquote' && { base: 'Quotations' as const }),
    }
    const { top, bottom } = box.lines
    const framed =
      box.background !== undefined || box.lines.left !== undefined || box.lines.right !== undefined
    if (framed && !(onlyLeft(box) && this.#hasOnlyText(styled)) && this.#isSmall(styled)) {
      const width = context.width - left - right
      this.emitTable(boxTable(left, width, this.cell(styled, width, outer, { base: outer.base })))
      return
    }
    // A large box is not drawn when it only sets its text off. A border on its left is kept, and so is a dark
    // background, without which the text would be unreadable.
    const isParagraphBox = framed && (onlyLeft(box) || isDark(box.background))
    const ruled = !framed
    if (ruled && top !== undefined) this.#rule(style, outer, top)
    this.#padding += box.padding.top
    const edge = isParagraphBox
      ? {
          ...box,
          lines: { ...box.lines, top: undefined, bottom: undefined },
          padding: { ...box.padding, top: 0, bottom: 0 },
        }
      : undefined
    const inner: BlockContext = {
      ...outer,
      left: left + (edge === undefined ? box.padding.left : 0),
      right: right + (edge === undefined ? box.padding.right : 0),
      ...(edge !== undefined && { box: edge }),
    }
    work(inner)
    // The padding below the text applies whatever block comes next.
    const below = box.padding.bottom
    if (ruled && bottom !== undefined) {
      this.#padding += below
      this.#rule(style, outer, bottom)
    } else if (below > 0) this.#gap += below
  }

  /** Whether an element contains only text, so that a border on its left can be that of its paragraphs. */
  #hasOnlyText(styled: StyledElement): boolean {
    return this.tree
      .children(styled)
      .every(
        (child) =>
          isText(child) ||
          !this.tree.isBlock(child) ||
          (child.element.tagName === 'p' && !this.tree.holdsBlocks(child)),
      )
  }

  #holdsTable(styled: StyledElement): boolean {
    return this.tree
      .elements(styled)
      .some((child) => child.style.display === 'table' || this.#holdsTable(child))
  }

  /**
   * Whether a box may become a cell. Cells cannot contain page breaks and should not contain a large part of
   * the document.
   */
  #isSmall(styled: StyledElement): boolean {
    let length = 0
    const see = (child: StyledChild): boolean => {
      if (isText(child)) {
        length += child.value.length
        return length <= maxBoxedCharacters
      }
      const { style } = child
      if (breaks(style.word('break-before')) || breaks(style.word('break-after'))) return false
      return this.tree.children(child).every(see)
    }
    // A box around the complete page with its tables would become a table of tables.
    const alone =
      styled.parent !== undefined &&
      styled.parent.element.tagName === 'body' &&
      this.tree.children(styled.parent).every((child) => child === styled || isBlank(child)) &&
      this.#holdsTable(styled)
    return !alone && this.tree.children(styled).every(see)
  }

  #columns(styled: StyledElement, count: number, context: BlockContext): void {
    const gap = styled.style.length('column-gap') ?? styled.style.size
    const width = (context.width - context.left - context.right - gap * (count - 1)) / count
    const { left, right } = context
    const nodes = this.inside(() =>
      this.children(styled, this.tree.children(styled), { ...context, width, left: 0, right: 0 }),
    )
    if (nodes.length > 0) this.emit({ kind: 'columns', count, gap, left, right, nodes })
  }

  /** Writes a block of text. */
  #leaf(styled: StyledElement, context: BlockContext): void {
    const { style, element } = styled
    const box = boxOf(style, context.width)
    const inlines = this.#inlines(styled, this.tree.children(styled), context)
    const heading = /^h([1-6])$/.exec(element.tagName)?.[1]
    const base: ParagraphBase =
      heading !== undefined
        ? (`Heading_20_${heading}` as ParagraphBase)
        : element.tagName === 'pre'
          ? 'Preformatted_20_Text'
          : element.tagName === 'blockquote'
            ? 'Quotations'
            : context.base
    if (!isVisible(inlines)) {
      // An empty box is visible when it has a height or a border. Otherwise only its space remains.
      const height = style.length('height') ?? 0
      const line = sides.map((side) => box.lines[side]).find((side) => side !== undefined)
      if (line !== undefined) this.#rule(style, { ...context, ...this.margins(style, context) }, line)
      else this.#padding += Math.max(0, height) + box.padding.top + box.padding.bottom
      return
    }
    this.#paragraph(
      style,
      inlines,
      { ...context, base, ...this.margins(style, context) },
      hasBoxStyle(box) ? box : { ...box, ...withInheritedBox(box, context.box) },
    )
  }

  /** Writes text that is beside blocks, as if it were in a block of its own. */
  #loose(of: StyledElement, children: readonly StyledChild[], context: BlockContext): void {
    const inlines = this.#inlines(of, children, context)
    if (!isVisible(inlines)) {
      if (this.#bookmarks.length === 0 && inlines.length === 0) return
      return
    }
    this.#paragraph(of.style, inlines, context, context.box ?? noBox)
  }

  #inlines(
    of: StyledElement,
    children: readonly StyledChild[],
    { inherited, width, left, right }: BlockContext,
  ): readonly OdfInline[] {
    return collapsed(inlinesOf(this.#tools, of, children, inherited, Math.max(width - left - right, 20)))
  }

  #paragraph(
    style: ComputedStyle,
    inlines: readonly OdfInline[],
    context: BlockContext,
    box: BoxStyle,
  ): void {
    const text = textAttributes(style, withoutLink(context.inherited))
    const onlyBreaks = inlines.every((inline) => inline.kind === 'break')
    const written = writeInlines(onlyBreaks ? inlines.slice(1) : inlines, text, this.styles)
    const bookmarks = this.#bookmarks.map((name) => `<text:bookmark text:name="${xml(name)}"/>`).join('')
    this.#bookmarks = []
    const layout = this.#layout(style, context, box)
    const tabs = inlines.flatMap((inline) =>
      inline.kind === 'xml' && inline.tab !== undefined ? [inline.tab] : [],
    )
    this.emit({
      kind: 'paragraph',
      base: context.base,
      layout,
      text,
      content: bookmarks + written,
      ...(tabs.length > 0 && { tabs: [...new Set(tabs)].toSorted((a, b) => a - b) }),
    })
  }

  #layout(style: ComputedStyle, context: BlockContext, box: BoxStyle): OdfAttributes {
    if (!hasBoxStyle(box)) this.#padding += box.padding.top
    const { left, right, width, align, lists } = context
    const key = `layout ${idOf(box)} ${left} ${right} ${width} ${align} ${lists > 0}`
    return style.memoized(key, () => makeLayout(style, context, box))
  }

  /** Writes a horizontal line, as a paragraph without height. */
  #rule(style: ComputedStyle, context: BlockContext, line: BorderLine | undefined): void {
    if (line === undefined) return
    const { left, right } =
      style.declared('margin-left') === undefined ? context : this.margins(style, context)
    const layout = new Map([
      ...this.#layout(style, { ...context, left, right }, noBox),
      ['fo:border-top', lineValue(line)],
      ['fo:line-height', '100%'],
      ['fo:text-indent', '0pt'],
    ])
    const text = new Map([...textAttributes(style, {}), ['fo:font-size', pt(tiny)]])
    this.emit({ kind: 'paragraph', base: 'Horizontal_20_Line', layout, text, content: '' })
  }

  emit(node: OdfNode): void {
    if (node.kind === 'paragraph') {
      node.above = this.#gap + this.#padding
      if (this.#break) node.breakBefore = true
      this.#resetSpace()
    }
    this.#out.push(node)
  }

  emitTable(table: OdfTable): void {
    const last = this.#out.at(-1)
    const space = this.#gap + this.#padding
    const isFirst = last === undefined && this.#bookmarks.length === 0
    if (last?.kind === 'paragraph' && this.#bookmarks.length === 0) last.below = space
    else if (!isFirst || (space > 0 && !this.#break)) {
      // A paragraph separates tables that would otherwise be joined. The space after the previous node is
      // then not needed.
      const bookmarks = this.#bookmarks.map((name) => `<text:bookmark text:name="${xml(name)}"/>`).join('')
      this.#bookmarks = []
      this.#out.push(spacer(Math.max(space, tiny), bookmarks))
    }
    if (this.#break) table.breakBefore = true
    this.#resetSpace()
    this.#out.push(table)
  }

  /** The pending space stays on the page before the break. */
  #breakPage(): void {
    this.#resetSpace()
    this.#break = true
  }

  #resetSpace(): void {
    this.#gap = 0
    this.#padding = 0
    this.#break = false
  }

  margins(style: ComputedStyle, { width, left, right }: BlockContext): { left: number; right: number } {
    const available = Math.max(width - left - right, 0)
    const sum = (name: (side: string) => string) =>
      ['left', 'right'].reduce((total, side) => total + (style.length(name(side), width) ?? 0), 0)
    const [before, after] = [style.get('margin-left'), style.get('margin-right')]
    const margins = [
      Math.max(0, style.length('margin-left', available) ?? 0),
      Math.max(0, style.length('margin-right', available) ?? 0),
    ]
    const declared = [style.length('width', available), style.length('max-width', available)].filter(
      (node) => node !== undefined,
    )
    const added = style.word('box-sizing') === 'border-box' ? 0 : sum((side) => `padding-${side}`)
    const wide = declared.length === 0 ? undefined : minOf(declared) + added
    let [start = 0, end = 0] = margins
    const free = wide === undefined ? 0 : available - wide - start - end
    if (free > 0.5) {
      const centred =
        (before === 'auto' && after === 'auto') || style.parent?.word('-block-align') === 'center'
      if (centred) [start, end] = [start + free / 2, end + free / 2]
      else if (before === 'auto' || style.word('float') === 'right') start += free
      else end += free
    }
    // Margins that leave no width for the text are ignored.
    if (start + end > available - 20) [start, end] = [0, 0]
    return { left: left + start, right: right + end }
  }

  cell(styled: StyledElement, width: number, context: BlockContext, more: Partial<CellMore> = {}): TableCell {
    const { style, element } = styled
    const isBoxless = /^(?:table|inline-table)$/.test(style.display) || element.tagName === 'hr'
    const box = more.box ?? (isBoxless ? noBox : boxOf(style, width))
    const inner: BlockContext = {
      width: Math.max(width - box.padding.left - box.padding.right, 10),
      left: 0,
      right: 0,
      base: more.base ?? context.base,
      inherited: withoutBackground(
        isBoxless ? context.inherited : inheritedByContent(style, context.inherited),
      ),
      cell: true,
      lists: 0,
    }
    const nodes = this.inside(() => {
      if (isBoxless) this.block(styled, inner)
      else this.#content(styled, inner)
    })
    const isBorderless = sides.every((side) => box.lines[side] === undefined)
    if (nodes.length === 0) nodes.push(this.empty(style, inner, isBorderless ? tiny : undefined))
    else if (nodes.at(-1)?.kind !== 'paragraph' && nodes.at(-1)?.kind !== 'list') nodes.push(spacer(tiny, ''))
    return {
      layout: new Map([
        ...boxValues(box, false),
        ['style:vertical-align', more.align ?? 'top'],
        ['style:writing-mode', 'page'],
      ]),
      columns: more.columns ?? 1,
      rows: more.rows ?? 1,
      nodes,
    }
  }

  /** Writes the content of a box without the box. */
  #content(styled: StyledElement, context: BlockContext): void {
    const { style } = styled
    if (isReplaced(styled) && styled.parent !== undefined) this.#loose(styled.parent, [styled], context)
    else if (this.#isList(styled)) listOf(this, styled, context)
    else if (this.#isRow(styled)) rowOf(this, this.tree.elements(styled), style, context)
    else if (this.tree.holdsBlocks(styled)) this.children(styled, this.tree.children(styled), context)
    else {
      const inlines = this.#inlines(styled, this.tree.children(styled), context)
      const heading = /^h([1-6])$/.exec(styled.element.tagName)?.[1]
      const base = heading === undefined ? context.base : (`Heading_20_${heading}` as ParagraphBase)
      if (isVisible(inlines)) this.#paragraph(style, inlines, { ...context, base }, noBox)
    }
  }

  gap(style: ComputedStyle, context: BlockContext): Pick<TableCell, 'layout' | 'nodes'> {
    const inner = { ...context, left: 0, right: 0, base: 'Text_20_body' as const }
    return { layout: new Map(boxValues(noBox, false)), nodes: [this.empty(style, inner, tiny)] }
  }

  empty(style: ComputedStyle, context: BlockContext, size?: number): OdfParagraph {
    const attributes = textAttributes(style, {})
    const text = size === undefined ? attributes : new Map([...attributes, ['fo:font-size', pt(size)]])
    return {
      kind: 'paragraph',
      base: context.base,
      layout: this.#layout(style, context, noBox),
      text,
      content: '',
    }
  }
}

function makeLayout(style: ComputedStyle, context: BlockContext, box: BoxStyle): OdfAttributes {
  const seen = hasBoxStyle(box)
  // Word draws the borders of a paragraph outside of its indents, by their distance from the text.
  const shift = (side: 'left' | 'right') =>
    context[side] + box.padding[side] + (seen ? (box.lines[side]?.width ?? 0) : 0)
  const position: readonly (readonly [string, string])[] = [
    ['fo:margin-left', pt(shift('left'))],
    ['fo:margin-right', pt(shift('right'))],
    ['fo:text-indent', pt(style.length('text-indent', context.width) ?? 0)],
  ]
  return new Map<string, string>([
    // Inside a list the position of the text comes from the list level alone.
    ...(context.lists > 0 ? position.slice(1, 2) : position),
    ['fo:text-align', context.align ?? alignOf(style)],
    ['fo:line-height', lineHeight(style)],
    ...boxValues(box),
    ['style:writing-mode', style.word('direction') === 'rtl' ? 'rl-tb' : 'lr-tb'],
    ['fo:keep-with-next', style.word('break-after') === 'avoid' ? 'always' : 'auto'],
    ['fo:keep-together', style.word('break-inside') === 'avoid' ? 'always' : 'auto'],
  ])
}

/** Whether a background is so dark that the text on it is readable only when the background is printed. */
function isDark(color: string | undefined): boolean {
  if (color === undefined) return false
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return red * 0.3 + green * 0.59 + blue * 0.11 < 140
}

/** Adds the borders and background of a large box to one of its paragraphs that has none of its own. */
function withInheritedBox(box: BoxStyle, inherited: BoxStyle | undefined): Partial<BoxStyle> {
  if (inherited === undefined) return {}
  const padding = {
    ...box.padding,
    left: box.padding.left + inherited.padding.left,
    right: box.padding.right + inherited.padding.right,
  }
  return { background: inherited.background, lines: inherited.lines, padding }
}

function onlyLeft({ background, lines }: BoxStyle): boolean {
  return (
    background === undefined &&
    lines.left !== undefined &&
    lines.right === undefined &&
    lines.top === undefined &&
    lines.bottom === undefined
  )
}

/**
 * Word has columns only for complete pages, so columns that would be far from the text around them are
 * dropped.
 */
function hasColumns({ cell, left, right }: BlockContext): boolean {
  return !cell && left + right < 72
}

function breaks(value: string | undefined): boolean {
  return value !== undefined && ['page', 'always', 'left', 'right', 'recto', 'verso'].includes(value)
}

function withoutBackground({ background: _, ...inherited }: InheritedFormatting): InheritedFormatting {
  return inherited
}

function withoutLink({ link: _, background: __, ...inherited }: InheritedFormatting): InheritedFormatting {
  return inherited
}
