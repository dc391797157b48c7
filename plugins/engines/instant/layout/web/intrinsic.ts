/** The min-content and max-content widths of boxes, with padding and borders. Source: CSS Sizing 3, 5. */
import type { Pt } from '../frame.ts'
import type { BlockBox, LayoutBox } from './box.ts'
import type { IntrinsicWidths, WebContext } from './context.ts'
import { bordersOf, borderWidths, contentSize, edgesWidth, marginOf, paddingOf } from './dimensions.ts'
import { gapOf, isFlex, isRow, itemsOf, wrapsItems } from './flex.ts'
import { gridWidths, isGrid } from './grid.ts'
import { intrinsicLines } from './lines.ts'
import { layoutPicture } from './picture.ts'
import { tableWidths } from './table-columns.ts'

/** Returns the intrinsic widths of a box, from the cache if possible. */
export function intrinsicWidths(context: WebContext, box: LayoutBox): IntrinsicWidths {
  const known = context.widths.get(box)
  if (known !== undefined) return known
  context.budget.check()
  const widths = measured(context, box)
  context.widths.set(box, widths)
  return widths
}

function measured(context: WebContext, box: LayoutBox): IntrinsicWidths {
  if (box.kind === 'lines')
    return intrinsicLines(context, box, ({ box: inner }) =>
      inner === undefined ? { minContent: 0, maxContent: 0 } : withMargins(context, inner),
    )
  if (box.kind === 'picture') {
    const { fragment } = layoutPicture(context, box, Number.POSITIVE_INFINITY)
    const isPercentage = /%/.test(`${box.style.get('width')} ${box.style.get('max-width')}`)
    return { minContent: isPercentage ? 0 : fragment.width, maxContent: fragment.width }
  }
  if (box.kind === 'table') return tableWidths(context, box)
  if (box.kind === 'out-of-flow')
    return box.placement === 'left' || box.placement === 'right'
      ? withMargins(context, box.box)
      : { minContent: 0, maxContent: 0 }
  const { style } = box
  const edges = edgesWidth(paddingOf(style, 0)) + edgesWidth(borderWidths(bordersOf(style)))
  const declaredWidth = /%/.test(style.get('width') ?? '')
    ? undefined
    : contentSize(style, 'width', undefined, edges)
  if (declaredWidth !== undefined && style.display !== 'table-cell') return sameWidth(declaredWidth + edges)
  const { minContent, maxContent } = contentWidths(context, box)
  const top = contentSize(style, 'max-width', undefined, edges) ?? Number.POSITIVE_INFINITY
  const bottom = contentSize(style, 'min-width', undefined, edges) ?? 0
  const limit = (value: Pt) => Math.max(bottom, Math.min(top, value)) + edges
  return { minContent: limit(minContent), maxContent: limit(maxContent) }
}

/** Returns the intrinsic widths of the content of a block, regardless of its specified width. */
export const contentWidths = (context: WebContext, box: BlockBox): IntrinsicWidths =>
  isGrid(box.style)
    ? gridWidths(context, box)
    : isFlex(box.style) && isRow(box.style)
      ? flexRowWidths(context, box)
      : blockFlowWidths(context, box)

/** The widths of children stacked vertically. Floats add to the width of the lines after them. */
function blockFlowWidths(context: WebContext, { children }: BlockBox): IntrinsicWidths {
  let [minContent, maxContent, floats] = [0, 0, 0]
  for (const child of children) {
    const widths = withMargins(context, child)
    minContent = Math.max(minContent, widths.minContent)
    if (child.kind === 'out-of-flow') floats += widths.maxContent
    maxContent = Math.max(
      maxContent,
      child.kind === 'lines' ? floats + widths.maxContent : widths.maxContent,
      floats,
    )
  }
  return { minContent, maxContent }
}

/** The widths of flex items side by side. */
function flexRowWidths(context: WebContext, box: BlockBox): IntrinsicWidths {
  const items = itemsOf(box).map((item) => withMargins(context, item))
  const gaps = gapOf(box.style, 'column-gap') * Math.max(0, items.length - 1)
  const sum = (of: keyof IntrinsicWidths): Pt => items.reduce((total, widths) => total + widths[of], gaps)
  const widest = items.reduce((least, widths) => Math.max(least, widths.minContent), 0)
  return { minContent: wrapsItems(box.style) ? widest : sum('minContent'), maxContent: sum('maxContent') }
}

function withMargins(context: WebContext, box: LayoutBox): IntrinsicWidths {
  const { minContent, maxContent } = intrinsicWidths(context, box)
  if (box.kind === 'lines' || box.kind === 'out-of-flow') return { minContent, maxContent }
  const { left = 0, right = 0 } = marginOf(box.style, 0)
  return { minContent: minContent + left + right, maxContent: maxContent + left + right }
}

const sameWidth = (width: Pt): IntrinsicWidths => ({ minContent: width, maxContent: width })
