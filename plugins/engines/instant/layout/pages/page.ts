import type { Section, SectionProperties } from '../../../../../shared/document/section.ts'
import type { Exclusion } from '../flow/exclusion.ts'
import type { PageGeometry } from '../flow/types.ts'
import type { Placed, Pt } from '../frame.ts'

/** A page while it is filled. All positions are page coordinates in points. */
export interface OpenPage {
  readonly section: SectionProperties
  readonly sectionIndex: number
  /** The number that the page shows. */
  readonly number: number
  readonly format: string
  readonly firstOfSection: boolean
  /** The page shows the header and footer for even pages, if the document has them. */
  readonly isEven: boolean
  /**
   * Replaces the section as the source of headers and footers: a page of endnotes, or of another page style.
   */
  readonly replacement?: Section
  readonly geometry: PageGeometry
  /** The area for body text and footnotes, below the header and above the footer. */
  readonly bodyTop: Pt
  readonly bodyBottom: Pt
  /** Items behind, within and in front of the text. */
  readonly behind: Placed[]
  readonly items: Placed[]
  readonly front: Placed[]
  /** The boxes of floats that text avoids. */
  readonly exclusions: Exclusion[]
  /** Keys of the footnotes on this page, in order. */
  readonly notes: string[]
  /** The y at which the next section or set of columns starts. */
  y: Pt
  /** The space after what ends at `y`; it merges with the space before what follows. */
  after: Pt
  /** The bottom of the text, without the space after it; footnotes are below. */
  textEnd: Pt
}

/** The margins of a page including the gutter, swapped on even pages when facing pages are mirrored. */
export function geometryOf(section: SectionProperties, number: number, mirror: boolean): PageGeometry {
  const { margins } = section
  const odd = number % 2 !== 0
  const mirrored = mirror || section.mirrored === true
  const swap = mirrored && !odd
  const atRight = margins.gutterAtRight === true && !mirrored
  const inner = margins.left + (atRight ? 0 : margins.gutter)
  const outer = margins.right + (atRight ? margins.gutter : 0)
  const left = swap ? outer : inner
  const right = swap ? inner : outer
  // Margins that leave less than half an inch (36 pt) for text are reduced in proportion.
  const remaining = section.width - left - right
  const squeeze = remaining < 36 ? Math.max(0, (section.width - 36) / Math.max(1, left + right)) : 1
  return {
    pageWidth: section.width,
    pageHeight: section.height,
    marginLeft: left * squeeze,
    marginRight: right * squeeze,
    marginTop: Math.abs(margins.top),
    marginBottom: Math.abs(margins.bottom),
    odd,
  }
}

type Columned = Pick<SectionProperties, 'columns' | 'rightToLeft'>

/**
 * The text columns of a section in the order in which they are filled: left edge, counted from the margin,
 * and width.
 */
export function columnsOf(section: Columned, width: Pt): { readonly x: Pt; readonly width: Pt }[] {
  const boxes = leftToRight(section, width)
  if (!section.rightToLeft || boxes.length === 1) return boxes
  return boxes.map((box) => ({ ...box, x: width - box.x - box.width }))
}

/** The columns in their order on the page. */
function leftToRight(section: Columned, width: Pt): { readonly x: Pt; readonly width: Pt }[] {
  const { columns } = section
  if (columns.each !== undefined && columns.each.length > 1) {
    const total = columns.each.reduce(
      (sum, column, i) => sum + column.width + (i + 1 < columns.each!.length ? column.gap : 0),
      0,
    )
    if (columns.shares === true) return sharedColumns(columns.each, width)
    const fits = total > width ? width / total : 1
    // Gaps that would leave almost no width for the columns are reduced first.
    const text = columns.each.reduce((sum, column) => sum + column.width, 0)
    const narrow = fits < 0.5 && text < width
    const [scale, gapScale] = narrow ? [1, (width - text) / Math.max(1, total - text)] : [fits, fits]
    let x = 0
    return columns.each.map((column) => {
      const box = { x, width: column.width * scale }
      x += column.width * scale + column.gap * gapScale
      return box
    })
  }
  const gap = columns.count > 1 ? Math.min(columns.gap, width / columns.count / 2) : 0
  const each = (width - gap * (columns.count - 1)) / columns.count
  return Array.from({ length: columns.count }, (_, i) => ({ x: i * (each + gap), width: Math.max(1, each) }))
}

/**
 * Columns whose widths are fractions of the line. Each gap is taken half from one neighbour and half from the
 * other.
 */
function sharedColumns(
  each: NonNullable<SectionProperties['columns']['each']>,
  width: Pt,
): { readonly x: Pt; readonly width: Pt }[] {
  const total = each.reduce((sum, column) => sum + column.width, 0)
  let x = 0
  return each.map((column, index) => {
    const columnWidth = (column.width / Math.max(1, total)) * width
    const before = index === 0 ? 0 : each[index - 1]!.gap / 2
    const after = index + 1 === each.length ? 0 : column.gap / 2
    const box = { x: x + before, width: Math.max(1, columnWidth - before - after) }
    x += columnWidth
    return box
  })
}

/** The width between the margins of a page. */
export const textWidth = ({ geometry }: OpenPage): Pt =>
  geometry.pageWidth - geometry.marginLeft - geometry.marginRight

/**
 * The top of a footer: at its distance from the bottom of the page, or at its distance from the text. `space`
 * is the height below the text, `footerHeight` that of the footer.
 */
export function footerTop({ height, margins }: SectionProperties, space: Pt, footerHeight: Pt): Pt {
  if (margins.footerSpacing === undefined) return height - margins.footer - footerHeight
  return height - space + Math.max(0, Math.min(margins.footerSpacing, space - margins.footer - footerHeight))
}
