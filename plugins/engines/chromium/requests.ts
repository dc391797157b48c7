/**
 * Intercepts the requests of a page. The browser has no network: each request stops here and is answered under the
 * egress policy, or refused.
 */
import type { Protocol } from 'puppeteer-core'
import type { CDPSession } from 'puppeteer-core/internal/puppeteer-core-browser.js'
import { MissingFiles, PageFiles, type PageFilesScope } from '../../../shared/net/page-files.ts'
import type { Warning } from '../../../shared/plugin/values.ts'

/** The address of every document, reserved by RFC 2606. Relative addresses lead to it and therefore nowhere. */
export const documentOrigin = 'http://document.invalid'

/** Restrictions of documents, in addition to scripts, which are switched off. */
const documentPolicy = "script-src 'none'; object-src 'none'; form-action 'none'; worker-src 'none'"

export interface DocumentFile {
  readonly url: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** The requests of one document. */
export interface RequestScope extends PageFilesScope {
  /** A document that is navigated to. Its request is answered once. */
  document?: DocumentFile
}

type Paused = Protocol.Fetch.RequestPausedEvent

export class RequestInterceptor {
  readonly #session: CDPSession
  #scope: RequestScope | undefined
  #files: PageFiles | undefined
  #missing = new MissingFiles()

  constructor(session: CDPSession) {
    this.#session = session
    session.on('Fetch.requestPaused', (paused) => {
      // A page that is being closed accepts no answer.
      this.#answer(paused).catch(() => undefined)
    })
  }

  async open(): Promise<void> {
    await this.#session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  }

  begin(scope: RequestScope | undefined): void {
    this.#scope = scope
    this.#files = undefined
    this.#missing = new MissingFiles()
  }

  /** Whether files were requested since `begin`; the page may still cache them. */
  get hasRequests(): boolean {
    return this.#files !== undefined
  }

  /** Warnings about requests that were refused since `begin`, without addresses. */
  warnings(): readonly Warning[] {
    return this.#missing.warnings()
  }

  async #answer(paused: Paused): Promise<void> {
    const { requestId } = paused
    const scope = this.#scope
    const document = scope?.document
    if (scope !== undefined && document !== undefined && paused.request.url === document.url) {
      delete scope.document
      return this.#fulfil(requestId, document.type, document.bytes, documentPolicy)
    }
    const fetched = scope === undefined ? { failed: 'the page was done' } : await this.#fetch(paused, scope)
    // Requests of an earlier document must not be answered for a later one.
    if ('failed' in fetched) {
      if (fetched.failed !== undefined && scope === this.#scope)
        this.#missing.add(paused.resourceType === 'Image', fetched.failed)
      await this.#session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
      return
    }
    await this.#fulfil(requestId, fetched.type, fetched.bytes)
  }

  async #fetch(
    { request, resourceType, frameId }: Paused,
    scope: RequestScope,
  ): Promise<{ failed: string | undefined } | { type: string; bytes: Uint8Array }> {
    const { url, method } = request
    // A page may not navigate elsewhere (<meta http-equiv="refresh">).
    if (resourceType === 'Document' && frameId === this.mainFrame) return { failed: undefined }
    if (method !== 'GET') return { failed: 'only GET is allowed' }
    if (url.startsWith(documentOrigin))
      return url === `${documentOrigin}/favicon.ico`
        ? { failed: undefined }
        : { failed: 'its address is relative, and the page has none; use absolute or data: addresses' }
    const files = (this.#files ??= new PageFiles(scope))
    return resourceType === 'Image' ? files.loadPicture(url) : files.load(url)
  }

  /** Set by the page: the frame of the document itself. */
  mainFrame = ''

  async #fulfil(requestId: string, type: string, bytes: Uint8Array, policy?: string): Promise<void> {
    const headers = {
      ...(type !== '' && { 'content-type': type }),
      ...(policy !== undefined && { 'content-security-policy': policy }),
      // The next document may belong to another caller, so nothing is cached.
      'cache-control': 'no-store',
      // Fonts and masks are requested across origins.
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
