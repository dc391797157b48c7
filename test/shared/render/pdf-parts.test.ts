import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { FileOperation } from '../../../shared/ports/merger.ts'
import {
  type GatherAccess,
  gatherParts,
  ignoredOperations,
  splitOptions,
} from '../../../shared/render/pdf-parts.ts'
import { failure } from '../../helpers/merge.ts'

const pdf = (name: string) => new TextEncoder().encode(`%PDF-1.4 ${name}`)
const uri = (bytes: Uint8Array) => `data:application/pdf;base64,${btoa(String.fromCharCode(...bytes))}`
const text = (files: readonly Uint8Array[]) => files.map((bytes) => new TextDecoder().decode(bytes).slice(9))

const asked: string[] = []
const access: GatherAccess = {
  authorization: 'secret',
  outbound: {
    open: () => Promise.reject(new Error('unused')),
    refuses: () => false,
    fetch: async ({ url, headers, maxBytes }) => {
      asked.push(`${url} ${headers?.['authorization']}`)
      if (url.endsWith('gone')) return { status: 404, headers: {}, body: new Uint8Array() }
      if (url.endsWith('html')) return { status: 200, headers: {}, body: new TextEncoder().encode('<p>') }
      if (url.endsWith('big'))
        return { status: 200, headers: {}, body: new Uint8Array(Math.min(maxBytes, 6_000_000)) }
      return { status: 200, headers: {}, body: pdf(url.slice(-1)) }
    },
  },
  renderTemplate: async ({ template }) => pdf(`t${template}`),
}
const gather = (operations: readonly FileOperation[]) =>
  gatherParts(access, operations, new AbortController().signal)
const append = (source: string, where: 'start' | 'end' = 'end'): FileOperation => ({
  kind: 'append',
  source,
  where,
})
const attach = (source: string, name = 'a.txt'): FileOperation => ({
  kind: 'attach',
  source,
  name,
  relationship: 'Data',
})

it('files keep the order of their tags', async () => {
  asked.length = 0
  const {
    before,
    after,
    attachments,
    markerPrefix: marks,
  } = await gather([
    append('https://x.org/a'),
    append(uri(pdf('b')), 'start'),
    { kind: 'template', template: '7', where: 'end', data: {} },
    append('https://x.org/a', 'start'),
    attach('<?xml version="1.0"?><a/>', 'a.xml'),
    { kind: 'sign', mark: '1', data: 1 },
  ])
  expect([text(before), text(after)]).toEqual([
    ['b', 'a'],
    ['a', 't7'],
  ])
  expect(new TextDecoder().decode(attachments[0]!.bytes)).toBe('<?xml version="1.0"?><a/>')
  expect(marks).toBe('https://sign.invalid/')
  // One that is used twice is fetched once, with what the caller sends along.
  expect(asked).toEqual(['https://x.org/a secret'])
})

it('a picture that is appended becomes a page, once for any number of uses', async () => {
  const picture = readFileSync(new URL('../../fixtures/images/rgb.jpg', import.meta.url))
  const source = `data:image/jpeg;base64,${picture.toString('base64')}`
  const { before, after } = await gather([append(source), append(source, 'start')])
  expect(new TextDecoder().decode(before[0]?.subarray(0, 5))).toBe('%PDF-')
  expect(before[0]).toBe(after[0])
})

describe('files that cannot be used', () => {
  it.each([
    ['missing', [append('https://x.org/gone')], 'the server answered with status 404'],
    ['no PDF', [append('https://x.org/html')], 'it is neither a PDF nor a JPEG'],
    ['no address', [append('a.pdf')], 'it is neither an address nor a data URI'],
    ['broken data', [attach('data:text/plain;base64,*')], 'its data URI cannot be read'],
    [
      'too often',
      Array.from({ length: 6 }, () => attach('https://x.org/a')),
      'the same file may be used 5 times',
    ],
    [
      'too large together',
      [attach('https://x.org/big'), attach('https://x.org/2big')],
      'larger than 10485760 bytes',
    ],
  ] as [string, FileOperation[], string][])('%s', async (_name, operations, because) => {
    const error = await failure(gather(operations))
    expect([error.code, error.message.includes(because) || error.message]).toEqual([
      'template.files.failed',
      true,
    ])
  })
})

it('options are parted; an invoice asks for a PDF/A-3 unless the caller asks for something else', () => {
  const options = { Watermarks: [], EncryptFile: true, Quality: 80, SelectPdfVersion: 1 }
  expect(splitOptions(options, [append('x')])).toEqual({
    engine: { Quality: 80, SelectPdfVersion: 1 },
    assembled: { Watermarks: [], EncryptFile: true },
  })
  expect(splitOptions(undefined, [attach('x', 'factur-x.xml')]).engine).toEqual({ SelectPdfVersion: 3 })
  expect(splitOptions(options, [attach('x', 'factur-x.xml')]).engine).toMatchObject({ SelectPdfVersion: 1 })
  expect(splitOptions({ SelectPdfVersion: 0 }, [attach('x', 'factur-x.xml')]).engine).toEqual({})
})

it('another output warns about what it ignored', () => {
  expect(ignoredOperations([])).toEqual([])
  const [warning] = ignoredOperations([append('x'), append('y'), attach('z')])
  expect(warning).toEqual({
    code: 'template.files.ignored',
    message: 'Only a PDF can have appendFile, attachFile, so they were ignored.',
  })
})
