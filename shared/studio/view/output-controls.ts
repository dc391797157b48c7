import { outputName } from '../model/options.ts'
import type { OutputChoice } from '../model/outputs.ts'
import type { Session } from '../session.ts'
import { fill, h } from './dom.ts'

/** The selections of output format and engine, which are options of the render. */
export function createOutputControls(session: Session): {
  readonly nodes: readonly HTMLElement[]
  draw(): void
} {
  const output = h('select', {
    name: 'convertTo',
    'aria-label': 'Output',
    title: 'Output',
    on: { change: () => chooseOutput(session, output.value) },
  })
  const engine = h('select', {
    name: 'converter',
    'aria-label': 'Engine',
    title: 'Engine',
    on: { change: () => session.setOptions({ converter: engine.value || undefined }) },
  })
  return {
    nodes: [
      h('label', { class: 'inline' }, h('span', {}, 'Output'), output),
      h('label', { class: 'inline' }, h('span', {}, 'Engine'), engine),
    ],
    draw() {
      drawOutputs(session, output)
      drawEngines(session, engine)
    },
  }
}

/** `value`: the format, or an empty text for that of the template. */
function chooseOutput(session: Session, value: string): void {
  const { convertTo } = session.state.options
  const formatName = value || (session.state.template?.kind.type ?? '')
  const keepsOptions = typeof convertTo === 'object' && convertTo.formatName === formatName
  session.setOptions({
    convertTo: keepsOptions ? convertTo : formatName || undefined,
    converter: engineFor(session, formatName),
  })
}

/** A chosen engine stays chosen when it can also make the new output. */
function engineFor(session: Session, format: string): string | undefined {
  const { options, outputs } = session.state
  const { converter } = options
  const possible = outputs.find(({ name }) => name === format)?.converters ?? []
  return converter === 'auto' || (converter !== undefined && possible.includes(converter))
    ? converter
    : undefined
}

function drawOutputs(session: Session, select: HTMLSelectElement): void {
  const { template, outputs, options } = session.state
  const templateType = template?.kind.type ?? ''
  const chosen = outputName(options) ?? ''
  const optionOf = ({ name }: OutputChoice) => h('option', { value: name }, name.toUpperCase())
  const others = outputs.filter(({ common }) => !common).map(optionOf)
  fill(
    select,
    h(
      'option',
      { value: '' },
      templateType === '' ? 'As the template' : `${templateType.toUpperCase()} (filled)`,
    ),
    ...outputs.filter(({ common }) => common).map(optionOf),
    others.length > 0 && h('optgroup', { label: 'More' }, ...others),
  )
  select.value = chosen === templateType ? '' : chosen
  select.disabled = template === undefined
}

function drawEngines(session: Session, select: HTMLSelectElement): void {
  const { outputs, options } = session.state
  const chosen = outputName(options) ?? ''
  const { converters: letters = [], titles = {} } = outputs.find(({ name }) => name === chosen) ?? {}
  fill(
    select,
    h('option', { value: '' }, 'Default'),
    letters.length > 1 && h('option', { value: 'auto' }, 'Automatic'),
    ...letters.map((letter) =>
      h('option', { value: letter }, `${letter} – ${engineNames[letter] ?? titles[letter] ?? 'engine'}`),
    ),
  )
  select.value = options.converter ?? ''
  select.disabled = letters.length === 0
}

const engineNames: Readonly<Record<string, string>> = {
  L: 'LibreOffice',
  I: 'instant',
  C: 'browser',
  O: 'other office',
}
