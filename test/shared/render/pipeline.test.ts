import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import { render, withinDeadline } from '../../../shared/render/pipeline.ts'
import type { RenderRequest } from '../../../shared/render/request.ts'
import { renderContext } from '../../helpers/render-context.ts'

async function rendered(template: string, request: Partial<RenderRequest>) {
  const context = await renderContext(template, request)
  const stages: string[] = []
  const made = await render(context.services, context.template, context.request, context.signal, {
    timeoutMs: 60_000,
    onStage: (stage) => stages.push(stage),
  })
  return {
    text: new TextDecoder().decode(await made.source.arrayBuffer()),
    file: `${made.name}.${made.format.extensions[0]}`,
    converters: made.converters,
    warnings: made.warnings.map(({ code }) => code),
    stages,
  }
}

const data = { value: { a: 'x' } }

describe('render', () => {
  const cases: readonly (readonly [string, string, Partial<RenderRequest>, object])[] = [
    [
      'fills a template and hands it out',
      'Say {d.a}',
      { data, reportName: 'a/{d.a}' },
      { text: 'Say x', file: 'a_x.txt', converters: undefined, warnings: [], stages: ['merging'] },
    ],
    [
      'fills and converts',
      'Say {d.a}',
      { data, convertTo: { name: 'up', options: { mark: '!' } } },
      {
        text: 'SAY X!',
        file: 'report.up',
        converters: ['U'],
        warnings: ['shouting'],
        stages: ['merging', 'converting'],
      },
    ],
    [
      'converts without data and leaves the tags alone',
      'Say {d.a}',
      { convertTo: { name: 'up' } },
      {
        text: 'SAY {D.A}',
        file: 'report.up',
        converters: ['U'],
        warnings: ['shouting'],
        stages: ['converting'],
      },
    ],
    [
      'hands a file out as it came',
      'Say {d.a}',
      {},
      { text: 'Say {d.a}', file: 'report.txt', converters: undefined, warnings: [], stages: [] },
    ],
    [
      'takes the type that the caller says',
      '<p>{d.a}</p>',
      { data: { value: { a: '<' } }, extension: 'txt' },
      { text: '<p><</p>', file: 'report.txt', converters: undefined, warnings: [], stages: ['merging'] },
    ],
    [
      'takes no type that the content rules out',
      '<?xml version="1.0"?><p>{d.a}</p>',
      { data: { value: { a: '<' } }, extension: 'txt' },
      {
        text: '<?xml version="1.0"?><p>&lt;</p>',
        file: 'report.xml',
        converters: undefined,
        warnings: [],
        stages: ['merging'],
      },
    ],
    [
      'warns of files that only a PDF can take',
      'Say {d.a}{d.a:appendFile}',
      { data },
      {
        text: 'Say x',
        file: 'report.txt',
        converters: undefined,
        warnings: ['template.files.ignored'],
        stages: ['merging'],
      },
    ],
  ]
  for (const [title, template, request, expected] of cases)
    it(title, async () => expect(await rendered(template, request)).toEqual(expected))

  it('ends at its deadline with the time it had', async () => {
    const context = await renderContext('wait', { convertTo: { name: 'up' } })
    const late = render(context.services, context.template, context.request, context.signal, {
      timeoutMs: 20,
    })
    await expect(late).rejects.toMatchObject({
      code: 'api.render.failed',
      details: { cause: 'Timeout after 20 ms.' },
    })
  })
  it('ends when its caller leaves', async () => {
    const context = await renderContext('wait', { convertTo: { name: 'up' } })
    const caller = new AbortController()
    const left = render(context.services, context.template, context.request, caller.signal)
    caller.abort()
    await expect(left).rejects.toMatchObject({ code: 'api.aborted' })
  })
})

describe('withinDeadline', () => {
  const clockOnly = { clock: { now: Date.now } }
  const never = new AbortController().signal

  it('work beside a part that failed is aborted', async () => {
    let beside: AbortSignal | undefined
    const failed = withinDeadline(clockOnly, never, 60_000, async ({ signal }) => {
      beside = signal
      throw new AppError('convert.unknown-format', { to: 'x' })
    })
    await expect(failed).rejects.toThrow()
    expect(beside?.aborted).toBe(true)
  })

  it('what is left of a result may still be read', async () => {
    const signal = await withinDeadline(clockOnly, never, 60_000, async (deadline) => deadline.signal)
    expect(signal.aborted).toBe(false)
  })

  it.each([
    ['the time is over', 20, never, 'api.render.failed'],
    ['the caller left', 60_000, AbortSignal.abort(), 'api.aborted'],
  ] as const)('%s, whatever the work throws', async (_, ms, caller, code) => {
    const failed = withinDeadline(clockOnly, caller, ms, async ({ signal }) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw new Error('anything')
    })
    await expect(failed).rejects.toMatchObject({ code })
  })

  it('reports that the work waited until the deadline, so that the request is sent again', async () => {
    const failed = withinDeadline(clockOnly, never, 20, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw new AppError('convert.busy', { engine: 'LibreOffice' })
    })
    await expect(failed).rejects.toMatchObject({ code: 'convert.busy', status: 429 })
  })
})
