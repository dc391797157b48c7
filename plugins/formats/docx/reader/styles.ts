import type { ParagraphProperties, RunProperties } from '../../../../shared/document/properties.ts'
import type { Style, StyleSheet, TableCondition, TableFormat } from '../../../../shared/document/styles.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import type { Theme } from '../../../../shared/office/ooxml/theme.ts'
import { isOn, val } from '../../../../shared/office/ooxml/values.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { readParagraphProperties } from './paragraph-properties.ts'
import { readRunProperties } from './run-properties.ts'
import { readCellProperties, readRowProperties, readTableProperties } from './table-properties.ts'

/** Styles of a document whose styles part is unreadable. Kerning applies at every size. */
export const emptyStyles: StyleSheet = {
  styles: new Map(),
  defaults: { paragraph: {}, run: { kernFrom: 0.5 } },
}

/**
 * Styles of a document without a styles part. Observed in LibreOffice: such text is set in Calibri, 11 pt.
 */
export const noStyles: StyleSheet = {
  styles: new Map(),
  defaults: {
    paragraph: {},
    run: {
      kernFrom: 0.5,
      size: 11,
      fonts: { ascii: 'Calibri', other: 'Calibri', eastAsia: 'Calibri', complex: 'Calibri' },
    },
  },
}

/** ST_TblStyleOverrideType (17.18.89) to the document model. */
const conditions: Readonly<Record<string, TableCondition>> = {
  wholeTable: 'whole',
  firstRow: 'first-row',
  lastRow: 'last-row',
  firstCol: 'first-column',
  lastCol: 'last-column',
  band1Vert: 'band-1-vertical',
  band2Vert: 'band-2-vertical',
  band1Horz: 'band-1-horizontal',
  band2Horz: 'band-2-horizontal',
  neCell: 'north-east',
  nwCell: 'north-west',
  seCell: 'south-east',
  swCell: 'south-west',
}

/**
 * Reads word/styles.xml (ECMA-376-1 17.7). Of styles with the same id, and of several defaults, the first one
 * counts.
 */
export function readStyles(xml: string, theme: Theme): StyleSheet {
  const cursor = new XmlCursor(xml, wordVocabulary)
  if (!cursor.root()) return emptyStyles
  const styles = new Map<string, Style>()
  let paragraph: ParagraphProperties = {}
  // Observed in LibreOffice: without w:docDefaults text is Calibri, 11 pt, as without a styles part.
  let run: RunProperties = noStyles.defaults.run
  let defaultParagraph: string | undefined
  let defaultTable: string | undefined
  cursor.each((name) => {
    if (name === 'w:docDefaults') {
      run = {}
      cursor.each((child) =>
        cursor.each(() => {
          if (child === 'w:rPrDefault') run = readRunProperties(cursor, theme)
          else if (child === 'w:pPrDefault') paragraph = readParagraphProperties(cursor, theme).properties
        }),
      )
    } else if (name === 'w:style') {
      const isDefault = isOn(cursor.attribute('w:default'))
      const style = readStyle(cursor, theme)
      if (style === undefined || styles.size >= 20_000) return
      if (!styles.has(style.id)) styles.set(style.id, style)
      if (isDefault && style.kind === 'paragraph') defaultParagraph ??= style.id
      if (isDefault && style.kind === 'table') defaultTable ??= style.id
    }
  })
  return { styles, defaults: { paragraph, run }, defaultParagraph, defaultTable }
}

/** ST_StyleType (17.18.83) to the document model. */
const kinds: Readonly<Record<string, Style['kind']>> = {
  paragraph: 'paragraph',
  character: 'run',
  table: 'table',
  numbering: 'list',
}

/** w:style (17.7.4.17); undefined without an id or with an unknown type. */
function readStyle(cursor: XmlCursor, theme: Theme): Style | undefined {
  const id = cursor.attribute('w:styleId')
  const kind = entryOf(kinds, cursor.attribute('w:type') ?? 'paragraph')
  if (id === undefined || kind === undefined) return undefined
  let title = id
  let basedOn: string | undefined
  const format = newFormat()
  const table = new Map<TableCondition, TableFormat>()
  cursor.each((name) => {
    if (name === 'w:name') title = val(cursor) ?? id
    else if (name === 'w:basedOn') basedOn = val(cursor)
    else if (name === 'w:tblStylePr') {
      const condition = entryOf(conditions, cursor.attribute('w:type'))
      const conditional = newFormat()
      cursor.each((child) => readFormat(child, cursor, theme, conditional))
      if (condition !== undefined) table.set(condition, conditional)
    } else readFormat(name, cursor, theme, format)
  })
  return {
    id,
    name: title.toLowerCase(),
    kind,
    basedOn,
    paragraph: format.paragraph ?? {},
    run: format.run ?? {},
    table:
      kind === 'table'
        ? { properties: format.properties ?? {}, row: format.row, cell: format.cell, conditions: table }
        : undefined,
  }
}

const newFormat = (): Writable<TableFormat> => ({})

/** Reads one formatting element of a style or of a table condition (17.7.6.6). */
function readFormat(name: string, cursor: XmlCursor, theme: Theme, into: Writable<TableFormat>): void {
  switch (name) {
    case 'w:pPr':
      into.paragraph = readParagraphProperties(cursor, theme).properties
      break
    case 'w:rPr':
      into.run = readRunProperties(cursor, theme)
      break
    case 'w:tblPr':
      into.properties = readTableProperties(cursor, theme)
      break
    case 'w:trPr':
      into.row = readRowProperties(cursor)
      break
    case 'w:tcPr':
      into.cell = readCellProperties(cursor, theme)
      break
  }
}
