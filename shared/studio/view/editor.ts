import type { Completions } from '../model/completion.ts'
import type { JsonError } from '../model/json-text.ts'
import { createCompletionList } from './completion-list.ts'
import { fill, h } from './dom.ts'
import { paintJson } from './paint.ts'

export interface Editor {
  readonly node: HTMLElement
  text(): string
  set(text: string): void
  /** Marks the position of an error; undefined removes the mark. */
  mark(error: JsonError | undefined): void
  /** Replaces the text as if it were typed, so that the user can undo it. */
  replace(text: string): void
  /** Inserts text in the place of the selection, as if it were typed. */
  insert(text: string): void
  /** Focuses the field and selects a range of its text, in view. */
  select(start: number, end: number): void
}

/** A text field with line numbers, and with colours for JSON. */
export function createEditor(options: {
  readonly label: string
  readonly language: 'json' | 'text'
  readonly placeholder?: string
  readonly onInput: () => void
  /** Returns the completions at an offset of the text. */
  readonly complete?: (text: string, offset: number) => Completions | undefined
}): Editor {
  const { label, language, placeholder, onInput, complete } = options
  const gutter = h('pre', { class: 'gutter', 'aria-hidden': 'true' })
  const paint = h('pre', { class: 'paint', 'aria-hidden': 'true' })
  const area = h('textarea', {
    'aria-label': label,
    placeholder,
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    wrap: 'off',
    on: { input: (event) => typed(event), keydown: (event) => pressed(event) },
  })
  const location = h('button', {
    type: 'button',
    class: 'place',
    hidden: true,
    on: { click: () => goToError() },
  })
  const completion = complete && createCompletionList({ area, complete, insert: replaceRange })
  const field = h('div', { class: 'area' }, paint, area, completion?.node)
  const scroll = h('div', { class: 'scroll' }, gutter, field)
  const node = h('div', { class: 'editor' }, scroll, location)
  let error: JsonError | undefined
  redraw()

  return {
    node,
    text: () => area.value,
    set(text) {
      area.value = text
      redraw()
    },
    mark(found) {
      error = found
      area.setAttribute('aria-invalid', String(found !== undefined))
      location.hidden = found === undefined
      if (found !== undefined)
        location.textContent = `Line ${found.line}, column ${found.column}: ${found.message}.`
      drawGutter()
    },
    replace(text) {
      area.focus()
      area.select()
      insert(text)
    },
    insert(text) {
      area.focus()
      insert(text)
    },
    select,
  }

  function typed(event?: Event): void {
    redraw()
    onInput()
    // A paste or a completion is complete; a letter may be the beginning of a name.
    const isTyped =
      event instanceof InputEvent && event.inputType === 'insertText' && event.data?.length === 1
    if (isTyped) completion?.open()
    else completion?.refresh()
  }

  function pressed(event: KeyboardEvent): void {
    if (completion?.pressed(event) !== true) indent(event)
  }

  function replaceRange(start: number, end: number, text: string): void {
    area.setSelectionRange(start, end)
    insert(text)
  }

  function redraw(): void {
    const text = area.value
    // The line feed gives an empty last line its height.
    if (language === 'json') fill(paint, paintJson(text), '\n')
    else fill(paint, `${text}\n`)
    drawGutter()
  }

  function drawGutter(): void {
    fill(gutter, ...lineNumbers(area.value.split('\n').length, error?.line))
  }

  /** Indents a new line like the one before. The Tab key moves the focus, as in other fields. */
  function indent(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const before = area.value.slice(0, area.selectionStart)
    const indentation = nextIndentation(before.slice(before.lastIndexOf('\n') + 1), language)
    if (indentation === '') return
    event.preventDefault()
    insert(`\n${indentation}`)
  }

  /** Inserts text as if it were typed, so that the browser can undo it. */
  function insert(text: string): void {
    if (document.execCommand('insertText', false, text)) return
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
    typed()
  }

  function goToError(): void {
    if (error !== undefined) select(error.offset, error.offset + 1)
  }

  function select(start: number, end: number): void {
    area.focus()
    area.setSelectionRange(start, end)
    const line = area.value.slice(0, start).split('\n').length
    scroll.scrollTop = Math.max(0, (line - 4) * lineHeight)
  }
}

/** px, as in the style sheet. */
const lineHeight = 20

/** The numbers from 1 to `count`, one per line, with the number of the erroneous line marked. */
function lineNumbers(count: number, wrong: number | undefined): readonly (Node | string)[] {
  const numbers = Array.from({ length: count }, (_, at) => String(at + 1))
  if (wrong === undefined || wrong < 1 || wrong > count) return [numbers.join('\n')]
  const before = numbers.slice(0, wrong - 1).map((line) => `${line}\n`)
  const after = numbers.slice(wrong).map((line) => `\n${line}`)
  return [before.join(''), h('mark', {}, String(wrong)), after.join('')]
}

/** The indentation of the line after `line`. */
function nextIndentation(line: string, language: 'json' | 'text'): string {
  const [space = ''] = /^[ \t]*/.exec(line) ?? []
  const opens = language === 'json' && /[{[]\s*$/.test(line)
  return opens ? `${space}  ` : space
}
