/** The borders of cells. A cell without declared borders has thin black ones, as InDesign draws them. */
import type { Swatches } from './colors.ts'
import type { IdmlProperties } from './properties.ts'
import { numberOf } from './tree.ts'

export type EdgeName = 'Top' | 'Left' | 'Bottom' | 'Right'

const defaultInset = 4 // points

export function edgeWeight(properties: IdmlProperties, edge: EdgeName): number {
  return numberOf(properties.get(`${edge}EdgeStrokeWeight`), 1)
}

export function colorOfEdge(
  properties: IdmlProperties,
  edge: EdgeName,
  swatches: Swatches,
): string | undefined {
  const tint = numberOf(properties.get(`${edge}EdgeStrokeTint`), -1)
  return swatches.color(properties.get(`${edge}EdgeStrokeColor`) ?? 'Color/Black', tint)
}

export function insetOfCell(properties: IdmlProperties, edge: EdgeName): number {
  return numberOf(properties.get(`Text${edge}Inset`) ?? properties.get(`${edge}Inset`), defaultInset)
}
