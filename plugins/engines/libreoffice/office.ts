import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Acceptance, Host } from '../../../shared/plugin/contract.ts'
import type { Confine, Pool, PoolStats, Supervise } from '../../../shared/plugin/processes.ts'
import { type BridgeUnit, bootBridge } from './bridge-unit.ts'
import { title } from './conversions.ts'
import { findInstallation, type Installation, type OfficeSearch } from './installation.ts'
import type { OfficeSettings } from './settings.ts'
import { warmUpJobs } from './warm-up.ts'

const megabyte = 2 ** 20
/** An office that has been idle for this long is stopped, except for the one that was started first. */
const idleMs = 600_000
/** Address space that an idle office maps beyond what it uses: libraries, thread stacks, fonts. */
const mappedBytes = 4 * 2 ** 30
/** How conversions run in an office without a Python that drives it. */
const slowWay = 'a process for each call, about 30 times slower'

export interface OfficePools {
  /** For all documents that leave nothing behind, one after another. */
  readonly shared: Pool<BridgeUnit>
  /**
   * For documents that leave traces in an office: one is started for each of them and ended after it. They run one at a
   * time, so that a caller who sends many of them delays only such documents.
   */
  readonly single: Pool<BridgeUnit>
}

/** The office of this machine and its processes, which are started by the first call that needs them. */
export interface Office {
  installation(): Promise<OfficeSearch>
  /** Undefined where each conversion starts a process of its own. */
  pools(): Promise<OfficePools | undefined>
  /** Creates the folder for temporary files. */
  scratchFolder(): Promise<string>
  start(): Promise<void>
  stop(): Promise<void>
  health(): Promise<Acceptance>
  accepts(): Promise<Acceptance>
  /** Undefined before the start and in cold mode. */
  stats(): PoolStats | undefined
}

export function createOffice(settings: OfficeSettings, host: Host): Office {
  let search: Promise<OfficeSearch> | undefined
  let opened: Promise<OfficePools | undefined> | undefined
  /** The shared pool, from its creation to the stop. */
  let live: Pool<BridgeUnit> | undefined
  /** Why no pool could be made; undefined once one was. */
  let poolError: string | undefined

  return { installation, pools, scratchFolder, start, stop, health, accepts, stats: () => live?.stats() }

  /** An installation that did not answer in time is searched for again by the next call. */
  function installation(): Promise<OfficeSearch> {
    search ??= findInstallation({ ...settings, probeTimeoutMs: settings.bootTimeoutMs }).then((state) => {
      if (state.kind === 'cold' && state.timedOut) {
        search = undefined
        opened = undefined
      }
      return state
    })
    return search
  }

  function pools(): Promise<OfficePools | undefined> {
    opened ??= createPools().then(
      (createdPools) => {
        poolError = undefined
        return createdPools
      },
      (error: unknown) => {
        opened = undefined
        poolError = error instanceof Error ? error.message : 'it does not start'
        throw error
      },
    )
    return opened
  }

  async function createPools(): Promise<OfficePools | undefined> {
    const state = await installation()
    if (state.kind === 'cold') host.log.warn('office.slow', { engine: title, because: state.because })
    const { supervise, confine } = host
    if (state.kind !== 'uno' || supervise === undefined || confine === undefined) return undefined
    const folder = await scratchFolder()
    const parts = { settings, host, supervise, confine, installation: state.installation, folder }
    live = createPool(parts, settings.factories)
    return { shared: live, single: createPool(parts, 1) }
  }

  async function scratchFolder(): Promise<string> {
    const folder =
      settings.scratchDir ?? (await host.scratch?.('libreoffice')) ?? join(tmpdir(), `platen-${process.pid}`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  async function start(): Promise<void> {
    const current = await pools()
    // A boot that fails is reported to each job that needs it, and tried again for it.
    await current?.shared.start().catch(() => undefined)
  }

  async function stop(): Promise<void> {
    const current = await opened
    opened = undefined
    live = undefined
    await Promise.all([current?.shared.stop(), current?.single.stop()])
  }

  async function health(): Promise<Acceptance> {
    const state = await installation()
    if (state.kind === 'none') return { ok: false, because: state.because }
    const error = poolError ?? live?.stats().bootError
    if (error !== undefined) return { ok: false, because: error }
    return state.kind === 'uno' ? { ok: true } : { ok: true, using: `${slowWay}: ${state.because}` }
  }

  async function accepts(): Promise<Acceptance> {
    const state = await installation()
    return state.kind === 'none' ? { ok: false, because: state.because } : { ok: true }
  }
}

interface PoolParts {
  readonly settings: OfficeSettings
  readonly host: Host
  readonly supervise: Supervise
  readonly confine: Confine
  readonly installation: Installation
  readonly folder: string
}

function createPool(
  { settings, host, supervise, confine, installation, folder }: PoolParts,
  units: number,
): Pool<BridgeUnit> {
  const limit = settings.memoryLimitMb * megabyte
  return supervise<BridgeUnit>({
    name: title,
    units,
    jobsPerUnit: 1,
    idleMs,
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
