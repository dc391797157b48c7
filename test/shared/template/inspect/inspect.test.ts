import { existsSync, readdirSync, readFileSync } from 'node:fs'
import Schema from 'typebox/schema'
import { describe, expect, it } from 'vitest'
import type { InspectJob } from '../../../../shared/ports/merger.ts'
import { engine, mergeBytes } from '../../../helpers/merge.ts'

const folder = new URL('../../../fixtures/templates/', import.meta.url)

function inspect(template: string | Uint8Array, format = 'html', more: Partial<InspectJob> = {}) {
  const bytes = typeof template === 'string' ? new TextEncoder().encode(template) : template
  return engine.inspect({
    template: { hash: '', bytes, format },
    languageLevel: 5_000_000,
    lang: 'en',
    ...more,
  })
}

const any = { type: ['string', 'number', 'boolean', 'null'] }
const number = { type: 'number' }
const text = { type: 'string' }
const object = (properties: Record<string, unknown>, optional: readonly string[] = []) => {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
}
const list = (items: unknown) => ({ type: 'array', items })

type Row = readonly [what: string, template: string, schema: object]
const rows: readonly Row[] = [
  ['a name', '{d.a}', object({ a: any })],
  ['names in names', '{d.a.b.c}{d.a.b.x}', object({ a: object({ b: object({ c: any, x: any }) }) })],
  ['the data itself is a list', '<i>{d[i].a}</i><i>{d[i+1].a}</i>', list(object({ a: any }))],
  [
    'loops',
    '<i>{d.l[i].a}{d.l[i].b.c}</i><i>{d.l[i+1].a}</i>',
    object({ l: list(object({ a: any, b: object({ c: any }) })) }),
  ],
  [
    'loops in loops',
    '<p><i>{d.l[i].m[i].a}</i><i>{d.l[i].m[i+1].a}</i></p><p>{d.l[i+1].m[i].a}</p>',
    object({ l: list(object({ m: list(object({ a: any })) })) }),
  ],
  ['lists of values', '<i>{d.l[i]:upperCase}</i><i>{d.l[i+1]}</i>', object({ l: list(text) })],
  ['an index', '{d.l[0].a}{d.l[1].a}', object({ l: list(object({ a: any })) })],
  [
    'what a loop sorts by',
    '<i>{d.l[date, i].a}</i><i>{d.l[date+1, i+1].a}</i>',
    object({ l: list(object({ date: any, a: any })) }),
  ],
  [
    'filters compare',
    "<i>{d.l[i, n > 3, k = 'x'].a}</i><i>{d.l[i+1, n > 3, k = 'x'].a}</i>",
    object({ l: list(object({ n: { ...number, examples: [3] }, k: { ...text, examples: ['x'] }, a: any })) }),
  ],
  [
    'objects gone through',
    '<i>{d.o[i].att}{d.o[i].val:formatN}</i><i>{d.o[i+1].att}</i>',
    object({ o: { type: 'object', additionalProperties: number } }),
  ],
  [
    'formatters say what a value is',
    '{d.n:formatN(2)}{d.t:upperCase}{d.c:color(p)}',
    object({ n: number, t: text, c: text }),
  ],
  ['arguments are read too', '{d.a:add(.b):mul(d.rate)}', object({ a: number, b: number, rate: number })],
  ['sums in arguments', '{d.a:add(.b * 2 + d.x)}', object({ a: number, b: number, x: number })],
  [
    'a value that may be missing',
    '{d.a:ifEM:show(none)}{d.b:ifNEM:showBegin}x{d.b:showEnd}',
    object({ a: any, b: any }, ['a', 'b']),
  ],
  [
    'a value that may be missing may also be null',
    '{d.n:ifNEM:showBegin}{d.n:formatN(2)}{d.n:showEnd}{d.t:ifEM:show(-):elseShow(.t):upperCase}',
    object({ n: { type: ['number', 'null'] }, t: any }, ['n', 't']),
  ],
  [
    'what a value is compared with',
    '{d.s:ifEQ(paid):show(yes)}{d.f:ifEQ(true):show(x)}{d.n:ifGT(5):show(x)}',
    object({
      s: { ...text, examples: ['paid'] },
      f: { type: 'boolean', examples: [true] },
      n: { ...number, examples: [5] },
    }),
  ],
  [
    'text shown on a condition',
    '{d.f:ifEQ(true):show(.label):elseShow(.other)}',
    object({ f: { type: 'boolean', examples: [true] }, label: any, other: any }),
  ],
  [
    'dates',
    '{d.a:formatD(L)}{d.b:formatD(L, X)}{d.c:formatD(L, DD/MM/YYYY)}',
    object({
      a: { ...text, description: expect.stringContaining('ISO 8601') },
      b: { type: 'integer', description: expect.stringContaining('seconds since 1970') },
      c: { ...text, description: 'A date written as DD/MM/YYYY.' },
    }),
  ],
  [
    'enumerations',
    '{d.s:convEnum(STATUS)}',
    object({ s: { type: ['string', 'integer'], description: 'A key of the enumeration STATUS.' } }),
  ],
  ['aliases', '{#who = d.user.name}{$who}', object({ user: object({ name: any }) })],
  ['climbing', '{d.a.b..c}', object({ a: object({ c: any }) })],
  [
    'stored values are not asked of the caller',
    '{d.l[].n:aggSum:set(d.total)}{d.total:formatN}',
    object({ l: list(object({ n: number })) }),
  ],
  [
    'all items at once',
    '{d.l[].n:aggSum}{d.tags:arrayJoin}',
    object({ l: list(object({ n: number })), tags: list(any) }),
  ],
  ['now is given', '{c.now:formatD(L)}', { type: 'object' }],
  ['no tags', 'plain', { type: 'object' }],
]

describe('the schema of the data', () => {
  for (const [what, template, schema] of rows)
    it(`${what}: ${template}`, async () => {
      const found = await inspect(template)
      expect(found.errors).toEqual([])
      const { $schema, title, ...rest } = found.schema
      expect([$schema, title]).toEqual(['https://json-schema.org/draft/2020-12/schema', 'd'])
      expect(rest).toEqual(schema)
    })

  it('the complement has a schema of its own', async () => {
    const { complementSchema, sample } = await inspect('{c.company}{d.a}')
    expect(complementSchema).toMatchObject({ title: 'c', ...object({ company: any }) })
    expect(sample.complement).toEqual({ company: 'Company' })
  })

  it('translations and enumerations are in the sample', async () => {
    const { sample } = await inspect('{t(Total)}{d.s:convEnum(KIND)}', 'html', { lang: 'fr-fr' })
    expect(sample.translations).toEqual({ 'fr-fr': { Total: 'Total' } })
    expect(sample.enum).toEqual({ KIND: { a: 'First', b: 'Second' } })
    expect(sample.data).toEqual({ s: 'a' })
  })
})

describe('samples', () => {
  for (const [what, template] of rows)
    it(`fit the schema and lack nothing: ${what}`, async () => {
      const { schema, sample } = await inspect(template)
      expect(Schema.Check(schema, sample.data)).toBe(true)
      const again = await inspect(template, 'html', {
        data: { value: sample.data },
        complement: { value: sample.complement ?? {} },
      })
      expect(again.warnings.filter(({ where }) => where?.startsWith('d'))).toEqual([])
    })

  it('dates are written as the template reads them', async () => {
    const { sample } = await inspect('{d.c:formatD(L, DD/MM/YYYY)} {d.x:formatD(L, X)}')
    expect(sample.data).toEqual({ c: '15/01/2026', x: 1768469400 })
  })

  it('lists in lists in lists stay small', async () => {
    const depth = 20
    const path = Array.from({ length: depth }, (_, n) => `l${n}[0]`).join('.')
    const { sample } = await inspect(`{d.${path}.x}`)
    expect(JSON.stringify(sample.data).length).toBeLessThan(2_000_000)
  })

  const templates = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/data.json`, folder)),
  )
  for (const { name } of templates) {
    const file = readdirSync(new URL(`${name}/`, folder)).find((one) => one.startsWith('template.'))!
    it(`the template ${name}: its own data lacks nothing, its sample renders`, async () => {
      const bytes = new Uint8Array(readFileSync(new URL(`${name}/${file}`, folder)))
      const format = file.split('.')[1]!
      const data = JSON.parse(readFileSync(new URL(`${name}/data.json`, folder), 'utf8'))
      const found = await inspect(bytes, format, { data: { value: data } })
      expect(found.errors).toEqual([])
      expect(Schema.Check(found.schema, found.sample.data)).toBe(true)
      const { value } = await mergeBytes(bytes, format, found.sample.data)
      expect(value.document.size).toBeGreaterThan(0)
    })
  }
})

describe('lint', () => {
  it('reports all problems at once, each with its position, and renders nothing', async () => {
    const { errors } = await inspect('<p>{d.a:upercase}</p><p>{d.l[i].n}</p>')
    expect(errors.map(({ message, place }) => [message, place?.snippet])).toEqual([
      ['Formatter "upercase" does not exist. Do you mean "upperCase"?', '{d.a:upercase}'],
      ['The marker {d.l[i].n} has no corresponding [i+1] for array "l".', '{d.l[i].n}'],
    ])
  })

  it('a part that cannot be read is a problem like any other', async () => {
    const { errors, schema } = await inspect('<a><b></a>{d.x}', 'xml')
    expect(errors).toHaveLength(1)
    expect(errors[0]!.code).toMatch(/^template\./)
    expect(schema).toEqual({ type: 'object' })
  })

  it('with data: what the template reads and the data lacks, by name, without values', async () => {
    const template = '{d.user.name}{d.user.mail}<i>{d.l[i].a}</i><i>{d.l[i+1].a}</i>{d.note:ifEM:show(-)}'
    const data = { user: { name: 'secret' }, l: [{ a: 1 }, { b: 2 }] }
    const { warnings } = await inspect(template, 'html', { data: { value: data } })
    expect(warnings.map(({ code, where }) => [code, where])).toEqual([
      ['template.data.missing', 'd.user.mail'],
      ['template.data.missing', 'd.l[].a'],
    ])
    expect(JSON.stringify(warnings)).not.toContain('secret')
  })

  it('reports data of another shape', async () => {
    const { warnings } = await inspect('<i>{d.l[i].a}</i><i>{d.l[i+1].a}</i>{d.o.x}', 'html', {
      data: { value: { l: 5, o: 'x' } },
    })
    expect(warnings.map(({ message }) => message)).toEqual([
      'The template repeats over d.l, which is not an array.',
      'The template reads properties of d.o, which is not an object.',
    ])
  })

  it('data that is not JSON is an error of the request', async () => {
    await expect(inspect('{d.a}', 'html', { data: { text: '{"a":' } })).rejects.toMatchObject({
      code: 'template.data',
    })
  })
})
