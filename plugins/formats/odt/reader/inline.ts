import { type Inline, type Link, rubyOf } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import { readDrawing } from './drawing.ts'
import type { InlineState, Story } from './story.ts'
import { integer } from './values.ts'

const runs = new WeakMap<object, Map<string, RunProperties>>()

/** The run of a named text style; the same object each time, so that equal looks are resolved once. */
export function runOf(story: Story, style: string | undefined): RunProperties {
  let known = runs.get(story.shared)
  if (known === undefined) runs.set(story.shared, (known = new Map()))
  const id = story.styles.id(story.scope, 'text', style) ?? ''
  let run = known.get(id)
  if (run === undefined) known.set(id, (run = id === '' ? {} : { style: id }))
  return run
}

/** Reads the mixed content of a paragraph or span: text, then elements, in order. */
export function readInlines(state: InlineState): void {
  const { cursor } = state.story
  cursor.each(
    (name) => readInline(state, name),
    (text) => addText(state, text),
  )
}

function addText(state: InlineState, raw: string): void {
  let text = raw.replace(/[ \t\r\n]+/g, ' ')
  if (state.spaced && text.startsWith(' ')) text = text.slice(1)
  if (text === '') return
  state.spaced = text.endsWith(' ')
  push(state, text)
}

function push(state: InlineState, text: string): void {
  state.inlines.push({ kind: 'text', text, run: state.run, link: state.link })
}

function add(state: InlineState, inline: Inline): void {
  state.inlines.push(inline)
  state.spaced = false
}

function readInline(state: InlineState, name: string): void {
  const { story, run, link } = state
  const { cursor } = story
  switch (name) {
    case 'text:span': {
      state.run = runOf(story, cursor.attribute('text:style-name'))
      readInlines(state)
      state.run = run
      break
    }
    case 'text:a': {
      const href = cursor.attribute('xlink:href') ?? ''
      state.link = href.startsWith('#') ? { anchor: decodeURIComponentSafely(href.slice(1)) } : { href }
      const style = cursor.attribute('text:style-name')
      if (style !== undefined) state.run = runOf(story, style)
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
      break
    case 'text:line-break':
      add(state, { kind: 'break', at: 'line', run })
      state.spaced = true
      break
    case 'text:bookmark':
    case 'text:bookmark-start':
    case 'text:reference-mark-start':
    case 'text:reference-mark': {
      const bookmark = cursor.attribute('text:name')
      if (bookmark !== undefined) state.inlines.push({ kind: 'bookmark', name: bookmark })
      break
    }
    case 'text:page-number':
      add(state, {
        kind: 'field',
        field: {
          name: 'page',
          format: formats[cursor.attribute('style:num-format') ?? ''],
          offset: integer(cursor.attribute('text:page-adjust')),
          text: cursor.text(),
        },
        run,
        link,
      })
      break
    case 'text:page-count':
      add(state, {
        kind: 'field',
        field: {
          name: 'pages',
          format: formats[cursor.attribute('style:num-format') ?? ''],
          text: cursor.text(),
        },
        run,
        link,
      })
      break
    case 'text:bookmark-ref':
    case 'text:reference-ref': {
      const of = cursor.attribute('text:ref-name')
      const isPage = cursor.attribute('text:reference-format') === 'page'
      const text = cursor.text()
      if (isPage) add(state, { kind: 'field', field: { name: 'page-of', of, text }, run, link })
      else addText(state, text)
      break
    }
    case 'text:note':
      readNote(state)
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
    case 'draw:a': {
      const drawing = readDrawing(story, name)
      if (drawing !== undefined) add(state, { kind: 'drawing', drawing, run, link })
      break
    }
    case 'text:ruby':
      readRuby(state, run, link)
      break
    case 'office:annotation':
    case 'office:annotation-end':
    case 'text:soft-page-break':
    case 'text:bookmark-end':
    case 'text:reference-mark-end':
    case 'text:change':
    case 'text:change-start':
    case 'text:change-end':
    case 'text:toc-mark':
    case 'text:alphabetical-index-mark':
    case 'text:user-index-mark':
      break
    // Fields keep the text they were saved with.
    default:
      readInlines(state)
  }
}

const formats: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

function readNote(state: InlineState): void {
  const { story, run } = state
  const { cursor, shared } = story
  const kind = cursor.attribute('text:note-class') === 'endnote' ? 'endnote' : 'footnote'
  const key = `${kind}:${shared.notes.size + 1}`
  let label: string | undefined
  cursor.each((name) => {
    if (name === 'text:note-citation') label = cursor.attribute('text:label')
    else if (name === 'text:note-body') {
      const blocks = shared.readBlocks(story)
      const [first, ...rest] = blocks
      // The mark stands before the text of the note.
      const marked =
        first?.kind === 'paragraph'
          ? [
              {
                ...first,
                inlines: [{ kind: 'note-mark' as const, run: first.mark }, ...first.inlines],
              },
              ...rest,
            ]
          : blocks
      shared.notes.set(key, { kind, blocks: marked })
    }
  })
  const raised: RunProperties = { ...run, script: 'super' }
  add(state, { kind: 'note', note: key, run: raised, mark: label })
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** text:ruby (6.4): small text over its base. */
function readRuby(state: InlineState, run: RunProperties, link: Link | undefined): void {
  const { cursor } = state.story
  let [base, above] = ['', '']
  cursor.each((part) => {
    if (part === 'text:ruby-base') base += cursor.text()
    else if (part === 'text:ruby-text') above += cursor.text()
  })
  if (base !== '') add(state, rubyOf(base, above, run, link))
}
