import type { DocumentSettings } from '../../../../../shared/document/document.ts'
import type { Border } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import { lineWidth } from '../../style/border-width.ts'
import { nestedBoxes, nests } from '../border-boxes.ts'
import { filledBox, type Placed, type Pt } from '../frame.ts'
import { borderLine } from '../table/border-line.ts'
import type { OpenPage } from './page.ts'

/** The borders of a page. A border around the text also encloses header and footer. */
export function pageBorders(
  page: OpenPage,
  settings: DocumentSettings,
  present: { readonly header: boolean; readonly footer: boolean },
): Placed[] {
  const { borders, margins, width, height } = page.section
  if (borders === undefined) return []
  if (borders.show === (page.firstOfSection ? 'not-first' : 'first')) return []
  const { geometry } = page
  const header = present.header && !word.pageBordersSkipHeader(settings)
  const footer = present.footer && !word.pageBordersSkipFooter(settings)
  const start = header ? margins.header : Math.abs(margins.top)
  const end = footer ? margins.footer : Math.abs(margins.bottom)
  // The distance from the edge of the page to the outer edge of the line.
  const at = (border: Border | undefined, margin: Pt): Pt => {
    if (border === undefined) return 0
    return libreOffice.pageBorderEdge(borders.from, border.space, margin, lineWidth(border))
  }
  const left = at(borders.left, geometry.marginLeft)
  const right = width - at(borders.right, geometry.marginRight)
  const top = at(borders.top, start)
  const bottom = height - at(borders.bottom, end)
  const box = { left, top, width: right - left, height: bottom - top }
  if (box.width <= 0 || box.height <= 0) return []
  const shadow = borders.top?.shadow === true ? shadowOf(box, lineWidth(borders.top)) : []
  if (nests(borders)) return [...shadow, ...nestedBoxes(borders.top, box)]
  const half = (border: Border | undefined): Pt => (border === undefined ? 0 : lineWidth(border) / 2)
  const horizontal = (border: Border | undefined, y: Pt, outside: 'before' | 'behind'): Placed[] =>
    border === undefined ? [] : borderLine(border, left, y, box.width, 0, outside)
  const vertical = (border: Border | undefined, x: Pt, outside: 'before' | 'behind'): Placed[] =>
    border === undefined ? [] : borderLine(border, x, top, 0, box.height, outside)
  return [
    ...shadow,
    ...horizontal(borders.top, top + half(borders.top), 'before'),
    ...horizontal(borders.bottom, bottom - half(borders.bottom), 'behind'),
    ...vertical(borders.left, left + half(borders.left), 'before'),
    ...vertical(borders.right, right - half(borders.right), 'behind'),
  ]
}

/** A black shadow as wide as the line, at the right and at the bottom. */
function shadowOf(
  box: { readonly left: Pt; readonly top: Pt; readonly width: Pt; readonly height: Pt },
  by: Pt,
): Placed[] {
  return [
    filledBox(box.left + box.width, box.top + by, by, box.height, 0),
    filledBox(box.left + by, box.top + box.height, box.width, by, 0),
  ]
}
