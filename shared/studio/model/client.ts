import type {
  CheckInlineTemplateAnswer,
  CheckInlineTemplateBody,
  DiffTemplateAnswer,
  JobAnswer,
} from '../../../client/src/api.ts'
import type { OutputPair } from './outputs.ts'

/** The calls of the service's API that the studio makes. */

export interface ServiceConnection {
  readonly origin: string // 'https://host/path', without a slash at the end
  readonly token?: string | undefined
  readonly version?: number | string | undefined
  readonly fetch?: typeof fetch | undefined
}

export interface ReceivedLocation {
  readonly part: string
  readonly tag?: string
  readonly snippet?: string
  readonly at?: string
}
export interface ReceivedProblem {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly place?: ReceivedLocation
  readonly where?: string // of a warning
}
export interface CheckResult {
  readonly errors: readonly ReceivedProblem[]
  readonly warnings: readonly ReceivedProblem[]
}

/** A stored version, as lists return it. */
export interface StoredTemplate {
  readonly id: string | null
  readonly versionId: string
  readonly deployedAt: number // UTC seconds, like the times below
  readonly createdAt: number
  readonly expireAt: number
  readonly size: number
  readonly type: string
  readonly name: string
  readonly category: string
  readonly comment: string
  readonly tags: readonly string[]
  readonly origin: number
}

export interface ReceivedSample {
  readonly data?: unknown
  readonly complement?: unknown
  readonly translations?: unknown
  readonly enum?: unknown
}
export interface Model {
  readonly schema: unknown
  readonly complementSchema?: unknown
  readonly sample: ReceivedSample
}

export interface ReceivedFile {
  readonly blob: Blob
  readonly mime: string
  readonly name: string // '' when the service sent none
}
export interface RenderedFile extends ReceivedFile {
  readonly warnings: readonly string[] // codes
  readonly converters: readonly string[]
}

/** The differences between two versions of a template. */
export type VersionDiff = DiffTemplateAnswer['data']

/** A test case of a template: the render, and the expected properties of the document. */
export type TemplateCase = NonNullable<CheckInlineTemplateBody['cases']>[number]

/** The result of running a test case. */
export type CaseReport = CheckInlineTemplateAnswer['data']['cases'][number]

/** A page, and the number of pages. */
export interface RenderedPage extends RenderedFile {
  readonly count: number
}

/** The state of an asynchronous render. */
export type JobState = JobAnswer['data']

/** A call that failed: the message of the service, or that the service did not answer. */
export class ServiceError extends Error {
  readonly status: number // 0: the service was not reached
  readonly problems: readonly ReceivedProblem[]

  constructor(
    message: string,
    status: number,
    problems: readonly ReceivedProblem[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ServiceError'
    this.status = status
    this.problems = problems
  }
}

export type StudioClient = ReturnType<typeof createClient>

/**
 * Creates the client. `connection` is read before each call, because tokens change. Calls throw ServiceError,
 * or the reason of their signal.
 */
export function createClient(connection: () => ServiceConnection) {
  return {
    ...renderCalls(call),
    ...inspectCalls(call),
    ...templateCalls(call),
    /** Fetches a file from any address. The token is sent to the service only. */
    async file(url: string): Promise<ReceivedFile> {
      const ownOrigin = `${connection().origin}/`
      if (url.startsWith(ownOrigin)) return fileOf(await call(url.slice(ownOrigin.length)))
      return fileOf(await answered(() => fetch(url)))
    },
  }

  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    const { origin, token, version = 5, fetch: own } = connection()
    const headers = {
      ...(init.headers as Record<string, string> | undefined),
      'service-version': String(version),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const send = own ?? fetch
    return answered(() => send(`${origin}/${path}`, { ...init, headers }))
  }
}

/** Calls an endpoint by its path, such as 'templates'. Throws ServiceError for an answer that is not a success. */
type Call = (path: string, init?: RequestInit) => Promise<Response>

/** The calls that make documents and pages. */
function renderCalls(call: Call) {
  return {
    /** Renders in two calls, because a stored render can be downloaded once, by its ID. */
    async render(body: unknown, signal?: AbortSignal): Promise<RenderedFile> {
      const started = await call('render/template', post(body, signal))
      const { data } = await jsonOf<{ data?: { renderId?: string } }>(started)
      const answer = await call(`render/${encodeURIComponent(data?.renderId ?? '')}`, { signal })
      return {
        ...(await fileOf(answer)),
        warnings: listOf(started.headers.get('service-warning')),
        converters: listOf(started.headers.get('service-converter')),
      }
    },
    /** Starts an asynchronous render. Returns the ID of its job. */
    async startJob(body: unknown, signal: AbortSignal): Promise<string> {
      const init = post(body, signal)
      const answer = await call('render/template', {
        ...init,
        headers: { ...(init.headers as Record<string, string>), prefer: 'respond-async' },
      })
      const id = answer.headers.get('service-job-id')
      if (id === null)
        throw new ServiceError('The service makes no documents in the background.', answer.status)
      return id
    },
    /**
     * Follows the events of a job until it has ended, and returns its last state. The service closes a connection after
     * some minutes; the next one is then opened.
     */
    async jobEnd(id: string, seen: (state: JobState) => void, signal: AbortSignal): Promise<JobState> {
      for (;;) {
        const { body } = await call(`jobs/${encodeURIComponent(id)}/events`, { signal })
        if (body === null) throw new ServiceError('The response of the service is empty.', 0)
        for await (const state of jobStates(body)) {
          if (isEnd(state)) return state
          seen(state)
        }
        await new Promise((resolve) => setTimeout(resolve, reconnectMs))
      }
    },
    async cancelJob(id: string): Promise<void> {
      await call(`jobs/${encodeURIComponent(id)}`, { method: 'DELETE' })
    },
    /** Fetches a stored document, which is possible once. */
    async rendered(renderId: string, signal: AbortSignal): Promise<ReceivedFile> {
      return fileOf(await call(`render/${encodeURIComponent(renderId)}`, { signal }))
    },
    /** Renders one page as a picture; see `pageBody`. */
    async page(body: unknown, signal?: AbortSignal): Promise<RenderedPage> {
      const answer = await call('render/template?download=true', post(body, signal))
      return {
        ...(await fileOf(answer)),
        count: Number(answer.headers.get('service-pages') ?? 1),
        warnings: listOf(answer.headers.get('service-warning')),
        converters: listOf(answer.headers.get('service-converter')),
      }
    },
    async conversions(): Promise<readonly OutputPair[]> {
      return (await jsonOf<{ data: readonly OutputPair[] }>(await call('conversions'))).data
    },
  }
}

/** The calls that inspect a template which need not be stored. */
function inspectCalls(call: Call) {
  return {
    async lint(body: unknown, signal?: AbortSignal): Promise<CheckResult> {
      return (await jsonOf<{ data: CheckResult }>(await call('template/lint', post(body, signal)))).data
    },
    async model(body: unknown, signal?: AbortSignal): Promise<Model> {
      return (await jsonOf<{ data: Model }>(await call('template/schema', post(body, signal)))).data
    },
    /** Runs test cases with a template that need not be stored. Reports contain the pages as they look now. */
    async check(
      template: string,
      cases: readonly TemplateCase[],
      signal?: AbortSignal,
    ): Promise<readonly CaseReport[]> {
      const answer = await call('template/check', post({ template, cases, pictures: true }, signal))
      return (await jsonOf<{ data: { cases: readonly CaseReport[] } }>(answer)).data.cases
    },
  }
}

/** The calls about stored templates. */
function templateCalls(call: Call) {
  return {
    async list(query: Readonly<Record<string, string>>): Promise<{
      readonly data: readonly StoredTemplate[]
      readonly hasMore: boolean
      readonly nextCursor: string
    }> {
      return jsonOf(await call(`templates?${new URLSearchParams(query)}`))
    },
    async templateFile(ref: string): Promise<ReceivedFile> {
      return fileOf(await call(`template/${encodeURIComponent(ref)}`))
    },
    /** Returns undefined when no sample is stored. */
    async sample(ref: string): Promise<ReceivedSample | undefined> {
      try {
        const answer = await call(`template/${encodeURIComponent(ref)}_sample.json`)
        return (await jsonOf<readonly ReceivedSample[]>(answer))[0]
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) return undefined
        throw error
      }
    },
    /** The file name decides the type where the content does not. */
    async upload(
      fields: Readonly<Record<string, unknown>>,
      file: File,
    ): Promise<Readonly<Record<string, unknown>>> {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields))
        form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
      form.append('template', file)
      const answer = await call('template', { method: 'POST', body: form })
      return (await jsonOf<{ data: Record<string, unknown> }>(answer)).data
    },
    async change(ref: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
      await call(`template/${encodeURIComponent(ref)}`, { ...post(fields), method: 'PATCH' })
    },
    /** Deletes a version, or all versions of a Template ID. */
    async remove(ref: string): Promise<void> {
      await call(`template/${encodeURIComponent(ref)}`, { method: 'DELETE' })
    },
    /** Returns the differences between two versions of a template. */
    async diff(from: string, to: string, signal?: AbortSignal): Promise<VersionDiff> {
      const path = `template/${encodeURIComponent(to)}/diff?${new URLSearchParams({ from, to })}`
      return (await jsonOf<{ data: VersionDiff }>(await call(path, { signal }))).data
    },
    /** A page of a stored template as a picture. */
    async preview(
      ref: string,
      query: Readonly<Record<string, string>>,
      signal?: AbortSignal,
    ): Promise<ReceivedFile> {
      const path = `template/${encodeURIComponent(ref)}/preview?${new URLSearchParams(query)}`
      return fileOf(await call(path, { signal }))
    },
    /** Returns the test cases of a version. */
    async cases(versionId: string): Promise<readonly TemplateCase[]> {
      const answer = await call(`template/${encodeURIComponent(versionId)}/checks`)
      return (await jsonOf<{ data: { cases: readonly TemplateCase[] } }>(answer)).data.cases
    },
    async replaceCases(versionId: string, cases: readonly TemplateCase[]): Promise<void> {
      await call(`template/${encodeURIComponent(versionId)}/checks`, { ...post({ cases }), method: 'PUT' })
    },
  }
}

async function answered(send: () => Promise<Response>): Promise<Response> {
  let answer: Response
  try {
    answer = await send()
  } catch (cause) {
    if ((cause as { name?: string } | undefined)?.name === 'AbortError') throw cause
    throw new ServiceError('The service cannot be reached.', 0, [], { cause })
  }
  if (answer.ok) return answer
  const body = await answer.json().catch(() => undefined)
  const { error, problems } = (body ?? {}) as { error?: unknown; problems?: readonly ReceivedProblem[] }
  const message =
    typeof error === 'string' && error !== '' ? error : `The service answered with ${answer.status}.`
  throw new ServiceError(message, answer.status, Array.isArray(problems) ? problems : [])
}

const reconnectMs = 1000

const isEnd = ({ state }: JobState): boolean => /^(?:done|failed|expired)$/.test(state)

/** The states in a stream of server-sent events, each in the data of one event. Source: WHATWG HTML, 9.2. */
async function* jobStates(body: ReadableStream<Uint8Array>): AsyncGenerator<JobState, void, undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let buffered = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      buffered += decoder.decode(value, { stream: true })
      const events = buffered.split('\n\n')
      buffered = events.pop() ?? ''
      for (const event of events) {
        const data = event.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
        if (data.length > 0) yield JSON.parse(data.join('\n')) as JobState
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function post(body: unknown, signal?: AbortSignal): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  }
}

async function jsonOf<T>(answer: Response): Promise<T> {
  try {
    return (await answer.json()) as T
  } catch (cause) {
    if ((cause as { name?: string } | undefined)?.name === 'AbortError') throw cause
    throw new ServiceError('The response of the service is not JSON.', answer.status, [], {
      cause,
    })
  }
}

async function fileOf(answer: Response): Promise<ReceivedFile> {
  const mime = answer.headers.get('content-type') ?? ''
  const blob = await answer.blob()
  return { blob, mime, name: fileName(answer.headers.get('content-disposition')) }
}

/** Returns the file name of a Content-Disposition header of the service: percent-encoded, in quotes. */
export function fileName(disposition: string | null): string {
  const [, encoded = ''] = /filename="([^"]*)"/.exec(disposition ?? '') ?? []
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

function listOf(header: string | null): readonly string[] {
  return (header ?? '').split(',').flatMap((item) => item.trim() || [])
}
