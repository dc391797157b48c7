/**
 * What a page asks the network for. Nothing in the browser reaches it: each request stops here and is answered by us,
 * after the operator's policy for outbound calls, or refused.
 */
import type { CDPSession, Protocol } from 'puppeteer-core'
import { PageFiles, type PageFilesScope } from '../../../shared/net/page-files.ts'
import type { Warning } from '../../../shared/plugin/contract.ts'

/** The address of every document: of no one, by RFC 2606. What is relative leads back to it, and to nothing. */
export const documentOrigin = 'http://document.invalid'

/** What the documents themselves may not do, besides running scripts, which is switched off. */
const documentPolicy = "script-src 'none'; object-src 'none'; form-action 'none'; worker-src 'none'"

export interface DocumentFile {
  readonly url: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** The requests of one document. */
export interface RequestScope extends PageFilesScope {
  /** A document that is navigated to; answered once. */
  document?: DocumentFile
}

type Paused = Protocol.Fetch.RequestPausedEvent

export class RequestGate {
  readonly #session: CDPSession
  #scope: RequestScope | undefined
  #files: PageFiles | undefined
  #refused = new Map<string, number>()

  constructor(session: CDPSession) {
    this.#session = session
    session.on('Fetch.requestPaused', (paused) => {
      // A page that is being closed takes no answer.
      this.#answer(paused).catch(() => undefined)
    })
  }

  async open(): Promise<void> {
    await this.#session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  }

  begin(scope: RequestScope | undefined): void {
    this.#scope = scope
    this.#files = undefined
    this.#refused = new Map()
  }

  /** Whether files were asked for since `begin`: the page may still hold them. */
  get asked(): boolean {
    return this.#files !== undefined
  }

  /** What was refused since `begin`, without addresses. */
  warnings(): readonly Warning[] {
    return [...this.#refused].map(([because, count]) => ({
      code: 'web.not-loaded',
      message: `${count === 1 ? 'One file' : `${count} files`} that the page names could not be loaded: ${because}.`,
    }))
  }

  async #answer(paused: Paused): Promise<void> {
    const { requestId } = paused
    const scope = this.#scope
    const document = scope?.document
    if (scope !== undefined && document !== undefined && paused.request.url === document.url) {
      delete scope.document
      return this.#fulfil(requestId, document.type, document.bytes, documentPolicy)
    }
    const told = scope === undefined ? { failed: 'the page was done' } : await this.#fetch(paused, scope)
    // A later document has nothing to do with what an earlier one asked for.
    if ('failed' in told) {
      if (told.failed !== undefined && scope === this.#scope)
        this.#refused.set(told.failed, (this.#refused.get(told.failed) ?? 0) + 1)
      await this.#session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      return
    }
    await this.#fulfil(requestId, told.type, told.bytes)
  }

  async #fetch(
    { request, resourceType, frameId }: Paused,
    scope: RequestScope,
  ): Promise<{ failed: string | undefined } | { type: string; bytes: Uint8Array }> {
    const { url, method } = request
    // A page that wants to go elsewhere (<meta http-equiv="refresh">) stays.
    if (resourceType === 'Document' && frameId === this.mainFrame) return { failed: undefined }
    if (method !== 'GET') return { failed: 'only GET is allowed' }
    if (url.startsWith(documentOrigin))
      return url === `${documentOrigin}/favicon.ico`
        ? { failed: undefined }
        : { failed: 'its address is relative, and the page has none; use absolute or data: addresses' }
    return (this.#files ??= new PageFiles(scope)).load(url)
  }

  /** Set by the page: the frame whose document is the one we were given. */
  mainFrame = ''

  async #fulfil(requestId: string, type: string, bytes: Uint8Array, policy?: string): Promise<void> {
    const headers = {
      ...(type !== '' && { 'content-type': type }),
      ...(policy !== undefined && { 'content-security-policy': policy }),
      // What one document may fetch is not for the next, which may come from somebody else.
      'cache-control': 'no-store',
      // Fonts and masks are asked for across origins.
      'access-control-allow-origin': '*',
    }
    await this.#session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
      body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    })
  }
}
