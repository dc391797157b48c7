import { libreOffice } from '../../compat/libreoffice.ts'
import type { FillRequest } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import type { PreparedCell } from './types.ts'

/** The region of a cell. For drawings anchored in it the cell acts as a page without height and margins. */
export function cellRequest(cell: PreparedCell, height: Pt, mustPlace: boolean): FillRequest {
  const { width } = cell.flow
  return {
    height,
    top: 'start',
    mustPlace,
    partsAnywhere: libreOffice.cellsSplitAnywhere,
    origin: { x: 0, y: 0 },
    geometry: {
      pageWidth: width,
      pageHeight: 0,
      marginLeft: 0,
      marginRight: 0,
      marginTop: 0,
      marginBottom: 0,
      odd: true,
    },
    exclusions: [],
  }
}
