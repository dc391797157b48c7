import type { DrawingContent } from '../../document/drawing.ts'
import { XmlCursor, XmlFault, xmlText } from '../../xml/cursor.ts'
import { readChart } from './chart/chart.ts'
import { readMathMl } from './math.ts'
import { openVocabulary } from './vocabulary.ts'

/** An embedded object and the features that are left out of it, as phrases for a warning. */
export interface EmbeddedObject {
  readonly content: Extract<DrawingContent, { kind: 'math' | 'chart' }>
  readonly undrawn: readonly string[]
}

/** The name of the content of an embedded object in its package, from the address of its draw:object; '' without one. */
export function objectContentName(href: string | undefined): string {
  const folder = href?.replace(/^\.\//, '').replace(/\/$/, '') ?? ''
  return folder === '' ? '' : `${folder}/content.xml`
}

/**
 * Reads an embedded formula or chart. Other objects, and malformed ones, give undefined: their frame usually
 * contains a replacement picture. `isInWorkbook`: a chart may have its values from the cells of the document.
 */
export function readEmbedded(bytes: Uint8Array, isInWorkbook = false): EmbeddedObject | undefined {
  try {
    const cursor = new XmlCursor(xmlText(bytes), openVocabulary)
    if (!cursor.root()) return undefined
    if (cursor.name === 'math:math') {
      const display = cursor.attribute('display') !== 'inline'
      return { content: { kind: 'math', math: readMathMl(cursor), display }, undrawn: [] }
    }
    const undrawn = new Set<string>()
    const chart = readChart(cursor, undrawn, isInWorkbook)
    return chart && { content: { kind: 'chart', chart }, undrawn: [...undrawn] }
  } catch (error) {
    if (error instanceof XmlFault) return undefined
    throw error
  }
}
