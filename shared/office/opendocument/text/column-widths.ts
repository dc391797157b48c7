import { type AttributeGetter, length } from '../values.ts'

/** Width of a column: points, a share relative to those of other columns, or not specified. */
export type TableColumn =
  | { readonly kind: 'pt' | 'share'; readonly value: number }
  | { readonly kind: 'none' }

/**
 * Reads style:rel-column-width, or else style:column-width (17.17). Observed in LibreOffice: the relative
 * width takes precedence.
 */
export function columnWidth(get: AttributeGetter): TableColumn {
  const share = Number.parseFloat(get('style:rel-column-width') ?? '')
  if (share > 0 && Number.isFinite(share)) return { kind: 'share', value: share }
  const width = length(get('style:column-width'))
  return width !== undefined && width > 0 ? { kind: 'pt', value: width } : { kind: 'none' }
}

/**
 * Computes the column widths of a table, as observed in LibreOffice. With a table width `tableWidth` in points,
 * shares are taken from the remaining width one after the other, and the last takes the rest. Otherwise only
 * proportions are returned: the narrowest column in points equals the smallest share. Columns without a width
 * have the smallest share.
 */
export function gridOf(columns: readonly TableColumn[], tableWidth: number | undefined): number[] {
  const smallestOf = (kind: 'pt' | 'share'): number =>
    columns.reduce((min, column) => (column.kind === kind ? Math.min(min, column.value) : min), Infinity)
  const smallest = smallestOf('share')
  const shared = columns.map((column) =>
    column.kind === 'share' ? column.value : column.kind === 'none' ? Math.min(smallest, 1e6) : undefined,
  )
  const measured = columns.map((column) => (column.kind === 'pt' ? column.value : 0))
  if (shared.every((share) => share === undefined)) return measured
  if (tableWidth === undefined) {
    const scale = Math.min(smallest, 1e6) / smallestOf('pt')
    return shared.map((share, index) => share ?? (measured[index] ?? 0) * scale)
  }
  const total = shared.reduce<number>((sum, share) => sum + (share ?? 0), 0)
  const last = shared.findLastIndex((share) => share !== undefined)
  let left = tableWidth - measured.reduce((sum, width) => sum + width, 0)
  return shared.map((share, index) => {
    if (share === undefined) return measured[index] ?? 0
    const width = Math.max(0, index === last ? left : (left * share) / total)
    left -= width
    return Math.max(1, width)
  })
}
