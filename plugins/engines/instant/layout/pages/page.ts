import type { Section, SectionProperties } from '../../../../../shared/document/section.ts'
import type { Exclusion, Geometry } from '../flow/types.ts'
import type { Placed, Pt } from '../frame.ts'

/** A page while it is filled. */
export interface OpenPage {
  readonly section: SectionProperties
  readonly sectionIndex: number
  readonly number: number // as displayed
  readonly format: string
  readonly firstOfSection: boolean
  /** Gives the headers and footers in place of the section: a page of end notes, or of another page style. */
  readonly own?: Section
  readonly geometry: Geometry
  readonly bodyTop: Pt
  readonly bodyBottom: Pt
  readonly behind: Placed[]
  readonly items: Placed[]
  readonly front: Placed[]
  readonly exclusions: Exclusion[]
  /** Keys of the foot notes that stand on this page, in order. */
  readonly notes: string[]
  /** Where the next section or column set starts. */
  y: Pt
  /** Space after what ends at `y`, shared with the space before what follows. */
  after: Pt
  /** Foot of the text, without the space after it. */
  textEnd: Pt
}

/** Margins with the gutter, swapped on even pages when facing pages mirror. */
export function geometryOf(section: SectionProperties, number: number, mirror: boolean): Geometry {
  const { margins } = section
  const odd = number % 2 !== 0
  const mirrored = mirror || section.mirrored === true
  const swap = mirrored && !odd
  const atRight = margins.gutterAtRight === true && !mirrored
  const inner = margins.left + (atRight ? 0 : margins.gutter)
  const outer = margins.right + (atRight ? margins.gutter : 0)
  const left = swap ? outer : inner
  const right = swap ? inner : outer
  // Margins that leave no room for text are taken in proportion.
  const room = section.width - left - right
  const squeeze = room < 36 ? Math.max(0, (section.width - 36) / Math.max(1, left + right)) : 1
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

/** Text columns of a section in the order they are filled: left edge from the margin, and width. */
export function columnsOf(section: Columned, width: Pt): { readonly x: Pt; readonly width: Pt }[] {
  const places = leftToRight(section, width)
  if (!section.rightToLeft || places.length === 1) return places
  return places.map((place) => ({ ...place, x: width - place.x - place.width }))
}

function leftToRight(section: Columned, width: Pt): { readonly x: Pt; readonly width: Pt }[] {
  const { columns } = section
  if (columns.each !== undefined && columns.each.length > 1) {
    const total = columns.each.reduce(
      (sum, column, i) => sum + column.width + (i + 1 < columns.each!.length ? column.gap : 0),
      0,
    )
    if (columns.shares === true) return sharedColumns(columns.each, width)
    const fits = total > width ? width / total : 1
    // Gaps that would leave next to nothing of the columns give way first.
    const text = columns.each.reduce((sum, column) => sum + column.width, 0)
    const narrow = fits < 0.5 && text < width
    const [scale, gapScale] = narrow ? [1, (width - text) / Math.max(1, total - text)] : [fits, fits]
    let x = 0
    return columns.each.map((column) => {
      const place = { x, width: column.width * scale }
      x += column.width * scale + column.gap * gapScale
      return place
    })
  }
  const gap = columns.count > 1 ? Math.min(columns.gap, width / columns.count / 2) : 0
  const each = (width - gap * (columns.count - 1)) / columns.count
  return Array.from({ length: columns.count }, (_, i) => ({ x: i * (each + gap), width: Math.max(1, each) }))
}

/** Columns whose widths are shares of the line; half of each gap is taken from either neighbour. */
function sharedColumns(
  each: NonNullable<SectionProperties['columns']['each']>,
  width: Pt,
): { readonly x: Pt; readonly width: Pt }[] {
  const total = each.reduce((sum, column) => sum + column.width, 0)
  let x = 0
  return each.map((column, index) => {
    const whole = (column.width / Math.max(1, total)) * width
    const before = index === 0 ? 0 : each[index - 1]!.gap / 2
    const after = index + 1 === each.length ? 0 : column.gap / 2
    const place = { x: x + before, width: Math.max(1, whole - before - after) }
    x += whole
    return place
  })
}
