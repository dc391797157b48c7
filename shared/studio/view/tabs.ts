import { freshId, h } from './dom.ts'

export interface Tab {
  readonly name: string
  readonly label: string
  readonly panel: HTMLElement
  /** Called each time the tab is selected. */
  readonly shown?: () => void
}

export interface Tabs {
  readonly list: HTMLElement
  readonly panels: readonly HTMLElement[]
  select(name: string): void
  /** Shows only these tabs. */
  offer(names: readonly string[]): void
  /** Marks a tab with a symbol, whose meaning screen readers announce; undefined removes it. */
  flag(name: string, meaning: string | undefined): void
}

/**
 * Tabs with the keyboard behaviour of ARIA: arrow keys move to the adjacent tab, Home and End to the first and last,
 * and only the selected tab is in the tab order.
 */
export function createTabs(label: string, tabs: readonly Tab[]): Tabs {
  const buttons = new Map(
    tabs.map(({ name, label, panel }) => {
      const id = freshId()
      panel.id = `${id}-panel`
      panel.setAttribute('role', 'tabpanel')
      panel.setAttribute('aria-labelledby', id)
      const button = h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id,
          'aria-controls': panel.id,
          'data-name': name,
          on: {
            click: () => select(name),
            keydown: (event) => move(event, name),
            // What is dragged from one panel to another passes over the tab of the other.
            dragover: ({ dataTransfer }) => {
              if (current !== name && dataTransfer?.types.includes('text/plain') === true) select(name)
            },
          },
        },
        label,
      )
      return [name, button] as const
    }),
  )
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, ...buttons.values())
  let current = ''
  const [first] = tabs
  if (first !== undefined) select(first.name)

  return {
    list,
    panels: tabs.map(({ panel }) => panel),
    select,
    offer(names) {
      const parts = [buttons.get(current), tabs.find((tab) => tab.name === current)?.panel]
      const focused = parts.some((part) => part?.matches(':focus-within') === true)
      for (const [name, button] of buttons) button.hidden = !names.includes(name)
      const [name] = names
      if (name === undefined || names.includes(current)) return
      select(name)
      if (focused) buttons.get(name)?.focus()
    },
    flag(name, meaning) {
      const button = buttons.get(name)
      button?.querySelector('.flag')?.remove()
      if (meaning !== undefined)
        button?.append(h('span', { class: 'flag', role: 'img', 'aria-label': meaning, title: meaning }))
    },
  }

  function select(name: string): void {
    current = name
    for (const tab of tabs) {
      const chosen = tab.name === name
      const button = buttons.get(tab.name)
      if (button !== undefined) {
        button.setAttribute('aria-selected', String(chosen))
        button.tabIndex = chosen ? 0 : -1
      }
      tab.panel.hidden = !chosen
      if (chosen) tab.shown?.()
    }
  }

  function move(event: KeyboardEvent, name: string): void {
    const offered = [...buttons].filter(([, button]) => !button.hidden)
    const at = offered.findIndex(([own]) => own === name)
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    const target = offered.at(to % offered.length)
    if (target === undefined) return
    const [next, button] = target
    select(next)
    button.focus()
  }
}
