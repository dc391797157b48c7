import { describe, expect, it } from 'vitest'
import { completionsAt } from '../../../../shared/studio/model/completion.ts'
import {
  emptyOf,
  enteredValue,
  type FormField,
  formOf,
  textOf,
  withValue,
} from '../../../../shared/studio/model/form.ts'

const any = { type: ['string', 'number', 'boolean', 'null'] }
const line = { type: 'object', properties: { what: any, price: { type: 'number' } } }
const schema = {
  type: 'object',
  properties: {
    name: any,
    paid: { type: 'boolean' },
    customer: { type: 'object', properties: { city: any } },
    lines: { type: 'array', items: line },
    grid: { type: 'array', items: { type: 'array', items: any } },
  },
}

describe('a form', () => {
  const shown = (fields: readonly FormField[]): readonly string[] =>
    fields.flatMap((field) => {
      const at = field.path.join('.')
      if (field.kind === 'value') return [`${at} ${field.input} ${textOf(field.value)}`.trim()]
      if (field.kind === 'group') return [`${at} group`, ...shown(field.fields)]
      return [`${at} list +${field.more}`, ...shown(field.items)]
    })

  it('has the fields of the schema and the contents of the data', () => {
    const data = { lines: [{ what: 'call', price: 3 }, {}], name: 'Ann', paid: false, other: 1, grid: [[1]] }
    expect(shown(formOf(schema, data))).toEqual([
      'name text Ann',
      'paid boolean false',
      'customer group',
      'customer.city text',
      'lines list +0',
      'lines.0 group',
      'lines.0.what text call',
      'lines.0.price number 3',
      'lines.1 group',
      'lines.1.what text',
      'lines.1.price number',
      'grid json [[1]]',
    ])
  })

  it.each([
    ['items', Array.from({ length: 100_000 }, () => ({ price: 1 })), 99_950],
    ['no list', 'text', 0],
  ])('is bounded: %s', (_name, lines, more) => {
    const list = formOf(schema, { lines }).find(({ name }) => name === 'lines')
    expect(list).toMatchObject({ kind: 'list', more })
  })

  it('has at most a thousand fields, whatever the schema', () => {
    const wide = { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, any])) }
    expect(shown(formOf(wide, {}))).toHaveLength(1000)
    const deep = Array.from({ length: 500 }).reduce<object>((inner) => ({ properties: { a: inner } }), any)
    expect(shown(formOf(deep, {}))).toHaveLength(12)
  })

  it.each([
    // [what is entered, kind of field, value before, value]
    ['12', 'text', 'a', '12'],
    ['12', 'text', 7, 12],
    ['012', 'text', 7, '012'],
    ['', 'text', 7, ''],
    ['true', 'text', false, true],
    ['1.5', 'number', undefined, 1.5],
    ['', 'number', 3, undefined],
    ['', 'boolean', true, undefined],
    ['false', 'boolean', true, false],
    ['[1]', 'json', undefined, [1]],
  ] as const)('%j in a field for %s that had %j is %j', (text, input, value, expected) => {
    expect(enteredValue(text, { input, value })).toEqual(expected)
  })

  it.each([
    ['1,5', 'number', 'Enter a number.'],
    ['[1', 'json', 'Enter JSON.'],
  ] as const)('%s is no value for %s', (text, input, message) => {
    expect(() => enteredValue(text, { input, value: undefined })).toThrow(message)
  })

  it.each([
    [{ a: 1, b: 2 }, ['a'], 3, { a: 3, b: 2 }],
    [{ a: 1, b: 2 }, ['a'], undefined, { b: 2 }],
    [undefined, ['a', 'b'], 1, { a: { b: 1 } }],
    [{ l: [{ p: 1 }, { p: 2 }] }, ['l', 0], undefined, { l: [{ p: 2 }] }],
    [{ l: [{ p: 1 }] }, ['l', 1, 'p'], 5, { l: [{ p: 1 }, { p: 5 }] }],
  ] as const)('%j with %j = %j is %j, and the data stay as they are', (data, path, value, expected) => {
    const before = structuredClone(data)
    expect(withValue(data, path, value)).toEqual(expected)
    expect(data).toEqual(before)
  })

  it('a property named __proto__ is data like any other', () => {
    const data = withValue(JSON.parse('{"__proto__":{"a":1}}'), ['__proto__', 'a'], 2)
    expect(JSON.stringify(data)).toBe('{"__proto__":{"a":2}}')
    expect({}).not.toHaveProperty('a')
  })

  it('a new item has what its schema names', () => {
    expect(emptyOf(line)).toEqual({ what: '', price: null })
    expect(emptyOf(schema.properties.grid)).toEqual([])
  })
})

describe('completion of JSON', () => {
  const at = (marked: string) => {
    const offset = marked.indexOf('|')
    const text = marked.replace('|', '')
    const found = completionsAt(text, offset, schema)
    if (found === undefined) return undefined
    const [best] = found.items
    const after = `${text.slice(0, found.start)}${best?.text}${text.slice(found.end)}`
    return { labels: found.items.map(({ label }) => label), after }
  }

  it.each([
    ['{|', ['name', 'paid', 'customer', 'lines', 'grid'], '{"name": '],
    ['{"|', ['name', 'paid', 'customer', 'lines', 'grid'], '{"name": '],
    ['{"pa|"', ['paid'], '{"paid": '],
    ['{"pa|": 1}', ['paid'], '{"paid": 1}'],
    ['{"name": "x", "|', ['paid', 'customer', 'lines', 'grid'], '{"name": "x", "paid": '],
    ['{"name": "a \\" {", p|}', ['paid'], '{"name": "a \\" {", "paid": }'],
    ['{"lines": [{"price": 1}, {"|', ['what', 'price'], '{"lines": [{"price": 1}, {"what": '],
    ['{"lines": [{"price": 1, |', ['what'], '{"lines": [{"price": 1, "what": '],
    ['{"customer": {"|"}, "name": 1}', ['city'], '{"customer": {"city": }, "name": 1}'],
    ['{"paid": |', ['true', 'false'], '{"paid": true'],
    ['{"paid": f|', ['false'], '{"paid": false'],
    ['{"lines": |', ['[]'], '{"lines": []'],
    ['{"lines": [|', ['{}'], '{"lines": [{}'],
  ])('%s', (marked, labels, after) => {
    expect(at(marked)).toEqual({ labels, after })
  })

  it.each([
    '|',
    '{"name"|',
    '{"name" |',
    '{"name": |',
    '{"name": "x"|',
    '{"name": "x" |',
    '{"other": {"|',
    '{} |',
    '{"paid": true|',
  ])('nothing is proposed at %s', (marked) => {
    expect(at(marked)).toBeUndefined()
  })
})
