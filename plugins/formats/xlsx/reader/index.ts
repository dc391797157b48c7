/**
 * Reads workbooks into the sheet model. `readWorkbook` opens the parts in the order of their dependencies: theme, styles,
 * shared strings, then the sheets in order. Each file of this folder covers one subject; `worksheet.ts` reads the cells.
 * Source: ECMA-376-1, transitional and strict.
 */
import type { FontNames } from '../../../../shared/document/properties.ts'
import type { Cell, Sheet, SheetDrawing, Workbook } from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { areaOf as dataOf } from '../../../../shared/office/ooxml/chart/data.ts'
import type { DrawingContext } from '../../../../shared/office/ooxml/drawing/part.ts'
import { emptyTheme, readTheme } from '../../../../shared/office/ooxml/theme.ts'
import { targetOf } from '../../../../shared/office/opc/names.ts'
import { relationshipsIn } from '../../../../shared/office/opc/relationships.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { Outcome, Warning } from '../../../../shared/plugin/values.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { builtInTableStyle } from './built-in-table-styles.ts'
import { readPalette } from './colors.ts'
import { readDrawings } from './drawings.ts'
import { type Choice, type ReadControls, readControls } from './form-controls.ts'
import { defaultFormat, readFormats } from './formats.ts'
import { readNotes, readNoteTexts } from './notes.ts'
import type { PrintNames } from './page-setup.ts'
import { readStrings } from './strings.ts'
import { readTable, type StyledTable, type TableStyle, withTableStyles } from './table-style.ts'
import { workbookVocabulary } from './vocabulary.ts'
import { maxCells, maxMerges, readWorksheet, type SheetContext } from './worksheet.ts'

/** A sheet entry of the workbook part (18.2.19). */
interface ListedSheet {
  readonly name: string
  readonly id: string
  readonly hidden: boolean
}
/** The relationships of a part by id, with part names as targets. */
type Related = ReadonlyMap<string, { readonly kind: string; readonly part: string }>

/**
 * Reads a workbook. `parts` returns the entries of the package by name. Throws AppError 'convert.document' if it is not
 * readable; other damage becomes a warning.
 */
export function readWorkbook(parts: ReadFile): Outcome<Workbook> {
  try {
    return readParts(parts)
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    throw refused(fault.message)
  }
}

const refused = (because: string): AppError =>
  new AppError('convert.document', { engine: 'The reader', from: 'xlsx', because })

function readParts(parts: ReadFile): Outcome<Workbook> {
  const warnings = new Map<string, Warning>()
  const warn = (code: string, message: string): void => void warnings.set(code, { code, message })
  const [main] = partsOf(relatedTo(parts, ''), 'officeDocument')
  const name = main ?? 'xl/workbook.xml'
  const bytes = parts(name)
  if (bytes === undefined) throw refused('it has no workbook part')
  const related = relatedTo(parts, name)
  const text = (kind: string): string | undefined => {
    const part = parts(partsOf(related, kind)[0] ?? '')
    return part === undefined ? undefined : xmlText(part)
  }
  const { listed, names, date1904, defined } = readMain(xmlText(bytes))
  const theme = text('theme')
  const { formats, defaultFont, palette, differentials, tableStyles } = readFormats(
    text('styles'),
    readPalette(theme),
  )
  const context: SheetContext = {
    strings: readStrings(text('sharedStrings'), palette),
    palette,
    differentials,
    defaultFont,
    date1904,
    isOfExcel: /^Microsoft.*Excel/.test(propertiesOf(parts, 'extended-properties').get('Application') ?? ''),
    budget: { cells: maxCells, merges: maxMerges },
    formulas: { cells: [], changeWithTime: false },
    warn,
  }
  const styleOf = (named: string): TableStyle | undefined =>
    tableStyles.get(named) ?? builtInTableStyle(named, palette)
  const styled = { formats: [...formats], normal: formats[0] ?? defaultFormat, cells: maxTableCells }
  const drawing: DrawingContext = {
    parts,
    theme: theme === undefined ? emptyTheme : readTheme(theme),
    media: new Map(),
    warnings,
  }
  const choices: SheetChoice[] = []
  const { sheets, tables } = readSheets(listed, { parts, related, names, context, drawing, choices, styleOf })
  showChoices(choices, sheets)
  if (context.formulas.changeWithTime)
    for (const [cell, formula] of context.formulas.cells) (cell as Writable<Cell>).formula = formula
  for (const [at, sheet] of sheets.entries())
    sheets[at] = withTableStyles(sheet, tables.get(at) ?? [], styled)
  if (styled.cells < 0)
    warn('read.table-style', `Tables are drawn without their styles beyond the first ${maxTableCells} cells.`)
  if (sheets.length === 0) throw refused('it has no readable sheet')
  const workbook: Workbook = {
    sheets,
    formats: styled.formats,
    defaultFont,
    date1904,
    centersTruthValues: true,
    information: readInformation(parts),
    drawingText: { fonts: familyOf(drawing.theme.fonts.get('minorHAnsi') ?? 'Calibri'), size: 11 },
    media: drawing.media,
    ...(defined.size > 0 && { names: defined }),
  }
  return { value: workbook, warnings: [...warnings.values()] }
}

/** What the sheets of a workbook are read with. The entries that drop-downs show are added to `choices`. */
interface SheetSources {
  readonly parts: ReadFile
  readonly related: Related
  /** Print areas and titles by the index of the sheet in the workbook part. */
  readonly names: ReadonlyMap<number, PrintNames>
  readonly context: SheetContext
  readonly drawing: DrawingContext
  readonly choices: SheetChoice[]
  readonly styleOf: (named: string) => TableStyle | undefined
}

/** Reads the sheets that can be drawn, and the tables of those that are shown, by the index of their sheet in the result. */
function readSheets(
  listed: readonly ListedSheet[],
  sources: SheetSources,
): { readonly sheets: Sheet[]; readonly tables: ReadonlyMap<number, readonly StyledTable[]> } {
  const sheets: Sheet[] = []
  const tables = new Map<number, readonly StyledTable[]>()
  const read = new Set<string>()
  for (const [at, entry] of listed.entries()) {
    const target = sources.related.get(entry.id)
    // Two sheets that refer to one part are a mistake or an attack that would have it read repeatedly.
    if (read.has(target?.part ?? '')) continue
    read.add(target?.part ?? '')
    const sheet = readSheet(entry, target, sources.names.get(at) ?? {}, sources)
    if (sheet === undefined) continue
    if (target?.kind === 'worksheet' && !entry.hidden)
      tables.set(sheets.length, tablesOf(sources.parts, target.part, sources.styleOf))
    sheets.push(sheet)
  }
  return { sheets, tables }
}

/** Reads a sheet with its drawings. Undefined, mostly with a warning, where it is not readable or of a kind that is not drawn. */
function readSheet(
  { id: _, ...entry }: ListedSheet,
  target: { readonly kind: string; readonly part: string } | undefined,
  names: PrintNames,
  { parts, context, drawing, choices }: SheetSources,
): Sheet | undefined {
  const { warn, palette } = context
  const part = parts(target?.part ?? '')
  const isChart = target?.kind === 'chartsheet'
  if (part === undefined || !(isChart || target?.kind === 'worksheet')) {
    if (!entry.hidden && part === undefined) warn('read.sheet', damagedSheet)
    else if (!entry.hidden) warn('read.other-sheet', 'Sheets of dialogues and macros are not drawn.')
    return undefined
  }
  const controls = entry.hidden ? noControls : controlsOf(parts, target.part, { sheet: entry.name, choices })
  if (controls.unread) warn('read.sheet-control', 'Controls of unsupported kinds on sheets are not drawn.')
  const drawings = entry.hidden
    ? []
    : [
        ...drawingsOf(parts, target.part, drawing),
        ...controls.drawings,
        ...notesOf(parts, target.part, palette),
      ]
  const sheet = tolerant(() => {
    const links = linksOf(parts, target.part)
    return readWorksheet(
      xmlText(part),
      { ...entry, names, drawings, hasControls: controls.found, links },
      context,
    )
  })
  if (sheet === undefined) warn('read.sheet', damagedSheet)
  return sheet !== undefined && isChart ? onOnePage(sheet) : sheet
}

/** The maximum number of cells in tables with a style. */
const maxTableCells = 200_000

const damagedSheet = 'A sheet is damaged and is not drawn.'

/** A chart sheet (18.3.1.12): its chart takes one page, and its columns and rows are those of a new sheet of LibreOffice. */
const onOnePage = (sheet: Sheet): Sheet => ({
  ...sheet,
  defaultWidth: { points: 64 },
  defaultHeight: 12.8,
  page: { ...sheet.page, scale: { pagesWide: 1, pagesTall: 1 } },
})

/** The drawings of a sheet. Their pictures are added to the media of the context. */
function drawingsOf(parts: ReadFile, sheet: string, context: DrawingContext): readonly SheetDrawing[] {
  return partsOf(relatedTo(parts, sheet), 'drawing').flatMap(
    (name) => tolerant(() => readDrawings(context, name)) ?? [],
  )
}

const noControls = { drawings: [], found: true, unread: false } as const

/** The form controls of a sheet. The entries that its drop-downs show are added to `choices`. */
function controlsOf(
  parts: ReadFile,
  part: string,
  { sheet, choices }: { readonly sheet: string; readonly choices: SheetChoice[] },
): Pick<ReadControls, 'drawings' | 'found' | 'unread'> {
  const drawings: SheetDrawing[] = []
  let [found, unread] = [false, false]
  for (const name of partsOf(relatedTo(parts, part), 'vmlDrawing')) {
    const bytes = parts(name)
    if (bytes === undefined) continue
    const read = tolerant(() => readControls(xmlText(bytes)))
    unread ||= read === undefined || read.unread
    if (read === undefined) continue
    found ||= read.found
    pushAll(drawings, read.drawings)
    for (const choice of read.choices) choices.push({ ...choice, sheet })
  }
  return { drawings, found, unread }
}

/** The notes that a sheet shows all the time. */
function notesOf(parts: ReadFile, sheet: string, palette: SheetContext['palette']): readonly SheetDrawing[] {
  const related = relatedTo(parts, sheet)
  const xmlOf = (kind: string): string[] =>
    partsOf(related, kind).flatMap((name) => {
      const bytes = parts(name)
      return bytes === undefined ? [] : [xmlText(bytes)]
    })
  const [comments] = xmlOf('comments')
  const texts = comments === undefined ? undefined : tolerant(() => readNoteTexts(comments, palette))
  if (texts === undefined || texts.size === 0) return []
  return xmlOf('vmlDrawing').flatMap((vml) => tolerant(() => readNotes(vml, texts)) ?? [])
}

/** The choice of a drop-down on a sheet. */
interface SheetChoice extends Choice {
  readonly sheet: string
}

/** Fills in the texts that drop-downs show, once their cells are read. */
function showChoices(choices: readonly SheetChoice[], sheets: readonly Sheet[]): void {
  for (const { range, index, sheet, inlines } of choices) {
    const area = dataOf(range) ?? dataOf(`'${sheet.replaceAll("'", "''")}'!${range}`)
    const of = sheets.find(({ name }) => name === area?.sheet)
    if (area === undefined || of === undefined) continue
    const cells = of.rows.find(({ row }) => row === area.top + index)?.cells
    const value = cells?.find(({ column }) => column === area.left)?.value
    if (typeof value === 'string' || typeof value === 'number')
      inlines.push({ kind: 'text', text: String(value), run: {} })
  }
}

/** The tables of a sheet that have a style. */
function tablesOf(
  parts: ReadFile,
  sheet: string,
  styleOf: (name: string) => TableStyle | undefined,
): StyledTable[] {
  return partsOf(relatedTo(parts, sheet), 'table').flatMap((name) => {
    const bytes = parts(name)
    const table = tolerant(() => {
      const cursor = new XmlCursor(bytes === undefined ? '' : xmlText(bytes), workbookVocabulary)
      return cursor.root() ? readTable(cursor, styleOf) : undefined
    })
    return table ?? []
  })
}

const familyOf = (family: string): FontNames => ({
  ascii: family,
  other: family,
  eastAsia: family,
  complex: family,
})

/** Returns undefined if the markup is damaged. */
function tolerant<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (fault) {
    if (fault instanceof XmlFault) return undefined
    throw fault
  }
}

/** The relationships of a part; '' means the package. */
function relatedTo(parts: ReadFile, owner: string): Related {
  const bytes = parts(relationshipsPart(owner))
  const related = new Map<string, { kind: string; part: string }>()
  if (bytes === undefined) return related
  for (const { id, kind, target, isExternal } of relationshipsIn(xmlText(bytes)))
    if (!isExternal) related.set(id, { kind, part: targetOf(owner, target) })
  return related
}

/** The addresses that cells of a sheet link to, by relationship id. */
function linksOf(parts: ReadFile, sheet: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>()
  const bytes = parts(relationshipsPart(sheet))
  if (bytes === undefined) return links
  for (const { id, kind, target, isExternal } of relationshipsIn(xmlText(bytes)))
    if (isExternal && kind === 'hyperlink') links.set(id, target)
  return links
}

function relationshipsPart(owner: string): string {
  const slash = owner.lastIndexOf('/')
  return `${owner.slice(0, slash + 1)}_rels/${owner.slice(slash + 1)}.rels`
}

const partsOf = (related: Related, kind: string): string[] =>
  [...related.values()].filter((each) => each.kind === kind).map(({ part }) => part)

/** The properties of the workbook part that apply to all sheets. */
interface MainPart {
  readonly listed: readonly ListedSheet[]
  /** The defined names for printing, by the index of their sheet. */
  readonly names: ReadonlyMap<number, PrintNames>
  readonly date1904: boolean
  /** `Workbook.names`. */
  readonly defined: ReadonlyMap<string, string>
}
const maxDefinedNames = 10_000
const maxSheets = 10_000

/** CT_Workbook (18.2.27). */
function readMain(xml: string): MainPart {
  const listed: ListedSheet[] = []
  const names = new Map<number, PrintNames>()
  const definedNames = new Map<string, string>()
  let date1904 = false
  const cursor = new XmlCursor(xml, workbookVocabulary)
  if (!cursor.root() || cursor.name !== 's:workbook') throw refused('its content is of another format')
  cursor.each((name) => {
    if (name === 's:workbookPr') {
      const value = cursor.attribute('date1904')
      date1904 = value === '1' || value === 'true'
    } else if (name === 's:sheets')
      cursor.each(() => {
        if (listed.length >= maxSheets) return
        const hidden = (cursor.attribute('state') ?? 'visible') !== 'visible'
        listed.push({
          name: cursor.attribute('name') ?? '',
          id: cursor.attribute('r:id') ?? '',
          hidden,
        })
      })
    else if (name === 's:definedNames')
      cursor.each(() => {
        const sheet = Number(cursor.attribute('localSheetId') ?? Number.NaN)
        const defined = cursor.attribute('name')?.toLowerCase()
        if (Number.isNaN(sheet)) {
          if (defined !== undefined && definedNames.size < maxDefinedNames)
            definedNames.set(defined.toUpperCase(), cursor.text())
          return
        }
        if (defined === '_xlnm.print_area') names.set(sheet, { ...names.get(sheet), areas: cursor.text() })
        else if (defined === '_xlnm.print_titles')
          names.set(sheet, { ...names.get(sheet), titles: cursor.text() })
      })
  })
  return { listed, names, date1904, defined: definedNames }
}

/** The texts of a property part by element name. */
function propertiesOf(parts: ReadFile, kind: string): ReadonlyMap<string, string> {
  const properties = new Map<string, string>()
  const part = parts(partsOf(relatedTo(parts, ''), kind)[0] ?? '')
  if (part === undefined) return properties
  tolerant(() => {
    const cursor = new XmlCursor(xmlText(part), workbookVocabulary)
    if (cursor.root()) cursor.each((name) => void properties.set(name, cursor.text()))
  })
  return properties
}

/** The core properties of the package (ECMA-376-2 8). */
function readInformation(parts: ReadFile): Workbook['information'] {
  const properties = propertiesOf(parts, 'core-properties')
  const of = (name: string): string | undefined => properties.get(name) || undefined
  const [title, author, subject, keywords] = [
    of('dc:title'),
    of('dc:creator'),
    of('dc:subject'),
    of('cp:keywords'),
  ]
  return {
    ...(title !== undefined && { title }),
    ...(author !== undefined && { author }),
    ...(subject !== undefined && { subject }),
    ...(keywords !== undefined && { keywords }),
  }
}
