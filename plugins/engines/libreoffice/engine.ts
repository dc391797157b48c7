import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { XmlFault } from '../../../shared/document/xml-cursor.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { type Scan, scanIncoming } from '../../../shared/office/incoming/scan.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type {
  ConvertJob,
  Engine,
  FormatId,
  Host,
  Made,
  Verdict,
  Warning,
} from '../../../shared/plugin/contract.ts'
import type { Confine, Pool, PoolStats, Supervise } from '../../../shared/plugin/processes.ts'
import { defaultLimits } from '../../../shared/template/limits.ts'
import { type BridgeReply, type BridgeRequest, type BridgeUnit, bootBridge } from './bridge-unit.ts'
import { convertCold } from './cold.ts'
import { inputArguments, outputFilter } from './command-line.ts'
import { wayOf } from './conversions.ts'
import { corrections } from './corrections.ts'
import { type Found, findInstallation, type Installation } from './installation.ts'
import type { OfficeOptions } from './options/schema.ts'
import { type Prepared, prepare } from './request.ts'
import { isOtherPackage, looksEncrypted } from './sealed.ts'
import type { OfficeSettings } from './settings.ts'
import { warmUpJobs } from './warm-up.ts'

export const title = 'LibreOffice'
const megabyte = 2 ** 20
/** Address space that an idle office maps beyond what it uses: libraries, thread stacks, fonts. */
const mappedBytes = 4 * 2 ** 30
/** Of an office that no Python drives. */
const slowWay = 'a process for each call, about 30 times slower'

interface OfficePools {
  /** For the documents of everybody, one after another. */
  readonly shared: Pool<BridgeUnit>
  /**
   * For documents that leave something behind: an office is started for each and ended behind it. One at a time, so that
   * whoever sends many of them waits for himself.
   */
  readonly single: Pool<BridgeUnit>
}

export interface OfficeEngine extends Engine<OfficeOptions> {
  /** For health, tests and the bench; undefined before the start and in cold mode. */
  stats(): PoolStats | undefined
}

export function createEngine(settings: OfficeSettings, host: Host): OfficeEngine {
  let found: Promise<Found> | undefined
  let pools: Promise<OfficePools | undefined> | undefined
  let live: Pool<BridgeUnit> | undefined

  return { accepts, convert, start, stop, health, stats: () => live?.stats() }

  function installation(): Promise<Found> {
    found ??= findInstallation(settings)
    return found
  }

  function ready(): Promise<OfficePools | undefined> {
    pools ??= createPools()
    return pools
  }

  async function createPools(): Promise<OfficePools | undefined> {
    const state = await installation()
    if (state.kind === 'cold') host.log.warn('office.slow', { engine: title, because: state.because })
    const { supervise, confine } = host
    if (state.kind !== 'uno' || supervise === undefined || confine === undefined) return undefined
    const folder = await scratchFolder()
    const create = (units: number) => createPool({ supervise, confine }, state.installation, folder, units)
    live = create(settings.factories)
    return { shared: live, single: create(1) }
  }

  function createPool(
    { supervise, confine }: { readonly supervise: Supervise; readonly confine: Confine },
    installation: Installation,
    folder: string,
    units: number,
  ): Pool<BridgeUnit> {
    const limit = settings.memoryLimitMb * megabyte
    return supervise<BridgeUnit>({
      name: title,
      units,
      jobsPerUnit: 1,
      queueSize: settings.queueSize,
      bootTimeoutMs: settings.bootTimeoutMs,
      memoryLimitBytes: limit,
      recycleAboveBytes: Math.min(settings.recycleMb, settings.memoryLimitMb) * megabyte,
      attempts: settings.attempts,
      abortGraceMs: 0,
      boot: async (signal) => {
        const unit = await bootBridge(
          {
            installation,
            confine,
            folder,
            fontsDir: settings.fontsDir,
            addressSpaceBytes: limit + mappedBytes,
            bootTimeoutMs: settings.bootTimeoutMs,
          },
          signal,
        )
        if (!unit.isolated) host.log.warn('office.not-isolated', { engine: title })
        return warmUpJobs(unit)
      },
    })
  }

  async function scratchFolder(): Promise<string> {
    const folder =
      settings.scratchDir ?? (await host.scratch?.('libreoffice')) ?? join(tmpdir(), `platen-${process.pid}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  async function start(): Promise<void> {
    const current = await ready()
    // A boot that fails is told to each job that needs it, and tried again for it.
    await current?.shared.start().catch(() => undefined)
  }

  async function stop(): Promise<void> {
    const current = await pools
    pools = undefined
    live = undefined
    await Promise.all([current?.shared.stop(), current?.single.stop()])
  }

  async function health(): Promise<Verdict> {
    const state = await installation()
    if (state.kind === 'none') return { ok: false, because: state.because }
    const error = live?.stats().bootError
    if (error !== undefined) return { ok: false, because: error }
    return state.kind === 'uno' ? { ok: true } : { ok: true, using: `${slowWay}: ${state.because}` }
  }

  async function accepts(): Promise<Verdict> {
    const state = await installation()
    return state.kind === 'none' ? { ok: false, because: state.because } : { ok: true }
  }

  async function convert(job: ConvertJob<OfficeOptions>, signal: AbortSignal): Promise<Made> {
    const { from, to } = job
    const way = wayOf(from, to)
    if (way === undefined) throw new AppError('convert.pair', { engine: title, from, to })
    const bytes = await bytesOf(job.source)
    if (bytes.length === 0)
      throw new AppError('convert.document', { engine: title, from, because: 'it is empty' })
    if (looksEncrypted(from, bytes)) throw new AppError('convert.password', { from })
    if (isOtherPackage(from, bytes))
      throw new AppError('convert.document', {
        engine: title,
        from,
        because: 'its content is of another kind',
      })
    const scan = scanned(bytes, from)
    const prepared = prepare(way, to, job.options, scan.bytes)
    const current = await ready()
    const reply =
      current === undefined
        ? await runCold(job, prepared, signal)
        : await runWarm(current, job, { prepared, leavesTraces: scan.leavesTraces }, signal)
    if (!reply.ok && reply.kind === 'failed' && job.options.given['PageRange'] !== undefined)
      await refuseNoPages(job, signal)
    if (!reply.ok) throw errorOf(reply, from, to)
    const correct = corrections[to]
    const files = wantsGrey(to, job.options)
      ? await Promise.all(reply.files.map((file) => greyPng(file, job.options)))
      : correct === undefined
        ? reply.files
        : reply.files.map(correct)
    const [value, ...more] = files.map(fromBytes)
    if (value === undefined) throw new AppError('api.internal')
    return {
      value,
      ...(more.length > 0 && { pages: [value, ...more] }),
      warnings: [...scan.warnings, ...warningsOf(prepared, reply, to)],
    }
  }

  /** What cannot be looked into is not opened: nobody could say what it would load. */
  function scanned(bytes: Uint8Array, from: FormatId): Scan {
    try {
      return scanIncoming(bytes, from, { codec: host.codec, limits: defaultLimits })
    } catch (error) {
      if (error instanceof AppError && error.code === 'package.encrypted')
        throw new AppError('convert.password', { from })
      const known =
        error instanceof XmlFault || (error instanceof AppError && error.code.startsWith('package.'))
      if (!known) throw error
      const because = error instanceof XmlFault ? error.message : 'its package is damaged or too large'
      throw new AppError('convert.document', { engine: title, from, because }, { cause: error })
    }
  }

  /** An export of none of the pages just fails: when it succeeds with all of them it was that. */
  async function refuseNoPages(job: ConvertJob<OfficeOptions>, signal: AbortSignal): Promise<void> {
    const { PageRange: _, ...given } = job.options.given
    const whole = { ...job, options: { ...job.options, given } }
    if (
      await convert(whole, signal).then(
        () => false,
        () => true,
      )
    )
      return
    const rule = 'must name at least one page of the document'
    throw new AppError('convert.options', { option: 'PageRange', rule })
  }

  /** The PNG filter of the office has no grey. */
  async function greyPng(tile: Uint8Array, { given }: OfficeOptions): Promise<Uint8Array> {
    if (host.encodePicture === undefined)
      throw new AppError('convert.options', { option: 'ColorMode', rule: 'cannot be 1 for PNG on this side' })
    const compression = (given['Compression'] as number | undefined) ?? 0
    const interlaced = given['Interlaced'] === 1
    return host.encodePicture({ tiles: [tile], to: 'png', greyscale: true, compression, interlaced })
  }

  async function runWarm(
    pools: OfficePools,
    job: ConvertJob<OfficeOptions>,
    { prepared: { request, source }, leavesTraces }: { prepared: Prepared; leavesTraces: boolean },
    signal: AbortSignal,
  ): Promise<BridgeReply> {
    const poolJob = { deadline: job.deadline, signal, doing: `converting ${job.from} to ${job.to}` }
    const current = leavesTraces ? pools.single : pools.shared
    try {
      return await current.run(poolJob, (unit) => unit.convert(request, source, leavesTraces))
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'convert.crashed' || needsUno(request)) throw error
      const cold = { input: inputArguments(request.load), output: outputFilter(request.store) }
      const reply = await current.run(poolJob, (unit) => unit.convert({ ...request, cold }, source))
      if (!reply.ok) throw error
      return reply
    }
  }

  async function runCold(
    job: ConvertJob<OfficeOptions>,
    prepared: Prepared,
    signal: AbortSignal,
  ): Promise<BridgeReply> {
    const state = await installation()
    if (state.kind === 'none')
      throw new AppError('convert.engine-off', { engine: title, because: state.because })
    if (needsUno(prepared.request))
      throw new AppError('convert.engine-off', { engine: title, because: 'this takes a Python with UNO' })
    const program = state.kind === 'cold' ? state.program : state.installation.program
    if (host.confine === undefined)
      throw new AppError('convert.engine-off', { engine: title, because: 'this side runs no programs' })
    const folder = await scratchFolder()
    const extension = host.format(job.to)?.extensions[0] ?? job.to
    return convertCold(
      { program, folder, fontsDir: settings.fontsDir, confine: host.confine, now: host.now },
      { from: job.from, to: job.to, deadline: job.deadline, prepared, extension },
      signal,
    )
  }
}

function wantsGrey(to: FormatId, { given }: OfficeOptions): boolean {
  return to === 'png' && given['ColorMode'] === 1
}

/** What the command line of the office has no way to do. */
function needsUno({ refresh, classic, edits, drawing, sheet, eachPage }: BridgeRequest): boolean {
  return refresh === true || [classic, edits, drawing, sheet, eachPage].some((wish) => wish !== undefined)
}

function errorOf(reply: Extract<BridgeReply, { ok: false }>, from: FormatId, to: FormatId): AppError {
  switch (reply.kind) {
    case 'password':
      return new AppError('convert.password', { from })
    case 'document':
      return new AppError('convert.document', { engine: title, from, because: reply.because })
    case 'failed':
      return new AppError('convert.failed', { engine: title, from, to, because: reply.because })
    default:
      return reply.kind satisfies never
  }
}

function warningsOf(
  prepared: Prepared,
  reply: Extract<BridgeReply, { ok: true }>,
  to: FormatId,
): readonly Warning[] {
  const warnings: Warning[] = prepared.ignored.map((name) => ({
    code: 'convert.option-ignored',
    message: `Option ${name} means nothing for ${to}.`,
  }))
  if (reply.pages !== undefined && reply.pages > 1)
    warnings.push({
      code: 'convert.first-page-only',
      message: `The document has ${reply.pages} pages or sheets; ${to} shows the first.`,
    })
  return warnings
}
