import type { DrawingContent } from '../../../../shared/document/drawing.ts'
import { readChart } from '../../../../shared/office/opendocument/chart/chart.ts'
import { readMathMl } from '../../../../shared/office/opendocument/math.ts'
import { openVocabulary } from '../../../../shared/office/opendocument/vocabulary.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { type Shared, warn } from './part-context.ts'

/**
 * Reads an embedded formula or chart. Other objects, and malformed ones, give undefined: their frame usually
 * contains a replacement picture.
 */
export function readObject(shared: Shared, href: string | undefined): DrawingContent | undefined {
  const folder = href?.replace(/^\.\//, '').replace(/\/$/, '') ?? ''
  const bytes = folder === '' ? undefined : shared.parts(`${folder}/content.xml`)
  if (bytes === undefined) return undefined
  try {
    const cursor = new XmlCursor(xmlText(bytes), openVocabulary)
    if (!cursor.root()) return undefined
    if (cursor.name === 'math:math') {
      const display = cursor.attribute('display') !== 'inline'
      return { kind: 'math', math: readMathMl(cursor), display }
    }
    const undrawn = new Set<string>()
    const chart = readChart(cursor, undrawn)
    if (chart !== undefined && undrawn.size > 0)
      warn(shared, 'read.chart-part', `A chart is drawn without ${[...undrawn].join(', ')}.`)
    return chart && { kind: 'chart', chart }
  } catch (error) {
    if (error instanceof XmlFault) return undefined
    throw error
  }
}
