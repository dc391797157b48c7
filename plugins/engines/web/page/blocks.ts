/**
 * The blocks of a page as paragraphs, lists and tables. What offices have no word for is told by what they have: a box
 * around several blocks is a table of one cell, what stands side by side a table of one row, a line above or below a box
 * a paragraph with that line.
 */
import { xml } from '../../../../shared/flow/write-odf.ts'
import { type Blocks, boxTable, type CellMore, type Context, spacer, tiny } from './block-tools.ts'
import type { Styled } from './css/cascade.ts'
import { attributeOf } from './css/selector.ts'
import type { Style } from './css/style.ts'
import { type InlineTools, inlinesOf } from './inline-content.ts'
import { listOf } from './lists.ts'
import { idOf, type OdfStyles } from './odf/document.ts'
import { collapsed, isShown, type Piece, writePieces } from './odf/inlines.ts'
import {
  type Around,
  alignOf,
  aroundOf,
  type Box,
  boxOf,
  boxValues,
  hasLook,
  type Line,
  lineHeight,
  lineValue,
  noBox,
  sides,
  textLook,
} from './odf/looks.ts'
import type { Base, OdfNode, Paragraph, Table, TableCell, Values } from './odf/nodes.ts'
import { pt } from './odf/nodes.ts'
import type { Pictures } from './pictures.ts'
import { besideEachOther, rowOf } from './rows.ts'
import { tableOf } from './tables.ts'
import { isBlank, isReplaced, isText, type Kid, type Tree } from './tree.ts'
import type { Widths } from './widths.ts'

/** A box with more text than this is no box that stands on one page. */
const mostBoxed = 2500

export class BlockWriter implements Blocks {
  readonly tree: Tree
  readonly styles: OdfStyles
  readonly widths: Widths
  readonly #tools: InlineTools
  #out: OdfNode[] = []
  /** Space that waits for the next block: of margins the largest, and what is added to it. */
  #gap = 0
  #room = 0
  #break = false
  #bookmarks: string[] = []
  readonly #running: ReadonlySet<unknown>

  constructor(
    parts: {
      readonly tree: Tree
      readonly styles: OdfStyles
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
    const before = [this.#gap, this.#room, this.#break] as const
    ;[this.#gap, this.#room, this.#break] = [0, 0, false]
    const nodes = this.collect(work)
    const last = nodes.at(-1)
    if (last?.kind === 'paragraph' && this.#gap + this.#room > 0) last.below = this.#gap + this.#room
    ;[this.#gap, this.#room, this.#break] = before
    return nodes
  }

  /** What stands on every page. */
  running(one: Styled, context: Context): OdfNode[] {
    const inner = { ...context, cell: true, around: withoutBackground(aroundOf(one.style, context.around)) }
    return this.inside(() => this.#inner(one, inner))
  }

  collect(work: () => void): OdfNode[] {
    const out = this.#out
    this.#out = []
    work()
    const nodes = this.#out
    this.#out = out
    return nodes
  }

  children(of: Styled, kids: readonly Kid[], context: Context): void {
    let loose: Kid[] = []
    const flush = () => {
      if (loose.length > 0) this.#loose(of, loose, context)
      loose = []
    }
    for (let at = 0; at < kids.length; at++) {
      const kid = kids[at] as Kid
      if (isText(kid) || !this.tree.isBlock(kid)) {
        const alone =
          !isText(kid) && isReplaced(kid) && kid.style.display === 'block' && kid.element.tagName !== 'br'
        if (alone) flush()
        loose.push(kid)
        if (alone) {
          const centred = kid.style.get('margin-left') === 'auto' && kid.style.get('margin-right') === 'auto'
          this.#loose(of, loose, centred ? { ...context, align: 'center' } : context)
          loose = []
        }
        continue
      }
      flush()
      const row = besideEachOther(this.tree, kids, at)
      if (row === undefined) this.block(kid, context)
      else {
        rowOf(this, row.members, of.style, context)
        at = row.last
      }
    }
    flush()
  }

  block(one: Styled, context: Context): void {
    const { element, style } = one
    if (this.#running.has(element)) return
    if (!context.cell && breaks(style.word('break-before'))) this.#breakPage()
    const id = attributeOf(element, 'id')
    if (id !== undefined && this.#tools.linked.has(id)) this.#bookmarks.push(id)
    const margin = (side: string) => Math.max(0, style.length(`margin-${side}`, context.width) ?? 0)
    this.#gap = Math.max(this.#gap, margin('top'))
    const inner: Context = { ...context, around: withoutBackground(aroundOf(style, context.around)) }
    this.#inner(one, inner)
    this.#gap = Math.max(this.#gap, margin('bottom'))
    if (!context.cell && breaks(style.word('break-after'))) this.#breakPage()
  }

  #inner(one: Styled, context: Context): void {
    const { element, style } = one
    const { tree } = this
    const count = Number(style.get('column-count'))
    if (element.tagName === 'hr') {
      const { lines } = boxOf(style, context.width)
      this.#rule(style, context, lines.top ?? lines.bottom)
    } else if (/^(?:inline-)?table$/.test(style.display)) tableOf(this, one, context)
    else if (this.#isList(one)) listOf(this, one, context)
    else if (this.#isRow(one))
      this.#boxed(one, context, (inner) => rowOf(this, tree.elements(one), style, inner))
    else if (!tree.holdsBlocks(one)) this.#leaf(one, context)
    else if (count > 1 && count < 10 && hasColumns(context)) this.#columns(one, count, context)
    else this.#boxed(one, context, (inner) => this.children(one, tree.kids(one), inner))
  }

  #isList(one: Styled): boolean {
    if (/flex|grid/.test(one.style.display)) return false
    return this.tree.elements(one).some((kid) => kid.style.display === 'list-item')
  }

  /** Whether what it holds stands side by side. */
  #isRow(one: Styled): boolean {
    const { style } = one
    const across = /flex$/.test(style.display) && !style.word('flex-direction')?.startsWith('column')
    if (!across && style.display !== 'grid') return false
    return (
      this.tree.elements(one).length > 1 && this.tree.kids(one).every((kid) => !isText(kid) || isBlank(kid))
    )
  }

  /** A block that holds others. */
  #boxed(one: Styled, context: Context, work: (inner: Context) => void): void {
    const { style, element } = one
    const box = boxOf(style, context.width)
    const { left, right } = this.place(style, context)
    const outer = {
      ...context,
      left,
      right,
      ...(element.tagName === 'blockquote' && { base: 'Quotations' as const }),
    }
    const { top, bottom } = box.lines
    const framed =
      box.background !== undefined || box.lines.left !== undefined || box.lines.right !== undefined
    if (framed && !(onlyLeft(box) && this.#isPlain(one)) && this.#isSmall(one)) {
      const width = context.width - left - right
      this.emitTable(boxTable(left, width, this.cell(one, width, outer, { base: outer.base })))
      return
    }
    // Of a large box that only sets its text off nothing is left; a line beside it and what makes it readable stay.
    const kept = framed && (onlyLeft(box) || isDark(box.background))
    const ruled = !framed
    if (ruled && top !== undefined) this.#rule(style, outer, top)
    this.#room += box.padding.top
    const edge = kept
      ? {
          ...box,
          lines: { ...box.lines, top: undefined, bottom: undefined },
          padding: { ...box.padding, top: 0, bottom: 0 },
        }
      : undefined
    const inner: Context = {
      ...outer,
      left: left + (edge === undefined ? box.padding.left : 0),
      right: right + (edge === undefined ? box.padding.right : 0),
      ...(edge !== undefined && { box: edge }),
    }
    work(inner)
    // What is below the text of a box is there whatever comes next.
    const below = box.padding.bottom
    if (ruled && bottom !== undefined) {
      this.#room += below
      this.#rule(style, outer, bottom)
    } else if (below > 0) this.#gap += below
  }

  /** Nothing but text: the line beside it may be that of its paragraphs. */
  #isPlain(one: Styled): boolean {
    return this.tree
      .kids(one)
      .every(
        (kid) =>
          isText(kid) ||
          !this.tree.isBlock(kid) ||
          (kid.element.tagName === 'p' && !this.tree.holdsBlocks(kid)),
      )
  }

  #holdsTable(one: Styled): boolean {
    return this.tree.elements(one).some((kid) => kid.style.display === 'table' || this.#holdsTable(kid))
  }

  /** Whether a box may become a cell: cells hold no page breaks, and should not hold half a document. */
  #isSmall(one: Styled): boolean {
    let length = 0
    const see = (kid: Kid): boolean => {
      if (isText(kid)) {
        length += kid.value.length
        return length <= mostBoxed
      }
      const { style } = kid
      if (breaks(style.word('break-before')) || breaks(style.word('break-after'))) return false
      return this.tree.kids(kid).every(see)
    }
    // A frame around all of a page, tables included, would be a table of tables.
    const alone =
      one.parent !== undefined &&
      one.parent.element.tagName === 'body' &&
      this.tree.kids(one.parent).every((kid) => kid === one || isBlank(kid)) &&
      this.#holdsTable(one)
    return !alone && this.tree.kids(one).every(see)
  }

  #columns(one: Styled, count: number, context: Context): void {
    const gap = one.style.length('column-gap') ?? one.style.size
    const width = (context.width - context.left - context.right - gap * (count - 1)) / count
    const { left, right } = context
    const nodes = this.inside(() =>
      this.children(one, this.tree.kids(one), { ...context, width, left: 0, right: 0 }),
    )
    if (nodes.length > 0) this.emit({ kind: 'columns', count, gap, left, right, nodes })
  }

  /** A block of text. */
  #leaf(one: Styled, context: Context): void {
    const { style, element } = one
    const box = boxOf(style, context.width)
    const pieces = this.#pieces(one, this.tree.kids(one), context)
    const heading = /^h([1-6])$/.exec(element.tagName)?.[1]
    const base: Base =
      heading !== undefined
        ? (`Heading_20_${heading}` as Base)
        : element.tagName === 'pre'
          ? 'Preformatted_20_Text'
          : element.tagName === 'blockquote'
            ? 'Quotations'
            : context.base
    if (!isShown(pieces)) {
      // An empty box is there where it has a height or a line; else nothing but its space is.
      const height = style.length('height') ?? 0
      const line = sides.map((side) => box.lines[side]).find((side) => side !== undefined)
      if (line !== undefined) this.#rule(style, { ...context, ...this.place(style, context) }, line)
      else this.#room += Math.max(0, height) + box.padding.top + box.padding.bottom
      return
    }
    this.#paragraph(
      style,
      pieces,
      { ...context, base, ...this.place(style, context) },
      hasLook(box) ? box : { ...box, ...withRoom(box, context.box) },
    )
  }

  /** Text beside blocks, as if it stood in a block of its own. */
  #loose(of: Styled, kids: readonly Kid[], context: Context): void {
    const pieces = this.#pieces(of, kids, context)
    if (!isShown(pieces)) {
      if (this.#bookmarks.length === 0 && pieces.length === 0) return
      return
    }
    this.#paragraph(of.style, pieces, context, context.box ?? noBox)
  }

  #pieces(of: Styled, kids: readonly Kid[], { around, width, left, right }: Context): readonly Piece[] {
    return collapsed(inlinesOf(this.#tools, of, kids, around, Math.max(width - left - right, 20)))
  }

  #paragraph(style: Style, pieces: readonly Piece[], context: Context, box: Box): void {
    const text = textLook(style, withoutLink(context.around))
    const onlyBreaks = pieces.every((piece) => piece.kind === 'break')
    const written = writePieces(onlyBreaks ? pieces.slice(1) : pieces, text, this.styles)
    const marks = this.#bookmarks.map((name) => `<text:bookmark text:name="${xml(name)}"/>`).join('')
    this.#bookmarks = []
    const layout = this.#layout(style, context, box)
    const tabs = pieces.flatMap((piece) =>
      piece.kind === 'xml' && piece.tab !== undefined ? [piece.tab] : [],
    )
    this.emit({
      kind: 'paragraph',
      base: context.base,
      layout,
      text,
      content: marks + written,
      ...(tabs.length > 0 && { tabs: [...new Set(tabs)].toSorted((a, b) => a - b) }),
    })
  }

  #layout(style: Style, context: Context, box: Box): Values {
    if (!hasLook(box)) this.#room += box.padding.top
    const { left, right, width, align, lists } = context
    const key = `layout ${idOf(box)} ${left} ${right} ${width} ${align} ${lists > 0}`
    return style.once(key, () => makeLayout(style, context, box))
  }

  /** A line across, as a paragraph of no height. */
  #rule(style: Style, context: Context, line: Line | undefined): void {
    if (line === undefined) return
    const { left, right } = style.own('margin-left') === undefined ? context : this.place(style, context)
    const layout = new Map([
      ...this.#layout(style, { ...context, left, right }, noBox),
      ['fo:border-top', lineValue(line)],
      ['fo:line-height', '100%'],
      ['fo:text-indent', '0pt'],
    ])
    const text = new Map([...textLook(style, {}), ['fo:font-size', pt(tiny)]])
    this.emit({ kind: 'paragraph', base: 'Horizontal_20_Line', layout, text, content: '' })
  }

  emit(node: OdfNode): void {
    if (node.kind === 'paragraph') {
      node.above = this.#gap + this.#room
      if (this.#break) node.breakBefore = true
      this.#taken()
    }
    this.#out.push(node)
  }

  emitTable(table: Table): void {
    const last = this.#out.at(-1)
    const space = this.#gap + this.#room
    const apart = last === undefined && this.#bookmarks.length === 0
    if (last?.kind === 'paragraph' && this.#bookmarks.length === 0) last.below = space
    else if (!apart || (space > 0 && !this.#break)) {
      // Tables that touch would become one; what they come after keeps no space of its own.
      const marks = this.#bookmarks.map((name) => `<text:bookmark text:name="${xml(name)}"/>`).join('')
      this.#bookmarks = []
      this.#out.push(spacer(Math.max(space, tiny), marks))
    }
    if (this.#break) table.breakBefore = true
    this.#taken()
    this.#out.push(table)
  }

  /** Space that waits is left behind on the page before. */
  #breakPage(): void {
    this.#taken()
    this.#break = true
  }

  #taken(): void {
    this.#gap = 0
    this.#room = 0
    this.#break = false
  }

  place(style: Style, { width, left, right }: Context): { left: number; right: number } {
    const room = Math.max(width - left - right, 0)
    const sum = (name: (side: string) => string) =>
      ['left', 'right'].reduce((total, side) => total + (style.length(name(side), width) ?? 0), 0)
    const [before, after] = [style.get('margin-left'), style.get('margin-right')]
    const margins = [
      Math.max(0, style.length('margin-left', room) ?? 0),
      Math.max(0, style.length('margin-right', room) ?? 0),
    ]
    const said = [style.length('width', room), style.length('max-width', room)].filter(
      (one) => one !== undefined,
    )
    const added = style.word('box-sizing') === 'border-box' ? 0 : sum((side) => `padding-${side}`)
    const wide = said.length === 0 ? undefined : Math.min(...said) + added
    let [start = 0, end = 0] = margins
    const free = wide === undefined ? 0 : room - wide - start - end
    if (free > 0.5) {
      const centred =
        (before === 'auto' && after === 'auto') || style.parent?.word('-block-align') === 'center'
      if (centred) [start, end] = [start + free / 2, end + free / 2]
      else if (before === 'auto' || style.word('float') === 'right') start += free
      else end += free
    }
    // Something must be left for the text.
    if (start + end > room - 20) [start, end] = [0, 0]
    return { left: left + start, right: right + end }
  }

  cell(one: Styled, width: number, context: Context, more: Partial<CellMore> = {}): TableCell {
    const { style, element } = one
    const whole = /^(?:table|inline-table)$/.test(style.display) || element.tagName === 'hr'
    const box = more.box ?? (whole ? noBox : boxOf(style, width))
    const inner: Context = {
      width: Math.max(width - box.padding.left - box.padding.right, 10),
      left: 0,
      right: 0,
      base: more.base ?? context.base,
      around: withoutBackground(whole ? context.around : aroundOf(style, context.around)),
      cell: true,
      lists: 0,
    }
    const nodes = this.inside(() => {
      if (whole) this.block(one, inner)
      else this.#content(one, inner)
    })
    const bare = sides.every((side) => box.lines[side] === undefined)
    if (nodes.length === 0) nodes.push(this.empty(style, inner, bare ? tiny : undefined))
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

  /** What a box holds, without the box. */
  #content(one: Styled, context: Context): void {
    const { style } = one
    if (isReplaced(one) && one.parent !== undefined) this.#loose(one.parent, [one], context)
    else if (this.#isList(one)) listOf(this, one, context)
    else if (this.#isRow(one)) rowOf(this, this.tree.elements(one), style, context)
    else if (this.tree.holdsBlocks(one)) this.children(one, this.tree.kids(one), context)
    else {
      const pieces = this.#pieces(one, this.tree.kids(one), context)
      const heading = /^h([1-6])$/.exec(one.element.tagName)?.[1]
      const base = heading === undefined ? context.base : (`Heading_20_${heading}` as Base)
      if (isShown(pieces)) this.#paragraph(style, pieces, { ...context, base }, noBox)
    }
  }

  gap(style: Style, context: Context): Pick<TableCell, 'layout' | 'nodes'> {
    const inner = { ...context, left: 0, right: 0, base: 'Text_20_body' as const }
    return { layout: new Map(boxValues(noBox, false)), nodes: [this.empty(style, inner, tiny)] }
  }

  empty(style: Style, context: Context, size?: number): Paragraph {
    const look = textLook(style, {})
    const text = size === undefined ? look : new Map([...look, ['fo:font-size', pt(size)]])
    return {
      kind: 'paragraph',
      base: context.base,
      layout: this.#layout(style, context, noBox),
      text,
      content: '',
    }
  }
}

function makeLayout(style: Style, context: Context, box: Box): Values {
  const seen = hasLook(box)
  // Word draws the lines of a paragraph outside of where it stands, by as much as is between them and the text.
  const shift = (side: 'left' | 'right') =>
    context[side] + box.padding[side] + (seen ? (box.lines[side]?.width ?? 0) : 0)
  const place: readonly (readonly [string, string])[] = [
    ['fo:margin-left', pt(shift('left'))],
    ['fo:margin-right', pt(shift('right'))],
    ['fo:text-indent', pt(style.length('text-indent', context.width) ?? 0)],
  ]
  return new Map<string, string>([
    // Inside a list its level says where text stands, and only there.
    ...(context.lists > 0 ? place.slice(1, 2) : place),
    ['fo:text-align', context.align ?? alignOf(style)],
    ['fo:line-height', lineHeight(style)],
    ...boxValues(box),
    ['style:writing-mode', style.word('direction') === 'rtl' ? 'rl-tb' : 'lr-tb'],
    ['fo:keep-with-next', style.word('break-after') === 'avoid' ? 'always' : 'auto'],
    ['fo:keep-together', style.word('break-inside') === 'avoid' ? 'always' : 'auto'],
  ])
}

/** Whether text on it can be read on paper only where it is there. */
function isDark(color: string | undefined): boolean {
  if (color === undefined) return false
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return red * 0.3 + green * 0.59 + blue * 0.11 < 140
}

/** The part of a large box that one of its paragraphs shows, where that has no look of its own. */
function withRoom(own: Box, around: Box | undefined): Partial<Box> {
  if (around === undefined) return {}
  const padding = {
    ...own.padding,
    left: own.padding.left + around.padding.left,
    right: own.padding.right + around.padding.right,
  }
  return { background: around.background, lines: around.lines, padding }
}

function onlyLeft({ background, lines }: Box): boolean {
  return (
    background === undefined &&
    lines.left !== undefined &&
    lines.right === undefined &&
    lines.top === undefined &&
    lines.bottom === undefined
  )
}

/** Word knows columns of a page only: where they would stand far from the text around them they are left out. */
function hasColumns({ cell, left, right }: Context): boolean {
  return !cell && left + right < 72
}

function breaks(value: string | undefined): boolean {
  return value !== undefined && ['page', 'always', 'left', 'right', 'recto', 'verso'].includes(value)
}

function withoutBackground({ background: _, ...around }: Around): Around {
  return around
}

function withoutLink({ link: _, background: __, ...around }: Around): Around {
  return around
}
