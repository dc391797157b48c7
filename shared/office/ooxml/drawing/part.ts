/**
 * The context that the readers of DrawingML share: text documents and presentations contain the same shapes, fills and
 * charts.
 */
import type { Chart } from '../../../document/chart.ts'
import type { Link } from '../../../document/properties.ts'
import type { Warning } from '../../../plugin/values.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import type { ReadFile } from '../../package.ts'
import { readChart } from '../chart/chart.ts'
import type { Relationships } from '../relationships.ts'
import type { Theme } from '../theme.ts'

/** State shared by all parts of one package while its drawings are read. */
export interface DrawingContext {
  readonly parts: ReadFile
  readonly theme: Theme
  /** Pictures by the name of their part. */
  readonly media: Map<string, Uint8Array>
  /** Warnings by code and message. */
  readonly warnings: Map<string, Warning>
}

/** One part with drawings. */
export interface DrawingPart {
  readonly context: DrawingContext
  readonly cursor: XmlCursor
  readonly relationships: Relationships
  readonly partName: string
}

/** Records a warning. The same code and message is kept only once, with its first location. */
export function warn(
  { warnings }: Pick<DrawingContext, 'warnings'>,
  code: string,
  message: string,
  where?: string,
): void {
  const key = `${code} ${message}`
  if (!warnings.has(key)) warnings.set(key, { code, message, where })
}

/**
 * Adds the picture of a relationship to Document.media and returns its name; '' with a warning when it is not
 * in the package.
 */
export function mediaOf(part: DrawingPart, relationship: string | undefined): string {
  const target = relationship === undefined ? undefined : part.relationships.get(relationship)
  if (target === undefined || target.external) {
    warn(
      part.context,
      'read.picture-missing',
      'A picture is missing from the file and is not drawn.',
      part.partName,
    )
    return ''
  }
  const { media, parts } = part.context
  if (media.has(target.target)) return target.target
  const bytes = parts(target.target)
  if (bytes === undefined) {
    warn(
      part.context,
      'read.picture-missing',
      'A picture is missing from the file and is not drawn.',
      part.partName,
    )
    return ''
  }
  media.set(target.target, bytes)
  return target.target
}

/** The link behind a relationship id; a target that begins with '#' is a bookmark. */
export function linkOf(part: DrawingPart, id: string | undefined): Link | undefined {
  const target = id === undefined ? undefined : part.relationships.get(id)
  if (target === undefined) return undefined
  return target.target.startsWith('#') ? { anchor: target.target.slice(1) } : { href: target.target }
}

/** The chart of a part, see `readChart`; undefined when the part is missing or has nothing to draw. */
export function chartOf(
  context: DrawingContext,
  partName: string,
  place: { readonly isOnSlide?: boolean } = {},
): Chart | undefined {
  const bytes = context.parts(partName)
  if (bytes === undefined) return undefined
  const { chart, undrawn } = readChart(bytes, context.theme, place)
  if (chart !== undefined && undrawn.length > 0)
    warn(context, 'read.chart-part', `A chart is drawn without ${undrawn.join(', ')}.`, partName)
  return chart
}
