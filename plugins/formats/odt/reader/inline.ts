import { type Inline, type Link, rubyOf } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import { revised } from '../../../../shared/document/revision.ts'
import { markChange } from './changes.ts'
import { readDrawing } from './drawing.ts'
import { readField } from './fields.ts'
import { readNote } from './notes.ts'
import { nestedRun } from './run-styles.ts'
import type { InlineState } from './story.ts'
import { integer } from './values.ts'

/** Reads the mixed content of a paragraph or span, text and elements in order. */
export function readInlines(state: InlineState): void {
  const { cursor } = state.story
  cursor.each(
    (name) => readInline(state, name),
    (text) => addText(state, text),
  )
}

/** Adds text with white space collapsed, also across elements (6.1.2). */
function addText(state: InlineState, raw: string): void {
  let text = raw.replace(/[ \t\r\n]+/g, ' ')
  if (state.spaced && text.startsWith(' ')) text = text.slice(1)
  if (text === '') return
  state.spaced = text.endsWith(' ')
  push(state, text)
}

/** Adds text as it is, marked as inserted inside a tracked insertion. */
function push(state: InlineState, text: string): void {
  const { changes } = state.story.shared
  const author = [...changes.open.values()].at(-1)
  const run = author === undefined ? state.run : revised(state.run, 'inserted', author)
  state.inlines.push({ kind: 'text', text, run, link: state.link })
}

/** Adds an inline other than text, after which a space is significant. */
function add(state: InlineState, inline: Inline): void {
  state.inlines.push(inline)
  state.spaced = false
}

/** Reads one child element; a span or link sets the run or link while its content is read. */
function readInline(state: InlineState, name: string): void {
  const { story, run, link } = state
  const { cursor } = story
  switch (name) {
    case 'text:span': {
      state.run = nestedRun(story, run, cursor.attribute('text:style-name'))
      readInlines(state)
      state.run = run
      break
    }
    case 'text:a': {
      const href = cursor.attribute('xlink:href') ?? ''
      state.link = href.startsWith('#') ? { anchor: decodeURIComponentSafely(href.slice(1)) } : { href }
      const style = cursor.attribute('text:style-name')
      if (style !== undefined) state.run = nestedRun(story, run, style)
      readInlines(state)
      state.link = link
      state.run = run
      break
    }
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
      add(state, { kind: 'break', at: 'line', run })
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
      markChange(story, name)
      break
    case 'text:note':
      add(state, readNote(state, run))
      break
    case 'draw:frame':
    case 'draw:custom-shape':
    case 'draw:rect':
    case 'draw:line':
    case 'draw:ellipse':
    case 'draw:circle':
    case 'draw:g':
    case 'draw:path':
    case 'draw:polygon':
    case 'draw:polyline':
    case 'draw:connector':
    case 'draw:caption':
    case 'draw:regular-polygon':
    case 'draw:measure':
    case 'draw:control':
    case 'draw:a': {
      const drawing = readDrawing(story, name)
      if (drawing?.anchor?.sheet !== undefined) story.shared.onSheets.push(drawing)
      else if (drawing !== undefined) add(state, { kind: 'drawing', drawing, run, link })
      break
    }
    case 'text:ruby':
      readRuby(state, run, link)
      break
    case 'office:annotation':
    case 'text:soft-page-break':
      state.spaced = false
      break
    case 'office:annotation-end':
    // The saved number is ignored, because numbers are computed.
    case 'text:number':
    case 'text:bookmark-end':
    case 'text:reference-mark-end':
    case 'text:toc-mark':
    case 'text:alphabetical-index-mark':
    case 'text:user-index-mark':
      break
    default: {
      const field = readField(state, name)
      if (field === 'saved') readInlines(state)
      else if (field !== undefined) add(state, field)
      // Observed in LibreOffice: white space behind a field is its own, even if the field is empty.
      if (name.startsWith('text:') && name !== 'text:meta') state.spaced = false
    }
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads a phonetic guide (text:ruby, 6.4): small text above its base. */
function readRuby(state: InlineState, run: RunProperties, link: Link | undefined): void {
  const { cursor } = state.story
  let [base, above] = ['', '']
  cursor.each((part) => {
    if (part === 'text:ruby-base') base += cursor.text()
    else if (part === 'text:ruby-text') above += cursor.text()
  })
  if (base !== '') add(state, rubyOf(base, above, run, link))
}
