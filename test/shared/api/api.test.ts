import { describe, expect, it } from 'vitest'
import { createClientLimit, readVersion } from '../../../shared/api/api.ts'
import type { Reply } from '../../../shared/api/call.ts'

describe('versions', () => {
  it('reads versions', () => {
    const rows: readonly [string | undefined, 3 | 4 | 5, boolean][] = [
      [undefined, 5, false],
      ['', 5, false],
      ['4', 4, false],
      ['v4', 4, false],
      ['5.x', 5, false],
      ['5.15.0', 5, false],
      ['2', 3, true],
      ['17', 5, true],
      ['latest', 5, true],
    ]
    for (const [header, major, isAdjusted] of rows)
      expect(readVersion(header, 5)).toEqual({ major, isAdjusted })
  })
})

const ok: Reply = { status: 200, headers: {}, body: { kind: 'none' } }

describe('the limit of a client', () => {
  it('limits simultaneous calls of each client; unknown clients share no limit', async () => {
    const limit = createClientLimit(2)
    const ends: (() => void)[] = []
    const call = (client: string | undefined) =>
      limit(client, () => new Promise<Reply>((end) => ends.push(() => end(ok))))
    const first = [call('a'), call('a')]
    await expect(call('a')).rejects.toMatchObject({ code: 'api.too-many', status: 429 })
    const others = [call('b'), call(undefined), call(undefined), call(undefined)]
    for (const end of ends) end()
    expect(await Promise.all([...first, ...others])).toEqual(Array(6).fill(ok))
    const again = call('a')
    ends.at(-1)!()
    expect(await again).toBe(ok)
  })

  it('a call that fails frees its slot too', async () => {
    const limit = createClientLimit(1)
    for (let time = 0; time < 3; time++)
      await expect(limit('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('a reply that is made while it is sent counts until it has been sent', async () => {
    const limit = createClientLimit(1)
    const sent: boolean[] = []
    const finished = async (complete: boolean) => void sent.push(complete)
    const streamed: Reply = { ...ok, body: { kind: 'stream', stream: new ReadableStream() }, finished }
    const reply = await limit('a', async () => streamed)
    await expect(limit('a', async () => ok)).rejects.toMatchObject({ code: 'api.too-many' })
    await reply.finished?.(false)
    expect([await limit('a', async () => ok), sent]).toEqual([ok, [false]])
  })

  it('without a number there is no limit', async () => {
    const limit = createClientLimit(undefined)
    expect(await Promise.all(Array.from({ length: 50 }, () => limit('a', async () => ok)))).toHaveLength(50)
  })
})
