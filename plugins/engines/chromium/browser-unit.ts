/** One browser as a unit of the pool: how it is started, and its pages, which are reused. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Browser, ConnectionTransport } from 'puppeteer-core/internal/puppeteer-core-browser.js'
import type { Confine, Isolation, ProgramUnit } from '../../../shared/plugin/processes.ts'
import { writeFontConfig } from './fonts.ts'
import { BrowserPage } from './page.ts'
import { pipeTransport } from './transport.ts'

/** The start script of Debian reads options from this folder and ends when it cannot. */
const configuration = ['/etc/chromium', '/etc/chromium.d']

/** Modules of Puppeteer, each before those that import it, which divide what is compiled into parts of about 15 ms. */
const puppeteerParts = [
  () => import('puppeteer-core/internal/api/ElementHandle.js'),
  () => import('puppeteer-core/internal/cdp/Frame.js'),
  () => import('puppeteer-core/internal/cdp/Page.js'),
  () => import('puppeteer-core/internal/cdp/cdp.js'),
]

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
  /**
   * Passes a free page to `work`. Afterwards the page is cleared; it is replaced after too many documents or if
   * `work` failed.
   */
  use<T>(signal: AbortSignal, work: (page: BrowserPage) => Promise<T>): Promise<T>
}

/** A page and its process are replaced after this many documents. */
const documentsAPage = 200
/** A browser that has lost its helper processes still answers but opens no page. Opening one takes about 100 ms. */
const maxOpenMs = 15_000
/** Containers have little shared memory by default; below this size pictures of pages go through the temporary folder. */
const sharedMemoryBytes = 512 * 2 ** 20

/** Features for interactive users, and those that would give frames processes of their own. */
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
  // Buttons of the window are web pages, too: each would add a process that is busy whenever a page loads.
  'WebUIReloadButton',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // A watchdog thread in each process, also in the one that is started for every print.
  'EnableHangWatcher',
]

/** Switches off everything that the browser does or sends by itself. */
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
  // Frames stay in the process of their page, where the request interception sees their requests.
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
  // A request that the interception did not answer is sent to a port where nothing listens.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
]

/** The browser prints this and ends when the system refuses the namespaces of its sandbox. */
const sandboxRefused = /No usable sandbox!/
const complaintBytes = 16_384

/**
 * Starts a browser with its own sandbox, or without it when the system allows none. The sandbox of the service
 * surrounds it in either case. Any other failure is a failed start.
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
      // The browser leads a process group, so that one signal ends all of its processes.
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
        // There is no message bus, and the browser must not search for one.
        DBUS_SESSION_BUS_ADDRESS: 'disabled:',
        DBUS_SYSTEM_BUS_ADDRESS: 'disabled:',
      },
    })
    const openMs = Math.min(maxOpenMs, settings.bootTimeoutMs)
    return await connect(child, { isolation: confined.isolation, sandboxed, openMs, discard }, signal)
  } catch (error) {
    await discard().catch(() => undefined)
    // System messages contain folder names, but callers see the reason why a browser does not start.
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : new Error('its temporary folder cannot be written')
  }
}

/**
 * Imported with the first browser, in several turns of the event loop, since this thread serves everybody. The entry for web
 * pages lacks what starts browsers and writes files, and so has half of the modules.
 */
async function connectBrowser(transport: ConnectionTransport): Promise<Browser> {
  for (const importPart of puppeteerParts) {
    await importPart()
    await setImmediate()
  }
  const { connect } = await import('puppeteer-core/internal/puppeteer-core-browser.js')
  return connect({ transport, defaultViewport: null })
}

interface BrowserDetails {
  readonly isolation: Isolation
  readonly sandboxed: boolean
  readonly openMs: number // the time limit for opening a page
  readonly discard: () => Promise<void>
}

async function connect(
  child: ChildProcess,
  details: BrowserDetails,
  signal: AbortSignal,
): Promise<BrowserUnit> {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  // Resolves after all output has been read, which may be after the process has ended.
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
    const connecting = connectBrowser(transport)
    const browser = await Promise.race([connecting.catch(() => undefined), ended.then(() => undefined)])
    if (browser === undefined) {
      kill()
      await Promise.race([silent, new Promise((resolve) => setTimeout(resolve, 1000))])
      throw sandboxRefused.test(complaints)
        ? new SandboxRefused('it refuses to start without its sandbox')
        : new Error('it does not start')
    }
    return new Connected(child, browser, ended, details)
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
    // The process has ended already.
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
  /** Pages that are free, or that are being cleared. */
  readonly #idle: Promise<BrowserPage | undefined>[] = []

  constructor(child: ChildProcess, browser: Browser, ended: Promise<void>, details: BrowserDetails) {
    this.#child = child
    this.#openMs = details.openMs
    this.pid = child.pid ?? -1
    this.#browser = browser
    this.ended = ended
    this.isolation = details.isolation
    this.sandboxed = details.sandboxed
    this.discard = details.discard
    this.warmUp = []
  }

  async use<T>(signal: AbortSignal, work: (page: BrowserPage) => Promise<T>): Promise<T> {
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
      // Closing the page ends everything that a failed document left running.
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

  /** Ends a browser that opens no page, so that the pool starts another one for the same document. */
  async #open(): Promise<BrowserPage> {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      const timeout = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('The browser cannot open a page.')), this.#openMs)
      })
      const opening = this.#browser.createBrowserContext().then(BrowserPage.open)
      return await Promise.race([opening, timeout])
    } catch (error) {
      killGroup(this.#child)
      await this.ended
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Clears the page after the caller has its result, so that the next one need not wait. */
  #takeBack(page: BrowserPage): void {
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
