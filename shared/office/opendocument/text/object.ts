import type { DrawingContent } from '../../../document/drawing.ts'
import { objectContentName, readEmbedded } from '../object.ts'
import { type Shared, warn } from './part-context.ts'

/** Reads an embedded formula or chart; undefined for other objects and malformed ones. */
export function readObject(shared: Shared, href: string | undefined): DrawingContent | undefined {
  const name = objectContentName(href)
  const bytes = name === '' ? undefined : shared.parts(name)
  const read = bytes && readEmbedded(bytes)
  if (read !== undefined && read.undrawn.length > 0)
    warn(shared, 'read.chart-part', `A chart is drawn without ${read.undrawn.join(', ')}.`)
  return read?.content
}
