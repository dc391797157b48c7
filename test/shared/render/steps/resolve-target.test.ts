import { describe, expect, it } from 'vitest'
import { resolveTarget } from '../../../../shared/render/steps/resolve-target.ts'
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
