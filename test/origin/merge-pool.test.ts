import { afterAll, describe, expect, it } from 'vitest'
import { createMergePool } from '../../origin/merge-pool.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import type { MergeJob } from '../../shared/ports/index.ts'

const setup = {
  workers: 1,
  memoryMb: 256,
  plugins: [],
  folder: '.',
  cacheBytes: 10_000_000,
  templateBytes: 20_971_520,
}
const pool = createMergePool(setup)
afterAll(() => pool.stop())

const never = new AbortController().signal

function job(template: string, data: string, names?: Record<string, string>): MergeJob {
  const text = new TextEncoder().encode(template)
  const bytes = new Uint8Array(new SharedArrayBuffer(text.length))
  bytes.set(text)
  return {
    template: { hash: template, bytes, format: 'txt' },
    data: { text: data },
    options: { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5_999_999, names },
  }
}

/** Keeps a worker busy for minutes with little to write: 50,000 tags that each join 50,000 texts. */
function endless(): MergeJob {
  const list = JSON.stringify(Array.from({ length: 50_000 }, (_, at) => `text ${at}`))
  return job(`{d.list:arrayJoin(', '):len}`.repeat(50_000), `{"list":${list}}`)
}

describe('the merge pool', () => {
  it('fills a template whose bytes are shared memory, and names with it', async () => {
    const { value } = await pool.merge(job('Hi {d.a}', '{"a":"Ann"}', { reportName: 'for {d.a}' }), never)
    expect(new TextDecoder().decode(await bytesOf(value.document))).toBe('Hi Ann')
    expect([value.format, value.names, value.planReused]).toEqual(['txt', { reportName: 'for Ann' }, false])
    expect((await pool.merge(job('Hi {d.a}', '{}'), never)).value.planReused).toBe(true)
  })

  it('errors come over with code, details and problems', async () => {
    const failed = await pool
      .merge(job('{d.a:nonsense()} {d.b:other()}', '{}'), never)
      .catch((error) => error)
    expect(failed).toBeInstanceOf(AppError)
    expect(failed.code).toMatch(/^template\./)
    expect(failed.problems.length).toBeGreaterThanOrEqual(2)
    const invalid = await pool.merge(job('x', '{"a":'), never).catch((error) => error)
    expect([invalid.code, invalid.details.field]).toEqual(['template.data', 'data'])
  })

  it('a worker that is stuck is ended and replaced, and others are served on', async () => {
    const control = new AbortController()
    const timeout = new AppError('api.render.timeout', { ms: 100 })
    setTimeout(() => control.abort(timeout), 100)
    await expect(pool.merge(endless(), control.signal)).rejects.toBe(timeout)
    const { value } = await pool.merge(job('still {d.a}', '{"a":"here"}'), never)
    expect(new TextDecoder().decode(await bytesOf(value.document))).toBe('still here')
  })

  it('jobs beyond the queue are refused at once, those in it are done', async () => {
    const small = createMergePool({ ...setup, queueSize: 3 })
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => small.merge(job('Hi {d.a}', '{}'), never)),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect([answers.length, refused.length]).toEqual([20, 16])
    for (const { reason } of refused) expect([reason.code, reason.status]).toEqual(['api.too-many', 429])
    await small.merge(job('Hi {d.a}', '{}'), never)
    await small.stop()
  })

  it('a thread that grew is replaced, and no task is lost by that', async () => {
    const small = createMergePool({ ...setup, memoryMb: 512 })
    const large = job('{d.a}', `{"a":1,"rows":[${'[],'.repeat(4_000_000)}0]}`)
    const answers = await Promise.all(
      [large, job('Hi {d.a}', '{"a":"Ann"}'), large, job('Hi {d.a}', '{"a":"Bo"}')].map((each) =>
        small.merge(each, never),
      ),
    )
    const texts = answers.map(async ({ value }) => new TextDecoder().decode(await bytesOf(value.document)))
    expect(await Promise.all(texts)).toEqual(['1', 'Hi Ann', '1', 'Hi Bo'])
    expect(small.figures()).toMatchObject({ workers: 1, replaced: expect.toSatisfy((count) => count >= 1) })
    await small.stop()
  })

  it('a signal that fired before costs nothing', async () => {
    await expect(pool.merge(job('x', '{}'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('check opens a file and says what is wrong with it', async () => {
    await pool.check!({ hash: 'x', bytes: new Uint8Array([1]), format: 'txt' }, never)
    const zip = new Uint8Array(300)
    zip.set([0x50, 0x4b, 3, 4])
    await expect(pool.check!({ hash: 'z', bytes: zip, format: 'docx' }, never)).rejects.toMatchObject({
      code: expect.stringMatching(/^package\./),
    })
  })
})
