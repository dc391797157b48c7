/**
 * List labels and note numbers depend on everything before them. They are therefore counted once over the
 * entire document, in its order, before layout: a header row that is repeated on ten pages keeps its number.
 */
import type {
  Block,
  Document,
  Inline,
  NoteSettings,
  Paragraph,
} from '../../../../shared/document/document.ts'
import type { DrawingContent } from '../../../../shared/document/drawing.ts'
import type { Level } from '../../../../shared/document/numbering.ts'
import type { CellTextFormat } from './computed.ts'
import { formatNumber } from './number-format.ts'
import type { Styler } from './styler.ts'

/** The label of a list paragraph. */
export interface Label {
  readonly text: string
  readonly level: Level
}

/** All labels of a document. Elements are identified by object. */
export interface Labels {
  readonly paragraphs: ReadonlyMap<Paragraph, Label>
  readonly notes: ReadonlyMap<Inline, string>
  /** The numbers of notes by the key of the note, for the number inside the note. */
  readonly marks: ReadonlyMap<string, string>
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
interface Counters {
  readonly values: (number | undefined)[]
}

/** Counts the labels of lists and notes. */
export function countLabels(document: Document, styler: Styler): Labels {
  const paragraphs = new Map<Paragraph, Label>()
  const notes = new Map<Inline, string>()
  const marks = new Map<string, string>()
  const perPage = new Map<string, NoteSettings>()
  const ofBookmarks = new Map<string, BookmarkLabel>()
  const lists = new Map<string, Counters>()
  const started = new Set<string>()
  const noteSettings = { footnote: document.settings.footnotes, endnote: document.settings.endnotes }
  const noteCounts = { footnote: 0, endnote: 0 }

  const visitBlocks = (blocks: readonly Block[], table: CellTextFormat | undefined): void => {
    for (const block of blocks) {
      if (block.kind === 'paragraph') visitParagraph(block, table)
      else for (const row of block.rows) for (const cell of row.cells) visitBlocks(cell.blocks, table)
    }
  }

  const visitParagraph = (paragraph: Paragraph, table: CellTextFormat | undefined): void => {
    const { list } = styler.paragraph(paragraph.properties, table)
    if (list !== undefined && list.unnumbered !== true) {
      const label = next(list.list, list.level, list.restart)
      if (label !== undefined) paragraphs.set(paragraph, label)
    }
    let bookmark: BookmarkLabel | undefined
    for (const inline of paragraph.inlines) {
      if (inline.kind === 'bookmark' && !ofBookmarks.has(inline.name)) {
        bookmark = { label: paragraphs.get(paragraph)?.text }
        ofBookmarks.set(inline.name, bookmark)
      } else if (inline.kind === 'note') {
        countNote(inline)
        if (bookmark !== undefined && bookmark.noteKey === undefined) {
          bookmark.note = notes.get(inline)
          bookmark.noteKey = inline.note
        }
      } else if (inline.kind === 'drawing') visitDrawing(inline.drawing.content)
    }
  }

  const visitDrawing = (content: DrawingContent): void => {
    if (content.kind === 'shape') visitBlocks(content.text?.blocks ?? [], undefined)
    else if (content.kind === 'group')
      for (const child of content.children) visitDrawing(child.drawing.content)
  }

  const countNote = (inline: Extract<Inline, { kind: 'note' }>): void => {
    if (inline.mark !== undefined) {
      notes.set(inline, inline.mark)
      marks.set(inline.note, inline.mark)
      return
    }
    const kind = inline.note.startsWith('endnote') ? 'endnote' : 'footnote'
    const settings = noteSettings[kind]
    noteCounts[kind]++
    const mark = formatNumber(noteCounts[kind], settings.format)
    notes.set(inline, mark)
    if (marks.has(inline.note)) return
    marks.set(inline.note, mark)
    if (kind === 'footnote' && settings.restart === 'page') perPage.set(inline.note, settings)
  }

  const next = (list: string, index: number, restart: number | undefined): Label | undefined => {
    const numbering = document.numbering.get(list)
    const level = numbering?.levels[index]
    if (numbering === undefined || level === undefined) return undefined
    let counters = lists.get(numbering.counters)
    if (counters === undefined) lists.set(numbering.counters, (counters = { values: [] }))
    const { values } = counters
    const listStart = numbering.starts?.get(index)
    const key = `${list}:${index}`
    if (restart !== undefined) values[index] = restart
    else if (listStart !== undefined && !started.has(key)) values[index] = listStart
    else values[index] = values[index] === undefined ? level.start : values[index] + 1
    started.add(key)
    for (let deeper = index + 1; deeper < 9; deeper++) {
      const after = numbering.levels[deeper]?.restartAfter
      if (after === 0 || (after !== undefined && index >= after)) continue
      values[deeper] = undefined
    }
    for (let upper = 0; upper < index; upper++) values[upper] ??= numbering.levels[upper]?.start ?? 1
    return { text: labelText(level, numbering.levels, values), level }
  }

  document.sections.forEach((section, index) => {
    for (const kind of ['footnote', 'endnote'] as const) {
      const declared = section.properties[`${kind}s`]
      const settings = { ...document.settings[`${kind}s`], ...declared }
      noteSettings[kind] = settings
      if (index === 0 || settings.restart === 'section' || declared?.start !== undefined)
        noteCounts[kind] = settings.start - 1
    }
    visitBlocks(section.blocks, undefined)
    for (const variants of [section.headers, section.footers]) {
      for (const blocks of [variants.default, variants.first, variants.even])
        visitBlocks(blocks ?? [], undefined)
    }
  })
  for (const note of document.notes.values()) visitBlocks(note.blocks, undefined)
  return { paragraphs, notes, marks, perPage, ofBookmarks }
}

/** The text of a level with every %n replaced by the counter of level n. */
export function labelText(
  level: Level,
  levels: readonly Level[],
  values: readonly (number | undefined)[],
): string {
  if (level.format === 'bullet') return level.text
  return level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const index = Number(digit) - 1
    const other = levels[index]
    if (other === undefined) return ''
    const format = level.legal ? 'decimal' : other.format
    return formatNumber(values[index] ?? other.start, format)
  })
}
