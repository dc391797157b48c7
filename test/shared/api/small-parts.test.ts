import { describe, expect, it } from 'vitest'
import { openapiDocument } from '../../../shared/api/openapi.ts'
import { routes } from '../../../shared/api/routes/index.ts'
import { createByteCache } from '../../../shared/byte-cache.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { parseRenderId } from '../../../shared/records/renders.ts'
import { isTemplateId, parseTemplateRef } from '../../../shared/records/templates.ts'
import { fold, trigrams } from '../../../shared/records/text.ts'
import { sanitizeReportName } from '../../../shared/render/steps/name-result.ts'
import { openCursor, sealCursor } from '../../../shared/services/cursor.ts'
import { createIds } from '../../../shared/services/ids.ts'
import { createPureHasher } from '../../../shared/services/pure-hasher.ts'

describe('ids', () => {
  it('distinguishes template IDs, version IDs and render IDs from anything else', () => {
    expect(isTemplateId('9223372036854775807')).toBe(true)
    for (const bad of ['9223372036854775808', '0', '01', '', '-1', '1.0', '１'])
      expect(isTemplateId(bad), bad).toBe(false)
    expect(parseTemplateRef('A'.repeat(64))).toEqual({ kind: 'version', id: 'a'.repeat(64) })
    expect(() => parseTemplateRef('../../etc')).toThrow('Invalid or undefined')
    for (const good of ['a'.repeat(16), `${'_'.repeat(28)}.docx`]) expect(parseRenderId(good)).toBe(good)
    for (const bad of ['', 'short', `${'a'.repeat(28)}.`, `${'a'.repeat(28)}/x`, `${'a'.repeat(28)}\0`])
      expect(() => parseRenderId(bad), bad).toThrow('Invalid or undefined')
  })

  it('makes template ids that grow, never repeat and have 18 or 19 digits, also when the clock steps back', () => {
    let now = Date.UTC(2026, 0, 1)
    const ids = createIds({ clock: { now: () => now }, node: 5 })
    const made: bigint[] = []
    for (let time = 0; time < 10_000; time++) {
      if (time === 5000) now -= 60_000
      made.push(BigInt(ids.templateId()))
    }
    expect(made.every((id, at) => at === 0 || id > made[at - 1]!)).toBe(true)
    expect(made.every((id) => isTemplateId(String(id)) && String(id).length >= 18)).toBe(true)
  })
})

describe('report names', () => {
  it('are fit for a file', () => {
    const rows: readonly [string, string][] = [
      ['  a  ', 'a'],
      ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j'],
      ['e\u0301', 'é'],
      ['x.PDF', 'x'],
      ['.pdf', 'report'],
      ['\u0000\u0007', 'report'],
      ['\ud800', '\ufffd'],
      ['😀'.repeat(60), '😀'.repeat(50)],
      ['.', 'report'],
      ['..', 'report'],
      ['\u202efdp.exe', 'fdp.exe'],
      ['\u2066a\u2069\u200f\u061c', 'a'],
    ]
    for (const [name, expected] of rows) expect(sanitizeReportName(name, 'pdf'), name).toBe(expected)
  })
})

describe('cursors', () => {
  const secret = new Uint8Array(32).fill(1)
  const cursor = { time: 1_700_000_000, id: 'ab'.repeat(32) }

  it('open with the secret, account and list that sealed them', async () => {
    const text = await sealCursor(secret, 'self', 'jobs', cursor)
    expect(await openCursor(secret, 'self', 'jobs', text)).toEqual(cursor)
    expect(await openCursor(secret, 'other', 'jobs', text)).toBeUndefined()
    expect(await openCursor(secret, 'self', 'templates', text)).toBeUndefined()
    expect(await openCursor(new Uint8Array(32), 'self', 'jobs', text)).toBeUndefined()
  })

  it('do not open when any character was changed', async () => {
    const text = await sealCursor(secret, 'self', 'jobs', cursor)
    for (let at = 0; at < text.length - 1; at++) {
      const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
      expect(await openCursor(secret, 'self', 'jobs', changed)).toBeUndefined()
    }
    for (const junk of ['', 'A', '=', 'ü', 'A'.repeat(1000)])
      expect(await openCursor(secret, 'self', 'jobs', junk)).toBeUndefined()
  })
})

describe('the template cache', () => {
  it('keeps the most recently used, loads once for all who wait', async () => {
    const cache = createByteCache({ maxBytes: 10 })
    let loads = 0
    const load = (size: number) => async () => {
      loads++
      return fromBytes(new Uint8Array(size).fill(size))
    }
    const both = await Promise.all([cache.get('a', load(4)), cache.get('a', load(4))])
    expect([loads, both[0]]).toEqual([1, new Uint8Array(4).fill(4)])
    await cache.get('b', load(4))
    await cache.get('a', load(4))
    await cache.get('c', load(4))
    expect(loads).toBe(3)
    expect(cache.bytes()).toBe(8)
    await cache.get('b', load(4))
    expect(loads).toBe(4)
    await cache.get('large', load(11))
    expect(cache.bytes()).toBe(8)
    cache.forget('c')
    cache.forget('c')
    expect(cache.bytes()).toBe(4)
  })

  it('a load that fails is tried again', async () => {
    const cache = createByteCache({ maxBytes: 10 })
    const failing = () => cache.get('a', () => Promise.reject(new Error('no')))
    await expect(failing()).rejects.toThrow('no')
    expect(await cache.get('a', async () => fromBytes(new Uint8Array(1)))).toHaveLength(1)
  })
})

describe('search text', () => {
  it('folds case and accents', () => {
    expect(fold('GRÖßE Ærø ﬁ')).toBe('grosse ærø fi')
    expect(trigrams('abcabc', 10)).toEqual(['abc', 'bca', 'cab'])
    expect(trigrams('ab', 10)).toEqual([])
  })
})

describe('the pure hasher', () => {
  it('agrees with WebCrypto however the bytes are cut', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at & 255)
    const expected = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    for (const size of [1, 63, 64, 65, 1000]) {
      const running = createPureHasher().sha256()
      for (let at = 0; at < bytes.length; at += size) running.update(bytes.subarray(at, at + size))
      expect(running.hex()).toBe(expected)
    }
  })
})

describe('openapi', () => {
  it('has a description, an answer and a unique name for each route', () => {
    const document = openapiDocument(routes, { version: '1.0.0', server: 'http://x' })
    const paths = document['paths'] as Record<string, Record<string, { responses: object }>>
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    expect(operations).toHaveLength(routes.filter(({ described }) => described !== false).length)
    for (const operation of operations) expect(Object.keys(operation.responses)).toContain('default')
    expect(JSON.parse(JSON.stringify(document))).toMatchObject({ openapi: '3.1.0' })
  })
})
