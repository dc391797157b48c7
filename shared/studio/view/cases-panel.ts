import { acceptPictures, loadCases, recordCase, removeCase, runCases, useDataOf } from '../cases.ts'
import type { CaseReport, TemplateCase } from '../model/client.ts'
import type { Session } from '../session.ts'
import { confirmLoss, openForm } from './dialogs.ts'
import { field, fillList, h, tick } from './dom.ts'
import { icon } from './icons.ts'

/** The test cases of the open template: their expectations, and the results with the current template. */
export function createCasesPanel(session: Session): {
  readonly node: HTMLElement
  readonly shown: () => void
} {
  const note = h('p', { class: 'note', role: 'status' })
  const list = h('ul', { class: 'cases' })
  const run = h(
    'button',
    { type: 'button', class: 'quiet', 'data-key': 'run', on: { click: () => void runCases(session) } },
    'Run all',
  )
  const record = h(
    'button',
    { type: 'button', class: 'quiet', on: { click: () => void openRecord(panel, session) } },
    'Record a case',
  )
  const panel = h(
    'div',
    { class: 'panel padded' },
    h('div', { class: 'list-actions' }, run, record),
    note,
    list,
  )
  session.listen((parts) => {
    if (parts.has('cases') || parts.has('reports') || parts.has('checking') || parts.has('casesNote')) draw()
  })
  draw()
  return { node: panel, shown: () => void loadCases(session) }

  function draw(): void {
    const { cases = [], reports, checking, casesNote } = session.state
    run.disabled = checking || cases.length === 0
    fillList(list, ...cases.map((testCase) => item(testCase, reports.get(testCase.name))))
    note.textContent = casesNote || (checking ? 'Running…' : summaryOf(cases, reports))
  }

  function item(templateCase: TemplateCase, report: CaseReport | undefined): HTMLElement {
    const { name } = templateCase
    const state = report === undefined ? 'not run' : report.passed ? 'passes' : 'fails'
    const differs = report?.failures.some(({ kind }) => kind === 'picture') === true
    const button = (label: string, key: string, click: () => void, describedAs = `${label} ${name}`) =>
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'data-key': `${key} ${name}`,
          'data-instead': 'run',
          'aria-label': describedAs,
          on: { click },
        },
        label,
      )
    return h(
      'li',
      { 'data-state': state },
      h(
        'div',
        { class: 'with-action' },
        h('span', { class: 'name' }, name),
        h('span', { class: 'state' }, icon(state === 'fails' ? 'error' : 'check'), state),
        templateCase.request !== undefined &&
          button('Use its data', 'use', () => void useNow(name), `Use its data: ${name}`),
        button('Run', 'run', () => void runCases(session, name)),
        button('Delete', 'delete', () => void removeNow(name)),
      ),
      h('p', { class: 'note' }, expectationOf(templateCase)),
      ...(report?.failures ?? []).map(({ message, actual, kind }) =>
        h(
          'p',
          { class: 'difference' },
          message,
          actual !== undefined && (kind === 'contains' || kind === 'excludes') && h('q', {}, actual),
        ),
      ),
      differs && picturesOf(templateCase, report),
      differs &&
        button(
          'Accept the new appearance',
          'accept',
          () => void acceptPictures(session, name),
          `Accept the new appearance of ${name}`,
        ),
    )
  }

  async function useNow(name: string): Promise<void> {
    const description = `The data of “${name}” replace what you typed.`
    const asked = { title: 'Replace the data?', action: 'Replace them', description: description }
    if (session.hasOwnData && !(await confirmLoss(panel, asked))) return
    await useDataOf(session, name)
  }

  async function removeNow(name: string): Promise<void> {
    const description = `“${name}” cannot be restored.`
    if (
      await confirmLoss(panel, { title: 'Delete this case?', action: 'Delete it', description: description })
    )
      await removeCase(session, name)
  }
}

function summaryOf(cases: readonly TemplateCase[], reports: ReadonlyMap<string, CaseReport>): string {
  if (cases.length === 0) return 'No cases yet. Record one from the current data.'
  const ran = cases.flatMap(({ name }) => reports.get(name) ?? [])
  if (ran.length === 0) return ''
  const failed = ran.filter(({ passed }) => !passed).length
  return failed === 0 ? `All ${ran.length} cases that ran pass.` : `${failed} of ${ran.length} fail.`
}

/** Describes the expectations of a case in a few words. */
function expectationOf({ expect = {} }: TemplateCase): string {
  const { contains = [], excludes = [], pages, pictures = [], error } = expect
  const count = typeof pages === 'number' ? String(pages) : `${pages?.min ?? 1} to ${pages?.max ?? '…'}`
  const parts = [
    ...contains.map((text) => `“${typeof text === 'string' ? text : text.text}”`),
    ...excludes.map((text) => `not “${typeof text === 'string' ? text : text.text}”`),
    ...(pages === undefined ? [] : [count === '1' ? '1 page' : `${count} pages`]),
    ...pictures.map(({ page }) => `the appearance of page ${page}`),
    ...(error === undefined ? [] : [`the error ${error}`]),
  ]
  return parts.length === 0 ? 'Expects a document.' : `Expects ${parts.join(', ')}.`
}

/** The pages that look different, before and after, with the changed areas marked. */
function picturesOf({ expect }: TemplateCase, report: CaseReport | undefined): HTMLElement {
  const pairs = (report?.pictures ?? []).flatMap(({ page, png, areas, changed }) => {
    const before = expect?.pictures?.find((picture) => picture.page === page)?.png
    if (changed === 0) return []
    return [
      picture(before, `Page ${page} as recorded`, []),
      picture(png, `Page ${page} as it looks now`, areas),
    ]
  })
  return h('div', { class: 'looks' }, ...pairs)
}

function picture(
  png: string | undefined,
  alt: string,
  areas: NonNullable<CaseReport['pictures']>[number]['areas'],
): HTMLElement {
  const percent = (share: number) => `${share * 100}%`
  const marks = areas.map(({ left, top, width, height }) => {
    const mark = h('span', { class: 'changed', 'aria-hidden': 'true' })
    Object.assign(mark.style, {
      left: percent(left),
      top: percent(top),
      width: percent(width),
      height: percent(height),
    })
    return mark
  })
  return h(
    'figure',
    {},
    h(
      'span',
      { class: 'look' },
      png === undefined
        ? h('span', { class: 'note' }, 'No picture')
        : h('img', { src: URL.createObjectURL(pngBlob(png)), alt, on: { load: released } }),
      ...marks,
    ),
    h('figcaption', {}, alt),
  )
}

const released = (event: Event): void => URL.revokeObjectURL((event.currentTarget as HTMLImageElement).src)

function pngBlob(base64: string): Blob {
  return new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], {
    type: 'image/png',
  })
}

/** Asks which properties of the displayed document become expectations. */
function openRecord(root: ParentNode & Node, session: Session): Promise<boolean> {
  const page = session.viewedPage
  const name = h('input', {
    type: 'text',
    name: 'case',
    required: true,
    maxlength: '100',
    autocomplete: 'off',
  })
  const texts = h('textarea', { name: 'texts', rows: '3', spellcheck: 'false' })
  const pages = tick('The number of pages', true)
  const appearance = tick(`The appearance of page ${page}`, session.state.preview.kind === 'pages')
  return openForm(root, {
    title: 'Record a case',
    action: 'Record',
    body: [
      h(
        'p',
        { class: 'note' },
        'The current data and options are rendered whenever the template is checked.',
      ),
      field('Name', name),
      field('Texts that must appear', texts, 'One on each line.'),
      pages.node,
      appearance.node,
    ],
    submit: () =>
      recordCase(session, {
        name: name.value.trim(),
        contains: texts.value.split('\n').flatMap((line) => line.trim() || []),
        pages: pages.box.checked,
        page: appearance.box.checked ? page : undefined,
      }),
  })
}
