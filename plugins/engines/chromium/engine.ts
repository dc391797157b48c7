import { mkdir } from 'node:fs/promises'
import { AppError } from '../../../shared/errors/app-error.ts'
import { withRequestedPage } from '../../../shared/flow/page-style.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Acceptance, ConvertJob, Engine, Host } from '../../../shared/plugin/contract.ts'
import { decodeMarkup } from '../../../shared/plugin/decode-markup.ts'
import { ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { Confine, Pool, PoolStats, Supervise } from '../../../shared/plugin/processes.ts'
import type { ByteSource, FormatId, Outcome, Warning } from '../../../shared/plugin/values.ts'
import { type BrowserUnit, bootBrowser } from './browser-unit.ts'
import { conversions, title } from './conversions.ts'
import { withInformation } from './information.ts'
import { type BrowserSearch, findBrowser } from './installation.ts'
import { withoutLargePictures } from './large-pictures.ts'
import { type BrowserChecked, idleOptions } from './options.ts'
import type { BrowserPage, Loaded, PageSource } from './page.ts'
import { drawPage, type ScreenshotFormat, windowOf } from './picture.ts'
import { printPage, singlePageWindow } from './print.ts'
import type { BrowserSettings } from './settings.ts'
import { temporaryFolder } from './temporary.ts'

type Options = BrowserChecked
type BrowserJob = ConvertJob<Options>

const megabyte = 2 ** 20
/** The browser is killed if a page is not closed within this time. */
const abortGraceMs = 2_000
/** HTML of this size takes minutes to lay out. */
const maxMarkup = 64 * megabyte

export interface BrowserEngine extends Engine<Options> {
  /** For health, tests and the bench; undefined before the first document. */
  stats(): PoolStats | undefined
}

export function createEngine(settings: BrowserSettings, host: Host): BrowserEngine {
  let search: Promise<BrowserSearch> | undefined
  let pool: Promise<Pool<BrowserUnit>> | undefined
  let runningPool: Pool<BrowserUnit> | undefined

  return { accepts, convert, stop, health, stats: () => runningPool?.stats() }

  function installation(): Promise<BrowserSearch> {
    search ??= findBrowser(settings.browser)
    return search
  }

  /** The first document starts the browser, so that a service that converts no web pages has no browser. */
  function ready(): Promise<Pool<BrowserUnit>> {
    pool ??= createPool()
    return pool
  }

  async function createPool(): Promise<Pool<BrowserUnit>> {
    const state = await installation()
    if (state.kind === 'none') throw unavailable(state.because)
    const { supervise, confine } = host
    if (supervise === undefined || confine === undefined) throw unavailable('this host cannot run programs')
    const folder = await scratchFolder()
    runningPool = superviseBrowser({ settings, host, supervise, confine, program: state.program, folder })
    return runningPool
  }

  async function scratchFolder(): Promise<string> {
    const folder = settings.scratchDir ?? (await host.scratch?.('chromium')) ?? (await temporaryFolder())
    await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
      throw new AppError('convert.disk', { engine: title }, { cause })
    })
    return folder
  }

  async function stop(): Promise<void> {
    const current = await pool?.catch(() => undefined)
    pool = undefined
    runningPool = undefined
    await current?.stop()
  }

  async function health(): Promise<Acceptance> {
    const state = await installation()
    if (state.kind === 'none') return { ok: false, because: state.because }
    const error = runningPool?.stats().bootError
    return error === undefined ? { ok: true } : { ok: false, because: error }
  }

  async function accepts(): Promise<Acceptance> {
    const state = await installation()
    return state.kind === 'none' ? { ok: false, because: state.because } : { ok: true }
  }

  async function convert(job: BrowserJob, signal: AbortSignal): Promise<Outcome<ByteSource>> {
    const { from, to } = job
    if (!conversions.some((pair) => pair.from === from && pair.to === to))
      throw new AppError('convert.pair', { engine: title, from, to })
    const bytes = await bytesOf(job.source)
    const { sources, warnings } = sourcesOf(from, bytes, job.options.given)
    const current = await ready().catch((error: unknown) => {
      pool = undefined
      throw error
    })
    const { deadline, client } = job
    const poolJob = { deadline, signal, client, doing: `converting ${from} to ${to}` }
    const result = await current.run(poolJob, (unit, ends) => {
      const draw = () => unit.use(ends, (page) => convertOn(host, page, sources, job, ends))
      // The process of a page may end without its browser. The page is then tried once more, as the pool does with a
      // browser.
      return draw().catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'convert.crashed' || ends.aborted) throw error
        return draw()
      })
    })
    const idle = idleOptions(to, job.options.given)
    const ignored = ignoredWarnings({ names: [...job.options.unknown, ...idle] }, to)
    return { value: fromBytes(result.bytes), warnings: [...warnings, ...result.warnings, ...ignored] }
  }
}

interface BrowserParts {
  readonly settings: BrowserSettings
  readonly host: Host
  readonly supervise: Supervise
  readonly confine: Confine
  readonly program: string
  readonly folder: string
}

/** A pool of one browser. Each of its pages runs one job. */
function superviseBrowser({
  settings,
  host,
  supervise,
  confine,
  program,
  folder,
}: BrowserParts): Pool<BrowserUnit> {
  return supervise<BrowserUnit>({
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
          program,
          folder,
          fontsDir,
          bootTimeoutMs,
          confine,
          socketFolder: host.socketFolder ?? temporaryFolder,
        },
        signal,
      )
      const { network, files } = unit.isolation
      if (!network || !files || !unit.sandboxed)
        host.log.warn('browser.not-isolated', { network, files, sandbox: unit.sandboxed })
      return unit
    },
  })
}

async function convertOn(
  host: Host,
  page: BrowserPage,
  sources: readonly PageSource[],
  { from, to, options: { given }, egressAuthorization }: BrowserJob,
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
    await Promise.all([page.medium('print'), page.viewport(singlePageWindow(given))])
    const { facts, warnings } = await load()
    const pdf = await printPage(page, facts, given)
    const { author, subject, description, keywords } = facts.information
    const properties = {
      title: facts.title,
      author,
      subject: subject ?? description,
      keywords,
      now: host.now(),
    }
    return { bytes: withInformation(pdf.bytes, properties), warnings: [...warnings, ...pdf.warnings] }
  }
  await Promise.all([page.medium('screen'), page.viewport(windowOf(given))])
  const { facts, warnings } = await load()
  const drawn = await drawPage(page, facts, {
    to: to as ScreenshotFormat,
    options: given,
    encode: host.encodePicture,
  })
  return { bytes: drawn, warnings }
}

/** The ways to read a document, the strict one first. */
function sourcesOf(
  from: FormatId,
  bytes: Uint8Array,
  options: BrowserJob['options']['given'],
): { readonly sources: readonly PageSource[]; readonly warnings: readonly Warning[] } {
  if (bytes.length === 0)
    throw new AppError('convert.document', { engine: title, from, because: 'it is empty' })
  if (bytes.length > maxMarkup)
    throw new AppError('convert.document', {
      engine: title,
      from,
      because: `it has more than ${maxMarkup / megabyte} MB`,
    })
  if (bytes.subarray(0, 1024).includes(0) && !isUtf16(bytes))
    throw new AppError('convert.document', { engine: title, from, because: 'it is not text' })
  if (from === 'svg') {
    // The bytes are passed unchanged, because the file declares its own encoding.
    const { text, warnings } = withoutLargePictures(Buffer.from(bytes).toString('latin1'))
    const markup = warnings.length === 0 ? bytes : Buffer.from(text, 'latin1')
    return { sources: [{ kind: 'xml', bytes: markup, type: 'image/svg+xml' }], warnings }
  }
  const { text, warnings } = withoutLargePictures(withRequestedPage(decodeMarkup(bytes), options))
  const html: PageSource = { kind: 'html', text }
  // HTML with an XML declaration is read as HTML, as browsers read a file with the name of HTML. XHTML that is not
  // well-formed is read as HTML too, and so is XHTML with style sheets in comments, as older pages have them.
  if (from !== 'xhtml' || /<style\b[^>]*>\s*<!--/i.test(text)) return { sources: [html], warnings }
  const asUtf8 = new TextEncoder().encode(text.replace(/^\s*<\?xml[^>]*\?>/, ''))
  const xml: PageSource = { kind: 'xml', bytes: asUtf8, type: 'application/xhtml+xml; charset=utf-8' }
  return { sources: [xml, html], warnings }
}

function isUtf16([a, b]: Uint8Array): boolean {
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)
}

function unavailable(because: string): AppError {
  return new AppError('convert.engine-off', { engine: title, because })
}
