import type { JsonError } from '../model/json-text.ts'
import { fill, h } from './dom.ts'
import { paintJson } from './paint.ts'

export interface Editor {
  readonly node: HTMLElement
  text(): string
  set(text: string): void
  /** Shows where a text is wrong, or that it is not. */
  mark(error: JsonError | undefined): void
  /** Written anew, so that it can be undone. */
  replace(text: string): void
}

/** A field for text of many lines, with their numbers; JSON in colours. */
export function createEditor(options: {
  readonly label: string
  readonly language: 'json' | 'text'
  readonly placeholder?: string
  readonly onInput: () => void
}): Editor {
  const { label, language, placeholder, onInput } = options
  const gutter = h('pre', { class: 'gutter', 'aria-hidden': 'true' })
  const paint = h('pre', { class: 'paint', 'aria-hidden': 'true' })
  const area = h('textarea', {
    'aria-label': label,
    placeholder,
    spellcheck: 'false',
    autocomplete: 'off',
    autocapitalize: 'off',
    wrap: 'off',
    on: { input: () => typed(), keydown: (event) => indent(event) },
  })
  const place = h('button', {
    type: 'button',
    class: 'place',
    hidden: true,
    on: { click: () => goToError() },
  })
  const scroll = h('div', { class: 'scroll' }, gutter, h('div', { class: 'area' }, paint, area))
  const node = h('div', { class: 'editor' }, scroll, place)
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
      place.hidden = found === undefined
      if (found !== undefined)
        place.textContent = `Line ${found.line}, column ${found.column}: ${found.message}.`
      drawGutter()
    },
    replace(text) {
      area.focus()
      area.select()
      insert(text)
    },
  }

  function typed(): void {
    redraw()
    onInput()
  }

  function redraw(): void {
    const text = area.value
    // A last line without letters has no height of its own.
    if (language === 'json') fill(paint, paintJson(text), '\n')
    else fill(paint, `${text}\n`)
    drawGutter()
  }

  function drawGutter(): void {
    const count = area.value.split('\n').length
    const numbers = Array.from({ length: count }, (_, at) => String(at + 1))
    const wrong = error?.line ?? 0
    fill(gutter, numbers.join('\n'))
    if (wrong < 1 || wrong > count) return
    const before = numbers.slice(0, wrong - 1).map((line) => `${line}\n`)
    const after = numbers.slice(wrong).map((line) => `\n${line}`)
    fill(gutter, before.join(''), h('mark', {}, String(wrong)), after.join(''))
  }

  /** A new line begins below the one before; the Tab key is left to move on, as everywhere. */
  function indent(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    const before = area.value.slice(0, area.selectionStart)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const [space = ''] = /^[ \t]*/.exec(line) ?? []
    const opens = language === 'json' && /[{[]\s*$/.test(line)
    if (space === '' && !opens) return
    event.preventDefault()
    insert(`\n${space}${opens ? '  ' : ''}`)
  }

  /** As if it were typed: the browser can undo it. */
  function insert(text: string): void {
    if (document.execCommand('insertText', false, text)) return
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
    typed()
  }

  function goToError(): void {
    if (error === undefined) return
    area.focus()
    area.setSelectionRange(error.offset, error.offset + 1)
    scroll.scrollTop = Math.max(0, (error.line - 4) * lineHeight)
  }
}

/** px, as in the style sheet. */
const lineHeight = 20
