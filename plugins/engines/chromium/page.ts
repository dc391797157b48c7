import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Protocol } from 'puppeteer-core'
import type { BrowserContext, CDPSession } from 'puppeteer-core/internal/puppeteer-core-browser.js'
import { AppError } from '../../../shared/errors/app-error.ts'
import { Eventually } from '../../../shared/eventually.ts'
import type { Warning } from '../../../shared/plugin/values.ts'
import { title } from './conversions.ts'
import { type PageFacts, pageFacts } from './page-facts.ts'
import { documentOrigin, RequestInterceptor, type RequestScope } from './requests.ts'

/** A document as a page receives it. HTML is set as text; XML must be navigated to, so that it is parsed as XML. */
export type PageSource =
  | { readonly kind: 'html'; readonly text: string }
  | { readonly kind: 'xml'; readonly bytes: Uint8Array; readonly type: string }

export interface Loaded {
  readonly facts: PageFacts
  readonly warnings: readonly Warning[]
}

/** Time limit for pictures and fonts that the load itself did not wait for. */
const settleMs = 10_000
const pollMs = 20
/** In characters. To pass a page on takes a millisecond for each half million. */
const largeText = 2_000_000
/** When loading takes longer, the size of the page is read, which forces a layout. */
const layoutMs = 100
/** Lays out the page, of HTML or SVG, and the pages in its frames, by asking for their sizes. */
const layOutAll = `(function layOut(window) {
  window.document.documentElement?.getBoundingClientRect()
  for (let at = 0; at < window.length; at++) try { layOut(window[at]) } catch {} // a frame of another origin
})(window)`

/**
 * One page with a browser context, and so a process, of its own. It serves one document at a time and is cleared in
 * between, so that nothing of one document reaches the next.
 */
export class BrowserPage {
  readonly session: CDPSession
  /** Rejects with 'convert.crashed' when the process of this page has ended. */
  readonly crashed: Eventually<never>
  served = 0
  readonly #context: BrowserContext
  readonly #interceptor: RequestInterceptor
  readonly #frame: string
  readonly #window: number
  #documents = 0
  #media = ''
  #viewport = ''

  private constructor(
    context: BrowserContext,
    session: CDPSession,
    interceptor: RequestInterceptor,
    { frame, window }: { readonly frame: string; readonly window: number },
  ) {
    this.#context = context
    this.session = session
    this.#interceptor = interceptor
    this.#frame = frame
    this.#window = window
    const crash = new Promise<never>((_resolve, reject) =>
      session.once('Inspector.targetCrashed', () =>
        reject(new AppError('convert.crashed', { engine: title })),
      ),
    )
    this.crashed = new Eventually(crash)
  }

  static async open(context: BrowserContext): Promise<BrowserPage> {
    const session = await openSession(context)
    const interceptor = new RequestInterceptor(session)
    const [, , { frameTree }, { windowId }] = await Promise.all([
      session.send('Emulation.setScriptExecutionDisabled', { value: true }),
      interceptor.open(),
      session.send('Page.getFrameTree'),
      session.send('Browser.getWindowForTarget'),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
    ])
    interceptor.mainFrame = frameTree.frame.id
    const page = new BrowserPage(context, session, interceptor, {
      frame: frameTree.frame.id,
      window: windowId,
    })
    await page.#goHome()
    return page
  }

  /** Resolves when the document and the files it refers to are loaded. `scope` determines what it may fetch. */
  async load(source: PageSource, scope: RequestScope): Promise<Loaded> {
    this.served++
    // Text that is set into an XML document would be parsed as XML.
    if (source.kind === 'html' && this.#documents > 0) await this.#goHome()
    this.#interceptor.begin(scope)
    if (source.kind === 'html') await this.#set(source.text)
    else await this.#navigate(source, scope)
    const facts = await this.#settled(scope.signal)
    return { facts, warnings: this.#interceptor.warnings() }
  }

  /**
   * Selects the CSS medium, which determines the files that are loaded, too. For print the window is minimised,
   * because drawing a page on screen that is only printed takes a third of the total time.
   */
  async medium(media: 'print' | 'screen'): Promise<void> {
    if (this.#media === media) return
    this.#media = media
    const bounds = { windowState: media === 'print' ? 'minimized' : 'normal' } as const
    await Promise.all([
      this.session.send('Emulation.setEmulatedMedia', { media }),
      this.session.send('Browser.setWindowBounds', { windowId: this.#window, bounds }),
    ])
  }

  /** Sets the size of the window in px; undefined restores the default of the browser. */
  async viewport(size: { readonly width: number; readonly height: number } | undefined): Promise<void> {
    const key = size === undefined ? '' : `${size.width} ${size.height}`
    if (this.#viewport === key) return
    this.#viewport = key
    if (size === undefined) await this.session.send('Emulation.clearDeviceMetricsOverride')
    else
      await this.session.send('Emulation.setDeviceMetricsOverride', {
        ...size,
        deviceScaleFactor: 1,
        mobile: false,
      })
  }

  /** Removes all content of a document and ends everything that it started. */
  async clear(): Promise<void> {
    // A page reuses a loaded file for each later document, including one that was fetched with the authorization of
    // another caller.
    const mustLeave = this.#documents > 0 || this.#interceptor.hasRequests
    this.#interceptor.begin(undefined)
    if (mustLeave) {
      this.#documents = 0
      await this.#goHome()
    } else await this.#set('')
  }

  async close(): Promise<void> {
    await this.#context.close().catch(() => undefined)
  }

  async #set(html: string): Promise<void> {
    const loaded = this.#loaded()
    // A large page is copied several times on its way. Others run in between.
    if (html.length > largeText) await nextTurn()
    await this.session.send('Page.setDocumentContent', { frameId: this.#frame, html })
    await this.#laidOut(loaded)
  }

  /** Loads the empty page that HTML is set into. All documents have its address and its policy. */
  async #goHome(): Promise<void> {
    const scope = { outbound: undefined, authorization: undefined, signal: new AbortController().signal }
    this.#interceptor.begin(scope)
    await this.#navigate({ bytes: new Uint8Array(), type: 'text/html; charset=utf-8' }, scope)
    this.#documents = 0
    this.#interceptor.begin(undefined)
  }

  async #navigate(
    { bytes, type }: { readonly bytes: Uint8Array; readonly type: string },
    scope: RequestScope,
  ): Promise<void> {
    const url = `${documentOrigin}/${++this.#documents}`
    scope.document = { url, type, bytes }
    const loaded = this.#loaded()
    const { errorText } = await this.session.send('Page.navigate', { url })
    if (errorText !== undefined) throw new Error(`The page could not be opened: ${errorText}`)
    await this.#laidOut(loaded)
  }

  #loaded(): Promise<void> {
    return new Promise((resolve) => this.session.once('Page.loadEventFired', () => resolve()))
  }

  /**
   * Waits for the load event. The content of <object> and <embed> and external targets of <use> delay it until they
   * are laid out, and a hidden window lays out nothing before the size of the page is requested.
   */
  async #laidOut(loaded: Promise<void>): Promise<void> {
    let waiting = true
    const done = loaded.then(() => {
      waiting = false
    })
    while (waiting) {
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, layoutMs))])
      if (waiting)
        // The end of the page is reported by `crashed`.
        await this.session.send('Runtime.evaluate', { expression: layOutAll }).catch(() => done)
    }
  }

  async #settled(signal: AbortSignal): Promise<PageFacts> {
    const end = performance.now() + settleMs
    for (;;) {
      const facts = await this.#evaluate(pageFacts)
      if (facts.pending === 0 || performance.now() > end) return facts
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      signal.throwIfAborted()
    }
  }

  /** Adds a style sheet after those of the document. */
  async addStyle(rules: string): Promise<void> {
    const expression = `document.documentElement.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(rules)} }))`
    await this.session.send('Runtime.evaluate', { expression })
  }

  async #evaluate(expression: string): Promise<PageFacts> {
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) throw new AppError('api.internal')
    return (result as Protocol.Runtime.RemoteObject).value as PageFacts
  }
}

/**
 * A page object of the library would listen to all events and run scripts beside each document, so this uses one
 * DevTools session without it.
 */
async function openSession(context: BrowserContext): Promise<CDPSession> {
  if (context.id === undefined) throw new Error('Pages are opened in contexts of their own.')
  const browser = await context.browser().target().createCDPSession()
  try {
    await browser.send('Target.createTarget', { url: 'about:blank', browserContextId: context.id })
  } finally {
    await browser.detach()
  }
  const target = await context.waitForTarget((candidate) => candidate.type() === 'page')
  return target.createCDPSession()
}
