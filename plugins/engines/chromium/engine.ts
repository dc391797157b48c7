import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type {
  ByteSource,
  ConvertJob,
  Engine,
  FormatId,
  Host,
  Outcome,
  Verdict,
  Warning,
} from '../../../shared/plugin/contract.ts'
import { decodeMarkup } from '../../../shared/plugin/decode-markup.ts'
import type { Pool, PoolStats } from '../../../shared/plugin/processes.ts'
import { type BrowserUnit, bootBrowser } from './browser-unit.ts'
import { conversions, title } from './conversions.ts'
import { withInformation } from './information.ts'
import { type Found, findBrowser } from './installation.ts'
import { withoutLargePictures } from './large-pictures.ts'
import { type BrowserChecked, idleOptions } from './options.ts'
import type { Loaded, Page, PageSource } from './page.ts'
import { drawPage, type Picture, windowOf } from './picture.ts'
import { printPage } from './print.ts'
import type { BrowserSettings } from './settings.ts'

type Options = BrowserChecked
type Job = ConvertJob<Options>

const megabyte = 2 ** 20
/** A page is closed within this, or the browser is killed. */
const abortGraceMs = 2_000
/** HTML of this size takes minutes to lay out. */
const mostMarkup = 64 * megabyte

export interface BrowserEngine extends Engine<Options> {
  /** For health, tests and the bench; undefined before the first document. */
  stats(): PoolStats | undefined
}

export function createEngine(settings: BrowserSettings, host: Host): BrowserEngine {
  let found: Promise<Found> | undefined
  let pool: Promise<Pool<BrowserUnit>> | undefined
  let live: Pool<BrowserUnit> | undefined

  return { accepts, convert, stop, health, stats: () => live?.stats() }

  function installation(): Promise<Found> {
    found ??= findBrowser(settings.browser)
    return found
  }

  /** The browser is started by its first document: a service that converts no web pages never pays for it. */
  function ready(): Promise<Pool<BrowserUnit>> {
    pool ??= createPool()
    return pool
  }

  async function createPool(): Promise<Pool<BrowserUnit>> {
    const state = await installation()
    if (state.kind === 'none') throw off(state.because)
    const { supervise, confine, socketFolder } = host
    if (supervise === undefined || confine === undefined) throw off('this side runs no programs')
    const folder = await scratchFolder()
    live = supervise<BrowserUnit>({
      name: title,
      units: 1,
      jobsPerUnit: settings.pages,
      queueSize: settings.queueSize,
      bootTimeoutMs: settings.bootTimeoutMs,
      memoryLimitBytes: settings.memoryLimitMb * megabyte,
      recycleAboveBytes: Math.min(settings.recycleMb, settings.memoryLimitMb) * megabyte,
      recycleAfterJobs: settings.recycleJobs,
      attempts: settings.attempts,
      abortGraceMs,
      boot: async (signal) => {
        const { fontsDir, bootTimeoutMs } = settings
        const unit = await bootBrowser(
          {
            program: state.program,
            folder,
            fontsDir,
            bootTimeoutMs,
            confine,
            socketFolder: socketFolder ?? (() => mkdtemp(join(tmpdir(), 'platen-web-'))),
          },
          signal,
        )
        const { network, files } = unit.isolation
        if (!network || !files || !unit.sandboxed)
          host.log.warn('browser.not-isolated', { network, files, sandbox: unit.sandboxed })
        return unit
      },
    })
    return live
  }

  async function scratchFolder(): Promise<string> {
    const folder =
      settings.scratchDir ?? (await host.scratch?.('chromium')) ?? join(tmpdir(), `platen-web-${process.pid}`)
    await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
      throw new AppError('convert.disk', { engine: title }, { cause })
    })
    return folder
  }

  async function stop(): Promise<void> {
    const current = await pool?.catch(() => undefined)
    pool = undefined
    live = undefined
    await current?.stop()
  }

  async function health(): Promise<Verdict> {
    const state = await installation()
    if (state.kind === 'none') return { ok: false, because: state.because }
    const error = live?.stats().bootError
    return error === undefined ? { ok: true } : { ok: false, because: error }
  }

  async function accepts(): Promise<Verdict> {
    const state = await installation()
    return state.kind === 'none' ? { ok: false, because: state.because } : { ok: true }
  }

  async function convert(job: Job, signal: AbortSignal): Promise<Outcome<ByteSource>> {
    const { from, to } = job
    if (!conversions.some((pair) => pair.from === from && pair.to === to))
      throw new AppError('convert.pair', { engine: title, from, to })
    const bytes = await bytesOf(job.source)
    const { sources, warnings } = sourcesOf(from, bytes)
    const current = await ready().catch((error: unknown) => {
      pool = undefined
      throw error
    })
    const poolJob = { deadline: job.deadline, signal, doing: `converting ${from} to ${to}` }
    const run = () =>
      current.run(poolJob, (unit, ends) => unit.use(ends, (page) => convertOn(page, sources, job, ends)))
    // The process of one page may go without its browser: that page is tried again as the pool does with a browser.
    const made = await run().catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'convert.crashed' || signal.aborted) throw error
      return run()
    })
    const idle = idleOptions(to, job.options.given)
    const ignored = [...job.options.unknown, ...idle].map((name) => ({
      code: 'convert.option-ignored',
      message: `Option ${name.replace(/[^\w.-]/g, '?').slice(0, 60)} means nothing for ${to}.`,
    }))
    return { value: fromBytes(made.bytes), warnings: [...warnings, ...made.warnings, ...ignored] }
  }

  async function convertOn(
    page: Page,
    sources: readonly PageSource[],
    { from, to, options: { given }, egressAuthorization }: Job,
    signal: AbortSignal,
  ): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly Warning[] }> {
    const scope = () => ({ outbound: host.outbound, authorization: egressAuthorization, signal })
    const load = async (): Promise<Loaded> => {
      const extra: Warning[] = []
      for (const source of sources) {
        const loaded = await page.load(source, scope())
        if (!loaded.facts.broken) return { ...loaded, warnings: [...loaded.warnings, ...extra] }
        extra.push({
          code: 'web.not-well-formed',
          message: 'The page is not well-formed XML; it was read as HTML.',
        })
      }
      throw new AppError('convert.document', { engine: title, from, because: 'it is not well-formed XML' })
    }
    if (to === 'pdf') {
      await Promise.all([page.medium('print'), page.viewport(undefined)])
      const { facts, warnings } = await load()
      const pdf = await printPage(page, facts, given)
      const { author, subject, description, keywords } = facts.information
      const about = { title: facts.title, author, subject: subject ?? description, keywords, now: host.now() }
      return { bytes: withInformation(pdf, about), warnings }
    }
    await Promise.all([page.medium('screen'), page.viewport(windowOf(given))])
    const { facts, warnings } = await load()
    const drawn = await drawPage(page, facts, {
      to: to as Picture,
      options: given,
      encode: host.encodePicture,
    })
    return { bytes: drawn, warnings }
  }
}

/** How a document may be read, the strict way first. */
function sourcesOf(
  from: FormatId,
  bytes: Uint8Array,
): { readonly sources: readonly PageSource[]; readonly warnings: readonly Warning[] } {
  if (bytes.length === 0)
    throw new AppError('convert.document', { engine: title, from, because: 'it is empty' })
  if (bytes.length > mostMarkup)
    throw new AppError('convert.document', {
      engine: title,
      from,
      because: `it has more than ${mostMarkup / megabyte} MB`,
    })
  if (bytes.subarray(0, 1024).includes(0) && !isUtf16(bytes))
    throw new AppError('convert.document', { engine: title, from, because: 'it is not text' })
  if (from === 'svg') {
    // Byte for byte: the file says itself in which encoding it is.
    const { text, warnings } = withoutLargePictures(Buffer.from(bytes).toString('latin1'))
    const left = warnings.length === 0 ? bytes : Buffer.from(text, 'latin1')
    return { sources: [{ kind: 'xml', bytes: left, type: 'image/svg+xml' }], warnings }
  }
  const { text, warnings } = withoutLargePictures(decodeMarkup(bytes))
  const html: PageSource = { kind: 'html', text }
  // What calls itself XML is read as such, and as HTML when it is not.
  if (from !== 'xhtml' && !/^\s*<\?xml\s/.test(text)) return { sources: [html], warnings }
  const asUtf8 = new TextEncoder().encode(text.replace(/^\s*<\?xml[^>]*\?>/, ''))
  const xml: PageSource = { kind: 'xml', bytes: asUtf8, type: 'application/xhtml+xml; charset=utf-8' }
  return { sources: [xml, html], warnings }
}

function isUtf16([a, b]: Uint8Array): boolean {
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
}

function off(because: string): AppError {
  return new AppError('convert.engine-off', { engine: title, because })
}
