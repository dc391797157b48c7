/**
 * Reads the text of a story as paragraphs and tables. Source: IDML File Format Specification 8.0, 10.5
 * Stories.
 */

import { type Element, elements } from '../../../shared/xml/read-tree.ts'
import type { Idml } from './document.ts'
import { type IdmlProperties, propertiesOf } from './properties.ts'
import { StoryStyle } from './story-style.ts'
import { numberOf } from './tree.ts'

/** One item of the content of a paragraph. */
export type StoryInline =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly formatting: StoryStyle
      /** Whether its formatting differs from that of its paragraph. */
      readonly hasOverrides: boolean
      readonly link?: string
    }
  | { readonly kind: 'break' }
  | { readonly kind: 'object'; readonly item: Element }
  | { readonly kind: 'note'; readonly blocks: readonly StoryBlock[] }

/** One paragraph of a story. */
export interface StoryParagraph {
  readonly kind: 'paragraph'
  readonly style: string // `Self` of its style
  readonly formatting: StoryStyle
  /** Whether it has formatting beyond its style. */
  readonly hasOverrides: boolean
  readonly inlines: readonly StoryInline[]
  readonly breakBefore?: 'column'
}

/** One cell, with its position and spans counted in columns and rows from 0. */
export interface StoryCell {
  readonly column: number
  readonly row: number
  readonly columns: number
  readonly rows: number
  readonly properties: IdmlProperties
  readonly blocks: readonly StoryBlock[]
}

/** A table; widths of columns and heights of rows are in points. */
export interface StoryTable {
  readonly kind: 'table'
  readonly headerRows: number
  readonly widths: readonly number[]
  readonly heights: readonly number[]
  readonly cells: readonly StoryCell[]
}

export type StoryBlock = StoryParagraph | StoryTable

/** An item on a page, or inside the text like a character. */
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

/** The formatting that applies to an element of a story before its own. */
interface InheritedFormatting {
  readonly style: string
  readonly paragraph: readonly IdmlProperties[] // of the range, then of its style
  readonly character: readonly IdmlProperties[]
  readonly hasOverrides: boolean
  readonly link?: string
}

/** The paragraphs and tables of a story, in order. Deleted text of tracked changes is omitted. */
export function blocksOf(story: Element, document: Idml): readonly StoryBlock[] {
  const reader = new StoryReader(document)
  reader.walk(story, reader.begin())
  return reader.end()
}

/** Collects the blocks of one text while its elements are visited. */
class StoryReader {
  readonly #document: Idml
  readonly #blocks: StoryBlock[] = []
  /** The paragraph that has begun and not ended. */
  #open:
    | {
        readonly inherited: InheritedFormatting
        readonly inlines: StoryInline[]
        readonly breakBefore?: 'column'
      }
    | undefined
  /** A table has just ended, so the paragraph mark that follows belongs to it. */
  #afterTable = false
  /** The next paragraph begins in another column or frame. */
  #nextBreak = false

  constructor(document: Idml) {
    this.#document = document
  }

  begin(): InheritedFormatting {
    const style = 'ParagraphStyle/$ID/NormalParagraphStyle'
    return { style, paragraph: [this.#document.paragraphs.get(style)], character: [], hasOverrides: false }
  }

  walk(parent: Element, inherited: InheritedFormatting): void {
    for (const child of elements(parent)) {
      this.#document.growth.step()
      this.#element(child, inherited)
    }
  }

  #element(child: Element, inherited: InheritedFormatting): void {
    const { attributes } = child
    switch (child.name) {
      case 'ParagraphStyleRange': {
        const style = attributes.get('AppliedParagraphStyle') ?? inherited.style
        const direct = directFormatting(child, 'AppliedParagraphStyle')
        const paragraph = [direct, this.#document.paragraphs.get(style)]
        this.walk(child, { ...inherited, style, paragraph, hasOverrides: direct.size > 0, character: [] })
        return
      }
      case 'CharacterStyleRange': {
        const direct = directFormatting(child, 'AppliedCharacterStyle')
        const style = this.#document.characters.get(attributes.get('AppliedCharacterStyle'))
        const named = new Map([...style].filter(([name]) => !styleProperties.has(name)))
        this.walk(child, { ...inherited, character: [direct, named].filter(({ size }) => size > 0) })
        const type = attributes.get('ParagraphBreakType')
        if (type !== undefined && type !== 'Anywhere') this.#nextBreak = true
        return
      }
      case 'Content':
        this.#text(child, inherited)
        return
      case 'Br':
        this.#endParagraph(inherited)
        return
      case 'TextVariableInstance':
        this.#add(this.#textInline(attributes.get('ResultText') ?? '', inherited), inherited)
        return
      case 'Table':
        this.#table(child)
        return
      case 'Footnote':
      case 'Endnote': {
        const reader = new StoryReader(this.#document)
        reader.walk(child, reader.begin())
        this.#add({ kind: 'note', blocks: reader.end() }, inherited)
        return
      }
      case 'HyperlinkTextSource':
      case 'CrossReferenceSource': {
        const link = this.#document.links.get(attributes.get('Self') ?? '')
        this.walk(child, { ...inherited, ...(link !== undefined && { link }) })
        return
      }
      case 'Change':
        if (attributes.get('ChangeType') !== 'DeletedText') this.walk(child, inherited)
        return
      default:
        if (pageItems.has(child.name)) this.#add({ kind: 'object', item: child }, inherited)
        else if (!unread.has(child.name)) this.walk(child, inherited)
    }
  }

  #text(content: Element, inherited: InheritedFormatting): void {
    for (const child of content.children) {
      if (typeof child !== 'string') continue
      for (const [at, line] of child
        .replace(/[\ufeff\ufffc]/g, '')
        .split(/\u2028|\r\n?|\n/)
        .entries()) {
        if (at > 0) this.#add({ kind: 'break' }, inherited)
        if (line !== '') this.#add(this.#textInline(line, inherited), inherited)
      }
    }
  }

  #textInline(text: string, { paragraph, character, link }: InheritedFormatting): StoryInline {
    const formatting = new StoryStyle([...character, ...paragraph])
    return {
      kind: 'text',
      text,
      formatting,
      hasOverrides: character.length > 0,
      ...(link !== undefined && { link }),
    }
  }

  #add(inline: StoryInline, inherited: InheritedFormatting): void {
    this.#begun(inherited).inlines.push(inline)
    this.#afterTable = false
  }

  #begun(inherited: InheritedFormatting) {
    this.#open ??= { inherited, inlines: [], ...(this.#nextBreak && { breakBefore: 'column' as const }) }
    this.#nextBreak = false
    return this.#open
  }

  #endParagraph(inherited: InheritedFormatting): void {
    // A table is in a paragraph of its own, which ends after it.
    if (this.#afterTable) this.#afterTable = false
    else {
      this.#begun(inherited)
      this.#close()
    }
  }

  #close(): void {
    if (this.#open === undefined) return
    const { inherited, inlines, breakBefore } = this.#open
    this.#blocks.push({
      kind: 'paragraph',
      style: inherited.style,
      formatting: new StoryStyle(inherited.paragraph),
      hasOverrides: inherited.hasOverrides,
      inlines,
      ...(breakBefore !== undefined && { breakBefore }),
    })
    this.#open = undefined
  }

  end(): readonly StoryBlock[] {
    this.#close()
    return this.#blocks
  }

  #table(table: Element): void {
    this.#close()
    const widths = sizes(table, 'Column', 'SingleColumnWidth')
    const heights = sizes(table, 'Row', 'SingleRowHeight')
    const cells = [...elements(table, 'Cell')].map((cell): StoryCell => {
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

/** The span ends with the table. */
function span(value: string | undefined, maxSpan: number): number {
  return Math.max(1, Math.min(Math.round(numberOf(value, 1)), maxSpan))
}

function sizes(table: Element, name: string, attribute: string): readonly number[] {
  return [...elements(table, name)].map(({ attributes }) => numberOf(attributes.get(attribute), 0))
}

/** Properties of the style itself, which do not apply to text. */
const styleProperties = new Set([
  'Self',
  'Name',
  'BasedOn',
  'Imported',
  'KeyboardShortcut',
  'PreviewColor',
  'NextStyle',
])

/** The direct formatting of a range: its properties except the references to styles. */
function directFormatting(range: Element, style: string): IdmlProperties {
  const direct = new Map(propertiesOf(range))
  direct.delete(style)
  direct.delete('ParagraphBreakType')
  return direct
}
