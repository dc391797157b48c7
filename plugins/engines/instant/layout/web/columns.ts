/** Multi-column layout: the number and the width of columns. Source: CSS Multi-column Layout 1, 3.4. */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Pt } from '../frame.ts'
import type { LayoutBox } from './box.ts'
import { lineOf } from './dimensions.ts'
import type { ColumnSet } from './fragment.ts'
import { layoutUnit } from './text-font.ts'

/** The limit of the number of columns. */
const maxColumns = 100

/** Whether the box is a multi-column container. */
export const hasColumns = (style: ComputedStyle): boolean =>
  isSet(style.word('column-count')) || isSet(style.word('column-width'))

const isSet = (value: string | undefined): boolean => value !== undefined && value !== 'auto'

/** Whether a child of a multi-column container spans all columns. */
export const spansColumns = (child: LayoutBox): boolean =>
  child.kind === 'block' && child.style.word('column-span') === 'all'

/** Resolves the columns of a container of this content width. */
export function columnsIn(style: ComputedStyle, inner: Pt): ColumnSet & { readonly width: Pt } {
  const declaredCount = Math.floor(style.number('column-count') ?? 0)
  const declaredWidth = Math.max(0, style.length('column-width') ?? 0)
  const gap = layoutUnit(Math.max(0, style.length('column-gap', inner) ?? style.size))
  const fitting = Math.max(1, Math.floor((inner + gap) / (declaredWidth + gap || 1)))
  const requested =
    declaredWidth === 0 ? declaredCount : declaredCount > 0 ? Math.min(declaredCount, fitting) : fitting
  const count = Math.min(maxColumns, Math.max(1, requested))
  const width = layoutUnit(Math.max(0, (inner + gap) / count - gap))
  const rule = lineOf(style, 'column-rule')
  return { count, width, step: width + gap, ...(rule !== undefined && { rule }) }
}
