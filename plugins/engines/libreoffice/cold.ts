/**
 * A process per document, through libreoffice-convert: what is left when no Python speaks UNO here. Twenty times slower
 * than the warm way, and it tells less about what is wrong with a document; profile, network and options are the same.
 */
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import office from 'libreoffice-convert'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { FormatId } from '../../../shared/plugin/contract.ts'
import type { Confine } from '../../../shared/plugin/processes.ts'
import { type BridgeReply, socketFolders, socketsOf } from './bridge-unit.ts'
import { inputArguments, outputFilter } from './command-line.ts'
import { writeFontConfig } from './fonts.ts'
import { buildIdOf } from './installation.ts'
import { makeProfile } from './profile.ts'
import type { Prepared } from './request.ts'

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
  readonly prepared: Prepared
  readonly extension: string // of the output
}

/** Its typings leave out the last option, which its code hands to execFile. */
type Options = NonNullable<Parameters<typeof office.convertWithOptions>[3]> & {
  readonly execOptions: Readonly<Record<string, unknown>>
}

/** Converts one document. `signal` and the deadline kill the process. */
export async function convertCold(parts: ColdParts, job: ColdJob, signal: AbortSignal): Promise<BridgeReply> {
  const root = join(parts.folder, `cold-${randomBytes(6).toString('hex')}`)
  const { profile, scratch } = await makeProfile(root, await buildIdOf(parts.program))
  const fonts = await writeFontConfig(root, parts.fontsDir, scratch)
  const confined = await parts.confine(parts.program, [], {
    own: [root],
    sockets: socketFolders,
    read: [dirname(dirname(parts.program)), ...fonts.folders],
  })
  const left = Math.max(job.deadline - parts.now(), 1)
  const ends = AbortSignal.any([signal, AbortSignal.timeout(Math.min(left, 2 ** 31 - 1))])
  const { load, store } = job.prepared.request
  const options: Options = {
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
        // /proc is out of reach, and without it the loader does not find the libraries beside the program.
        LD_LIBRARY_PATH: dirname(parts.program),
        PLATEN_OFFICE: [confined.command, ...confined.args].join('\n'),
        PLATEN_PROFILE: pathToFileURL(profile).href,
      },
    },
  }
  try {
    const bytes = await new Promise<Uint8Array | undefined>((resolve) => {
      office.convertWithOptions(
        Buffer.from(job.prepared.source),
        job.extension,
        outputFilter(store),
        options,
        (error, data) => resolve(error === null || error === undefined ? data : undefined),
      )
    })
    if (signal.aborted) throw signal.reason
    if (ends.aborted) throw new AppError('convert.timeout', { doing: `converting ${job.from} to ${job.to}` })
    if (bytes === undefined || bytes.length === 0)
      return { ok: false, kind: 'document', because: 'it is damaged, protected, or not of this type' }
    return { ok: true, files: [new Uint8Array(bytes)] }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
    for (const path of socketsOf(confined.user, '', profile)) await rm(path, { force: true })
    confined.release()
  }
}
