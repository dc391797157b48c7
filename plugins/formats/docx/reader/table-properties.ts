import type { Sides } from '../../../../shared/document/box.ts'
import type { Border } from '../../../../shared/document/properties.ts'
import type {
  CellProperties,
  RowProperties,
  TableBorders,
  TableFloat,
  TableLook,
  TableProperties,
} from '../../../../shared/document/table-properties.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import type { Theme } from '../../../../shared/office/ooxml/theme.ts'
import { compact, integer, isOn, measure, onOff, twips, val } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { alignment, from } from './paragraph-properties.ts'
import { readBorder, readShading } from './run-properties.ts'

/** Reads the children of w:tblPr or w:tblPrEx (ECMA-376-1 17.4.60). */
export function readTableProperties(cursor: XmlCursor, theme: Theme): TableProperties {
  const t: Writable<TableProperties> = {}
  let forbidsOverlap = false
  cursor.each((name) => {
    switch (name) {
      case 'w:tblStyle':
        t.style = val(cursor)
        break
      case 'w:tblW':
        t.width = measure(cursor)
        break
      case 'w:tblInd':
        t.indent = points(cursor)
        break
      case 'w:jc':
        t.align = alignment(val(cursor))
        break
      case 'w:tblLayout':
        t.layout = cursor.attribute('w:type') === 'fixed' ? 'fixed' : 'auto'
        break
      case 'w:tblBorders':
        t.borders = readTableBorders(cursor, theme)
        break
      case 'w:tblCellMar':
        t.cellMargins = readMargins(cursor)
        break
      case 'w:tblCellSpacing':
        t.cellSpacing = points(cursor)
        break
      case 'w:shd':
        t.shading = readShading(cursor, theme)
        break
      case 'w:tblLook':
        t.look = readLook(cursor)
        break
      case 'w:tblStyleRowBandSize':
        t.rowBand = Math.max(1, integer(val(cursor)) ?? 1)
        break
      case 'w:tblStyleColBandSize':
        t.columnBand = Math.max(1, integer(val(cursor)) ?? 1)
        break
      case 'w:bidiVisual':
        t.rightToLeft = onOff(cursor)
        break
      case 'w:tblOverlap':
        forbidsOverlap = val(cursor) === 'never'
        break
      case 'w:tblpPr':
        t.float = readFloat(cursor)
        break
    }
  })
  if (t.float !== undefined && forbidsOverlap) t.float = { ...t.float, avoidsOverlap: true }
  return compact(t)
}

/** A measure in points; undefined for percentages and automatic widths. */
function points(cursor: XmlCursor): number | undefined {
  const read = measure(cursor)
  return read?.kind === 'pt' ? read.value : undefined
}

/** Elements of w:tblBorders and w:tcBorders to the sides of the document model. */
const sideNames: Readonly<Record<string, keyof TableBorders>> = {
  'w:top': 'top',
  'w:bottom': 'bottom',
  'w:left': 'left',
  'w:start': 'left',
  'w:right': 'right',
  'w:end': 'right',
  'w:insideH': 'insideHorizontal',
  'w:insideV': 'insideVertical',
  'w:tl2br': 'diagonalDown',
  'w:tr2bl': 'diagonalUp',
}

function readTableBorders(cursor: XmlCursor, theme: Theme): TableBorders {
  const borders: Partial<Record<keyof TableBorders, Border>> = {}
  cursor.each((name) => {
    const side = entryOf(sideNames, name)
    const border = side === undefined ? undefined : readBorder(cursor, theme)
    if (side !== undefined && border !== undefined) borders[side] = border
  })
  return borders
}

/** w:tblCellMar and w:tcMar: only sides that are specified. */
function readMargins(cursor: XmlCursor): Sides {
  const margins: Writable<Sides> = {}
  cursor.each((name) => {
    const value = points(cursor)
    switch (name) {
      case 'w:top':
        margins.top = value
        break
      case 'w:bottom':
        margins.bottom = value
        break
      case 'w:left':
      case 'w:start':
        margins.left = value
        break
      case 'w:right':
      case 'w:end':
        margins.right = value
        break
    }
  })
  return compact(margins)
}

/** Reads w:tblLook (17.4.55): named attributes, which take precedence, or the older bit mask. */
function readLook(cursor: XmlCursor): TableLook {
  const mask = Number.parseInt(val(cursor) ?? '0', 16) || 0
  const flag = (name: string, bit: number): boolean => {
    const named = cursor.attribute(name)
    return named === undefined ? (mask & bit) !== 0 : isOn(named)
  }
  return {
    firstRow: flag('w:firstRow', 0x20),
    lastRow: flag('w:lastRow', 0x40),
    firstColumn: flag('w:firstColumn', 0x80),
    lastColumn: flag('w:lastColumn', 0x100),
    horizontalBands: !flag('w:noHBand', 0x200),
    verticalBands: !flag('w:noVBand', 0x400),
  }
}

/** w:tblpPr (17.4). */
function readFloat(cursor: XmlCursor): TableFloat {
  // Observed in LibreOffice: without w:vertAnchor the position counts from the margin.
  return {
    x:
      (cursor.attribute('w:tblpXSpec') as TableFloat['x'] | undefined) ??
      twips(cursor.attribute('w:tblpX')) ??
      0,
    y: floatY(cursor),
    xFrom: from(cursor.attribute('w:horzAnchor'), 'text'),
    yFrom: from(cursor.attribute('w:vertAnchor'), 'margin'),
    gaps: {
      left: twips(cursor.attribute('w:leftFromText')) ?? 0,
      right: twips(cursor.attribute('w:rightFromText')) ?? 0,
      top: twips(cursor.attribute('w:topFromText')) ?? 0,
      bottom: twips(cursor.attribute('w:bottomFromText')) ?? 0,
    },
  }
}

function floatY(cursor: XmlCursor): TableFloat['y'] {
  const named = cursor.attribute('w:tblpYSpec')
  if (named !== undefined && named !== 'inline') return named as TableFloat['y']
  return twips(cursor.attribute('w:tblpY')) ?? 0
}

/** Reads the children of w:trPr (17.4.81). `deleted`: the row was deleted under tracked changes. */
export function readRowProperties(cursor: XmlCursor): RowProperties & { readonly deleted?: boolean } {
  const r: Writable<RowProperties> & { deleted?: boolean } = {}
  cursor.each((name) => {
    switch (name) {
      case 'w:trHeight': {
        const value = twips(val(cursor))
        const rule = cursor.attribute('w:hRule')
        if (value !== undefined && rule !== 'auto') {
          r.height = { rule: rule === 'exact' ? 'exact' : 'at-least', value: Math.abs(value) }
        } else if (value !== undefined && value > 0) r.height = { rule: 'at-least', value }
        break
      }
      case 'w:cantSplit':
        r.cantSplit = onOff(cursor)
        break
      case 'w:tblHeader':
        r.header = onOff(cursor)
        break
      case 'w:hidden':
        r.hidden = onOff(cursor)
        break
      case 'w:gridBefore':
        r.gridBefore = columns(cursor)
        break
      case 'w:gridAfter':
        r.gridAfter = columns(cursor)
        break
      case 'w:wBefore':
        r.widthBefore = measure(cursor)
        break
      case 'w:wAfter':
        r.widthAfter = measure(cursor)
        break
      case 'w:jc':
        r.align = alignment(val(cursor))
        break
      case 'w:tblCellSpacing':
        r.cellSpacing = points(cursor)
        break
      case 'w:del':
        r.deleted = true
        break
    }
  })
  return compact(r)
}

/** A number of grid columns. Word allows 63; the limit of 1024 only keeps grids small. */
const columns = (cursor: XmlCursor): number => Math.max(0, Math.min(1024, integer(val(cursor)) ?? 0))

/** ST_TextDirection (17.18.93), transitional and strict. */
const cellDirections: Readonly<Record<string, CellProperties['direction']>> = {
  lrTb: 'horizontal',
  lr: 'down',
  btLr: 'up',
  tbRl: 'down',
  lrTbV: 'horizontal',
  tbRlV: 'down',
  tbLrV: 'down',
  rl: 'down',
  tb: 'horizontal',
}

/** Reads the children of w:tcPr (17.4.70). */
export function readCellProperties(cursor: XmlCursor, theme: Theme): CellProperties {
  const c: Writable<CellProperties> = {}
  cursor.each((name) => {
    switch (name) {
      case 'w:tcW':
        c.width = measure(cursor)
        break
      case 'w:gridSpan':
        c.span = Math.max(1, columns(cursor))
        break
      case 'w:vMerge':
        c.merge = val(cursor) === 'restart' ? 'start' : 'continue'
        break
      case 'w:tcBorders':
        c.borders = readTableBorders(cursor, theme)
        break
      case 'w:shd':
        c.shading = readShading(cursor, theme)
        break
      case 'w:tcMar':
        c.margins = readMargins(cursor)
        break
      case 'w:vAlign': {
        const value = val(cursor)
        c.align = value === 'center' || value === 'bottom' ? value : 'top'
        break
      }
      case 'w:noWrap':
        c.noWrap = onOff(cursor)
        break
      case 'w:textDirection':
        c.direction = entryOf(cellDirections, val(cursor))
        break
      case 'w:hideMark':
        c.hideMark = onOff(cursor)
        break
      case 'w:tcFitText':
        c.fitText = onOff(cursor)
        break
    }
  })
  return compact(c)
}
