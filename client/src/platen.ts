import type {
  JobAnswer,
  LintTemplateAnswer,
  ListConversionsAnswer,
  ListJobsAnswer,
  ListJobsQuery,
  RenderAnswer,
  RenderBody,
  RepeatWebhookAnswer,
  StatusAnswer,
  TemplateSchemaAnswer,
} from './api.ts'
import { type BatchCalls, type BatchResult, runBatch } from './batch.ts'
import { PlatenDocument } from './document.ts'
import { type JobReport, RenderJob } from './job.ts'
import { queueOf } from './queue.ts'
import { type FileSource, isFile, jsonBody, jsonBodyWithFile } from './source.ts'
import { Templates } from './templates.ts'
import {
  type CallOptions,
  createTransport,
  type MakingOptions,
  type PlatenOptions,
  pause,
  type Sent,
  type Transport,
} from './transport.ts'
import type { WebhookNotice } from './webhook.ts'

/**
 * The options of a render. `Data` is the type of the data, for instance one that `platen types` wrote; `Complement`
 * that of `complement`.
 */
export interface RenderRequest<Data = unknown, Complement = unknown>
  extends Omit<RenderBody, 'data' | 'complement' | 'template'> {
  readonly data?: Data
  readonly complement?: Complement
}

export interface BatchRequest<Item, Complement = unknown>
  extends Omit<RenderRequest<never, Complement>, 'data' | BatchField> {
  /** The items, each of which becomes a document. An iterator is read while documents are made. */
  readonly items: Iterable<Item> | AsyncIterable<Item>
  /** The name of each document; may contain tags. */
  readonly batchReportName?: string
}
type BatchField = 'batchSplitBy' | 'batchOutput' | 'batchOnError' | 'batchReportName'

export interface BatchOptions extends CallOptions {
  /**
   * Maximum number of items that are in progress, from the moment they are read until their documents arrive; they
   * are kept in memory for that time. Where streams cannot be uploaded, also the number of items of one call.
   * Default: 32.
   */
  readonly size?: number
  /** How an item that fails is handled: its error ends the batch, or is returned as its result. Default: 'throw'. */
  readonly onError?: 'throw' | 'return'
}

export interface AsyncOptions extends MakingOptions {
  /**
   * The URL to which the service reports the end, with additional headers. Without it the client polls the service.
   */
  readonly webhook?: { readonly url: string | URL; readonly headers?: Readonly<Record<string, string>> }
}

/** A client of the service. It keeps no connections open; one per program is sufficient. */
export class Platen {
  /** The stored templates. */
  readonly templates: Templates
  readonly #transport: Transport
  readonly #waiting = new Map<string, Set<(notice: WebhookNotice) => void>>()

  constructor(options: PlatenOptions) {
    this.#transport = createTransport(options)
    this.templates = new Templates(this.#transport)
  }

  /**
   * Fills a template, given by its id or as a file, converts it, and returns the document. Without `data` it only
   * converts.
   */
  async render<Data = unknown, Complement = unknown>(
    template: string | FileSource,
    request: RenderRequest<Data, Complement> = {},
    options: CallOptions = {},
  ): Promise<PlatenDocument> {
    const query = { download: true }
    // The service stores nothing, so the call may be repeated.
    return new PlatenDocument(await this.#start(template, request, { ...options, query, repeat: 'always' }))
  }

  /**
   * Like `render`, but the service keeps the document for one download within an hour. Returns its id, for `fetch`.
   */
  async store<Data = unknown, Complement = unknown>(
    template: string | FileSource,
    request: RenderRequest<Data, Complement> = {},
    options: MakingOptions = {},
  ): Promise<RenderAnswer['data']> {
    const response = await this.#start(template, request, { ...options, repeat: 'keyed' })
    return ((await response.json()) as RenderAnswer).data
  }

  /** Downloads a stored document, which is possible once. */
  async fetch(renderId: string, options: CallOptions = {}): Promise<PlatenDocument> {
    const path = `/render/${encodeURIComponent(renderId)}`
    return new PlatenDocument(
      await this.#transport.send({ ...options, method: 'GET', path, repeat: 'always' }),
    )
  }

  /** Renders in the background. `await job.document()` waits for the end. */
  async renderAsync<Data = unknown, Complement = unknown>(
    template: string | FileSource,
    request: RenderRequest<Data, Complement> = {},
    { webhook, ...options }: AsyncOptions = {},
  ): Promise<RenderJob> {
    const response = await this.#start(template, request, {
      ...options,
      headers: {
        ...(webhook === undefined ? { prefer: 'respond-async' } : headersOf(webhook)),
        ...options.headers,
      },
      repeat: 'keyed',
    })
    await response.body?.cancel()
    return this.#job(response.headers.get('service-job-id') ?? '', webhook !== undefined)
  }

  /** A job by its id, for instance one that another process started. */
  job(id: string): RenderJob {
    return this.#job(id, false)
  }

  /**
   * The jobs of the last day, newest first: all of them, or only those whose webhook call was delivered or was not.
   */
  async *jobs(
    query: ListJobsQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<JobReport, void, undefined> {
    for (let cursor = query.cursor; ; ) {
      const response = await this.#get('/jobs', { ...options, query: { ...query, cursor } })
      const page = (await response.json()) as ListJobsAnswer
      yield* page.data
      if (!page.hasMore) return
      cursor = page.nextCursor
    }
  }

  /** Passes a verified webhook call to the jobs of this client that wait for it. */
  notify(notice: WebhookNotice): void {
    for (const arrived of this.#waiting.get(notice.jobId) ?? []) arrived(notice)
  }

  /**
   * Makes a document of each item and returns them in the order of the items, each as soon as it is made. Items are
   * read while documents arrive. A call that breaks off is repeated from the first item without a document.
   */
  async *batch<Item = unknown, Complement = unknown>(
    template: string | FileSource,
    { items, ...request }: BatchRequest<Item, Complement>,
    { size = 32, onError = 'throw', ...options }: BatchOptions = {},
  ): AsyncGenerator<BatchResult, void, undefined> {
    const inline = isFile(template)
    const path = `/render/${inline ? 'template' : encodeURIComponent(template)}/stream`
    const first = { ...request, batchOnError: 'report' }
    const body = inline ? await jsonBodyWithFile(first, template, false) : jsonBody(first)
    const head = await new Response(body.make()).blob()
    const stop = new AbortController() // ends the upload when the source of the items fails or the caller stops reading
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal])
    const headers = { ...options.headers, accept: 'multipart/mixed' }
    const { streams, retries, backoffMs, send } = this.#transport
    const queue = queueOf(items, size, (error) => stop.abort(error))
    try {
      const calls: BatchCalls = {
        streams,
        retries,
        send: (lines) => send({ method: 'POST', path, body: lines, repeat: 'always', headers, signal }),
        pause: (repetition) => pause(backoffMs(repetition), signal),
      }
      for await (const result of runBatch(queue, head, calls, signal)) {
        if (result.error !== undefined && onError === 'throw') throw result.error
        yield result
      }
    } finally {
      await queue.close()
      stop.abort()
    }
  }

  /**
   * Returns all problems of a template, given as a file or by the ID of a stored one; with data, also what the
   * template reads that the data lacks. Renders nothing.
   */
  async lint<Data = unknown>(
    template: string | FileSource,
    request: RenderRequest<Data> = {},
    options: CallOptions = {},
  ): Promise<LintTemplateAnswer['data']> {
    const response = await this.#inspect('/template/lint', template, request, options)
    return ((await response.json()) as LintTemplateAnswer).data
  }

  /** Returns the JSON Schema of the data that a template reads, and a matching sample. */
  async schema(
    template: string | FileSource,
    options: CallOptions = {},
  ): Promise<TemplateSchemaAnswer['data']> {
    const response = await this.#inspect('/template/schema', template, {}, options)
    return ((await response.json()) as TemplateSchemaAnswer).data
  }

  /** Returns the possible conversions: the formats, their engines and their options. */
  async conversions(options: CallOptions = {}): Promise<ListConversionsAnswer['data']> {
    const response = await this.#get('/conversions', options)
    return ((await response.json()) as ListConversionsAnswer).data
  }

  /** Returns whether the service accepts work. Throws `UnavailableError` if it does not. */
  async status(options: CallOptions = {}): Promise<StatusAnswer> {
    return (await (await this.#get('/status', options)).json()) as StatusAnswer
  }

  #job(id: string, webhook: boolean): RenderJob {
    const path = `/jobs/${encodeURIComponent(id)}`
    const calls = {
      report: async (_: string, options?: CallOptions): Promise<JobReport> =>
        ((await (await this.#get(path, options)).json()) as JobAnswer).data,
      cancel: async (_: string, options?: CallOptions): Promise<JobReport> => {
        const sent = { ...options, method: 'DELETE', path, repeat: 'refused' } as const
        return ((await (await this.#transport.send(sent)).json()) as JobAnswer).data
      },
      repeatWebhook: async (_: string, options?: CallOptions): Promise<JobReport> => {
        const sent = { ...options, method: 'POST', path: `${path}/webhook`, repeat: 'refused' } as const
        return ((await (await this.#transport.send(sent)).json()) as RepeatWebhookAnswer).data
      },
      fetch: (renderId: string, options?: CallOptions) => this.fetch(renderId, options),
      notice: (jobId: string) => this.#notice(jobId),
    }
    return new RenderJob(id, calls, webhook)
  }

  #notice(jobId: string): { readonly arrived: Promise<WebhookNotice>; stop(): void } {
    const waiting = this.#waiting.get(jobId) ?? new Set()
    this.#waiting.set(jobId, waiting)
    let resolve: (notice: WebhookNotice) => void = () => {}
    const arrived = new Promise<WebhookNotice>((deliver) => (resolve = deliver))
    waiting.add(resolve)
    const stop = () => {
      waiting.delete(resolve)
      if (waiting.size === 0) this.#waiting.delete(jobId)
    }
    return { arrived, stop }
  }

  #get(path: string, options: CallOptions & Pick<Sent, 'query'> = {}): Promise<Response> {
    return this.#transport.send({ ...options, method: 'GET', path, repeat: 'always' })
  }

  async #inspect(
    path: string,
    template: string | FileSource,
    request: object,
    options: CallOptions,
  ): Promise<Response> {
    const file = isFile(template)
      ? template
      : await (await this.templates.download(template, options)).bytes()
    const body = await jsonBodyWithFile(request, file, this.#transport.streams)
    return this.#transport.send({ ...options, method: 'POST', path, body, repeat: 'always' })
  }

  async #start(
    template: string | FileSource,
    request: object,
    sent: Omit<Sent, 'method' | 'path' | 'body'>,
  ): Promise<Response> {
    const inline = isFile(template)
    const path = `/render/${inline ? 'template' : encodeURIComponent(template)}`
    const body = inline
      ? await jsonBodyWithFile(request, template, this.#transport.streams)
      : jsonBody(request)
    return this.#transport.send({ ...sent, method: 'POST', path, body })
  }
}

function headersOf({ url, headers = {} }: NonNullable<AsyncOptions['webhook']>): Record<string, string> {
  const named = Object.entries(headers).map(
    ([name, value]) => [`service-webhook-header-${name}`, value] as const,
  )
  return { 'service-webhook-url': String(url), ...Object.fromEntries(named) }
}
