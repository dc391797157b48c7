import type { CancelJobAnswer, ErrorCode, JobAnswer, RepeatWebhookAnswer } from './api.ts'
import type { PlatenDocument } from './document.ts'
import { errorOf, NotFoundError, type PlatenError } from './errors.ts'
import { type CallOptions, pause } from './transport.ts'
import type { WebhookNotice } from './webhook.ts'

export type JobReport = JobAnswer['data']

/** What a job needs of its client. */
export interface JobCalls {
  report(id: string, options?: CallOptions): Promise<JobReport>
  cancel(id: string, options?: CallOptions): Promise<CancelJobAnswer['data']>
  repeatWebhook(id: string, options?: CallOptions): Promise<RepeatWebhookAnswer['data']>
  fetch(renderId: string, options?: CallOptions): Promise<PlatenDocument>
  /** Resolves when the client is given the webhook call of the job. */
  notice(id: string): { readonly arrived: Promise<WebhookNotice>; stop(): void }
}

/** An asynchronous render. */
export class RenderJob {
  readonly id: string
  readonly #calls: JobCalls
  readonly #webhook: boolean

  constructor(id: string, calls: JobCalls, webhook: boolean) {
    this.id = id
    this.#calls = calls
    this.#webhook = webhook
  }

  /** How far it is. */
  report(options?: CallOptions): Promise<JobReport> {
    return this.#calls.report(this.id, options)
  }

  /** Throws `ConflictError` where it has ended. */
  cancel(options?: CallOptions): Promise<JobReport> {
    return this.#calls.cancel(this.id, options)
  }

  /** Has the webhook of a job that has ended called once more. Throws `ConflictError` before the end and without one. */
  repeatWebhook(options?: CallOptions): Promise<JobReport> {
    return this.#calls.repeatWebhook(this.id, options)
  }

  /**
   * Waits for the end and returns the render id: by asking the service, or at once when `platen.notify` gets the
   * webhook call. Throws the error of a render that failed.
   */
  async renderId(options: CallOptions = {}): Promise<string> {
    const { arrived, stop } = this.#calls.notice(this.id)
    const polling = new AbortController()
    const signal =
      options.signal === undefined ? polling.signal : AbortSignal.any([options.signal, polling.signal])
    try {
      const ended = await Promise.race([arrived, this.#polled({ ...options, signal })])
      if (ended.success) return ended.renderId
      throw failureOf(ended.error, ended.code)
    } finally {
      stop()
      polling.abort()
    }
  }

  /** Waits for the end and downloads the document, which is possible once. */
  async document(options: CallOptions = {}): Promise<PlatenDocument> {
    return this.#calls.fetch(await this.renderId(options), options)
  }

  async #polled(options: CallOptions): Promise<WebhookNotice> {
    // Where a webhook is expected, asking only makes up for a call that was lost.
    const [firstMs, maxMs] = this.#webhook ? [5000, 30_000] : [100, 3000]
    for (let ms = firstMs; ; ms = Math.min(ms * 1.5, maxMs)) {
      await pause(ms, options.signal)
      const { state, renderId, error = '', code } = await this.report(options)
      const jobId = this.id
      if (state === 'expired')
        throw new NotFoundError('The document of this job can no longer be downloaded.')
      if (state === 'failed') return { jobId, success: false, error, ...(code === undefined ? {} : { code }) }
      if (renderId !== undefined) return { jobId, success: true, renderId }
    }
  }
}

/** A job that was cancelled or could not be started has a code of its own; the others failed as renders. */
function failureOf(message: string, code: ErrorCode | undefined): PlatenError {
  return errorOf(message, { status: 500, ...(code === undefined ? {} : { code }) })
}
