import type { Inline, Paragraph } from '../../../../shared/document/content.ts'
import type { ContentsTable, EntryPart, LevelRange } from '../../../../shared/document/contents.ts'
import type { Document } from '../../../../shared/document/document.ts'
import type { Link, ParagraphProperties, RunProperties } from '../../../../shared/document/properties.ts'
import type { Styler } from '../style/styler.ts'
import type { Heading } from './list-headings.ts'

/** The sources of the entries of one table. */
export interface EntriesRequest {
  readonly document: Document
  readonly styler: Styler
  readonly table: ContentsTable
  /** The present entries, whose formatting the new ones get. */
  readonly paragraphs: readonly Paragraph[]
  readonly headings: readonly Heading[]
}

/** The most entries of one table. */
const maxEntries = 10_000

/** The entries of a table of contents; one empty paragraph where the document has no heading for it. */
export function composeEntries(request: EntriesRequest): Paragraph[] {
  const { table, headings, paragraphs } = request
  const models = new Map<string, Model>()
  const entries: Paragraph[] = []
  for (const heading of headings) {
    const level = levelIn(table, heading)
    if (level === undefined || entries.length >= maxEntries) continue
    const key = `${level} ${heading.number === undefined}`
    let model = models.get(key)
    if (model === undefined) models.set(key, (model = modelOf(request, level, heading.number !== undefined)))
    entries.push(composeEntry(request, model, heading, level))
  }
  const [first] = paragraphs
  if (entries.length > 0 || first === undefined) return entries
  return [{ ...first, inlines: [] }]
}

const inRange = (level: number, range: LevelRange | undefined): boolean =>
  range !== undefined && level >= range.first && level <= range.last

/** The level at which a table lists a paragraph, counted from 1; undefined where it does not. */
function levelIn(table: ContentsTable, { style, level }: Heading): number | undefined {
  const ofStyle = table.styles.get(style)
  if (ofStyle !== undefined) return ofStyle
  const builtIn = Number(/^heading ([1-9])$/.exec(style)?.[1] ?? 0)
  if (inRange(builtIn, table.headings)) return builtIn
  return level !== undefined && inRange(level, table.outline) ? level : undefined
}

/** The formatting that all entries of one level share. */
interface Model {
  readonly properties: ParagraphProperties
  readonly paragraphMark: RunProperties
  readonly inset?: Paragraph['inset']
  readonly parts: readonly EntryPart[]
  readonly text: RunProperties
  readonly page: RunProperties
  readonly links: boolean
  /** The tab before the page number. */
  readonly tab: Inline
}

/**
 * The formatting of the entries of one level: that of a present entry, or else that of the style for this level. Word
 * sets the tab stops of numbered entries directly, so these follow a numbered one.
 */
function modelOf(
  { document, styler, table, paragraphs }: EntriesRequest,
  level: number,
  numbered: boolean,
): Model {
  const pattern = table.patterns.get(level)
  const entries = paragraphs.filter((entry) => levelOfEntry(document, table, styler, entry) === level)
  const sameNumbering = entries.filter((entry) => isNumbered(entry) === numbered)
  // The first entry of a table may begin a page; a later one has the formatting of the others.
  const entry = sameNumbering[1] ?? sameNumbering[0] ?? entries[1] ?? entries[0]
  const properties = propertiesOf(document, table, entry, level)
  const { tabs } = styler.paragraph(properties, undefined)
  const texts = (entry?.inlines ?? []).flatMap((inline) =>
    inline.kind === 'text' || inline.kind === 'field' ? [inline] : [],
  )
  const text = texts[0]?.run ?? {}
  const page = texts.at(-1)?.run ?? {}
  const lastTab = entry?.inlines.findLast((inline) => inline.kind === 'tab')
  const tab = lastTab ?? { kind: 'tab', run: page }
  const hasStop =
    tabs.some(({ align }) => align === 'right') || (lastTab?.kind === 'tab' && lastTab.to !== undefined)
  // Without its own stop the number is at the right end of the line, after dots.
  const atRight = { kind: 'tab', run: page, to: { align: 'right', from: 'margin', leader: 'dot' } } as const
  return {
    properties,
    paragraphMark: entry?.mark ?? {},
    ...(paragraphs[0]?.inset !== undefined && { inset: paragraphs[0].inset }),
    parts: pattern?.parts ?? partsOfWord(table),
    text,
    page,
    links: table.links || texts.some(({ link }) => link !== undefined),
    tab: hasStop ? tab : atRight,
  }
}

/** An entry of Word: number and tab, text, tab and page number. */
const partsOfWord = ({ separator }: ContentsTable): readonly EntryPart[] => [
  { kind: 'number' },
  { kind: 'tab', right: false, leader: 'none' },
  { kind: 'text' },
  separator === undefined ? { kind: 'tab', right: true, leader: 'dot' } : { kind: 'words', text: separator },
  { kind: 'page' },
]

/** The level of a present entry, by its style. */
function levelOfEntry(
  { styles }: Document,
  table: ContentsTable,
  styler: Styler,
  { properties }: Paragraph,
): number | undefined {
  const { style, named } = styler.paragraph(properties, undefined)
  for (const [level, pattern] of table.patterns)
    if (pattern.style !== undefined && (pattern.style === style || pattern.style === named)) return level
  const digits = /^(?:toc|contents) ([1-9])$/.exec(styles.styles.get(named)?.name ?? '')?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Whether an entry has a number: a second tab parts it from the text. */
const isNumbered = ({ inlines }: Paragraph): boolean =>
  inlines.filter(({ kind }) => kind === 'tab').length > 1

function propertiesOf(
  { styles }: Document,
  table: ContentsTable,
  entry: Paragraph | undefined,
  level: number,
): ParagraphProperties {
  if (entry !== undefined) {
    const { breakBefore: _page, pageBreakBefore: _break, ...rest } = entry.properties
    return rest
  }
  const style =
    table.patterns.get(level)?.style ??
    [...styles.styles.values()].find(
      ({ kind, name }) => kind === 'paragraph' && (name === `toc ${level}` || name === `contents ${level}`),
    )?.id
  return style === undefined ? { indent: { start: (level - 1) * levelIndent } } : { style }
}

/** How far entries move in with each level where the document has no style for them, pt. */
const levelIndent = 11

/** Room for the numbers of each level, pt; observed in Word. */
const numberWidth = 22

function composeEntry(
  { styler, table }: EntriesRequest,
  model: Model,
  heading: Heading,
  level: number,
): Paragraph {
  const { number, text, bookmark } = heading
  const link: Link | undefined = model.links ? { anchor: bookmark } : undefined
  const inlines: Inline[] = []
  const hasPage = !inRange(level, table.withoutPage)
  const parts = hasPage ? model.parts : withoutPage(model.parts)
  let needsStop = false
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'number') {
      // Observed in LibreOffice: a number that the text follows at once is parted from it by a space.
      const next = parts[index + 1]?.kind === 'text' ? ' ' : ''
      if (number !== undefined) inlines.push({ kind: 'text', text: number + next, run: model.text, link })
    } else if (part.kind === 'text') inlines.push({ kind: 'text', text, run: model.text, link })
    else if (part.kind === 'words') inlines.push({ kind: 'text', text: part.text, run: model.text, link })
    else if (part.kind === 'page') {
      const field = { name: 'page-of', of: bookmark, format: 'page', text: '' } as const
      inlines.push({ kind: 'field', field, run: model.page, link })
    } else if (part.kind === 'tab' && part.right)
      inlines.push({ ...model.tab, ...(link !== undefined && { link }) } as Inline)
    else if (number !== undefined) {
      needsStop = true
      inlines.push({ kind: 'tab', run: model.text, link })
    }
  }
  const { properties } = model
  const stops = styler.paragraph(properties, undefined).tabs
  const stop = { at: numberWidth * level, align: 'left', leader: 'none' } as const
  const lacksStop = needsStop && !stops.some(({ align }) => align === 'left' || align === 'list')
  return {
    kind: 'paragraph',
    properties: lacksStop ? { ...properties, tabs: [stop, ...(properties.tabs ?? [])] } : properties,
    mark: model.paragraphMark,
    inlines,
    ...(model.inset !== undefined && { inset: model.inset }),
    contents: table,
  }
}

/** The parts before what parts text and page number. */
function withoutPage(parts: readonly EntryPart[]): readonly EntryPart[] {
  const text = parts.findIndex(({ kind }) => kind === 'text')
  return parts.filter(
    (part, index) => index <= text || (part.kind !== 'page' && part.kind !== 'tab' && part.kind !== 'words'),
  )
}
