import { fill, h } from './dom.ts'
import { icon } from './icons.ts'

export interface Notice {
  readonly node: HTMLElement
  /** Shows a message, with an optional action, until it is closed or replaced. */
  show(message: string, action?: { readonly label: string; readonly run: () => void }): void
  clear(): void
}

/** One line below the header for messages that belong to no panel. */
export function createNotice(): Notice {
  const node = h('div', { class: 'notice', role: 'alert', hidden: true })
  return { node, show, clear }

  function show(message: string, action?: { readonly label: string; readonly run: () => void }): void {
    const act = () => {
      clear()
      action?.run()
    }
    node.hidden = false
    fill(
      node,
      icon('error'),
      h('span', { class: 'says' }, message),
      action !== undefined &&
        h('button', { type: 'button', class: 'quiet', on: { click: act } }, action.label),
      h('button', { type: 'button', class: 'quiet', on: { click: clear } }, 'Close'),
    )
  }

  function clear(): void {
    node.hidden = true
    fill(node)
  }
}
