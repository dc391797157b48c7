import type { BrowserContext, CDPSession, Protocol } from 'puppeteer-core'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Warning } from '../../../shared/plugin/contract.ts'
import { Eventually } from '../../../shared/plugin/eventually.ts'
import { title } from './conversions.ts'
import { type PageFacts, pageFacts } from './page-facts.ts'
import { documentOrigin, RequestGate, type RequestScope } from './requests.ts'

/** A document as a page is given it. HTML is set as text; what is XML must be navigated to, to be parsed as such. */
export type PageSource =
  | { readonly kind: 'html'; readonly text: string }
  | { readonly kind: 'xml'; readonly bytes: Uint8Array; readonly type: string }

export interface Loaded {
  readonly facts: PageFacts
  readonly warnings: readonly Warning[]
}

/** How long pictures and fonts may take that the load itself did not wait for. */
const settleMs = 10_000
const pollMs = 20
/** A page that takes longer to load is asked for its height, which lays it out. */
const layoutMs = 100

/**
 * One page with a context, and so with a process of the browser, of its own. It serves one document at a time and is
 * empty in between: what one document leaves is gone before the next comes.
 */
export class Page {
  readonly session: CDPSession
  /** Rejects with 'convert.crashed' when the process of this page has gone. */
  readonly crashed: Eventually<never>
  served = 0
  readonly #context: BrowserContext
  readonly #gate: RequestGate
  readonly #frame: string
  readonly #window: number
  #documents = 0
  #media = ''
  #viewport = ''

  private constructor(
    context: BrowserContext,
    session: CDPSession,
    gate: RequestGate,
    { frame, window }: { readonly frame: string; readonly window: number },
  ) {
    this.#context = context
    this.session = session
    this.#gate = gate
    this.#frame = frame
    this.#window = window
    const crash = new Promise<never>((_resolve, reject) =>
      session.once('Inspector.targetCrashed', () =>
        reject(new AppError('convert.crashed', { engine: title })),
      ),
    )
    this.crashed = new Eventually(crash)
  }

  static async open(context: BrowserContext): Promise<Page> {
    const session = await openSession(context)
    const gate = new RequestGate(session)
    const [, , { frameTree }, { windowId }] = await Promise.all([
      session.send('Emulation.setScriptExecutionDisabled', { value: true }),
      gate.open(),
      session.send('Page.getFrameTree'),
      session.send('Browser.getWindowForTarget'),
      session.send('Page.enable'),
      session.send('Inspector.enable'),
    ])
    gate.mainFrame = frameTree.frame.id
    const page = new Page(context, session, gate, { frame: frameTree.frame.id, window: windowId })
    await page.#goHome()
    return page
  }

  /** Resolves when the document and what it names are there. `scope` says what it may fetch. */
  async load(source: PageSource, scope: RequestScope): Promise<Loaded> {
    this.served++
    // Text that is set into an XML document would be read as XML.
    if (source.kind === 'html' && this.#documents > 0) await this.#goHome()
    this.#gate.begin(scope)
    if (source.kind === 'html') await this.#set(source.text)
    else await this.#navigate(source, scope)
    const facts = await this.#settled(scope.signal)
    return { facts, warnings: this.#gate.warnings() }
  }

  /**
   * CSS of this medium applies: also what it names is loaded, not only what it looks like. For print the window is
   * minimised: nobody looks, and drawing a page that is printed anyway takes a third of the time that it costs.
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

  /** px; undefined: the browser's own window. */
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

  /** After a document: nothing of it stays, and nothing it started goes on. */
  async clear(): Promise<void> {
    // A page uses a file that it has loaded once for every text that is set into it, whoever's authorization it took.
    const mustLeave = this.#documents > 0 || this.#gate.asked
    this.#gate.begin(undefined)
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
    await this.session.send('Page.setDocumentContent', { frameId: this.#frame, html })
    await this.#laidOut(loaded)
  }

  /** The empty page that HTML is set into: its address and its policy are those of all documents. */
  async #goHome(): Promise<void> {
    const scope = { outbound: undefined, authorization: undefined, signal: new AbortController().signal }
    this.#gate.begin(scope)
    await this.#navigate({ bytes: new Uint8Array(), type: 'text/html; charset=utf-8' }, scope)
    this.#documents = 0
    this.#gate.begin(undefined)
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
   * Waits for the load. What stands in <object> and <embed> holds it up until it has a place, and in a window that is
   * not shown nothing gets one before somebody asks how large the page is.
   */
  async #laidOut(loaded: Promise<void>): Promise<void> {
    let waiting = true
    const done = loaded.then(() => {
      waiting = false
    })
    while (waiting) {
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, layoutMs))])
      if (waiting)
        // A page that has gone is told elsewhere.
        await this.session
          .send('Runtime.evaluate', { expression: 'document.documentElement?.offsetHeight' })
          .catch(() => done)
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
 * A page of the library's own would listen to everything that happens in it and run a world of scripts beside each
 * document: what is asked of a page here goes over one bare session.
 */
async function openSession(context: BrowserContext): Promise<CDPSession> {
  if (context.id === undefined) throw new Error('Pages are opened in contexts of their own.')
  const browser = await context.browser().target().createCDPSession()
  try {
    await browser.send('Target.createTarget', { url: 'about:blank', browserContextId: context.id })
  } finally {
    await browser.detach()
  }
  const target = await context.waitForTarget((one) => one.type() === 'page')
  return target.createCDPSession()
}
