import { expect, it } from 'vitest'
import plugin from '../../../../plugins/engines/chromium/index.ts'
import { conversionMatrix } from '../../../../shared/convert/matrix.ts'
import { pageOptionNames } from '../../../../shared/convert/page-options.ts'
import { isKnownOption } from '../../../../shared/pdf/stage/options.ts'

it('the options of a page are those that both hosts list and accept', () => {
  const listed = Object.keys(plugin.options.json['properties'] as object)
  const others = ['Quality', 'Resolution', 'hardRefresh']
  const own = listed.filter((name) => !isKnownOption(name) && !others.includes(name))
  expect(own.sort()).toEqual(pageOptionNames)
})

it('GET /conversions lists them where the browser makes the PDF, with and without its plugin', () => {
  const conversion = {
    from: 'html',
    to: 'pdf',
    fidelity: 'exact',
    cost: 1,
    engine: 'origin',
    title: 'Browser',
    defaultFor: [],
  } as const
  for (const [plugins, letter, has] of [
    [[plugin], 'C', true],
    [[], 'C', true],
    [[], 'L', false],
  ] as const) {
    const [pair] = conversionMatrix([{ ...conversion, letter }], plugins)
    expect(pageOptionNames.every((name) => pair?.options.includes(name))).toBe(has)
  }
})
