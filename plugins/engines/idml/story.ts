/** The text of a story as paragraphs and tables. Source: IDML File Format Specification 8.0, 10.5 Stories. */

import { type Element, elements } from '../../../shared/document/xml-tree.ts'
import type { Idml } from './document.ts'
import { Look } from './look.ts'
import { type Properties, propertiesOf } from './properties.ts'
import { numberOf } from './tree.ts'

export type Piece =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly look: Look
      /** It differs from its paragraph. */
      readonly own: boolean
      readonly link?: string
    }
  | { readonly kind: 'break' }
  | { readonly kind: 'object'; readonly item: Element }
  | { readonly kind: 'note'; readonly blocks: readonly Block[] }

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly style: string // `Self` of its style
  readonly look: Look
  /** It says something that its style does not. */
  readonly own: boolean
  readonly pieces: readonly Piece[]
  readonly breakBefore?: 'column'
}

export interface Cell {
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
  readonly properties: Properties
  readonly blocks: readonly Block[]
}

export interface Table {
  readonly kind: 'table'
  readonly headerRows: number
  readonly widths: readonly number[]
  readonly heights: readonly number[]
  readonly cells: readonly Cell[]
}

export type Block = Paragraph | Table

/** What stands on pages, or in the text as if it were a letter. */
export const pageItems: ReadonlySet<string> = new Set([
  'TextFrame',
  'Rectangle',
  'Oval',
  'Polygon',
  'GraphicLine',
  'Group',
  'EPSText',
  'FormField',
  'Button',
  'MultiStateObject',
  'CheckBox',
  'ComboBox',
  'ListBox',
  'RadioButton',
  'TextBox',
  'SignatureField',
])
const unread = new Set(['Note', 'Properties', 'StoryPreference', 'InCopyExportOption'])

interface Place {
  readonly style: string
  readonly paragraph: readonly Properties[] // of the range, then of its style
  readonly character: readonly Properties[]
  readonly own: boolean
  readonly link?: string
}

export function blocksOf(story: Element, document: Idml): readonly Block[] {
  const reader = new StoryReader(document)
  reader.walk(story, reader.begin())
  return reader.end()
}

class StoryReader {
  readonly #document: Idml
  readonly #blocks: Block[] = []
  #open: { readonly place: Place; readonly pieces: Piece[]; readonly breakBefore?: 'column' } | undefined
  #afterTable = false
  #nextBreak = false

  constructor(document: Idml) {
    this.#document = document
  }

  begin(): Place {
    const style = 'ParagraphStyle/$ID/NormalParagraphStyle'
    return { style, paragraph: [this.#document.paragraphs.get(style)], character: [], own: false }
  }

  walk(parent: Element, place: Place): void {
    for (const child of elements(parent)) {
      this.#document.growth.step()
      this.#element(child, place)
    }
  }

  #element(child: Element, place: Place): void {
    const { attributes } = child
    switch (child.name) {
      case 'ParagraphStyleRange': {
        const style = attributes.get('AppliedParagraphStyle') ?? place.style
        const own = ownOf(child, 'AppliedParagraphStyle')
        const paragraph = [own, this.#document.paragraphs.get(style)]
        this.walk(child, { ...place, style, paragraph, own: own.size > 0, character: [] })
        return
      }
      case 'CharacterStyleRange': {
        const own = ownOf(child, 'AppliedCharacterStyle')
        const style = this.#document.characters.get(attributes.get('AppliedCharacterStyle'))
        const named = new Map([...style].filter(([name]) => !about.has(name)))
        this.walk(child, { ...place, character: [own, named].filter(({ size }) => size > 0) })
        const type = attributes.get('ParagraphBreakType')
        if (type !== undefined && type !== 'Anywhere') this.#nextBreak = true
        return
      }
      case 'Content':
        this.#text(child, place)
        return
      case 'Br':
        this.#endParagraph(place)
        return
      case 'TextVariableInstance':
        this.#add(this.#piece(attributes.get('ResultText') ?? '', place), place)
        return
      case 'Table':
        this.#table(child)
        return
      case 'Footnote':
      case 'Endnote': {
        const reader = new StoryReader(this.#document)
        reader.walk(child, reader.begin())
        this.#add({ kind: 'note', blocks: reader.end() }, place)
        return
      }
      case 'HyperlinkTextSource':
      case 'CrossReferenceSource': {
        const link = this.#document.links.get(attributes.get('Self') ?? '')
        this.walk(child, { ...place, ...(link !== undefined && { link }) })
        return
      }
      case 'Change':
        if (attributes.get('ChangeType') !== 'DeletedText') this.walk(child, place)
        return
      default:
        if (pageItems.has(child.name)) this.#add({ kind: 'object', item: child }, place)
        else if (!unread.has(child.name)) this.walk(child, place)
    }
  }

  #text(content: Element, place: Place): void {
    for (const child of content.children) {
      if (typeof child !== 'string') continue
      for (const [at, line] of child
        .replace(/[\ufeff\ufffc]/g, '')
        .split(/\u2028|\r\n?|\n/)
        .entries()) {
        if (at > 0) this.#add({ kind: 'break' }, place)
        if (line !== '') this.#add(this.#piece(line, place), place)
      }
    }
  }

  #piece(text: string, { paragraph, character, link }: Place): Piece {
    const look = new Look([...character, ...paragraph])
    return { kind: 'text', text, look, own: character.length > 0, ...(link !== undefined && { link }) }
  }

  #add(piece: Piece, place: Place): void {
    this.#begun(place).pieces.push(piece)
    this.#afterTable = false
  }

  #begun(place: Place) {
    this.#open ??= { place, pieces: [], ...(this.#nextBreak && { breakBefore: 'column' as const }) }
    this.#nextBreak = false
    return this.#open
  }

  #endParagraph(place: Place): void {
    // A table stands in a paragraph of its own, which ends behind it.
    if (this.#afterTable) this.#afterTable = false
    else {
      this.#begun(place)
      this.#close()
    }
  }

  #close(): void {
    if (this.#open === undefined) return
    const { place, pieces, breakBefore } = this.#open
    this.#blocks.push({
      kind: 'paragraph',
      style: place.style,
      look: new Look(place.paragraph),
      own: place.own,
      pieces,
      ...(breakBefore !== undefined && { breakBefore }),
    })
    this.#open = undefined
  }

  end(): readonly Block[] {
    this.#close()
    return this.#blocks
  }

  #table(table: Element): void {
    this.#close()
    const widths = sizes(table, 'Column', 'SingleColumnWidth')
    const heights = sizes(table, 'Row', 'SingleRowHeight')
    const cells = [...elements(table, 'Cell')].map((cell): Cell => {
      const [column = 0, row = 0] = (cell.attributes.get('Name') ?? '').split(':').map(Number)
      const reader = new StoryReader(this.#document)
      reader.walk(cell, reader.begin())
      const style = this.#document.cells.get(cell.attributes.get('AppliedCellStyle'))
      return {
        column: numberOf(String(column), 0),
        row: numberOf(String(row), 0),
        columns: span(cell.attributes.get('ColumnSpan'), widths.length),
        rows: span(cell.attributes.get('RowSpan'), heights.length),
        properties: new Map([...style, ...propertiesOf(cell)]),
        blocks: reader.end(),
      }
    })
    this.#blocks.push({
      kind: 'table',
      headerRows: numberOf(table.attributes.get('HeaderRowCount'), 0),
      widths,
      heights,
      cells,
    })
    this.#afterTable = true
  }
}

/** No further than the table. */
function span(value: string | undefined, most: number): number {
  return Math.max(1, Math.min(Math.round(numberOf(value, 1)), most))
}

function sizes(table: Element, name: string, attribute: string): readonly number[] {
  return [...elements(table, name)].map(({ attributes }) => numberOf(attributes.get(attribute), 0))
}

/** What a style says of itself, not of text. */
const about = new Set([
  'Self',
  'Name',
  'BasedOn',
  'Imported',
  'KeyboardShortcut',
  'PreviewColor',
  'NextStyle',
])

function ownOf(range: Element, style: string): Properties {
  const own = new Map(propertiesOf(range))
  own.delete(style)
  own.delete('ParagraphBreakType')
  return own
}
