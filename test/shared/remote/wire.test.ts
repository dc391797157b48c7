import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import {
  frameJob,
  type RemoteJob,
  readConversions,
  readError,
  readJob,
  readWarnings,
  writeError,
  writeWarnings,
} from '../../../shared/remote/wire.ts'

const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const job: RemoteJob = {
  from: 'docx',
  to: 'pdf',
  options: { a: 'é' },
  hardRefresh: true,
  remainingMs: 5,
  letter: 'L',
}

describe('jobs', () => {
  it('arrive as they were sent', () => {
    const framed = frameJob(job)
    expect(new DataView(framed.buffer).getUint32(0)).toBe(framed.byteLength - 4)
    expect(readJob(framed.subarray(4))).toEqual(job)
  })

  const wrong: readonly unknown[] = [
    '',
    'x',
    'null',
    '[]',
    {},
    { ...job, from: 1 },
    { ...job, to: undefined },
    { ...job, options: [] },
    { ...job, letter: 5 },
    { ...job, remainingMs: '5' },
    { ...job, remainingMs: null },
  ]
  it.each(wrong)('%j is none', (value) => {
    expect(readJob(bytes(value))).toBeUndefined()
  })

  it('text that is not UTF-8 is none', () => {
    expect(readJob(new Uint8Array([0x22, 0xff, 0x22]))).toBeUndefined()
  })
})

describe('warnings', () => {
  it('travel in a header, as many as fit', () => {
    const warnings = Array.from({ length: 100 }, (_, n) => ({
      code: 'c',
      message: `Größe ${n} 🐎`.repeat(20),
    }))
    const text = writeWarnings(warnings)
    expect(text).toMatch(/^[\x21-\x7e]{1,6000}$/)
    const found = readWarnings(text)
    expect(found.length).toBeGreaterThan(3)
    expect(found).toEqual(warnings.slice(0, found.length))
  })

  it.each([null, '', 'x', '%', '{}', '[1,{"code":"c"}]'])('%j holds none', (text) => {
    expect(readWarnings(text)).toEqual([])
  })
})

describe('errors', () => {
  it('keep code, details and problems, and lose their cause', () => {
    const place = { part: 'word/document.xml', tag: '{d.a' }
    const problems = [{ code: 'api.not-found', message: 'm', place }] as const
    const cause = new Error('/etc/secret')
    const sent = new AppError('convert.origin-needed', { from: 'docx', to: 'pdf' }, { problems, cause })
    const found = readError(JSON.parse(JSON.stringify(writeError(sent))))!
    expect(found.message).toBe(sent.message)
    expect([found.code, found.details, found.problems, found.cause]).toEqual([
      'convert.origin-needed',
      { from: 'docx', to: 'pdf' },
      problems,
      undefined,
    ])
  })

  it.each([
    null,
    'x',
    [],
    {},
    { code: 'none.such', details: {} },
    { code: 'toString', details: {} },
    { code: 'api.not-found' },
  ])('%j is none that is known here', (value) => {
    expect(readError(value)).toBeUndefined()
  })
})

describe('conversions', () => {
  const row = { from: 'a', to: 'b', fidelity: 'high', cost: 5, letter: 'L' }
  it('are taken when every row is one', () => {
    expect(readConversions({ conversions: [row, { ...row, letter: undefined }] })).toHaveLength(2)
  })
  it.each([{ from: 1 }, { to: null }, { fidelity: 'best' }, { cost: '5' }, { letter: 7 }])(
    'not with %j',
    (change) => {
      expect(readConversions({ conversions: [row, { ...row, ...change }] })).toBeUndefined()
    },
  )
})
