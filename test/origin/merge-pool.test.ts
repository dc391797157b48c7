import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createMergePool } from '../../origin/merge-pool.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import type { MergeJob } from '../../shared/ports/index.ts'
import { zipOf } from '../helpers/docx.ts'
import { wordParts } from '../helpers/laid-out.ts'
import { useTemporary } from '../helpers/temporary.ts'

const temporary = useTemporary()

const setup = {
  workers: 1,
  keepsOne: true,
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
  it('starts no thread before the first job, unless one is kept ready', async () => {
    const idle = createMergePool({ ...setup, workers: 3, keepsOne: false })
    try {
      expect(idle.figures().workers).toBe(0)
      await idle.merge(job('{d.a}', '{"a":1}'), never)
      expect(idle.figures().workers).toBe(1)
    } finally {
      await idle.stop()
    }
    expect(pool.figures().workers).toBe(1)
    await pool.warm()
    expect(pool.figures()).toMatchObject({ workers: 1, waiting: 0 })
  })

  it('reads documents before an office opens them: first their pictures, then their links', async () => {
    const link = (type: string, url: string) =>
      `<Relationship Id="${type}" Type="urn:x/${type}" TargetMode="External" Target="${url}"/>`
    const bytes = await zipOf({
      '[Content_Types].xml': '<Types xmlns="urn:types"></Types>',
      'word/document.xml': '<d/>',
      'word/_rels/document.xml.rels': `<Relationships>${link('image', 'https://example.org/a.png')}${link('oleObject', 'file:///a')}</Relationships>`,
    })
    const document = { bytes, from: 'docx' }
    expect(await pool.scan(document, never)).toEqual({
      kind: 'pictures',
      urls: ['https://example.org/a.png'],
    })
    const pictures = new Map([['https://example.org/a.png', { failed: 'the server cannot be reached' }]])
    const scan = await pool.scan({ ...document, pictures }, never)
    expect(scan).toMatchObject({ kind: 'scanned', leavesTraces: false, bytes: expect.any(Uint8Array) })
    expect('warnings' in scan && scan.warnings.map(({ message }) => message)).toEqual([
      'One link of the document to a picture outside of it was not followed: the server cannot be reached.',
      'One link of the document to an object outside of it was not followed.',
    ])
    const plain = new TextEncoder().encode('neither')
    expect(await pool.scan({ bytes: plain, from: 'docx' }, never)).toMatchObject({ kind: 'refused' })
    expect(await pool.scan({ bytes: plain, from: 'txt' }, never)).toEqual({
      kind: 'scanned',
      warnings: [],
      leavesTraces: false,
    })
  })

  it('fills a template whose bytes are shared memory, and names with it', async () => {
    const { value } = await pool.merge(job('Hi {d.a}', '{"a":"Ann"}', { reportName: 'for {d.a}' }), never)
    expect(new TextDecoder().decode(await bytesOf(value.document))).toBe('Hi Ann')
    expect([value.format, value.names, value.planReused]).toEqual(['txt', { reportName: 'for Ann' }, false])
    expect((await pool.merge(job('Hi {d.a}', '{}'), never)).value.planReused).toBe(true)
  })

  it('errors arrive with code, details and problems', async () => {
    const failed = await pool
      .merge(job('{d.a:nonsense()} {d.b:other()}', '{}'), never)
      .catch((error) => error)
    expect(failed).toBeInstanceOf(AppError)
    expect(failed.code).toMatch(/^template\./)
    expect(failed.problems.length).toBeGreaterThanOrEqual(2)
    const invalid = await pool.merge(job('x', '{"a":'), never).catch((error) => error)
    expect([invalid.code, invalid.details.field]).toEqual(['template.data', 'data'])
  })

  it('a worker that hangs is replaced, while others are served', async () => {
    const control = new AbortController()
    const timeout = new AppError('api.render.timeout', { ms: 100 })
    setTimeout(() => control.abort(timeout), 100)
    await expect(pool.merge(endless(), control.signal)).rejects.toBe(timeout)
    const { value } = await pool.merge(job('still {d.a}', '{"a":"here"}'), never)
    expect(new TextDecoder().decode(await bytesOf(value.document))).toBe('still here')
  })

  it('a caller that aborts is answered before the thread is free, and the thread counts as used until then', async () => {
    const small = createMergePool({ ...setup, queueSize: 0 })
    const control = new AbortController()
    const works = small.merge(endless(), control.signal)
    control.abort(new AppError('api.aborted'))
    await expect(works).rejects.toMatchObject({ code: 'api.aborted' })
    await expect(small.merge(job('Hi {d.a}', '{}'), never)).rejects.toMatchObject({ code: 'api.too-many' })
    await small.stop()
  })

  it('a job that waited for a thread until its deadline says so, the running one does not', async () => {
    const small = createMergePool(setup)
    const control = new AbortController()
    const works = small.merge(endless(), control.signal).catch((error) => error.code)
    const waits = small.merge(job('Hi {d.a}', '{}'), control.signal).catch((error) => error.code)
    control.abort(new AppError('api.render.timeout', { ms: 100 }))
    expect(await Promise.all([works, waits])).toEqual(['api.render.timeout', 'convert.busy'])
    await small.stop()
  })

  it('jobs beyond the queue are refused at once, and those in it are done', async () => {
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

  it('a template in shared memory counts once for a thread, however often it is merged', async () => {
    const small = createMergePool({ ...setup, memoryMb: 512 })
    const picture = new Uint8Array(2_000_000)
    for (let at = 0, seed = 1; at < picture.length; at++) {
      seed = (seed * 69_069 + 1) >>> 0
      picture[at] = seed >>> 24
    }
    const parts = wordParts({ body: '<w:p><w:r><w:t>{d.a}</w:t></w:r></w:p>' })
    const zip = await zipOf({ ...Object.fromEntries(parts), 'word/media/image1.png': picture })
    const bytes = new Uint8Array(new SharedArrayBuffer(zip.length))
    bytes.set(zip)
    const template = { hash: 'with a picture', bytes, format: 'docx' }
    for (let time = 0; time < 100; time++) await small.merge({ ...job('', '{"a":1}'), template }, never)
    expect(small.figures()).toMatchObject({ workers: 1, replaced: 0 })
    await small.stop()
  })

  it('a thread frees the memory of a large document when the pool is idle', async () => {
    const small = createMergePool({ ...setup, memoryMb: 2048 })
    const parsed = job('{d.a}', `{"a":1,"rows":[${'[],'.repeat(3_000_000)}0]}`)
    await small.merge(parsed, never)
    const full = process.memoryUsage.rss()
    await expect.poll(() => full - process.memoryUsage.rss(), { interval: 100 }).toBeGreaterThan(80_000_000)
    // Text in shared memory is freed at once. This thread keeps its copy of it for as long as the text.
    const text = new TextEncoder().encode(`{"a":1}${' '.repeat(140_000_000)}`)
    const before = process.memoryUsage.rss()
    await small.merge({ ...job('{d.a}', ''), data: { text } }, never)
    const grown = () => process.memoryUsage.rss() - before
    await expect.poll(grown, { interval: 100 }).toBeLessThan(text.length + 80_000_000)
    const { value } = await small.merge(job('Hi {d.a}', '{"a":"Ann"}'), never)
    expect(new TextDecoder().decode(await bytesOf(value.document))).toBe('Hi Ann')
    await small.stop()
  })

  it('a merge whose thread ends before it is ready runs in the next one, and fails when none starts', async () => {
    const folder = temporary()
    mkdirSync(folder)
    const started = join(folder, 'started')
    // Each thread that imports this plugin ends, up to the given number of threads.
    const plugin = (ending: number) => `
      import { appendFileSync, readFileSync } from 'node:fs'
      appendFileSync(${JSON.stringify(started)}, 'x')
      if (readFileSync(${JSON.stringify(started)}, 'utf8').length <= ${ending}) process.exit(1)
      export default { kind: 'format', id: 'nothing', family: 'text', mime: ['text/x-nothing'], extensions: ['nothing'] }
    `
    const path = join(folder, 'ends.mjs')
    const starts = () => readFileSync(started, 'utf8').length
    const failing = { ...setup, keepsOne: false, plugins: [path] }

    writeFileSync(path, plugin(1))
    const mended = createMergePool(failing)
    const { value } = await mended.merge(job('Hi {d.a}', '{"a":"Ann"}'), never)
    expect(new TextDecoder().decode(await bytesOf(value.document))).toBe('Hi Ann')
    expect(starts()).toBe(2)
    await mended.stop()

    writeFileSync(path, plugin(1000))
    const broken = createMergePool(failing)
    await expect(broken.merge(job('Hi {d.a}', '{}'), never)).rejects.toThrow('did not start')
    expect(starts()).toBe(5)
    await broken.stop()
  })

  it('a signal that fired before costs nothing', async () => {
    await expect(pool.merge(job('x', '{}'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  })

  it('check opens a file and reports what is wrong with it', async () => {
    await pool.check!({ hash: 'x', bytes: new Uint8Array([1]), format: 'txt' }, never)
    const zip = new Uint8Array(300)
    zip.set([0x50, 0x4b, 3, 4])
    await expect(pool.check!({ hash: 'z', bytes: zip, format: 'docx' }, never)).rejects.toMatchObject({
      code: expect.stringMatching(/^package\./),
    })
  })
})
