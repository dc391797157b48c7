/** The smallest and the preferred width of boxes, with their padding and borders. Source: CSS Sizing 3, 5. */
import type { Pt } from '../frame.ts'
import type { BlockBox, Box } from './box.ts'
import type { IntrinsicWidths, WebContext } from './context.ts'
import { bordersOf, borderWidths, contentSize, edgesWidth, marginOf, paddingOf } from './dimensions.ts'
import { gapOf, isFlex, isRow, itemsOf, wrapsItems } from './flex.ts'
import { gridWidths, isGrid } from './grid.ts'
import { intrinsicLines } from './lines.ts'
import { layoutPicture } from './picture.ts'
import { tableWidths } from './table-columns.ts'

/** The widths of a box, which are found once. */
export function intrinsicWidths(context: WebContext, box: Box): IntrinsicWidths {
  const known = context.widths.get(box)
  if (known !== undefined) return known
  context.budget.check()
  const widths = measured(context, box)
  context.widths.set(box, widths)
  return widths
}

function measured(context: WebContext, box: Box): IntrinsicWidths {
  if (box.kind === 'lines')
    return intrinsicLines(context, box, ({ box: inner }) =>
      inner === undefined ? { least: 0, most: 0 } : withMargins(context, inner),
    )
  if (box.kind === 'picture') {
    const { fragment } = layoutPicture(context, box, Number.POSITIVE_INFINITY)
    const isShare = /%/.test(`${box.style.get('width')} ${box.style.get('max-width')}`)
    return { least: isShare ? 0 : fragment.width, most: fragment.width }
  }
  if (box.kind === 'table') return tableWidths(context, box)
  if (box.kind === 'out')
    return box.how === 'left' || box.how === 'right' ? withMargins(context, box.box) : { least: 0, most: 0 }
  const { style } = box
  const around = edgesWidth(paddingOf(style, 0)) + edgesWidth(borderWidths(bordersOf(style)))
  const given = /%/.test(style.get('width') ?? '')
    ? undefined
    : contentSize(style, 'width', undefined, around)
  if (given !== undefined && style.display !== 'table-cell') return both(given + around)
  const { least, most } = contentWidths(context, box)
  const top = contentSize(style, 'max-width', undefined, around) ?? Number.POSITIVE_INFINITY
  const bottom = contentSize(style, 'min-width', undefined, around) ?? 0
  const limit = (value: Pt) => Math.max(bottom, Math.min(top, value)) + around
  return { least: limit(least), most: limit(most) }
}

/** The widths of what is in a block, whatever width it is given. */
export const contentWidths = (context: WebContext, box: BlockBox): IntrinsicWidths =>
  isGrid(box.style)
    ? gridWidths(context, box)
    : isFlex(box.style) && isRow(box.style)
      ? besideWidths(context, box)
      : stackedWidths(context, box)

/** The widths of the children of a block, one below the other, with floats beside lines. */
function stackedWidths(context: WebContext, { children }: BlockBox): IntrinsicWidths {
  let [least, most, floats] = [0, 0, 0]
  for (const child of children) {
    const widths = withMargins(context, child)
    least = Math.max(least, widths.least)
    if (child.kind === 'out') floats += widths.most
    most = Math.max(most, child.kind === 'lines' ? floats + widths.most : widths.most, floats)
  }
  return { least, most }
}

/** The widths of the items of a container, side by side. */
function besideWidths(context: WebContext, box: BlockBox): IntrinsicWidths {
  const items = itemsOf(box).map((item) => withMargins(context, item))
  const gaps = gapOf(box.style, 'column-gap') * Math.max(0, items.length - 1)
  const sum = (of: keyof IntrinsicWidths): Pt => items.reduce((total, widths) => total + widths[of], gaps)
  const widest = items.reduce((least, widths) => Math.max(least, widths.least), 0)
  return { least: wrapsItems(box.style) ? widest : sum('least'), most: sum('most') }
}

export function withMargins(context: WebContext, box: Box): IntrinsicWidths {
  const { least, most } = intrinsicWidths(context, box)
  if (box.kind === 'lines' || box.kind === 'out') return { least, most }
  const { left = 0, right = 0 } = marginOf(box.style, 0)
  return { least: least + left + right, most: most + left + right }
}

const both = (width: Pt): IntrinsicWidths => ({ least: width, most: width })
