import type { ReceivedProblem } from '../model/client.ts'
import { type ProblemTarget, targetOf } from '../model/locate.ts'
import type { Session } from '../session.ts'
import { fill, h } from './dom.ts'
import { icon } from './icons.ts'

/**
 * The problems of the template and of the data: the position, the tag, and a suggestion. A click selects the position
 * if the studio can show it.
 */
export function createProblems(session: Session, goTo: (target: ProblemTarget) => void): HTMLElement {
  const heading = h('h2', {})
  const list = h('ul', {})
  const node = h('section', { class: 'problems', 'aria-label': 'Problems', hidden: true }, heading, list)
  session.listen((parts) => {
    if (parts.has('checks')) draw()
  })
  return node

  function draw(): void {
    const { errors = [], warnings = [] } = session.state.checks ?? {}
    node.hidden = errors.length + warnings.length === 0
    const counts = [counted(errors.length, 'error'), counted(warnings.length, 'warning')]
    fill(heading, counts.filter(Boolean).join(', '))
    fill(
      list,
      ...errors.map((problem) => item(problem, 'error', go(problem))),
      ...warnings.map((problem) => item(problem, 'warning', go(problem))),
    )
  }

  /** The text is read at the click, since the user may have typed since the check. */
  function go(problem: ReceivedProblem): (() => void) | undefined {
    const target = () => targetOf(problem, editedText(session))
    if (target() === undefined) return undefined
    return () => {
      const element = target()
      if (element !== undefined) goTo(element)
    }
  }
}

function editedText({ state: { template } }: Session): string | undefined {
  return template?.kind.editable === true ? new TextDecoder().decode(template.bytes) : undefined
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}

function item(
  { message, hint, place }: ReceivedProblem,
  severity: 'error' | 'warning',
  go: (() => void) | undefined,
): HTMLElement {
  const { part, at, tag, snippet } = place ?? {}
  const where = [at, part].filter(Boolean).join(' · ')
  return h(
    'li',
    { class: severity },
    icon(severity),
    h(
      'div',
      {},
      h(
        'p',
        {},
        h('span', { class: 'hidden' }, `${severity}: `),
        go === undefined ? message : link(message, go),
      ),
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

function link(message: string, go: () => void): HTMLElement {
  return h('button', { type: 'button', class: 'go', title: 'Go to the position', on: { click: go } }, message)
}
