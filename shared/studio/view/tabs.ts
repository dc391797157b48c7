import { freshId, h } from './dom.ts'

export interface Tab {
  readonly name: string
  readonly label: string
  readonly panel: HTMLElement
  /** Called each time it is shown. */
  readonly shown?: () => void
}

export interface Tabs {
  readonly list: HTMLElement
  readonly panels: readonly HTMLElement[]
  select(name: string): void
  /** Which of the tabs there are now. */
  offer(names: readonly string[]): void
  /** A mark beside a tab's name, with what it means. */
  flag(name: string, meaning: string | undefined): void
}

/** Tabs as ARIA describes them: arrow keys go along, Home and End to the ends, one of them is in the tab order. */
export function createTabs(label: string, tabs: readonly Tab[]): Tabs {
  const buttons = new Map(
    tabs.map(({ name, label: says, panel }) => {
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
          on: { click: () => select(name), keydown: (event) => move(event, name) },
        },
        says,
      )
      return [name, button] as const
    }),
  )
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, ...buttons.values())
  let current = ''
  select(tabs[0]!.name)

  return {
    list,
    panels: tabs.map(({ panel }) => panel),
    select,
    offer(names) {
      for (const [name, button] of buttons) button.hidden = !names.includes(name)
      if (!names.includes(current)) select(names[0]!)
    },
    flag(name, meaning) {
      const button = buttons.get(name)!
      button.querySelector('.flag')?.remove()
      if (meaning !== undefined)
        button.append(h('span', { class: 'flag', role: 'img', 'aria-label': meaning, title: meaning }))
    },
  }

  function select(name: string): void {
    current = name
    for (const tab of tabs) {
      const chosen = tab.name === name
      const button = buttons.get(tab.name)!
      button.setAttribute('aria-selected', String(chosen))
      button.tabIndex = chosen ? 0 : -1
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
    const [next, button] = offered.at(to % offered.length)!
    select(next)
    button.focus()
  }
}
