/** One browser as the pool sees it: how it is started, and its pages, which are reused. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import puppeteer, { type Browser } from 'puppeteer-core'
import type { Confine, Isolation, ProgramUnit } from '../../../shared/plugin/processes.ts'
import { writeFontConfig } from './fonts.ts'
import { Page } from './page.ts'
import { pipeTransport } from './transport.ts'

/** Debian's start script of the whole browser reads its options there, and ends where it cannot. */
const configuration = ['/etc/chromium', '/etc/chromium.d']

export interface BootSettings {
  readonly program: string
  readonly folder: string // where browsers put their profiles and temp files
  readonly fontsDir: string | undefined
  readonly socketFolder: () => Promise<string>
  readonly confine: Confine
  readonly bootTimeoutMs: number
}

export interface BrowserUnit extends ProgramUnit {
  readonly isolation: Isolation
  readonly sandboxed: boolean // the browser's own sandbox is on
  /** Gives a free page to `work` and takes it back: cleared, or replaced when it is worn or `work` failed. */
  use<T>(signal: AbortSignal, work: (page: Page) => Promise<T>): Promise<T>
}

/** A page and its process are given up after so many documents. */
const documentsAPage = 200
/** A browser whose helpers have gone answers questions and opens no page any more. Opening one takes a tenth of a second. */
const longestOpenMs = 15_000
/** Shared memory of containers is small by default: then pictures of pages go through the temp folder. */
const sharedMemoryBytes = 512 * 2 ** 20

/** What a browser has for people, and what would put frames into processes of their own. */
const unused = [
  'IsolateOrigins',
  'site-per-process',
  'SpareRendererForSitePerProcess',
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'DialMediaRouteProvider',
  'AcceptCHFrame',
  'InterestFeedContentSuggestions',
  // Buttons of the window that are pages themselves: a second process beside that of each page, busy whenever it loads.
  'WebUIReloadButton',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // A thread in each process that looks after the others, also in the one that is started for every print.
  'EnableHangWatcher',
]

/** Nothing it could do by itself, nothing it could say to anyone. */
const flags = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--no-service-autorun',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-gpu',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-sync',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  // Frames stay in the process of their page, where our gate sees what they ask for.
  '--disable-site-isolation-trials',
  `--disable-features=${unused.join(',')}`,
  '--export-tagged-pdf',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--hide-scrollbars',
  '--metrics-recording-only',
  '--mute-audio',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disk-cache-size=1',
  // Whatever our gate did not answer ends nowhere.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
]

/** The browser says so, and ends, where the system does not let it make the namespaces of its sandbox. */
const sandboxRefused = /No usable sandbox!/
const complaintBytes = 16_384

/**
 * Starts a browser with its own sandbox, or without when it says that there can be none: the fences that it is started
 * in stand in either case. Whatever else fails is a failed start.
 */
export async function bootBrowser(settings: BootSettings, signal: AbortSignal): Promise<BrowserUnit> {
  try {
    return await boot(settings, true, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof SandboxRefused)) throw error
    return await boot(settings, false, signal)
  }
}

class SandboxRefused extends Error {}

async function boot(settings: BootSettings, sandboxed: boolean, signal: AbortSignal): Promise<BrowserUnit> {
  const root = join(settings.folder, `browser-${randomBytes(6).toString('hex')}`)
  const temporary = await settings.socketFolder()
  let release = () => {}
  const discard = async () => {
    for (const folder of [root, temporary])
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    release()
  }
  try {
    await mkdir(root, { recursive: true, mode: 0o700 })
    const fonts = await writeFontConfig(root, settings.fontsDir)
    const sharedMemory = await statfs('/dev/shm').then(
      ({ bavail, bsize }) => bavail * bsize,
      () => 0,
    )
    const args = [
      ...flags,
      ...(sandboxed ? [] : ['--no-sandbox']),
      ...(sharedMemory < sharedMemoryBytes ? ['--disable-dev-shm-usage'] : []),
      `--user-data-dir=${join(root, 'profile')}`,
      'about:blank',
    ]
    const confined = await settings.confine(settings.program, args, {
      own: [root, temporary],
      read: [
        dirname(settings.program),
        ...configuration,
        ...(settings.fontsDir === undefined ? [] : [settings.fontsDir]),
      ],
      processes: true,
    })
    release = confined.release
    const child = spawn(confined.command, confined.args, {
      // A group of its own: one signal ends all of its processes.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      cwd: root,
      env: {
        PATH: process.env['PATH'] ?? '/usr/bin:/bin',
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        HOME: root,
        TMPDIR: temporary,
        XDG_CONFIG_HOME: root,
        XDG_CACHE_HOME: root,
        FONTCONFIG_FILE: fonts,
        // There is no bus to speak to, and none is looked for.
        DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        DBUS_SYSTEM_BUS_ADDRESS: 'disabled:',
      },
    })
    const openMs = Math.min(longestOpenMs, settings.bootTimeoutMs)
    return await connect(child, { isolation: confined.isolation, sandboxed, openMs, discard }, signal)
  } catch (error) {
    await discard().catch(() => undefined)
    // What the system says of folders names them, and callers read why a browser does not start.
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : new Error('its temporary folder cannot be written')
  }
}

interface About {
  readonly isolation: Isolation
  readonly sandboxed: boolean
  readonly openMs: number // that a page may take to open
  readonly discard: () => Promise<void>
}

async function connect(child: ChildProcess, about: About, signal: AbortSignal): Promise<BrowserUnit> {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  // All that it says has been read by then, which may be after its end.
  const silent = new Promise<void>((resolve) => child.stderr?.once('close', () => resolve()))
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaints.length < complaintBytes) complaints += chunk.toString('latin1')
  })
  const kill = () => killGroup(child)
  signal.addEventListener('abort', kill, { once: true })
  if (signal.aborted) kill()
  try {
    const transport = pipeTransport(child.stdio[4] as Readable, child.stdio[3] as Writable)
    const connecting = puppeteer.connect({ transport, defaultViewport: null })
    const browser = await Promise.race([connecting.catch(() => undefined), ended.then(() => undefined)])
    if (browser === undefined) {
      kill()
      await Promise.race([silent, new Promise((resolve) => setTimeout(resolve, 1000))])
      throw sandboxRefused.test(complaints)
        ? new SandboxRefused('it refuses to start without its sandbox')
        : new Error('it does not start')
    }
    return new Connected(child, browser, ended, about)
  } catch (error) {
    kill()
    await ended
    throw error
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It was quicker.
  }
}

class Connected implements BrowserUnit {
  readonly pid: number
  readonly ended: Promise<void>
  readonly isolation: Isolation
  readonly sandboxed: boolean
  readonly discard: () => Promise<void>
  readonly warmUp: (() => Promise<void>)[]
  readonly #child: ChildProcess
  readonly #openMs: number
  readonly #browser: Browser
  /** Pages that are free, or will be in a moment. */
  readonly #idle: Promise<Page | undefined>[] = []

  constructor(child: ChildProcess, browser: Browser, ended: Promise<void>, about: About) {
    this.#child = child
    this.#openMs = about.openMs
    this.pid = child.pid ?? -1
    this.#browser = browser
    this.ended = ended
    this.isolation = about.isolation
    this.sandboxed = about.sandboxed
    this.discard = about.discard
    this.warmUp = []
  }

  async use<T>(signal: AbortSignal, work: (page: Page) => Promise<T>): Promise<T> {
    const page = (await this.#idle.shift()) ?? (await this.#open())
    let left: (() => void) | undefined
    try {
      const aborted = new Promise<never>((_resolve, reject) => {
        left = () => reject(signal.reason)
        signal.addEventListener('abort', left, { once: true })
        if (signal.aborted) left()
      })
      const value = await page.crashed.race(Promise.race([work(page), aborted]))
      this.#takeBack(page)
      return value
    } catch (error) {
      // What a failed document left running ends with its page.
      await page.close()
      throw error
    } finally {
      if (left !== undefined) signal.removeEventListener('abort', left)
    }
  }

  async ping(): Promise<void> {
    await this.#browser.version()
  }

  async stop(): Promise<void> {
    await this.#browser.close()
    await this.ended
  }

  /** A browser that opens no page goes: the pool starts another one for the same document. */
  async #open(): Promise<Page> {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('The browser opens no page.')), this.#openMs)
      })
      const opening = this.#browser.createBrowserContext().then(Page.open)
      return await Promise.race([opening, late])
    } catch (error) {
      killGroup(this.#child)
      await this.ended
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Behind the caller's back: the next one finds it clean. */
  #takeBack(page: Page): void {
    const clean =
      page.served < documentsAPage ? page.crashed.race(page.clear()) : Promise.reject(new Error('worn'))
    this.#idle.push(
      clean.then(
        () => page,
        () => page.close().then(() => undefined),
      ),
    )
  }
}
