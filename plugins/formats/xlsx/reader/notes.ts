/**
 * Notes that a sheet shows all the time. Their boxes are shapes of the VML part (x:ClientData with the type Note, ECMA-376-4 19.4.2), their
 * texts are in the comments part (ECMA-376-1 18.7). The line from a box to its cell is not drawn.
 */
import type { Block, Inline } from '../../../../shared/document/content.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import type { CellFont, CellValue, SheetDrawing } from '../../../../shared/document/sheet.ts'
import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { parseCorner } from '../../../../shared/office/sheet/reference.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import type { Palette } from './colors.ts'
import { anchorOf } from './form-controls.ts'
import { stringReader } from './strings.ts'
import { workbookVocabulary } from './vocabulary.ts'

const maxNotes = 5_000
const usualFill = 'FFFFE1'

/** The texts of a comments part by the row and column of their cell. Throws XmlFault if its markup is damaged. */
export function readNoteTexts(xml: string, palette: Palette): ReadonlyMap<string, CellValue> {
  const texts = new Map<string, CellValue>()
  const cursor = new XmlCursor(xml, workbookVocabulary)
  if (!cursor.root()) return texts
  const readString = stringReader(cursor, palette)
  const visit = (name: string): void => {
    if (name === 's:commentList') cursor.each(visit)
    if (name !== 's:comment' || texts.size >= maxNotes) return
    const { row, column } = parseCorner(cursor.attribute('ref') ?? '') ?? {}
    cursor.each((child) => {
      if (child === 's:text' && row !== undefined && column !== undefined)
        texts.set(cellKey(row - 1, column - 1), readString())
    })
  }
  cursor.each(visit)
  return texts
}

const cellKey = (row: number, column: number): string => `${row} ${column}`

/** The boxes of the notes of a VML part that are shown. Throws XmlFault if its markup is damaged. */
export function readNotes(vml: string, texts: ReadonlyMap<string, CellValue>): SheetDrawing[] {
  const notes: SheetDrawing[] = []
  const cursor = new XmlCursor(vml, wordVocabulary)
  if (!cursor.root()) return notes
  cursor.each((name) => {
    if (name !== 'v:shape' || notes.length >= maxNotes) return
    const note = readNote(cursor, texts)
    if (note !== undefined) notes.push(note)
  })
  return notes
}

function readNote(cursor: XmlCursor, texts: ReadonlyMap<string, CellValue>): SheetDrawing | undefined {
  const style = cursor.attribute('style') ?? ''
  const fill = /^#([0-9a-f]{6})/i.exec(cursor.attribute('fillcolor') ?? '')?.[1]?.toUpperCase()
  let isNote = false
  let isShown = /(?:^|;)\s*visibility:\s*visible/.test(style)
  let anchor: ReturnType<typeof anchorOf>
  let [row, column] = ['', '']
  cursor.each((name) => {
    if (name !== 'x:ClientData' || cursor.attribute('ObjectType') !== 'Note') return
    isNote = true
    cursor.each((child) => {
      const text = cursor.text().trim()
      if (child === 'x:Visible') isShown ||= text.toLowerCase() !== 'false'
      else if (child === 'x:Anchor') anchor = anchorOf(text)
      else if (child === 'x:Row') row = text
      else if (child === 'x:Column') column = text
    })
  })
  const text = texts.get(`${row} ${column}`)
  if (!isNote || !isShown || anchor === undefined || text === undefined) return undefined
  const { from, to, width, height } = anchor
  return {
    from,
    to,
    drawing: {
      width,
      height,
      rotation: 0,
      content: {
        kind: 'shape',
        geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
        fill: fill ?? usualFill,
        stroke: { color: '000000', width: 0.75, dash: 'solid' },
        text: {
          blocks: paragraphsOf(text),
          insets: { top: 3.6, right: 7.2, bottom: 3.6, left: 7.2 },
          align: 'top',
          grows: false,
          direction: 'horizontal',
          wraps: true,
        },
      },
    },
  }
}

function paragraphsOf(text: CellValue): Block[] {
  const runs =
    typeof text === 'object' && text.kind === 'rich' ? text.runs : [{ text: String(text), font: undefined }]
  const paragraphs: Inline[][] = [[]]
  for (const { text: part, font } of runs) {
    const run = font === undefined ? {} : runOf(font)
    for (const [at, line] of part.split('\n').entries()) {
      if (at > 0) paragraphs.push([])
      if (line !== '') paragraphs.at(-1)?.push({ kind: 'text', text: line, run })
    }
  }
  return paragraphs.map((inlines) => ({ kind: 'paragraph', properties: {}, mark: {}, inlines }))
}

const runOf = ({ family, size, bold, italic, color }: CellFont): RunProperties => ({
  fonts: { ascii: family, other: family, eastAsia: family, complex: family },
  size,
  ...(bold === true && { bold }),
  ...(italic === true && { italic }),
  ...(color !== undefined && { color }),
})
