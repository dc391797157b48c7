/**
 * List labels and note numbers depend on everything before them. They are therefore counted once over the
 * entire document, in its order, before layout: a header row that is repeated on ten pages keeps its number.
 */
import type { Block, Inline, Paragraph } from '../../../../shared/document/content.ts'
import type { Document } from '../../../../shared/document/document.ts'
import type { DrawingContent } from '../../../../shared/document/drawing.ts'
import type { Level } from '../../../../shared/document/numbering.ts'
import type { NoteSettings, SectionProperties } from '../../../../shared/document/section.ts'
import { formatCounter } from './number-format.ts'
import type { Styler } from './styler.ts'

/** The label of a list paragraph. */
export interface ListLabel {
  readonly text: string
  readonly level: Level
}

/** All labels of a document. Elements are identified by object. */
export interface ListLabels {
  /** Layout adds the copies of paragraphs whose text it makes smaller. */
  readonly paragraphs: Map<Paragraph, ListLabel>
  readonly notes: ReadonlyMap<Inline, string>
  /** The numbers of notes by the key of the note, for the number inside the note. */
  readonly noteNumbers: ReadonlyMap<string, string>
  /** The footnotes that restart on each page, by key. Only layout can number them. */
  readonly perPage: ReadonlyMap<string, NoteSettings>
  /** For each bookmark, the label of its paragraph and the number of the first note after it. */
  readonly ofBookmarks: ReadonlyMap<string, BookmarkLabel>
}
export interface BookmarkLabel {
  label?: string
  note?: string
  noteKey?: string
}

/** The counters of one list, by level; undefined until the level is first used or after it was reset. */
interface ListCounters {
  readonly values: (number | undefined)[]
}

/** Counts the labels of lists and notes. Headers and footers of a section count after its body, notes after everything. */
export function countLabels(document: Document, styler: Styler): ListLabels {
  const counter = new LabelCounter(document, styler)
  document.sections.forEach((section, index) => {
    counter.beginSection(section.properties, index === 0)
    counter.visitBlocks(section.blocks)
    for (const variants of [section.headers, section.footers]) {
      for (const blocks of [variants.default, variants.first, variants.even])
        counter.visitBlocks(blocks ?? [])
    }
  })
  for (const note of document.notes.values()) counter.visitBlocks(note.blocks)
  return counter
}

/** Counts the labels of the text in drawings, in their order: those of a deck. */
export function countDrawingLabels(
  document: Document,
  styler: Styler,
  contents: Iterable<DrawingContent>,
): ListLabels {
  const counter = new LabelCounter(document, styler)
  for (const content of contents) counter.visitDrawing(content)
  return counter
}

/** Visits blocks in document order and counts list items on the way. Its public fields are the result. */
class LabelCounter implements ListLabels {
  readonly paragraphs = new Map<Paragraph, ListLabel>()
  readonly notes = new Map<Inline, string>()
  readonly noteNumbers = new Map<string, string>()
  readonly perPage = new Map<string, NoteSettings>()
  readonly ofBookmarks = new Map<string, BookmarkLabel>()
  readonly #document: Document
  readonly #styler: Styler
  /** Counters by the key that lists share when they continue each other. */
  readonly #counters = new Map<string, ListCounters>()
  /** Levels of lists that have begun, as 'list:level'. A start value of the list applies only to the first item. */
  readonly #started = new Set<string>()
  /** Settings of the section that is being visited, and the last numbers given. */
  readonly #noteSettings: Record<NoteKind, NoteSettings>
  readonly #noteCounts: Record<NoteKind, number> = { footnote: 0, endnote: 0 }

  constructor(document: Document, styler: Styler) {
    this.#document = document
    this.#styler = styler
    this.#noteSettings = { footnote: document.settings.footnotes, endnote: document.settings.endnotes }
  }

  /** Applies the note settings of a section. Numbering restarts where the section restarts it or declares a start. */
  beginSection(properties: SectionProperties, isFirst: boolean): void {
    for (const kind of noteKinds) {
      const declared = properties[`${kind}s`]
      const settings = { ...this.#document.settings[`${kind}s`], ...declared }
      this.#noteSettings[kind] = settings
      if (isFirst || settings.restart === 'section' || declared?.start !== undefined)
        this.#noteCounts[kind] = settings.start - 1
    }
  }

  visitBlocks(blocks: readonly Block[]): void {
    for (const block of blocks) {
      if (block.kind === 'paragraph') this.#visitParagraph(block)
      else for (const row of block.rows) for (const cell of row.cells) this.visitBlocks(cell.blocks)
    }
  }

  #visitParagraph(paragraph: Paragraph): void {
    const { list } = this.#styler.paragraph(paragraph.properties, undefined)
    if (list !== undefined && list.unnumbered !== true) {
      const label = this.#nextLabel(list.list, list.level, list.restart)
      if (label !== undefined) this.paragraphs.set(paragraph, label)
    }
    /** The last bookmark that began in this paragraph; it waits for its first note. */
    let bookmark: BookmarkLabel | undefined
    for (const inline of paragraph.inlines) {
      if (inline.kind === 'bookmark' && !this.ofBookmarks.has(inline.name)) {
        bookmark = { label: this.paragraphs.get(paragraph)?.text }
        this.ofBookmarks.set(inline.name, bookmark)
      } else if (inline.kind === 'note') {
        this.#countNote(inline)
        if (bookmark !== undefined && bookmark.noteKey === undefined) {
          bookmark.note = this.notes.get(inline)
          bookmark.noteKey = inline.note
        }
      } else if (inline.kind === 'drawing') this.visitDrawing(inline.drawing.content)
    }
  }

  visitDrawing(content: DrawingContent): void {
    if (content.kind === 'shape') this.visitBlocks(content.text?.blocks ?? [])
    else if (content.kind === 'group')
      for (const child of content.children) this.visitDrawing(child.drawing.content)
  }

  /** Numbers one reference to a note. A reference with a custom mark takes no number (ECMA-376-1 17.11.14). */
  #countNote(inline: Extract<Inline, { kind: 'note' }>): void {
    if (inline.mark !== undefined) {
      this.notes.set(inline, inline.mark)
      this.noteNumbers.set(inline.note, inline.mark)
      return
    }
    const kind = inline.note.startsWith('endnote') ? 'endnote' : 'footnote'
    const settings = this.#noteSettings[kind]
    this.#noteCounts[kind]++
    const number = formatCounter(this.#noteCounts[kind], settings.format)
    this.notes.set(inline, number)
    if (this.noteNumbers.has(inline.note)) return
    this.noteNumbers.set(inline.note, number)
    if (kind === 'footnote' && settings.restart === 'page') this.perPage.set(inline.note, settings)
  }

  /** Advances the counter of a level and returns its label; undefined when the document does not define the level. */
  #nextLabel(list: string, index: number, restart: number | undefined): ListLabel | undefined {
    const numbering = this.#document.numbering.get(list)
    const level = numbering?.levels[index]
    if (numbering === undefined || level === undefined) return undefined
    let counters = this.#counters.get(numbering.counters)
    if (counters === undefined) this.#counters.set(numbering.counters, (counters = { values: [] }))
    const { values } = counters
    const listStart = numbering.starts?.get(index)
    const key = `${list}:${index}`
    if (restart !== undefined) values[index] = restart
    else if (listStart !== undefined && !this.#started.has(key)) values[index] = listStart
    else values[index] = values[index] === undefined ? level.start : values[index] + 1
    this.#started.add(key)
    resetDeeper(values, numbering.levels, index)
    // Levels above that were never used show their start value.
    for (let upper = 0; upper < index; upper++) values[upper] ??= numbering.levels[upper]?.start ?? 1
    return { text: labelText(level, numbering.levels, values), level }
  }
}

type NoteKind = 'footnote' | 'endnote'
const noteKinds: readonly NoteKind[] = ['footnote', 'endnote']

/** Resets the levels below `index`, except those that restart only after a level above it (w:lvlRestart, 17.9.10). */
function resetDeeper(
  values: (number | undefined)[],
  levels: readonly (Level | undefined)[],
  index: number,
): void {
  for (let deeper = index + 1; deeper < 9; deeper++) {
    const after = levels[deeper]?.restartAfter
    if (after === 0 || (after !== undefined && index >= after)) continue
    values[deeper] = undefined
  }
}

/** The text of a level with every %n replaced by the counter of level n. */
function labelText(level: Level, levels: readonly Level[], values: readonly (number | undefined)[]): string {
  if (level.format === 'bullet') return level.text
  return level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1
    const other = levels[index]
    if (other === undefined) return ''
    const format = level.legal ? 'decimal' : other.format
    return formatCounter(values[index] ?? other.start, format)
  })
}
