import type { Completions } from '../model/completion.ts'
import { fill, freshId, h } from './dom.ts'

export interface CompletionList {
  readonly node: HTMLElement
  /** Opens the list for the position of the caret. */
  open(): void
  /** Updates the list if it is open. */
  refresh(): void
  /** Handles a key of the text field. Returns whether the list has consumed it. */
  pressed(event: KeyboardEvent): boolean
}

/**
 * The list below the caret of a text field. Arrow keys select, Enter accepts, Escape closes; Ctrl+Space opens it. The
 * focus stays in the field, whose active descendant is the selected row (ARIA, "listbox").
 */
export function createCompletionList({
  area,
  complete,
  insert,
}: {
  readonly area: HTMLTextAreaElement
  readonly complete: (text: string, offset: number) => Completions | undefined
  readonly insert: (start: number, end: number, text: string) => void
}): CompletionList {
  const id = freshId()
  const node = h('ul', {
    class: 'completions',
    role: 'listbox',
    id,
    'aria-label': 'What fits here',
    hidden: true,
  })
  let shown: Completions | undefined
  let chosen = 0
  area.setAttribute('aria-autocomplete', 'list')
  area.addEventListener('blur', close)
  area.addEventListener('click', close)
  return {
    node,
    open,
    refresh() {
      if (shown !== undefined) open()
    },
    pressed(event) {
      if (event.key === ' ' && event.ctrlKey) open()
      else if (shown === undefined || event.isComposing) return false
      else if (event.key === 'ArrowDown') choose(chosen + 1)
      else if (event.key === 'ArrowUp') choose(chosen - 1)
      else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) take(chosen)
      else if (event.key === 'Escape') close()
      else {
        if (/^(Arrow|Home|End|Page)/.test(event.key)) close()
        return false
      }
      event.preventDefault()
      return true
    },
  }

  function open(): void {
    const { selectionStart, selectionEnd, value } = area
    shown = selectionStart === selectionEnd ? complete(value, selectionStart) : undefined
    if (shown === undefined) {
      close()
      return
    }
    fill(node, ...shown.items.map(row))
    const before = value.slice(0, shown.start)
    const column = shown.start - (before.lastIndexOf('\n') + 1)
    node.style.setProperty('--caret-line', String(before.split('\n').length))
    node.style.setProperty('--caret-column', String(column))
    node.hidden = false
    area.setAttribute('aria-controls', id)
    choose(0)
  }

  function row({ label, kind }: Completions['items'][number], index: number): HTMLElement {
    return h(
      'li',
      {
        role: 'option',
        id: `${id}-${index}`,
        on: {
          mousedown: (event) => {
            event.preventDefault() // the focus stays in the field
            take(index)
          },
        },
      },
      h('span', {}, label),
      h('span', { class: 'note' }, kind),
    )
  }

  function choose(index: number): void {
    const { length } = node.children
    chosen = (index + length) % length
    for (const [at, option] of [...node.children].entries())
      option.setAttribute('aria-selected', String(at === chosen))
    area.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    node.children[chosen]?.scrollIntoView({ block: 'nearest' })
  }

  function take(index: number): void {
    const item = shown?.items[index]
    if (shown === undefined || item === undefined) return
    const { start, end } = shown
    close()
    insert(start, end, item.text)
  }

  function close(): void {
    shown = undefined
    node.hidden = true
    area.removeAttribute('aria-activedescendant')
    area.removeAttribute('aria-controls')
  }
}
