import { type Inline, rubyOf } from '../../../document/content.ts'
import type { Link, RunProperties } from '../../../document/properties.ts'
import { revised } from '../../../document/revision.ts'
import { integer } from '../values.ts'
import { recordChangePosition } from './changes.ts'
import { drawingElements, readDrawing } from './drawing.ts'
import { readField } from './fields.ts'
import { readComment, readNote } from './notes.ts'
import { beginSpan } from './paragraph-mark.ts'
import { addressOf, type OdfInlineState } from './part-context.ts'
import { nestedRun } from './run-styles.ts'

/** Reads the mixed content of a paragraph or span, text and elements in order. */
export function readInlines(state: OdfInlineState): void {
  const { cursor } = state.part
  cursor.each(
    (name) => readInline(state, name),
    (text) => addText(state, text),
  )
}

/** Adds text with white space collapsed, also across elements (6.1.2). */
function addText(state: OdfInlineState, raw: string): void {
  let text = raw.replace(/[ \t\r\n]+/g, ' ')
  if (state.spaced && text.startsWith(' ')) text = text.slice(1)
  if (text === '') return
  state.spaced = text.endsWith(' ')
  push(state, text)
}

/** Adds text as it is, marked as inserted inside a tracked insertion. */
function push(state: OdfInlineState, text: string): void {
  const { changes } = state.part.shared
  const author = [...changes.open.values()].at(-1)
  const run = author === undefined ? state.run : revised(state.run, 'inserted', author)
  state.spans.last = state.spans.current
  state.inlines.push({ kind: 'text', text, run, link: state.link })
}

/** Adds an inline other than text, after which a space is significant. */
function add(state: OdfInlineState, inline: Inline): void {
  state.inlines.push(inline)
  state.spans.last = state.spans.current
  state.spaced = false
}

/** Reads one child element; a span or link sets the run or link while its content is read. */
function readInline(state: OdfInlineState, name: string): void {
  const { part, run, link } = state
  const { cursor } = part
  switch (name) {
    case 'text:span': {
      const style = cursor.attribute('text:style-name')
      state.run = nestedRun(part, run, style)
      state.emptyRun = state.run
      const outer = beginSpan(state, style)
      readInlines(state)
      state.spans.current = outer
      state.run = run
      break
    }
    case 'text:a':
      readLink(state)
      break
    case 'text:s': {
      const count = Math.max(1, Math.min(1000, integer(cursor.attribute('text:c')) ?? 1))
      push(state, ' '.repeat(count))
      state.spaced = false
      break
    }
    case 'text:tab':
      add(state, { kind: 'tab', run, link })
      state.spaced = false
      break
    case 'text:line-break':
      add(state, { kind: 'break', at: 'line', run, clear: clearedSide(cursor.attribute('loext:clear')) })
      state.spaced = false
      break
    case 'text:bookmark':
    case 'text:bookmark-start':
    case 'text:reference-mark-start':
    case 'text:reference-mark': {
      const bookmark = cursor.attribute('text:name')
      if (bookmark !== undefined) state.inlines.push({ kind: 'bookmark', name: bookmark })
      break
    }
    case 'text:change':
      state.splice?.(state)
      break
    case 'text:change-start':
    case 'text:change-end':
      recordChangePosition(part, name)
      break
    case 'text:note':
      add(state, readNote(state, run))
      break
    case 'text:ruby':
      readRuby(state, run, link)
      break
    case 'office:annotation':
      state.inlines.push(readComment(state))
      state.spaced = false
      break
    case 'text:soft-page-break':
      state.spaced = false
      break
    default:
      if (drawingElements.has(name)) readInlineDrawing(state, name)
      else if (!ignored.has(name)) readFieldOrContent(state, name)
  }
}

/** Elements that show nothing. The number that is saved in text:number is computed instead. */
const ignored: ReadonlySet<string> = new Set([
  'office:annotation-end',
  'text:number',
  'text:bookmark-end',
  'text:reference-mark-end',
  'text:toc-mark',
  'text:alphabetical-index-mark',
  'text:user-index-mark',
])

/** A drawing anchored to text is an inline; one anchored to a page is kept apart. */
function readInlineDrawing(state: OdfInlineState, name: string): void {
  const { part, run, link } = state
  const drawing = readDrawing(part, name)
  if (drawing?.anchor?.sheet !== undefined) part.shared.onSheets.push(drawing)
  else if (drawing !== undefined) add(state, { kind: 'drawing', drawing, run, link })
}

/** A field; of an element that is none, the content is read. */
function readFieldOrContent(state: OdfInlineState, name: string): void {
  const { spaced } = state
  const field = readField(state, name)
  if (field === 'saved') readInlines(state)
  else if (field !== undefined) add(state, field)
  // Observed in LibreOffice: white space after a field is its own, even if the field is empty.
  if (name.startsWith('text:') && name !== 'text:meta') state.spaced = false
  // A form field, on the other hand, counts for nothing between two spaces.
  else if (name === 'field:fieldmark') state.spaced = spaced
}

/** The side of loext:clear of a line break, an extension of LibreOffice. */
function clearedSide(text: string | undefined): 'left' | 'right' | 'all' | undefined {
  return text === 'left' || text === 'right' || text === 'all' ? text : undefined
}

/** text:a (6.1.8): the link applies to its content, in the style of the link if it has one. */
function readLink(state: OdfInlineState): void {
  const { part, run, link } = state
  const href = part.cursor.attribute('xlink:href') ?? ''
  state.link = href.startsWith('#')
    ? { anchor: decodeURIComponentSafely(href.slice(1)) }
    : { href: addressOf(href) }
  const style = part.cursor.attribute('text:style-name')
  if (style !== undefined) state.run = nestedRun(part, run, style)
  readInlines(state)
  state.link = link
  state.run = run
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads a phonetic guide (text:ruby, 6.4): small text above its base. */
function readRuby(state: OdfInlineState, run: RunProperties, link: Link | undefined): void {
  const { cursor } = state.part
  let [base, above] = ['', '']
  cursor.each((child) => {
    if (child === 'text:ruby-base') base += cursor.text()
    else if (child === 'text:ruby-text') above += cursor.text()
  })
  if (base !== '') add(state, rubyOf(base, above, run, link))
}
