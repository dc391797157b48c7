import type { Border } from '../../../../shared/document/properties.ts'
import { readLine, type ShapeProperties } from '../../../../shared/office/ooxml/drawing/shape-properties.ts'
import type { SlidePart } from './part.ts'

const none: Border = { style: 'none', width: 0, color: 'auto', space: 0 }
const styles = { solid: 'single', dotted: 'dotted', dashed: 'dashed', 'dot-dash': 'dot-dash' } as const

/** Reads a border of a cell or of a table style (a:ln, ECMA-376-1 20.1.2.2.24); undefined if it specifies no colour. */
export function readBorder(part: SlidePart): Border | undefined {
  const line: ShapeProperties = {}
  readLine(part, line)
  if (line.noStroke === true || line.strokeWidth === 0) return none
  if (line.stroke === undefined || line.stroke.color === '') return undefined
  return {
    style: styles[line.stroke.dash],
    width: line.strokeWidth ?? 1,
    color: line.stroke.color,
    space: 0,
  }
}
