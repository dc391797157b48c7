import { type Inline, mathInline, rubyOf } from '../../../../shared/document/content.ts'
import type { FontNames, Link, RunProperties } from '../../../../shared/document/properties.ts'
import { authorOf, type Revision, revised as revisedRun } from '../../../../shared/document/revision.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { readMath } from '../../../../shared/office/ooxml/math.ts'
import { isOn } from '../../../../shared/office/ooxml/values.ts'
import { attributeOf, elementIn } from '../../../../shared/xml/elements.ts'
import { decodeEntities } from '../../../../shared/xml/scan.ts'
import { readControl, replaceWithBound } from './content-control.ts'
import { readInlineDrawing } from './drawing.ts'
import { readLegacyField } from './form-control.ts'
import { leaders } from './paragraph-properties.ts'
import type { DocxPartContext, ReaderContext } from './part-context.ts'
import { readRunProperties } from './run-properties.ts'
import { reportUnsupported } from './unsupported.ts'
import { readPicture } from './vml.ts'

/** The formatting of runs without w:rPr. One object, so that caches keyed by run work. */
const unformatted: RunProperties = {}

/**
 * State while the inlines of one paragraph are read. Nested elements set a field, read their children and
 * restore it.
 */
export interface DocxInlineState {
  readonly part: DocxPartContext
  /** Receives the inlines in order. */
  readonly inlines: Inline[]
  /** The hyperlink around the current position. */
  link?: Link
  /** The tracked change around the current position. */
  revision?: { readonly kind: Revision; readonly author: number }
  /** Bookmarks that began in this paragraph, by their w:id. */
  readonly openBookmarks: Map<string, Inline>
  /** Set when the paragraph contains display equations: their alignment. */
  mathAlign?: 'left' | 'center' | 'right'
}

/** Reads a child of a paragraph. The content of unknown elements is read as if they were absent. */
export function readInline(state: DocxInlineState, name: string): void {
  const { part } = state
  const { cursor } = part
  switch (name) {
    case 'w:r':
      readRun(state)
      break
    case 'w:pPr':
    case 'w:proofErr':
    case 'w:rPr':
    case 'w:sdtPr':
    case 'w:sdtEndPr':
    case 'w:smartTagPr':
    case 'w:customXmlPr':
      break
    case 'w:hyperlink': {
      const outer = state.link
      state.link = hyperlink(part)
      cursor.each((child) => readInline(state, child))
      state.link = outer
      break
    }
    case 'w:ins':
      within(state, 'inserted')
      break
    case 'w:moveTo':
      within(state, 'moved-here')
      break
    case 'w:del':
      within(state, 'deleted')
      break
    case 'w:moveFrom':
      within(state, 'moved-away')
      break
    case 'w:fldSimple':
      readSimpleField(state)
      break
    case 'w:bookmarkStart': {
      const bookmark = cursor.attribute('w:name')
      // Word stores the position of the last edit as the bookmark _GoBack.
      if (bookmark === undefined || bookmark === '_GoBack') break
      const inline: Inline = { kind: 'bookmark', name: bookmark }
      push(state, inline)
      const id = cursor.attribute('w:id')
      if (id !== undefined && state.openBookmarks.size < 1000) state.openBookmarks.set(id, inline)
      break
    }
    case 'w:bookmarkEnd':
      endBookmark(state, cursor.attribute('w:id') ?? '')
      break
    case 'w:sdt':
      readControl(part, (child) => readInline(state, child))
      break
    case 'm:oMath':
      pushMath(state, false)
      break
    case 'm:oMathPara':
      readMathParagraph(state)
      break
    case 'w:ruby':
      readRuby(state)
      break
    case 'w:bdo':
    case 'w:dir':
      readDirected(state, name)
      break
    default:
      // Read the content of unknown elements, so that no text is lost.
      if (!empty.has(name)) cursor.each((child) => readInline(state, child))
  }
}

/** Elements without text of the paragraph. */
const empty = new Set([
  'w:bookmarkEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:sectPr',
  'w:tblPr',
  'w:t',
  'w:instrText',
])

/** Unicode characters that override (w:bdo, 17.3.2.3) or embed (w:dir, 17.3.2.8) a direction. */
const directions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'w:bdo': { ltr: '\u202d', rtl: '\u202e' },
  'w:dir': { ltr: '\u202a', rtl: '\u202b' },
}
/** POP DIRECTIONAL FORMATTING, which ends both. */
const endOfDirection = '\u202c'

/**
 * Reads text with an explicit direction. The control characters are added to its first and last text, so that
 * they share the formatting of the text beside them.
 */
function readDirected(state: DocxInlineState, name: string): void {
  const { cursor } = state.part
  const start = entryOf(entryOf(directions, name) ?? {}, cursor.attribute('w:val'))
  const inner: DocxInlineState = { ...state, inlines: [] }
  cursor.each((child) => readInline(inner, child))
  const texts = inner.inlines.flatMap(({ kind }, at) => (kind === 'text' ? [at] : []))
  const [first = -1, last = -1] = [texts[0], texts.at(-1)]
  for (const [at, inline] of inner.inlines.entries()) {
    if (start === undefined || inline.kind !== 'text' || (at !== first && at !== last))
      state.inlines.push(inline)
    else {
      const text = `${at === first ? start : ''}${inline.text}${at === last ? endOfDirection : ''}`
      state.inlines.push({ ...inline, text })
    }
  }
}

/** Reads a phonetic guide (w:ruby, 17.3.3.25): small text above its base. */
function readRuby(state: DocxInlineState): void {
  const { part } = state
  const { cursor } = part
  const parts: Record<string, Inline[]> = { 'w:rt': [], 'w:rubyBase': [] }
  cursor.each((child) => {
    const inlines = entryOf(parts, child)
    if (inlines === undefined) return
    const inner: DocxInlineState = { ...state, inlines }
    cursor.each((element) => readInline(inner, element))
  })
  const words = (inlines: readonly Inline[] = []): string =>
    inlines.map((inline) => (inline.kind === 'text' ? inline.text : '')).join('')
  const [above, base] = [words(parts['w:rt']), words(parts['w:rubyBase'])]
  const first = parts['w:rubyBase']?.find((inline) => inline.kind === 'text')
  if (base === '') return
  push(state, rubyOf(base, above, first?.kind === 'text' ? first.run : unformatted, state.link))
}

/** Reads display equations (m:oMathPara, 22.1.2.78); they are centred by default. */
function readMathParagraph(state: DocxInlineState): void {
  const { cursor } = state.part
  let equations = 0
  state.mathAlign = 'center'
  cursor.each((name) => {
    if (name === 'm:oMathParaPr') {
      cursor.each((property) => {
        const align = cursor.attribute('m:val')
        if (property === 'm:jc' && (align === 'left' || align === 'right')) state.mathAlign = align
      })
    } else if (name === 'm:oMath') {
      if (equations++ > 0) push(state, { kind: 'break', at: 'line', run: unformatted })
      pushMath(state, true)
    } else readInline(state, name)
  })
}

function pushMath(state: DocxInlineState, display: boolean): void {
  const { cursor } = state.part
  // Size and colour of the first run apply to the whole equation.
  const markup = cursor.markup()
  const firstValue = (name: string) => attributeOf(elementIn(markup, name)?.attributes ?? '', 'w:val') ?? ''
  const halves = firstValue('w:sz')
  const size = /^\d{1,4}$/.test(halves) ? Number(halves) / 2 : undefined
  const hex = firstValue('w:color').toUpperCase()
  const color = /^[\dA-F]{6}$/.test(hex) ? hex : undefined
  push(state, mathInline(readMath(cursor), { run: unformatted, link: state.link, display, size, color }))
}

/** Reads the children of a tracked change (17.13.5). Inside a deletion everything counts as deleted. */
function within(state: DocxInlineState, kind: Revision): void {
  const outer = state.revision
  if (outer?.kind !== 'deleted') state.revision = { kind, author: currentAuthor(state) }
  state.part.cursor.each((child) => readInline(state, child))
  state.revision = outer
}

/** Index of the author of the current tracked change. */
const currentAuthor = ({ part: { context, cursor } }: DocxInlineState): number =>
  authorOf(context.authors, cursor.attribute('w:author'))

/** w:hyperlink (17.16.22): a relationship, a bookmark or both. */
function hyperlink(part: DocxPartContext): Link | undefined {
  const { cursor } = part
  const anchor = cursor.attribute('w:anchor')
  const id = cursor.attribute('r:id')
  const target = id === undefined ? undefined : part.relationships.get(id)?.target
  if (target === undefined) return anchor === undefined ? undefined : { anchor }
  if (target.startsWith('#')) return { anchor: target.slice(1) }
  return { href: anchor === undefined ? target : `${target}#${anchor}` }
}

/** w:fldSimple (17.16.19) is read as the equivalent complex field. */
function readSimpleField(state: DocxInlineState): void {
  const { cursor, fields } = state.part
  fields.begin(unformatted, {}, isOn(cursor.attribute('w:fldLock')))
  fields.instruction(cursor.attribute('w:instr') ?? '')
  fields.separate()
  cursor.each((child) => readInline(state, child))
  fields.end(state.inlines)
}

/**
 * Stores the text of a bookmark that begins and ends in this paragraph, for REF fields. Bookmarks with
 * anything but text, or more than 2000 characters of it, are not stored.
 */
function endBookmark({ inlines, openBookmarks, part }: DocxInlineState, id: string): void {
  const bookmark = openBookmarks.get(id)
  const { bookmarks } = part.context.sources
  if (bookmark?.kind !== 'bookmark' || bookmarks.has(bookmark.name) || bookmarks.size > 100_000) return
  let text = ''
  for (const inline of inlines.slice(inlines.indexOf(bookmark) + 1)) {
    if (inline.kind === 'text') text += inline.text
    else if (inline.kind !== 'bookmark') return
    if (text.length > 2000) return
  }
  bookmarks.set(bookmark.name, text)
}

/** Adds an inline, unless a bound control replaces it or an open field takes it. */
function push({ part, inlines, revision }: DocxInlineState, inline: Inline): void {
  const isGone = revision?.kind === 'deleted' || revision?.kind === 'moved-away'
  const inlinesToAdd = part.bound === undefined ? [inline] : replaceWithBound(part.bound, inline)
  for (const added of inlinesToAdd) {
    if (part.fields.swallow(added)) continue
    inlines.push(added.kind === 'text' ? inControl(part, added, isGone) : added)
  }
}

/**
 * Marks text as the content of the control around it, and adds it to the value of its field unless a tracked change took it
 * away (`isGone`).
 */
function inControl(
  part: DocxPartContext,
  inline: Extract<Inline, { kind: 'text' }>,
  isGone: boolean,
): Inline {
  const { isPlainText, fields } = part
  const open = part.control ?? fields.control
  if (open === undefined && isPlainText !== true) return inline
  if (open !== undefined && !isGone && !open.isPlaceholder && open.field.kind !== 'check')
    open.field.value += inline.text
  return {
    ...inline,
    ...(isPlainText === true && { isInPlainControl: true }),
    ...(open !== undefined && { control: open.field }),
  }
}

/** Formatting of the current run. Equal markup is parsed only once, and gives the same object. */
function runProperties(state: DocxInlineState): RunProperties {
  const { context, cursor } = state.part
  const markup = cursor.markup()
  let run = context.runs.get(markup)
  if (run === undefined) {
    // LibreOffice prints text with tracked formatting changes in bold, in the colour of the author.
    const change = elementIn(markup, 'w:rPrChange')
    reportUnsupported(context, markup, state.part.partName)
    run = readRunProperties(cursor, context.theme)
    if (change !== undefined) {
      const author = attributeOf(change.attributes, 'w:author')
      run = changedRun(run, authorOf(context.authors, author && decodeEntities(author)), context)
    }
    context.runs.set(markup, run)
  } else cursor.pass(markup)
  return run
}

/**
 * The run as it appears inside a table of contents, where links look like the text around them (observed in Word and
 * LibreOffice). Equal runs give the same object.
 */
function inContents({ part: { context, fields } }: DocxInlineState, run: RunProperties): RunProperties {
  if (run.style === undefined || !context.linkStyles.has(run.style) || fields.contents === undefined)
    return run
  let unstyled = context.contentsRuns.get(run)
  if (unstyled === undefined) context.contentsRuns.set(run, (unstyled = { ...run, style: undefined }))
  return unstyled
}

/** Marks a run whose formatting was changed, and records the unmarked one for `revised`. */
function changedRun(run: RunProperties, author: number, { formatted }: ReaderContext): RunProperties {
  const changed = revisedRun(run, 'formatted', author)
  formatted.set(changed, run)
  return changed
}

/** The run as it appears inside the current tracked change. */
function revised({ revision, part }: DocxInlineState, run: RunProperties): RunProperties {
  if (revision === undefined) return run
  // Inserted or deleted text is marked as such, without the mark of a formatting change.
  return revisedRun(part.context.formatted.get(run) ?? run, revision.kind, revision.author)
}

/** w:r (17.3.2.25): text, breaks, fields, drawings and notes with one formatting. */
function readRun(state: DocxInlineState): void {
  let run = revised(state, unformatted)
  state.part.cursor.each((name) => {
    if (name === 'w:rPr') run = revised(state, inContents(state, runProperties(state)))
    else if (!readRunText(state, name, run)) readRunObject(state, name, run)
  })
}

/** The link of w:hyperlink or of a HYPERLINK field around the current position. */
const linkAt = ({ link, part }: DocxInlineState): Link | undefined => link ?? part.fields.link

/** Reads a child of a run that is text, or stands for a character of it. False for other children. */
function readRunText(state: DocxInlineState, name: string, run: RunProperties): boolean {
  switch (name) {
    case 'w:t':
    case 'w:delText':
    case 'w:pgNum':
      readText(state, run, linkAt(state))
      return true
    case 'w:tab':
      push(state, { kind: 'tab', run, link: linkAt(state) })
      return true
    case 'w:ptab':
      readPositionedTab(state, run)
      return true
    case 'w:br':
      readBreak(state, run)
      return true
    case 'w:cr':
      push(state, { kind: 'break', at: 'line', run })
      return true
    case 'w:noBreakHyphen':
      push(state, { kind: 'text', text: '\u2011', run, link: linkAt(state) })
      return true
    case 'w:softHyphen':
      push(state, { kind: 'soft-hyphen', run })
      return true
    case 'w:sym':
      readSymbol(state, run, linkAt(state))
      return true
  }
  return false
}

/** Reads a child of a run that is not text: fields, drawings, notes and comments. */
function readRunObject(state: DocxInlineState, name: string, run: RunProperties): void {
  const { part } = state
  switch (name) {
    case 'w:fldChar':
      readFieldCharacter(state, run)
      break
    case 'w:instrText':
      part.fields.instruction(part.cursor.text())
      break
    case 'w:drawing': {
      const drawing = readInlineDrawing(part)
      if (drawing !== undefined) push(state, { kind: 'drawing', drawing, run, link: linkAt(state) })
      break
    }
    case 'w:pict':
    case 'w:object':
      for (const drawing of readPicture(part))
        push(state, { kind: 'drawing', drawing, run, link: linkAt(state) })
      break
    case 'w:footnoteReference':
      readNoteReference(state, 'footnote', run)
      break
    case 'w:endnoteReference':
      readNoteReference(state, 'endnote', run)
      break
    case 'w:commentReference': {
      const id = part.cursor.attribute('w:id')
      if (id !== undefined) push(state, { kind: 'bookmark', name: `comment ${id}`, comment: id })
      break
    }
    case 'w:footnoteRef':
    case 'w:endnoteRef':
      push(state, { kind: 'note-mark', run, replacesTab: true })
      break
    case 'w:ruby':
      readInline(state, name)
      break
  }
}

/** w:ptab (17.3.3.23): a tab to a position that no tab stop of the paragraph decides. */
function readPositionedTab(state: DocxInlineState, run: RunProperties): void {
  const { cursor } = state.part
  const align = cursor.attribute('w:alignment')
  push(state, {
    kind: 'tab',
    run,
    link: linkAt(state),
    to: {
      align: align === 'center' || align === 'right' ? align : 'left',
      from: cursor.attribute('w:relativeTo') === 'indent' ? 'indent' : 'margin',
      leader: entryOf(leaders, cursor.attribute('w:leader')),
    },
  })
}

/** w:fldChar (17.16.18): the beginning, the separator or the end of a complex field. */
function readFieldCharacter({ part, inlines }: DocxInlineState, run: RunProperties): void {
  const type = part.cursor.attribute('w:fldCharType')
  if (type === 'begin') {
    const locked = isOn(part.cursor.attribute('w:fldLock'))
    part.fields.begin(run, readLegacyField(part.cursor), locked)
  } else if (type === 'separate') part.fields.separate()
  else if (type === 'end') part.fields.end(inlines)
}

/** w:footnoteReference (17.11.14) and w:endnoteReference (17.11.7). */
function readNoteReference(state: DocxInlineState, kind: 'footnote' | 'endnote', run: RunProperties): void {
  const { cursor } = state.part
  const id = cursor.attribute('w:id')
  if (id === undefined) return
  const hasOwnMark = isOn(cursor.attribute('w:customMarkFollows'))
  push(state, {
    kind: 'note',
    note: `${kind}:${id}`,
    run: raised(run),
    mark: hasOwnMark ? '' : undefined,
  })
}

/** Superscript copies by original run, so that equal runs stay the same object. */
const raisedRuns = new WeakMap<RunProperties, RunProperties>()
/**
 * Observed in LibreOffice: the number of a note is superscript even when neither the run nor a style
 * specifies it.
 */
function raised(run: RunProperties): RunProperties {
  if (run.script !== undefined || run.style !== undefined || run.raise !== undefined) return run
  let cached = raisedRuns.get(run)
  if (cached === undefined) raisedRuns.set(run, (cached = { ...run, script: 'super' }))
  return cached
}

/**
 * w:t (17.3.3.31). Without xml:space="preserve" white space at the ends is dropped; tabs in the text become
 * tabs.
 */
function readText(state: DocxInlineState, run: RunProperties, link: Link | undefined): void {
  const { cursor, preserveSpace } = { cursor: state.part.cursor, preserveSpace: state.part.preserveSpace }
  const keep = preserveSpace || cursor.attribute('xml:space') === 'preserve'
  let text = cursor.text()
  if (!keep) text = text.replace(/^[ \t\n]+|[ \t\n]+$/g, '')
  if (text === '') return
  if (!/[\t\n]/.test(text)) {
    push(state, { kind: 'text', text, run, link })
    return
  }
  const columns = text.replaceAll('\n', ' ').split('\t')
  columns.forEach((column, index) => {
    if (index > 0) push(state, { kind: 'tab', run, link })
    if (column !== '') push(state, { kind: 'text', text: column, run, link })
  })
}

/** w:br (17.3.3.1). */
function readBreak(state: DocxInlineState, run: RunProperties): void {
  const { cursor, tableDepth } = state.part
  const type = cursor.attribute('w:type')
  // Observed in LibreOffice: a page break inside a table is ignored.
  if (type === 'page' && tableDepth > 0) return
  const clear = cursor.attribute('w:clear')
  push(state, {
    kind: 'break',
    at: type === 'page' ? 'page' : type === 'column' ? 'column' : 'line',
    run,
    clear: clear === 'left' || clear === 'right' || clear === 'all' ? clear : undefined,
  })
}

/** w:sym (17.3.3.30): a character by its code in a named font, usually a symbol font. */
function readSymbol(state: DocxInlineState, run: RunProperties, link: Link | undefined): void {
  const { cursor } = state.part
  const code = Number.parseInt(cursor.attribute('w:char') ?? '', 16)
  if (!(code > 0 && code <= 0xffff) || (code >= 0xd800 && code < 0xe000)) return
  const face = cursor.attribute('w:font')
  const fonts: FontNames =
    face === undefined ? {} : { ascii: face, other: face, eastAsia: face, complex: face }
  push(state, {
    kind: 'text',
    text: String.fromCharCode(code),
    run: { ...run, fonts: { ...run.fonts, ...fonts } },
    link,
  })
}
