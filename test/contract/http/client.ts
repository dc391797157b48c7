import { createDescription } from './described.ts'

/** A caller of the service as the contract suite needs one: fetch, and the bodies that clients send. Web standards only. */
export interface Target {
  readonly url: string
  /** The processes that serve it, when there are several: requests go to one after the other. */
  readonly urls?: readonly string[]
  stop(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // The suite asserts on shapes it does not know in advance.
  // biome-ignore lint/suspicious/noExplicitAny: bodies are checked by the cases, field by field
  readonly body: any
}

export interface Client {
  readonly url: string
  readonly always: Readonly<Record<string, string>>
  send(method: string, path: string, init?: RequestInit): Promise<Answer>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
  /** A multipart form: texts in order, the file last. */
  form(fields: Readonly<Record<string, string>>, file: FilePart | undefined): Promise<Answer>
  /** Uploads with versioning and gives the data of the answer. */
  version(text: string, fields?: Readonly<Record<string, string>>): Promise<Uploaded>
  /** Uploads without versioning and gives the template id. */
  hashed(text: string): Promise<string>
}
export interface Uploaded {
  readonly id: string
  readonly versionId: string
  readonly type: string
  readonly size: number
  readonly createdAt: number
  readonly deployedAt: number
}
export interface FilePart {
  readonly bytes: Uint8Array | string
  readonly filename?: string
  readonly type?: string
}

/** `always` goes with every request. With `urls` they are sent to one after the other.
 * Every answer is held against what the service says of itself in /openapi.json. */
export function createClient(
  url: string,
  always: Readonly<Record<string, string>> = {},
  urls: readonly string[] = [url],
  /** False where an operator's own code answers as well, of which the service knows nothing. */
  described = true,
): Client {
  let sent = 0
  const description = createDescription(url)
  return { url, always, send, get, post, patch, put, delete: remove, form, version, hashed }

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(always)
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    // While a case made a large body, no event of a connection was handled: one may have been closed by the server.
    if (typeof init.body === 'string' && init.body.length > 1_000_000)
      await new Promise((resolve) => setTimeout(resolve, 20))
    const response = await fetch(urls[sent++ % urls.length]! + path, { method, ...init, headers })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, body: parsed(text) }
    if (described) await description.check(method, path, answer)
    return answer
  }

  function get(path: string, headers: Record<string, string> = {}) {
    return send('GET', path, { headers })
  }

  function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return send('POST', path, { headers: { 'content-type': 'application/json', ...headers }, body: text })
  }

  function patch(path: string, body: unknown) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return send('PATCH', path, { headers: { 'content-type': 'application/json' }, body: text })
  }

  function put(path: string, body: unknown) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return send('PUT', path, { headers: { 'content-type': 'application/json' }, body: text })
  }

  function remove(path: string) {
    return send('DELETE', path)
  }

  function form(fields: Readonly<Record<string, string>>, file: FilePart | undefined) {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    if (file !== undefined)
      data.set(
        'template',
        new File([file.bytes as Uint8Array<ArrayBuffer>], file.filename ?? 'template.txt', {
          type: file.type ?? 'application/octet-stream',
        }),
      )
    return send('POST', '/template', { body: data })
  }

  async function version(text: string, fields: Readonly<Record<string, string>> = {}): Promise<Uploaded> {
    const answer = await form({ versioning: 'true', ...fields }, { bytes: text })
    if (answer.status !== 200) throw new Error(`Upload: ${answer.status} ${answer.text}`)
    return answer.body.data
  }

  async function hashed(text: string): Promise<string> {
    const answer = await form({}, { bytes: text })
    if (answer.status !== 200) throw new Error(`Upload: ${answer.status} ${answer.text}`)
    return answer.body.data.templateId
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A multipart body to the byte, as some client wrote it. `parts` are heads and contents. */
export function rawForm(
  parts: readonly { readonly head: string; readonly content: Uint8Array | string }[],
  options: { readonly boundary?: string; readonly newline?: string; readonly closing?: string } = {},
): { readonly body: Uint8Array<ArrayBuffer>; readonly headers: Record<string, string> } {
  const { boundary = 'xBOUNDARYx', newline = '\r\n', closing = `--${boundary}--${newline}` } = options
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  for (const { head, content } of parts) {
    pieces.push(
      encoder.encode(`--${boundary}${newline}${head.replaceAll('\n', newline)}${newline}${newline}`),
    )
    pieces.push(typeof content === 'string' ? encoder.encode(content) : content, encoder.encode(newline))
  }
  pieces.push(encoder.encode(closing))
  const body = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    body.set(piece, at)
    at += piece.length
  }
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

export async function sha256(...pieces: readonly (string | Uint8Array)[]): Promise<string> {
  const bytes = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer())
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes as Uint8Array).toString('base64')
}

/**
 * A webhook that may be called and never is: a header of its own is too long to be sent, which shows before its name is
 * looked up.
 */
export const nobody = {
  'service-webhook-url': 'http://nobody.example/',
  'service-webhook-header-x-long': 'x'.repeat(8193),
}

let count = 0
/** Different in every call and every run: names, categories and contents that no other case uses. */
export function unique(prefix: string): string {
  return `${prefix}-${Date.now().toString(36)}-${(count++).toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`
}
