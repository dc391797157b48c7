import { localeName, locales, supported } from '../model/locales.ts'
import type { StudioOptions } from '../model/options.ts'
import type { Session } from '../session.ts'
import { field, fill, freshId, h, tick } from './dom.ts'

type TextOption = 'lang' | 'timezone' | 'reportName' | 'currencySource' | 'currencyTarget' | 'variableStr'

/** The options of a render except for the data and the output. */
export function createOptionsPanel(session: Session): HTMLElement {
  const inputs = new Map<TextOption, HTMLInputElement>()
  const languages = listOf(locales.map((tag) => [tag, localeName(tag)] as const))
  const zones = listOf(supported('timeZone').map((zone) => [zone, ''] as const))
  const currencies = listOf(supported('currency').map((code) => [code, ''] as const))
  const text = (
    name: TextOption,
    label: string,
    more: { list?: string; hint?: string; placeholder?: string } = {},
  ) => {
    const { hint, ...attributes } = more
    const input = h('input', {
      type: 'text',
      name,
      autocomplete: 'off',
      spellcheck: 'false',
      ...attributes,
      on: { input: () => session.setOptions({ [name]: input.value.trim() || undefined }) },
    })
    inputs.set(name, input)
    return field(label, input, hint)
  }
  const refresh = tick(
    'Update page numbers and contents',
    false,
    'Needed when tables of contents and page numbers depend on the data.',
  )
  refresh.box.addEventListener('change', () =>
    session.setOptions({ hardRefresh: refresh.box.checked || undefined }),
  )
  session.listen((parts) => {
    if (parts.has('options')) follow(session.state.options)
  })
  follow(session.state.options)
  return h(
    'div',
    { class: 'panel form' },
    h(
      'div',
      { class: 'pairs' },
      text('lang', 'Language', { list: languages.id, placeholder: 'en' }),
      text('timezone', 'Time zone', { list: zones.id, placeholder: 'UTC' }),
      text('currencySource', 'Currency of the data', { list: currencies.id, placeholder: 'EUR' }),
      text('currencyTarget', 'Currency of the document', { list: currencies.id, placeholder: 'EUR' }),
    ),
    text('reportName', 'Name of the file', {
      placeholder: 'invoice-{d.number}',
      hint: 'Tags are filled in.',
    }),
    text('variableStr', 'Aliases', { placeholder: '{#who = d.people[role=$r]}' }),
    refresh.node,
    languages,
    zones,
    currencies,
  )

  function follow(options: StudioOptions): void {
    for (const [name, input] of inputs) {
      const value = options[name] ?? ''
      // A field is not redrawn while the user types in it: a trailing blank is not yet part of the option.
      if (input.value.trim() !== value) input.value = value
    }
    refresh.box.checked = options.hardRefresh === true
  }
}

function listOf(values: readonly (readonly [value: string, label: string])[]): HTMLDataListElement {
  const list = h('datalist', { id: freshId() })
  fill(list, ...values.map(([value, label]) => h('option', { value, label: label || undefined })))
  return list
}
