import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDataUri, toBase64, toDataUri } from '../../../../shared/studio/model/base64.ts'
import { fileName } from '../../../../shared/studio/model/client.ts'
import { readConfig } from '../../../../shared/studio/model/config.ts'
import { fieldsOf } from '../../../../shared/studio/model/fields.ts'
import { detectKind, kindOf, withoutExtension } from '../../../../shared/studio/model/files.ts'
import { fuzzyScore } from '../../../../shared/studio/model/fuzzy.ts'
import { localeName, supported } from '../../../../shared/studio/model/locales.ts'
import {
  mergeOptions,
  outputName,
  readOptions,
  renderBody,
  reportedOptions,
  sampleOf,
} from '../../../../shared/studio/model/options.ts'
import { harmless, outputsFor, shownAs } from '../../../../shared/studio/model/outputs.ts'
import { dateText, durationText, sizeText } from '../../../../shared/studio/model/words.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('data URIs', () => {
  it('bytes go there and back, whatever they are', () => {
    const all = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256)
    expect(toBase64(all)).toBe(Buffer.from(all).toString('base64'))
    expect(readDataUri(toDataUri('a/b', all))).toEqual({ mime: 'a/b', bytes: all })
  })
  it.each([
    ['data:text/html,<b>Gr%C3%BC%C3%9Fe</b>', 'text/html', '<b>Grüße</b>'],
    ['data:,x', '', 'x'],
    ['data:Text/Plain;charset=utf-8;base64,eA==', 'text/plain', 'x'],
  ])('%s', (uri, mime, text) => {
    expect(readDataUri(uri)).toEqual({ mime, bytes: bytes(text) })
  })
  it.each(['', 'x', 'data:', 'data:;base64,?', 'data:,%E0%A4%A', 'https://a.example/x'])(
    '%j is none',
    (text) => {
      expect(readDataUri(text)).toBeUndefined()
    },
  )
})

describe('kinds of files', () => {
  const docx = readFileSync('test/fixtures/templates/letter/template.docx')
  it.each([
    ['by its name', bytes('x'), { name: 'a b.XLSX' }, 'xlsx'],
    ['by another name of its type', bytes('x'), { name: 'a.htm' }, 'html'],
    ['by its media type', bytes('x'), { mime: 'Text/Markdown; charset=utf-8' }, 'md'],
    ['by another media type', bytes('x'), { mime: 'text/xml' }, 'xml'],
    [
      'a name without meaning leaves it to the media type',
      bytes('x'),
      { name: 'a.tmp', mime: 'text/csv' },
      'csv',
    ],
    ['by what is in the archive', docx, { mime: 'application/octet-stream' }, 'docx'],
    ['plain text may be more than that', bytes('<!DOCTYPE html><p>'), { mime: 'text/plain' }, 'html'],
    ['plain text', bytes('Hello {d.name}'), { mime: 'text/plain' }, 'txt'],
    ['PDF', bytes('%PDF-1.7'), {}, 'pdf'],
    ['RTF', bytes('{\\rtf1}'), {}, 'rtf'],
    ['SVG', bytes('<?xml version="1.0"?>\n<svg>'), {}, 'svg'],
    ['XML', bytes('<?xml version="1.0"?><a/>'), {}, 'xml'],
    ['nothing known', bytes('PKx'), {}, ''],
  ])('%s', (_, content, about, type) => {
    expect(detectKind(content, about).type).toBe(type)
  })
  it('text is edited here, files are not', () => {
    expect(['html', 'md', 'txt', 'docx', 'pdf'].map((type) => kindOf(type).editable === true)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(withoutExtension('a.b.docx')).toBe('a.b')
  })
})

describe('search', () => {
  const names = ['Invoice 2026', 'Delivery note', 'Réclamation', 'Payslip (monthly)', 'Notice of delivery']
  it.each([
    ['inv', ['Invoice 2026']],
    ['note', ['Delivery note', 'Notice of delivery']],
    ['delivery', ['Delivery note', 'Notice of delivery']],
    ['reclam', ['Réclamation']],
    ['RÉCLAM', ['Réclamation']],
    ['dlvry', ['Delivery note', 'Notice of delivery']],
    ['note deliv', ['Delivery note', 'Notice of delivery']],
    ['monthly pay', ['Payslip (monthly)']],
    ['xyz', []],
  ])('%s', (search, found) => {
    const scored = names.map((name) => ({ name, score: fuzzyScore(search, name) }))
    const best = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score)
    expect(best.map(({ name }) => name)).toEqual(found)
  })
  it('a name counts for more than a tag', () => {
    expect(fuzzyScore('bill', 'Bill')).toBeGreaterThan(fuzzyScore('bill', 'Invoice', 'bill'))
    expect(fuzzyScore('bill', 'Invoice', 'bill')).toBeGreaterThan(0)
    expect(fuzzyScore(' ', 'anything')).toBe(1)
  })
})

describe('options', () => {
  it('accepts known options, removes those that are null, ignores others', () => {
    expect(readOptions({ data: [1], lang: 'fr', timezone: null, colour: 'red' })).toEqual({
      data: [1],
      lang: 'fr',
      timezone: undefined,
    })
    expect(mergeOptions({ lang: 'fr', timezone: 'UTC' }, { timezone: undefined, converter: '' })).toEqual({
      lang: 'fr',
    })
  })
  it.each([
    [undefined, 'Render options must be an object.'],
    [{ data: 'x' }, 'Render option "data" must be an object or an array.'],
    [{ enum: [] }, 'Render option "enum" must be an object.'],
    [{ lang: 1 }, 'Render option "lang" must be a string.'],
    [{ hardRefresh: 'yes' }, 'Render option "hardRefresh" must be a boolean.'],
    [
      { convertTo: {} },
      'Render option "convertTo" must be a format name or an object { formatName, formatOptions }.',
    ],
  ])('%j is refused', (given, message) => {
    expect(() => readOptions(given)).toThrow(new TypeError(message))
  })
  it('the event has its eight, the sample its four', () => {
    const options = { data: { a: 1 }, enum: { b: [] }, lang: 'de', convertTo: 'pdf', reportName: 'x' }
    expect(Object.keys(reportedOptions(options)).toSorted()).toEqual([
      'complement',
      'converter',
      'currencySource',
      'data',
      'enum',
      'lang',
      'timezone',
      'translations',
    ])
    expect(sampleOf(options)).toEqual([{ data: { a: 1 }, enum: { b: [] } }])
    expect(sampleOf({ lang: 'de' })).toEqual([])
  })
  it('an engine goes along only where something is converted', () => {
    const options = { converter: 'I', hardRefresh: true }
    expect(renderBody('eA==', kindOf('docx'), options)).toEqual({ data: {}, template: 'eA==' })
    expect(renderBody('eA==', kindOf('md'), { ...options, convertTo: 'pdf', data: [1] })).toEqual({
      data: [1],
      convertTo: 'pdf',
      converter: 'I',
      hardRefresh: true,
      extension: 'md',
      template: 'eA==',
    })
    expect(renderBody('eA==', kindOf('doc'), { convertTo: 'pdf' }).data).toBeUndefined()
    expect(outputName({ convertTo: { formatName: 'pdf' } })).toBe('pdf')
  })
})

describe('outputs', () => {
  it('what designers use comes first, the type itself not at all', () => {
    const to = (name: string, converters: string[] = []) => ({ from: 'docx', to: name, converters })
    const pairs = [
      to('zzz'),
      to('png'),
      to('docx'),
      to('pdf', ['L', 'I']),
      { from: 'odt', to: 'rtf', converters: [] },
    ]
    expect(outputsFor(pairs, 'docx')).toEqual([
      { name: 'pdf', common: true, converters: ['L', 'I'] },
      { name: 'png', common: true, converters: [] },
      { name: 'zzz', common: false, converters: [] },
    ])
  })
  it.each([
    ['application/pdf', 'pdf'],
    ['image/svg+xml; charset=utf-8', 'picture'],
    ['image/tiff', 'file'],
    ['text/html; charset=utf-8', 'page'],
    ['text/csv', 'text'],
    ['text/rtf', 'file'],
    ['application/json', 'text'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'file'],
    ['', 'file'],
  ])('%s is shown as %s', (mime, shown) => expect(shownAs(mime)).toBe(shown))
  it('a page to be shown begins with rules that close the network', () => {
    const page = harmless('\n<!DOCTYPE html public "x"><html><img src="https://a.example/x.png"></html>')
    expect(page).toMatch(
      /^<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none';/,
    )
    expect(page.match(/doctype/gi)).toHaveLength(1)
  })
})

it('fields of a model, as they stand in tags', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: ['string', 'number', 'null'] },
      'first name': { type: 'boolean' },
      lines: {
        type: 'array',
        items: {
          type: 'object',
          properties: { price: { type: 'number' }, day: { type: 'string', format: 'date-time' } },
        },
      },
      tags: { type: 'array', items: { type: 'string' } },
      address: { type: 'object', properties: { city: { type: 'integer' } } },
      any: {},
    },
  }
  expect(
    fieldsOf(schema, 'd').map(({ path, kind, depth }) => `${' '.repeat(depth)}${path}: ${kind}`),
  ).toEqual([
    'd.name: text',
    "d['first name']: yes or no",
    'd.lines[i]: list of objects',
    ' d.lines[i].price: number',
    ' d.lines[i].day: date and time',
    'd.tags[i]: list of texts',
    'd.address: object',
    ' d.address.city: number',
    'd.any: anything',
  ])
  expect(fieldsOf({ type: 'array', items: { properties: { a: {} } } }, 'c').map(({ path }) => path)).toEqual([
    'c[i].a',
  ])
  expect(fieldsOf(undefined, 'd')).toEqual([])
})

describe('configuration', () => {
  const before = {
    mode: 'standalone',
    origin: 'https://a.example',
    token: 't',
    version: 5,
    theme: 'auto',
    fetchOverride: undefined,
  } as const
  it('given options replace the previous ones, others stay', () => {
    expect(readConfig({ mode: 'embedded', origin: 'https://b.example/x//', token: null }, before)).toEqual({
      ...before,
      mode: 'embedded',
      origin: 'https://b.example/x',
    })
  })
  it.each([
    [null, 'The configuration must be an object.'],
    [{ mode: 'full' }, '"mode" of the configuration cannot be used.'],
    [{ origin: 'javascript:x' }, '"origin" of the configuration cannot be used.'],
    [{ theme: 'blue' }, '"theme" of the configuration cannot be used.'],
    [{ token: 5 }, '"token" of the configuration cannot be used.'],
    [{ version: 'x' }, '"version" of the configuration cannot be used.'],
    [{ fetchOverride: 1 }, '"fetchOverride" of the configuration cannot be used.'],
  ])('%j is refused', (given, message) => {
    expect(() => readConfig(given, before)).toThrow(new TypeError(message))
  })
})

it('figures in words', () => {
  expect([0, 999, 1000, 9_950, 20_480, 999_600, 4_200_000].map(sizeText)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '9.9 kB',
    '20 kB',
    '1.0 MB',
    '4.2 MB',
  ])
  expect([12.3, 999.4, 1500].map(durationText)).toEqual(['12 ms', '999 ms', '1.5 s'])
  const noon = Date.UTC(2026, 4, 3, 12)
  expect(dateText(0)).toBe('')
  expect(dateText(noon / 1000, noon, 'en-GB')).toMatch(/^\d\d:\d\d$/)
  expect(dateText(noon / 1000, noon + 3 * 86_400_000, 'en-GB')).toBe('3 May 2026')
})

it('names of files as the service sends them', () => {
  expect(fileName('inline; filename="a%20%C3%BC.pdf"')).toBe('a ü.pdf')
  expect(fileName('inline; filename="50%.pdf"')).toBe('50%.pdf')
  expect(fileName(null)).toBe('')
})

it('lists of choices', () => {
  expect(localeName('de')).toBe('Deutsch')
  expect(localeName('no such locale')).toBe('no such locale')
  expect(supported('timeZone')[0]).toBe('UTC')
  expect(supported('currency')).toContain('EUR')
})
