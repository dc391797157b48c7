import type { Problem } from '../model/client.ts'
import type { Session } from '../session.ts'
import { fill, h } from './dom.ts'
import { icon } from './icons.ts'

/** What is wrong with the template, or lacking in the data: where, which tag, and what to do. */
export function createProblems(session: Session): HTMLElement {
  const heading = h('h2', {})
  const list = h('ul', {})
  const node = h('section', { class: 'problems', 'aria-label': 'Problems', hidden: true }, heading, list)
  session.listen((parts) => {
    if (parts.has('findings')) draw()
  })
  return node

  function draw(): void {
    const { errors = [], warnings = [] } = session.state.findings ?? {}
    node.hidden = errors.length + warnings.length === 0
    const counts = [counted(errors.length, 'error'), counted(warnings.length, 'warning')]
    fill(heading, counts.filter(Boolean).join(', '))
    fill(
      list,
      ...errors.map((problem) => item(problem, 'error')),
      ...warnings.map((problem) => item(problem, 'warning')),
    )
  }
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}

function item({ message, hint, place }: Problem, severity: 'error' | 'warning'): HTMLElement {
  const { part, at, tag, snippet } = place ?? {}
  const where = [at, part].filter(Boolean).join(' · ')
  return h(
    'li',
    { class: severity },
    icon(severity),
    h(
      'div',
      {},
      h('p', {}, h('span', { class: 'hidden' }, `${severity}: `), message),
      hint !== undefined && hint !== '' && h('p', { class: 'hint' }, hint),
      (where !== '' || tag !== undefined) &&
        h(
          'p',
          { class: 'note' },
          where,
          where !== '' && tag !== undefined && ' · ',
          tag !== undefined && h('code', {}, tag),
        ),
      snippet !== undefined && snippet !== tag && h('blockquote', {}, snippet),
    ),
  )
}
