import { execFileSync } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { bytesOf } from '../../shared/plugin/byte-source.ts'
import { checkBatch } from '../../shared/render/batch/check.ts'
import type { BatchRequest } from '../../shared/render/batch/split.ts'
import { render } from '../../shared/render/pipeline.ts'
import type { RenderRequest } from '../../shared/render/request.ts'
import { inlineTemplate } from '../../shared/render/template.ts'
import { docxOf } from '../helpers/docx.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const never = new AbortController().signal
const base = { hardRefresh: false, debug: false, languageLevel: 5_999_999 }

function batchOf(data: unknown, more: Partial<BatchRequest> = {}): BatchRequest {
  return { data: new TextEncoder().encode(JSON.stringify(data)), output: 'zip', onError: 'fail', ...more }
}

/** What of 4.10 does not show over HTTP, or needs a service set up otherwise. */
describe('batches of the origin', () => {
  let services: OriginServices
  let spool: string
  let stop: () => Promise<void>
  beforeAll(async () => {
    const { config, remove } = await testConfig({ nbReportMaxPerBatch: 1000, mergeWorkers: 2 })
    services = await createServices(config)
    spool = join(config.dataDir, 'blobs', 'spool', 'renders')
    stop = async () => {
      await services.stop()
      await remove()
    }
  })
  afterAll(() => stop())
  const spooled = async () => (await readdir(spool).catch(() => [])).length
  const run = async (template: Uint8Array | string, request: Partial<RenderRequest>, signal = never) => {
    const bytes = typeof template === 'string' ? new TextEncoder().encode(template) : template
    return render(services, await inlineTemplate(services, bytes), { ...base, ...request }, signal)
  }

  it('nbReportMaxPerBatch 0 switches batches off with the documented message', async () => {
    const settings = { ...services.settings, maxBatchReports: 0 }
    await expect(checkBatch({ ...services, settings }, batchOf([{}]), undefined, true)).rejects.toMatchObject(
      {
        status: 500,
        wire: 'w101',
        message: 'Unable to generate the document. Batch processing deactivated. nbReportMaxPerBatch = 0',
      },
    )
  })

  it('a batch above the limit of waiting callers needs a webhook', async () => {
    const limited = { ...services, settings: { ...services.settings, maxWaitingBatchReports: 10 } }
    const batch = batchOf(Array.from({ length: 11 }, () => ({})))
    await checkBatch(limited, batch, undefined, false)
    await expect(checkBatch(limited, batch, undefined, true)).rejects.toThrow(/must be asynchronous/)
  })

  it('1,000 letters in one zip grow memory by less than 150 MB', async () => {
    const paragraphs = Array.from({ length: 40 }, (_, at) => {
      const noise = Array.from({ length: 60 }, (_, word) => Math.imul(at * 61 + word + 1, 2654435761) >>> 0)
      return `<w:p><w:r><w:t>Dear {d.name}, ${noise.join(' ')}</w:t></w:r></w:p>`
    })
    const picture = crypto.getRandomValues(new Uint8Array(60_000))
    const letter = await docxOf(paragraphs.join(''), {
      'word/media/a.png': picture,
      'word/media/b.png': picture,
      'word/media/c.png': picture,
      'word/media/d.png': picture,
    })
    const letters = (count: number) =>
      batchOf(
        Array.from({ length: count }, (_, at) => ({ name: `No ${at}` })),
        { reportName: '{d.name}' },
      )
    await run(letter, { batch: letters(50) })
    let peak = 0
    const before = process.memoryUsage().rss
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 5)
    const { source } = await run(letter, { batch: letters(1000) })
    clearInterval(timer)
    expect(source.size).toBeGreaterThan(1000 * 240_000)
    expect((peak - before) / 1_048_576).toBeLessThan(150)
    const head = unzipSync(await bytesOf(source), { filter: ({ name }) => /^No (0|999)\.docx$/.test(name) })
    expect(Object.keys(head)).toEqual(['No 0.docx', 'No 999.docx'])
  })

  it('items that fail leave no file behind', async () => {
    const before = await spooled()
    const batch = batchOf([{ a: 1 }, { a: 2 }])
    await expect(run('{d.a:nonsense()}', { batch })).rejects.toMatchObject({ code: 'api.render.failed' })
    await expect.poll(spooled).toBe(before)
  })

  it('ends when its caller disconnects, and leaves no file behind', async () => {
    const before = await spooled()
    const control = new AbortController()
    const reports = (length: number) =>
      batchOf(Array.from({ length }, () => ({ list: [...'abcdefgh'.repeat(2000)] })))
    const template = '{d.list[i]}{d.list[i+1]}'
    const timed = async (work: () => Promise<unknown>) => {
      const started = performance.now()
      await work()
      return performance.now() - started
    }
    const ten = await timed(async () => {
      const { spool } = await run(template, { batch: reports(10) })
      if (spool !== undefined) await services.blobs.delete(spool)
    })
    const batch = reports(400)
    setTimeout(() => control.abort(), 50)
    const cut = await timed(() =>
      expect(run(template, { batch }, control.signal)).rejects.toMatchObject({ code: 'api.aborted' }),
    )
    expect(cut).toBeLessThan(20 * ten)
    await expect.poll(spooled).toBe(before)
  })

  const page = '<w:p><w:r><w:t>{d.n} page</w:t></w:r></w:p>'
  const joined = async (options: Readonly<Record<string, unknown>>) => {
    const batch = batchOf([{ n: 'first' }, { n: 'second' }, { n: 'third' }], { output: 'pdf' })
    const request = { batch, convertTo: { name: 'pdf', options } }
    const { source, format } = await run(await docxOf(page), request)
    expect(format.id).toBe('pdf')
    const folder = temporaryFolder('platen-batch')
    const path = join(folder, 'all.pdf')
    await writeFile(path, await bytesOf(source))
    try {
      const password = ['-upw', 'open']
      const [text, info] = ['pdftotext', 'pdfinfo'].map((tool) =>
        execFileSync(tool, [...password, path, ...(tool === 'pdftotext' ? ['-'] : [])], { encoding: 'utf8' }),
      )
      return { text: text ?? '', info: info ?? '' }
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  it('a batch as one PDF has the pages of all reports in order', async () => {
    const { text } = await joined({})
    expect(text.match(/\w+ page/g)).toEqual(['first page', 'second page', 'third page'])
  })

  it('a batch as one PDF is encrypted as a whole, its watermarks are those of each report', async () => {
    const options = { EncryptFile: true, DocumentOpenPassword: 'open', Watermark: 'draft' }
    const { text, info } = await joined(options)
    expect(info).toMatch(/Encrypted: +yes/)
    expect(info).toMatch(/Pages: +3/)
    expect(text.match(/\w+ page/g)).toEqual(['first page', 'second page', 'third page'])
    expect(text.replace(/\s/g, '').match(/draft/g)).toHaveLength(3)
  })
})
