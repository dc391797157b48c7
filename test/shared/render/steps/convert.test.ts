import { describe, expect, it } from 'vitest'
import type { RenderRequest } from '../../../../shared/render/request.ts'
import { chooseOutput, convert, resolveTarget } from '../../../../shared/render/steps/convert.ts'
import { merge } from '../../../../shared/render/steps/merge.ts'
import { renderContext } from '../../../helpers/render-context.ts'

describe('resolveTarget', () => {
  const cases: readonly (readonly [template: string, convertTo: string | undefined, target?: string])[] = [
    ['Hello {d.a}', undefined, undefined],
    ['Hello {d.a}', 'pdf', 'pdf'],
    ['Hello {d.a}', 'PDF', 'pdf'],
    ['Hello {d.a}', 'jpeg', 'jpg'],
    ['Hello {d.a}', 'xlsm', 'xlsm'],
    ['<a>{d.a}</a>', 'xml', 'xml'],
  ]
  for (const [template, name, target] of cases)
    it(`${template} to ${name ?? 'nothing'} is ${target ?? 'undecided'}`, async () => {
      const context = await renderContext(template, name === undefined ? {} : { convertTo: { name } })
      expect(resolveTarget(context)?.id).toBe(target)
    })

  it('names an unknown output without the characters that have no place in a name', async () => {
    const context = await renderContext('x', { convertTo: { name: '<b>\n' } })
    await expect(async () => resolveTarget(context)).rejects.toMatchObject({
      code: 'convert.unknown-format',
      details: { to: '?b??' },
    })
  })

  it('refuses an unknown option before anything is merged', async () => {
    const context = await renderContext('x', { convertTo: { name: 'pdf', options: { NoSuch: 1 } } })
    await expect(async () => resolveTarget(context)).rejects.toMatchObject({ code: 'convert.options' })
  })
})

async function outputOf(template: string, request: Partial<RenderRequest>) {
  const context = await renderContext(template, request)
  const state = await chooseOutput(context, await merge(context, resolveTarget(context)))
  const { format, action, letter, auto, hardRefresh, options } = state.output ?? {}
  return {
    plan: { to: format?.id, action, letter, auto, hardRefresh, options },
    text: new TextDecoder().decode(await state.source.arrayBuffer()),
    warnings: state.warnings.map(({ code }) => code),
  }
}

const data = { value: { a: 'x' } }
const keep = { action: 'keep', letter: undefined, auto: false, hardRefresh: false, options: {} }

describe('chooseOutput', () => {
  const cases: readonly (readonly [
    title: string,
    template: string,
    request: Partial<RenderRequest>,
    plan: object,
  ])[] = [
    ['keeps a document without an output', 'Say {d.a}', { data }, { ...keep, to: 'txt' }],
    [
      'keeps a document that has its format already',
      'Say {d.a}',
      { data, convertTo: { name: 'txt' } },
      { ...keep, to: 'txt' },
    ],
    [
      'converts another format',
      'Say {d.a}',
      { data, convertTo: { name: 'up' } },
      { ...keep, to: 'up', action: 'convert' },
    ],
    [
      'converts the same format where it has options',
      'Say {d.a}',
      { data, convertTo: { name: 'txt', options: { mark: '!' } } },
      { ...keep, to: 'txt', action: 'convert', options: { mark: '!' } },
    ],
    [
      'pins the engine of the request',
      'Say {d.a}',
      { data, converter: 'U', convertTo: { name: 'up' } },
      { ...keep, to: 'up', action: 'convert', letter: 'U' },
    ],
    [
      'leaves the choice to the service with auto',
      'Say {d.a}',
      { data, converter: 'auto', convertTo: { name: 'up' } },
      { ...keep, to: 'up', action: 'convert', auto: true },
    ],
    [
      'lets the template win over the request',
      '{o.converter=X}Say {d.a}',
      { data, converter: 'U', convertTo: { name: 'up' } },
      { ...keep, to: 'up', action: 'convert', letter: 'X' },
    ],
    [
      'ignores a refresh that nothing asked an output for',
      'Say {d.a}',
      { data, hardRefresh: true },
      { ...keep, to: 'txt' },
    ],
  ]
  for (const [title, template, request, plan] of cases)
    it(title, async () => expect((await outputOf(template, request)).plan).toEqual(plan))

  it('warns of a refresh that no engine can do', async () => {
    const { plan, warnings } = await outputOf('Say {d.a}', {
      data,
      hardRefresh: true,
      convertTo: { name: 'txt' },
    })
    expect([plan.action, warnings]).toEqual(['keep', ['hard-refresh']])
  })

  const page = '<!DOCTYPE html><p>{d.a}</p><x-pdf-options format="A5"></x-pdf-options>'
  it('removes print options from a page and applies them to its PDF', async () => {
    const { plan, text } = await outputOf(page, { data, convertTo: { name: 'pdf' } })
    expect(text).toBe('<!DOCTYPE html><p>x</p>')
    expect(plan.options).not.toEqual({})
  })
  it('removes them from a page that does not become a PDF, too', async () => {
    const { plan, text } = await outputOf(page, { data })
    expect(text).toBe('<!DOCTYPE html><p>x</p>')
    expect(plan).toEqual({ ...keep, to: 'html' })
  })
  it('lets options of the request win over those of the page', async () => {
    const context = await renderContext(`${page}<x-pdf-header>theirs</x-pdf-header>`, {
      data,
      convertTo: { name: 'pdf', options: { HeaderTemplate: 'ours' } },
    })
    const state = await merge(context, context.services.registry.format('pdf'))
    const { output } = await chooseOutput(context, state)
    expect(output?.options).toMatchObject({ HeaderTemplate: 'ours' })
    expect(Object.keys(output?.options ?? {}).length).toBeGreaterThan(1)
  })
})

describe('convert', () => {
  it('a template that prints nothing is an empty document, not a damaged file', async () => {
    const context = await renderContext('{d.none}', { data, convertTo: { name: 'up' } })
    const state = await convert(
      context,
      await chooseOutput(context, await merge(context, resolveTarget(context))),
    )
    expect(new TextDecoder().decode(await state.source.arrayBuffer())).toBe('\n')
  })
})
