/** One unit of the pool: a `bridge.py` with its LibreOffice. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Confine, ProgramUnit } from '../../../shared/plugin/processes.ts'
import { prepareShareFolder } from './comment-window.ts'
import { writeFontConfig } from './fonts.ts'
import { type BridgeFrame, encodeFrame, readFrames } from './frames.ts'
import { type Installation, pythonFlags } from './installation.ts'
import { makeProfile } from './profile.ts'

/** The bridge is copied for each unit, since its user may not be able to enter the folder of the service. */
const scripts = ['bridge.py', 'drawings.py', 'style_sheets.py']

/** Replaces each match of the expression `from` in a part by `to`. */
export interface PackageEdit {
  readonly part: string
  readonly from: string // a regular expression in the syntax of Python
  readonly to: string
}

/** A request to `bridge.py`. The bytes of the document follow it. */
export interface BridgeRequest {
  readonly load: Readonly<Record<string, unknown>> // media descriptor
  readonly store: Readonly<Record<string, unknown>>
  /** Runs the conversion in a separate office by its command line, in the same sandbox. */
  readonly cold?: { readonly input: readonly string[]; readonly output: string }
  readonly service?: string // the UNO service that the loaded document must support
  readonly refresh?: boolean
  readonly place?: string // the URL that the document is loaded under
  readonly asFile?: boolean // stored through a temporary file of the unit
  /** Converted to a package of OpenOffice.org 1 after the export. */
  readonly classic?: { readonly class: string; readonly mime: string }
  /** Changes to parts of the package after the export. */
  readonly edits?: readonly PackageEdit[]
  /** Converts a presentation that was exported as a drawing; see `drawings.py`. */
  readonly drawing?: boolean
  /** The style sheet that flat OpenDocument is transformed by after the export; see `style_sheets.py`. */
  readonly sheet?: 'uof-text' | 'uof-sheets' | 'uof-slides' | 'word-2003' | 'xhtml-slides'
  readonly masters?: boolean // copies the content of master pages onto the pages before the export
  readonly eachPage?: string // media type of the file that is written for each page or slide
  /** A PNG filter that is given one side of a picture; the other follows from its result. */
  readonly shapeFrom?: string
  readonly countPages?: boolean // counts pages, slides or sheets, for a warning
  readonly countLost?: boolean // counts what plain text leaves out of a text, for a warning
}
const countNames = ['pages', 'notes', 'comments', 'equations', 'charts', 'emptyContents'] as const

/** Numbers that the office counted in a document, if the request asked for them. */
export interface DocumentCounts {
  readonly pages?: number
  readonly notes?: number // footnotes and endnotes
  readonly comments?: number
  readonly equations?: number
  readonly charts?: number
  readonly emptyContents?: number // tables of contents without entries after a refresh
}

export type BridgeReply =
  | ({ readonly ok: true; readonly files: readonly Uint8Array[] } & DocumentCounts)
  | { readonly ok: false; readonly kind: 'password' | 'document' | 'failed'; readonly because: string }

export interface BridgeUnit extends ProgramUnit {
  readonly isolated: boolean // no network, and no files but its own and those of the system
  readonly warmUp: (() => Promise<void>)[]
  /** `leavesTraces`: the office is ended after this document even if it succeeds. */
  convert(request: BridgeRequest, source: Uint8Array, leavesTraces?: boolean): Promise<BridgeReply>
}

export interface BridgeSettings {
  readonly installation: Installation
  readonly confine: Confine
  readonly folder: string // where units put their profiles and temp files
  readonly fontsDir: string | undefined // fonts of the operator
  readonly addressSpaceBytes: number // 0: unlimited
  readonly bootTimeoutMs: number
}

/** Starts a unit and waits for its first answer. */
export async function bootBridge(settings: BridgeSettings, signal: AbortSignal): Promise<BridgeUnit> {
  const { installation } = settings
  const pipe = `platen-${process.pid}-${randomBytes(6).toString('hex')}`
  const root = join(settings.folder, pipe)
  let user = -1
  let release = () => {}
  const discard = async () => {
    await rm(root, { recursive: true, force: true, maxRetries: 3 })
    for (const path of socketsOf(user, pipe, join(root, 'profile'), join(root, 'tmp', 'cold', 'profile')))
      await rm(path, { force: true })
    release()
  }
  try {
    const { profile, scratch } = await makeProfile(root, installation.buildId)
    const fonts = await writeFontConfig({
      program: installation.program,
      folder: root,
      fontsDir: settings.fontsDir,
      index: scratch,
    })
    const shareFolder = await prepareShareFolder(root, installation.program)
    const bridgeFolder = join(root, 'bridge')
    await mkdir(bridgeFolder)
    for (const name of scripts)
      await copyFile(fileURLToPath(new URL(name, import.meta.url)), join(bridgeFolder, name))
    const config = {
      program: installation.program,
      profile,
      scratch,
      pipe,
      addressSpace: settings.addressSpaceBytes,
      bootSeconds: settings.bootTimeoutMs / 1000,
      arguments: shareFolder === undefined ? [] : [shareFolder.argument],
    }
    const flags = pythonFlags(installation.pythonEnvironment)
    const args = [...flags, join(bridgeFolder, 'bridge.py'), JSON.stringify(config)]
    const confined = await settings.confine(installation.python, args, {
      own: [root],
      sockets: socketFolders,
      read: [dirname(dirname(installation.program)), ...fonts.folders],
    })
    ;({ release, user } = confined)
    const child = spawn(confined.command, confined.args, {
      // The bridge leads a process group, so that one signal ends it and the office.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: scratch,
      env: environment(settings, scratch, fonts.path),
    })
    const { network, files } = confined.isolation
    return await connected(new BridgeConnection(child, discard, network && files), profile, signal)
  } catch (error) {
    await discard()
    throw error
  }
}

/** The folder in which the office always creates its sockets. */
export const socketFolders = ['/tmp', '/var/tmp']

/**
 * The sockets that an office leaves behind when it is killed: that of the bridge, and one for each profile, by which
 * a second office finds the first. When the system knows the user, their names contain it.
 */
export function socketsOf(user: number, pipe: string, ...profiles: readonly string[]): readonly string[] {
  const names = [
    pipe,
    ...profiles.map((profile) => `SingleOfficeIPC_${digestOf(pathToFileURL(profile).href)}`),
  ]
  return socketFolders.flatMap((folder) =>
    names.flatMap((name) => [join(folder, `OSL_PIPE_${name}`), join(folder, `OSL_PIPE_${user}_${name}`)]),
  )
}

/** MD5 of the UTF-16 text, its bytes as hexadecimal numbers without leading zeros. */
function digestOf(url: string): string {
  const bytes = createHash('md5').update(Buffer.from(url, 'utf16le')).digest()
  return [...bytes].map((byte) => byte.toString(16)).join('')
}

/** Waits for the first answer, which describes what was started. */
async function connected(unit: BridgeConnection, profile: string, signal: AbortSignal): Promise<BridgeUnit> {
  const giveUp = () => unit.kill()
  signal.addEventListener('abort', giveUp, { once: true })
  if (signal.aborted) giveUp()
  try {
    const hello = await unit.next()
    if (hello.head['ok'] !== true) throw new Error(`LibreOffice does not start: ${hello.head['because']}`)
    await unit.watch(profile)
    return unit
  } catch (error) {
    unit.kill()
    await unit.ended
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** The environment of the office: only what it needs of that of the service. */
function environment(settings: BridgeSettings, scratch: string, fontConfig: string): NodeJS.ProcessEnv {
  const { PATH, LANG } = process.env
  return {
    PATH: PATH ?? '/usr/bin:/bin',
    LANG: LANG?.includes('UTF-8') ? LANG : 'C.UTF-8',
    HOME: scratch,
    TMPDIR: scratch,
    TZ: 'UTC',
    SAL_USE_VCLPLUGIN: 'svp',
    // Returns the memory of a document to the system instead of keeping it in a pool for each thread.
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    FONTCONFIG_FILE: fontConfig,
    // pyuno finds the types of the office through these.
    ...settings.installation.pythonEnvironment,
  }
}

class BridgeConnection implements BridgeUnit {
  readonly pid: number
  readonly ended: Promise<void>
  readonly warmUp: (() => Promise<void>)[] = []
  readonly discard: () => Promise<void>
  readonly isolated: boolean
  /** The office keeps data of a document that no other document may access. */
  spent = false
  #profile = ''
  #files: readonly string[] = []
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  #waiting: { resolve(frame: BridgeFrame): void; reject(error: Error): void } | undefined
  #exited = false

  constructor(
    child: ChildProcessByStdio<Writable, Readable, null>,
    discard: () => Promise<void>,
    isolated: boolean,
  ) {
    this.isolated = isolated
    this.#child = child
    // A program that could not be started has no pid; 'error' comes instead of 'exit'.
    this.pid = child.pid ?? -1
    this.discard = discard
    this.ended = new Promise((resolve) => {
      const over = () => {
        this.#exited = true
        this.#fail()
        resolve()
      }
      child.once('exit', over)
      child.once('error', over)
    })
    // EPIPE; the end of the process is handled elsewhere.
    child.stdin.on('error', () => undefined)
    child.stdout.on('error', () => undefined)
    readFrames(child.stdout, (frame) => {
      const waiting = this.#waiting
      this.#waiting = undefined
      waiting?.resolve(frame)
    })
  }

  /** From now on, files that appear in this profile are leftovers of documents. */
  async watch(profile: string): Promise<void> {
    this.#profile = profile
    this.#files = await foreignFiles(profile)
  }

  async convert(request: BridgeRequest, source: Uint8Array, leavesTraces = false): Promise<BridgeReply> {
    try {
      return await this.#convert(request, source)
    } finally {
      this.spent ||= leavesTraces || (await hasLeftovers(this.#profile, this.#files))
    }
  }

  async #convert(request: BridgeRequest, source: Uint8Array): Promise<BridgeReply> {
    const { head, payload } = await this.#request({ kind: 'convert', ...request }, source)
    if (head['ok'] === true) {
      const counts = countNames.flatMap((name) => {
        const count = head[name]
        return typeof count === 'number' ? [[name, count] as const] : []
      })
      return {
        ok: true,
        files: cut(payload, head['sizes'] as readonly number[]),
        ...Object.fromEntries(counts),
      }
    }
    return head as unknown as BridgeReply
  }

  async ping(): Promise<void> {
    await this.#request({ kind: 'ping' })
  }

  async stop(): Promise<void> {
    this.#child.stdin.end()
    await this.ended
  }

  kill(): void {
    if (this.pid <= 0 || this.#exited) return
    try {
      process.kill(-this.pid, 'SIGKILL')
    } catch {
      // The process has ended already.
    }
  }

  next(): Promise<BridgeFrame> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      if (this.#exited) this.#fail()
    })
  }

  #request(head: Readonly<Record<string, unknown>>, payload?: Uint8Array): Promise<BridgeFrame> {
    if (this.#waiting !== undefined) throw new AppError('api.internal')
    const answer = this.next()
    for (const part of encodeFrame(head, payload)) this.#child.stdin.write(part)
    return answer
  }

  #fail(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.reject(new Error('LibreOffice is gone'))
  }
}

function cut(payload: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  let at = 0
  return sizes.map((size) => {
    const file = payload.subarray(at, at + size)
    at += size
    return file
  })
}

/**
 * Files that the office writes for itself, whatever it opens: settings, caches of extensions, a log. Any other new
 * file in the profile came from a document: an office stores fonts of documents in its profile and uses them until it
 * ends.
 */
const officeFiles = [
  /^registrymodifications\.xcu$/,
  /^[A-Za-z0-9]{6}$/, // becomes registrymodifications.xcu; observed in LibreOffice 7.4
  /^GraphicsRenderTests\.log$/,
  /^(?:uno_packages|extensions)(?:\/|$)/,
]

/**
 * Files below the user's part of a profile that no office writes for itself, sorted. Folders are ignored: Writer
 * creates an empty one for corrections with its first document, and ending the office for that reason would limit it
 * to one document.
 */
export async function foreignFiles(profile: string): Promise<readonly string[]> {
  const user = join(profile, 'user')
  const entries = await readdir(user, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(user, join(entry.parentPath, entry.name)))
    .filter((name) => !officeFiles.some((pattern) => pattern.test(name)))
    .sort()
}

/** Whether a document left something behind since `before` was listed. A profile that cannot be read counts as changed. */
export async function hasLeftovers(profile: string, before: readonly string[]): Promise<boolean> {
  const now = await foreignFiles(profile).catch(() => undefined)
  return now === undefined || now.some((name) => !before.includes(name))
}
