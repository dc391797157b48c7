import { describe, expect, it } from 'vitest'
import { indexedFrom } from '../../../../shared/template/emit/lookup.ts'
import { mergeText } from '../../../helpers/merge.ts'

/** Long lists are searched by an index, short ones item by item: both find the same. */
const values: readonly unknown[] = [
  1,
  '1',
  '01',
  1.5,
  '1.50',
  0,
  -0,
  '0',
  '',
  ' ',
  true,
  false,
  'true',
  null,
  'null',
  'a',
  'A',
  [1],
  [],
  {},
  1e21,
  '1e21',
  Number.NaN,
]

function list(order: number, length: number): { k?: unknown; n: number }[] {
  const turned = [...values.slice(order), ...values.slice(0, order)]
  const items = [{ n: -1 }, ...turned.map((k, n) => ({ k, n }))]
  return [
    ...items,
    ...Array.from({ length: Math.max(0, length - items.length) }, (_, n) => ({
      k: `other ${n}`,
      n: 100 + n,
    })),
  ]
}

describe('searches by one key', () => {
  it.each(values.map((wanted, at) => [`${typeof wanted} ${JSON.stringify(wanted)}`, wanted, at] as const))(
    '%s',
    async (_, wanted, at) => {
      const data = (length: number) => ({ v: 1, w: wanted, l: list(at, length) })
      const short = data(0)
      expect(short.l.length).toBeLessThan(indexedFrom)
      const template = '<x>{d.v:print(.l[k=.w].n)};{d.l[k=d.w].n};{d.l[.k=d.w].n}</x>'
      expect(await mergeText(template, data(indexedFrom + 10))).toBe(await mergeText(template, short))
    },
  )

  it.each([
    '1',
    "'1'",
    '01',
    'true',
    "'true'",
    'null',
    'a',
    "''",
    '1.5',
    '007',
    '1e3',
    '12345678901234567890',
  ])('the constant %s', async (constant) => {
    const template = `<x>{d.l[k=${constant}].n}</x>`
    expect(await mergeText(template, { l: list(3, 60) })).toBe(await mergeText(template, { l: list(3, 0) }))
  })

  it('objects are searched as lists are', async () => {
    const o = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key${n}`, n % 10]))
    expect(await mergeText('<x>{d.o[.att=key7].val}{d.o[.val=3].att}{d.o[.val=77].att}</x>', { o })).toBe(
      '<x>7key3</x>',
    )
  })

  it('later tags read what :set wrote', async () => {
    const l = Array.from({ length: 40 }, (_, n) => ({ id: n, n }))
    const template =
      '<x>{d.l[].id:add(100):set(.id)}{d.l[].n:print(d.l[id=105].n):set(.other)}{d.l[id=139].n} {d.l[id=139].other} {d.l[id=5].n}</x>'
    expect(await mergeText(template, { l })).toBe('<x>39 5 </x>')
  })

  it('a join of two long lists costs their sum', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => ({ id: n, name: `n${n}` }))
    const before = process.cpuUsage()
    const text = await mergeText(
      '{d.a[i].id:print(..b[id=.id].name)}\n{d.a[i+1]}',
      { a: many, b: many.toReversed() },
      { format: 'txt' },
    )
    expect(text.split('\n').at(19_999)).toBe('n19999')
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
  })

  it('so does grouping by a key', async () => {
    const l = Array.from({ length: 20_000 }, (_, n) => ({ k: n % 15_000, n }))
    const before = process.cpuUsage()
    expect(
      await mergeText('<x>{d.l[]:set(c.g[k=.k].items[])}{c.g:len} {c.g[k=7].items:len}</x>', { l }),
    ).toBe('<x>15000 2</x>')
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000)
  })
})
