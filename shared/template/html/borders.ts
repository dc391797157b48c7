/**
 * Resolves the borders of tables. HTML and CSS declare them for tables, rows and cells, while a document has one line between
 * two cells. Every table is therefore drawn as with `border-collapse: collapse`: of the borders that meet at an edge, one
 * wins. Source: CSS 2.2, 8.5 and 17.6.2.1; WHATWG HTML, 15.3.10.
 */
import { entryOf } from '../../entry-of.ts'
import { readColor, readLength } from './css.ts'
import type { HtmlBorder, HtmlSides, HtmlTable } from './model.ts'

/** A declared border. `hidden` suppresses the borders of neighbours too, `none` only declares no border. */
export interface DeclaredBorder {
  readonly style: HtmlBorder['style'] | 'none' | 'hidden'
  readonly width: number // px
  readonly color?: string
}
export type DeclaredBorders = Readonly<Record<Side, DeclaredBorder>>
type Side = 'top' | 'right' | 'bottom' | 'left'
const sides: readonly Side[] = ['top', 'right', 'bottom', 'left']

const medium = 3 // px
const keywords: Readonly<Record<string, number>> = { thin: 1, medium, thick: 5 }
const styles: Readonly<Record<string, DeclaredBorder['style']>> = {
  none: 'none',
  hidden: 'hidden',
  solid: 'solid',
  dotted: 'dotted',
  dashed: 'dashed',
  double: 'double',
  // Three-dimensional styles are replaced by flat ones.
  groove: 'solid',
  ridge: 'solid',
  inset: 'solid',
  outset: 'solid',
}
const initial: DeclaredBorder = { style: 'none', width: medium }
/** The colour in which browsers draw the `border` attribute. */
const hintColor = '808080'

/**
 * The width of the `border` attribute of a table in px. `border` without a number counts as 1, and a missing attribute as 0.
 */
function borderAttribute(attributes: ReadonlyMap<string, string>): number {
  const value = attributes.get('border')
  if (value === undefined) return 0
  const width = Number.parseInt(value, 10)
  return Number.isNaN(width) ? 1 : Math.max(0, width)
}

/** The borders of a table. `cells` are those that its `border` attribute adds to each cell, in the colours of the table. */
export function tableBorders(
  attributes: ReadonlyMap<string, string>,
  css: ReadonlyMap<string, string>,
): { readonly table: DeclaredBorders; readonly cells: DeclaredBorders } {
  const width = borderAttribute(attributes)
  const color = readColor(attributes.get('bordercolor') ?? '') ?? hintColor
  const hint: DeclaredBorder = width === 0 ? initial : { style: 'solid', width, color }
  const table = declaredBorders(css, all(hint))
  const cells = Object.fromEntries(
    sides.map((side) => {
      const cellColor = table[side].color ?? color
      return [side, width === 0 ? initial : { style: 'solid', width: 1, color: cellColor }]
    }),
  ) as Record<Side, DeclaredBorder>
  return { table, cells }
}

const all = (border: DeclaredBorder): DeclaredBorders => ({
  top: border,
  right: border,
  bottom: border,
  left: border,
})
export const noBorders: DeclaredBorders = all(initial)

/** The borders that the CSS declarations of an element set, in source order. `hints` are the borders from its attributes. */
export function declaredBorders(css: ReadonlyMap<string, string>, hints: DeclaredBorders): DeclaredBorders {
  const borders: Record<Side, DeclaredBorder> = { ...hints }
  for (const [name, value] of css) {
    const match = /^border(?:-(top|right|bottom|left))?(?:-(width|style|color))?$/.exec(name)
    if (match === null) continue
    const [, side, property] = match
    const parts = partsOf(value)
    if (parts.length === 0) continue
    const changed: readonly Side[] = side === undefined ? sides : [side as Side]
    for (const each of changed) {
      borders[each] =
        property === undefined
          ? shorthand(parts)
          : longhand(borders[each], property, side === undefined ? ofSide(parts, each) : (parts[0] ?? ''))
    }
  }
  return borders
}

/** Splits a value such as `1px solid rgb(1, 2, 3)` into three words. */
const partsOf = (value: string): readonly string[] =>
  value.toLowerCase().match(/[^\s(]+(?:\([^)]*\))?/g) ?? []

/** The word that applies to one side in a list of one to four. */
function ofSide(parts: readonly string[], side: Side): string {
  const [top = '', right = top, bottom = top, left = right] = parts
  return { top, right, bottom, left }[side]
}

/** Properties that the shorthand does not specify get their initial value. */
const shorthand = (parts: readonly string[]): DeclaredBorder =>
  parts.reduce<DeclaredBorder>((border, word) => {
    if (Object.hasOwn(styles, word)) return longhand(border, 'style', word)
    return widthOf(word) === undefined ? longhand(border, 'color', word) : longhand(border, 'width', word)
  }, initial)

function longhand(border: DeclaredBorder, property: string, word: string): DeclaredBorder {
  if (property === 'style') {
    const style = entryOf(styles, word)
    return style === undefined ? border : { ...border, style }
  }
  if (property === 'width') {
    const width = widthOf(word)
    return width === undefined ? border : { ...border, width }
  }
  const color = readColor(word)
  if (color !== undefined) return { ...border, color }
  // `windowtext` and `currentcolor` are the colour of the text.
  const { color: _, ...automatic } = border
  return word === 'windowtext' || word === 'currentcolor' ? automatic : border
}

const widthOf = (word: string): number | undefined => entryOf(keywords, word) ?? readLength(word)

/** The visible borders of a single box; undefined if there are none. */
export function drawnBorders(borders: DeclaredBorders): HtmlSides<HtmlBorder> | undefined {
  const drawn = sides.flatMap((side) => {
    const line = winner([borders[side]])
    return line === undefined ? [] : [[side, line] as const]
  })
  return drawn.length === 0 ? undefined : Object.fromEntries(drawn)
}

/** The declared padding in px. */
export function declaredPadding(css: ReadonlyMap<string, string>): HtmlSides<number> {
  const padding: { -readonly [side in Side]?: number } = {}
  for (const [name, value] of css) {
    const match = /^padding(?:-(top|right|bottom|left))?$/.exec(name)
    if (match === null) continue
    const parts = partsOf(value)
    for (const side of match[1] === undefined ? sides : [match[1] as Side]) {
      const length = readLength(match[1] === undefined ? ofSide(parts, side) : (parts[0] ?? ''))
      if (length !== undefined) padding[side] = Math.min(Math.max(length, 0), maxPadding)
    }
  }
  return padding
}
const maxPadding = 200 // px

/** One slot of the grid of a table, for the borders around it. */
export interface GridCell {
  /** The cell that covers the slot, compared by identity; undefined for an empty slot. */
  readonly cell: object | undefined
  readonly borders: DeclaredBorders
}

/** The collapsed borders around every slot of a grid. There are none inside a cell that spans several slots. */
export function collapsedBorders(
  grid: readonly (readonly GridCell[])[],
  rows: readonly DeclaredBorders[],
  table: DeclaredBorders,
): readonly (readonly HtmlSides<HtmlBorder>[])[] {
  const at = (row: number, column: number) => grid[row]?.[column]
  /** The border above row `row`, which may be one past the last row. */
  const horizontal = (row: number, column: number): HtmlBorder | undefined => {
    const [above, below] = [at(row - 1, column), at(row, column)]
    if (isInside(above, below)) return undefined
    return winner([
      above?.borders.bottom,
      below?.borders.top,
      rows[row - 1]?.bottom,
      rows[row]?.top,
      row === 0 ? table.top : row === grid.length ? table.bottom : undefined,
    ])
  }
  /** The border to the left of column `column`. */
  const vertical = (row: number, column: number): HtmlBorder | undefined => {
    const [before, after] = [at(row, column - 1), at(row, column)]
    if (isInside(before, after)) return undefined
    const columns = grid[row]?.length ?? 0
    return winner([
      before?.borders.right,
      after?.borders.left,
      column === 0 ? rows[row]?.left : column === columns ? rows[row]?.right : undefined,
      column === 0 ? table.left : column === columns ? table.right : undefined,
    ])
  }
  return grid.map((cells, row) =>
    cells.map((_, column) => {
      const top = horizontal(row, column)
      const right = vertical(row, column + 1)
      const bottom = horizontal(row + 1, column)
      const left = vertical(row, column)
      return {
        ...(top === undefined ? {} : { top }),
        ...(right === undefined ? {} : { right }),
        ...(bottom === undefined ? {} : { bottom }),
        ...(left === undefined ? {} : { left }),
      }
    }),
  )
}

const isInside = (left: GridCell | undefined, other: GridCell | undefined): boolean =>
  left?.cell !== undefined && left.cell === other?.cell

const strength: Readonly<Record<HtmlBorder['style'], number>> = { dotted: 0, dashed: 1, solid: 2, double: 3 }
const maxWidth = 16 // px, the maximum border width of Word

/** The border that wins at one edge: the widest, then the strongest style, then the first. */
function winner(declared: readonly (DeclaredBorder | undefined)[]): HtmlBorder | undefined {
  let best: HtmlBorder | undefined
  for (const border of declared) {
    if (border === undefined) continue
    if (border.style === 'hidden') return undefined
    if (border.style === 'none' || border.width <= 0) continue
    const width = Math.min(border.width, maxWidth)
    const isBetter =
      best === undefined ||
      width > best.width ||
      (width === best.width && strength[border.style] > strength[best.style])
    if (isBetter)
      best = {
        style: border.style,
        width,
        ...(border.color === undefined ? {} : { color: border.color }),
      }
  }
  return best
}

/** The borders around the area of a table that begins at this row and column. */
export function linesOfCell(
  { rows, rtl }: Pick<HtmlTable, 'rows' | 'rtl'>,
  at: { readonly row: number; readonly column: number },
  span: { readonly rows: number; readonly columns: number },
): HtmlSides<HtmlBorder> {
  const first = rows[at.row]?.[at.column]?.borders
  const last = rows[at.row]?.[at.column + span.columns - 1]?.borders
  const bottom = rows[at.row + span.rows - 1]?.[at.column]?.borders.bottom
  const [leftmost, rightmost] = rtl === true ? [last, first] : [first, last]
  return {
    ...(first?.top === undefined ? {} : { top: first.top }),
    ...(rightmost?.right === undefined ? {} : { right: rightmost.right }),
    ...(bottom === undefined ? {} : { bottom }),
    ...(leftmost?.left === undefined ? {} : { left: leftmost.left }),
  }
}
