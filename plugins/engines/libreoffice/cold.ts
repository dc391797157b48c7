/**
 * Converts each document in a process of its own, through libreoffice-convert, for machines without a Python with
 * UNO. This is about twenty times slower than the pool and reports less detailed errors. Profile, network and options
 * are the same.
 */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import office from 'libreoffice-convert'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Confine } from '../../../shared/plugin/processes.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'
import { type BridgeReply, socketFolders, socketsOf } from './bridge-unit.ts'
import { inputArguments, outputFilter } from './command-line.ts'
import { title } from './conversions.ts'
import { writeFontConfig } from './fonts.ts'
import { buildIdOf } from './installation.ts'
import { makeProfile } from './profile.ts'
import type { PreparedRequest } from './request.ts'

const wrapper = fileURLToPath(new URL('cold-office.sh', import.meta.url))
const maxOutputBytes = 2 ** 20

export interface ColdParts {
  readonly program: string // soffice.bin
  readonly folder: string // for profiles and temp files
  readonly fontsDir: string | undefined
  readonly confine: Confine
  readonly now: () => number
}
export interface ColdJob {
  readonly from: FormatId
  readonly to: FormatId
  readonly deadline: number // ms since the epoch
  readonly prepared: PreparedRequest
  readonly extension: string // of the output
}

/** The types of the package lack the last option, which its code passes to execFile. */
type LibreConvertOptions = NonNullable<Parameters<typeof office.convertWithOptions>[3]> & {
  readonly execOptions: Readonly<Record<string, unknown>>
}

/**
 * Converts one document. `signal` and the deadline kill the process. A process that was killed for any other reason
 * is started once more.
 */
export async function convertCold(parts: ColdParts, job: ColdJob, signal: AbortSignal): Promise<BridgeReply> {
  const reply = (await convertOnce(parts, job, signal)) ?? (await convertOnce(parts, job, signal))
  if (reply === undefined) throw new AppError('convert.crashed', { engine: title })
  return reply
}

/** Undefined where the process was killed. */
async function convertOnce(
  parts: ColdParts,
  job: ColdJob,
  signal: AbortSignal,
): Promise<BridgeReply | undefined> {
  const root = join(parts.folder, `cold-${randomBytes(6).toString('hex')}`)
  const { profile, scratch } = await makeProfile(root, await buildIdOf(parts.program))
  const fonts = await writeFontConfig({
    program: parts.program,
    folder: root,
    fontsDir: parts.fontsDir,
    index: scratch,
  })
  const confined = await parts.confine(parts.program, [], {
    own: [root],
    sockets: socketFolders,
    read: [dirname(dirname(parts.program)), ...fonts.folders],
  })
  const left = Math.max(job.deadline - parts.now(), 1)
  const ends = AbortSignal.any([signal, AbortSignal.timeout(Math.min(left, 2 ** 31 - 1))])
  const { load, store } = job.prepared.request
  const options: LibreConvertOptions = {
    tmpOptions: { tmpdir: scratch },
    fileName: `source.${job.from}`,
    sofficeBinaryPaths: [wrapper],
    sofficeAdditionalArgs: inputArguments(load),
    asyncOptions: { times: 1 },
    execOptions: {
      signal: ends,
      killSignal: 'SIGKILL',
      maxBuffer: maxOutputBytes,
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        HOME: scratch,
        TMPDIR: scratch,
        TZ: 'UTC',
        SAL_USE_VCLPLUGIN: 'svp',
        FONTCONFIG_FILE: fonts.path,
        // /proc is inaccessible, and without it the loader does not find the libraries next to the program.
        LD_LIBRARY_PATH: dirname(parts.program),
        PLATEN_OFFICE: [confined.command, ...confined.args].join('\n'),
        PLATEN_PROFILE: pathToFileURL(profile).href,
      },
    },
  }
  try {
    let killed = false
    const bytes = await new Promise<Uint8Array | undefined>((resolve) => {
      office.convertWithOptions(
        Buffer.from(job.prepared.source),
        job.extension,
        outputFilter(store),
        options,
        (error, data) => {
          killed = wasKilled(error)
          resolve(error === null || error === undefined ? data : undefined)
        },
      )
    })
    if (signal.aborted) throw signal.reason
    if (ends.aborted) throw new AppError('convert.timeout', { doing: `converting ${job.from} to ${job.to}` })
    if (killed) return undefined
    if (bytes === undefined || bytes.length === 0)
      return { ok: false, kind: 'document', because: 'it is damaged, protected, or not of this type' }
    return { ok: true, files: [new Uint8Array(bytes)] }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
    for (const path of socketsOf(confined.user, '', profile)) await rm(path, { force: true })
    confined.release()
  }
}

/** Whether the error of `execFile` means that the program, or the launcher on its behalf, was ended by SIGKILL. */
function wasKilled(error: unknown): boolean {
  const { signal, code } = (error ?? {}) as { readonly signal?: unknown; readonly code?: unknown }
  return signal === 'SIGKILL' || code === 128 + constants.signals.SIGKILL
}
