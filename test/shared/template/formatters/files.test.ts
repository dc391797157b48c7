import { describe, expect, it } from 'vitest'
import { defaultOptions, engine, failure, mergeText } from '../../../helpers/merge.ts'

const operations = async (template: string, data: unknown) => {
  const { value } = await engine.merge({
    template: { hash: '', bytes: new TextEncoder().encode(template), format: 'txt' },
    data: { value: data },
    options: defaultOptions,
  })
  return value.operations
}

describe('what a render leaves to be done', () => {
  const rows: [string, string, unknown, unknown][] = [
    [
      'append',
      '{d.x:appendFile}',
      { x: ' https://a.org ' },
      [{ kind: 'append', source: 'https://a.org', where: 'end' }],
    ],
    ['before', '{d.x:appendFile(Start)}', { x: 'u' }, [{ kind: 'append', source: 'u', where: 'start' }]],
    ['nothing', '{d.x:appendFile}{d.y:attachFile(a)}', { y: null }, undefined],
    [
      'in loops, with filters, in order',
      '{d.l[i, f=1].u:appendFile}\n{d.l[i+1].u}',
      {
        l: [
          { u: 'a', f: 1 },
          { u: 'b', f: 2 },
          { u: 'c', f: 1 },
        ],
      },
      [
        { kind: 'append', source: 'a', where: 'end' },
        { kind: 'append', source: 'c', where: 'end' },
      ],
    ],
    [
      'embed',
      "{d.x:attachFile('a/b.xml', source)}",
      { x: '<a/>' },
      [{ kind: 'attach', source: '<a/>', name: 'ab.xml', relationship: 'Source' }],
    ],
    [
      'a relationship that is none',
      '{d.x:attachFile(.n, other)}',
      { x: 'u', n: 'a.csv' },
      [{ kind: 'attach', source: 'u', name: 'a.csv', relationship: 'Data' }],
    ],
    [
      'another template',
      '{d.x:appendTemplate(12, start)}',
      { x: { a: [1] } },
      [{ kind: 'template', template: '12', where: 'start', data: { a: [1] } }],
    ],
    [
      'signatures are numbered',
      '{d.l[i]:sign}{d.l[i+1]}',
      { l: ['a', 'b'] },
      [
        { kind: 'sign', mark: '1', data: 'a' },
        { kind: 'sign', mark: '2', data: 'b' },
      ],
    ],
    ['under a condition', '{d.s:showBegin}{d.x:appendFile}{d.s:showEnd}', { x: 'u', s: false }, undefined],
  ]
  it.each(rows)('%s', async (_name, template, data, expected) => {
    expect(await operations(template, data)).toEqual(expected)
  })

  it('nothing is printed', async () => {
    const template = 'a{d.x:appendFile}b{d.x:attachFile(n)}c{d.x:appendTemplate(1)}d{d.x:sign}e'
    expect(await mergeText(template, { x: 'u' }, { format: 'txt' })).toBe('abcde')
  })

  it('20 files are the most', async () => {
    const l = Array.from({ length: 21 }, (_, at) => `u${at}`)
    const template = '{d.l[i]:appendFile}\n{d.l[i+1]}'
    expect(await operations(template, { l: l.slice(1) })).toHaveLength(20)
    expect((await failure(operations(template, { l }))).code).toBe('template.files.too-many')
  })
})
