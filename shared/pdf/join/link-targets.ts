/** Finds positions in a PDF that its source marked by links with reserved addresses. */
import type { PdfDocument } from '../model/document.ts'
import { pageGeometry, readPages } from '../model/pages.ts'
import { PdfDict, PdfString } from '../model/values.ts'

export interface MarkerPosition {
  readonly page: number // from 1
  /** pt from the left and upper edge of the page as it is shown unrotated. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Returns the first position of each address that begins with `prefix`, keyed by the remainder of the address. The links are
 * removed, since readers must not follow them.
 */
export function takeMarkers(document: PdfDocument, prefix: string): ReadonlyMap<string, MarkerPosition> {
  const positions = new Map<string, MarkerPosition>()
  readPages(document).forEach((page, index) => {
    const list = document.resolve(page.dict.get('Annots'))
    if (!Array.isArray(list)) return
    const { x, y, height } = pageGeometry(document, page)
    const remaining = list.filter((item) => {
      const annotation = document.resolve(item)
      if (!(annotation instanceof PdfDict)) return true
      const action = document.dictAt(annotation, 'A')
      const address = action === undefined ? null : document.resolve(action.get('URI'))
      if (!(address instanceof PdfString) || !address.raw.startsWith(prefix)) return true
      const corners = document.resolve(annotation.get('Rect'))
      const [a = 0, b = 0, c = 0, d = 0] = (Array.isArray(corners) ? corners : []).map((corner) => {
        const value = document.resolve(corner)
        return typeof value === 'number' ? value : 0
      })
      const marker = address.raw.slice(prefix.length)
      const round = (length: number) => Math.round(length * 100) / 100
      if (!positions.has(marker))
        positions.set(marker, {
          page: index + 1,
          x: round(Math.min(a, c) - x),
          y: round(y + height - Math.max(b, d)),
          width: round(Math.abs(c - a)),
          height: round(Math.abs(d - b)),
        })
      return false
    })
    if (remaining.length < list.length) page.dict.set('Annots', remaining)
  })
  return positions
}
