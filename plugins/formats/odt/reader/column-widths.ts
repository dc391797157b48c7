import { length } from './values.ts'

/** The width of a column, in points or as a share of what all such columns have; 'none': the file says nothing. */
export type TableColumn =
  | { readonly kind: 'pt' | 'share'; readonly value: number }
  | { readonly kind: 'none' }

/** style:rel-column-width, which counts where both are given (observed in LibreOffice), and style:column-width (17.17). */
export function columnWidth(get: (name: string) => string | undefined): TableColumn {
  const share = Number.parseFloat(get('style:rel-column-width') ?? '')
  if (share > 0 && Number.isFinite(share)) return { kind: 'share', value: share }
  const width = length(get('style:column-width'))
  return width !== undefined && width > 0 ? { kind: 'pt', value: width } : { kind: 'none' }
}

/**
 * The columns of a table in proportion, as observed in LibreOffice. In a table of a width of its own shares are taken
 * from what is left one after the other, and the last takes the rest; elsewhere the narrowest measured column is as
 * wide as the smallest share. Columns of which nothing is said have the smallest share.
 */
export function gridOf(columns: readonly TableColumn[], whole: number | undefined): number[] {
  const least = (kind: 'pt' | 'share'): number =>
    columns.reduce((found, one) => (one.kind === kind ? Math.min(found, one.value) : found), Infinity)
  const smallest = least('share')
  const shared = columns.map((one) =>
    one.kind === 'share' ? one.value : one.kind === 'none' ? Math.min(smallest, 1e6) : undefined,
  )
  const measured = columns.map((one) => (one.kind === 'pt' ? one.value : 0))
  if (shared.every((share) => share === undefined)) return measured
  if (whole === undefined) {
    const scale = Math.min(smallest, 1e6) / least('pt')
    return shared.map((share, index) => share ?? measured[index]! * scale)
  }
  const total = shared.reduce<number>((sum, share) => sum + (share ?? 0), 0)
  const last = shared.findLastIndex((share) => share !== undefined)
  let left = whole - measured.reduce((sum, width) => sum + width, 0)
  return shared.map((share, index) => {
    if (share === undefined) return measured[index]!
    const width = Math.max(0, index === last ? left : (left * share) / total)
    left -= width
    return Math.max(1, width)
  })
}
