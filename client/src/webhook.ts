/** Verifies webhook calls according to Standard Webhooks (https://www.standardwebhooks.com), with WebCrypto. */
import type { ErrorCode } from './api.ts'
import { type Problem, WebhookError } from './errors.ts'

/** The result of an asynchronous render, as its webhook receives it. */
export type WebhookNotice =
  | { readonly jobId: string; readonly success: true; readonly renderId: string }
  | {
      readonly jobId: string
      readonly success: false
      readonly error: string
      readonly code?: ErrorCode
      readonly problems?: readonly Problem[]
    }

/** A call that a framework has received: its headers, and the unmodified bytes of its body. */
export interface ReceivedWebhook {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string | Uint8Array
}

export interface VerifyOptions {
  /** Maximum difference between the time of the call and now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number
  /** The current time, in ms since the epoch. */
  readonly now?: number
}

const prefix = 'whsec_'

/**
 * Returns the content of a webhook call after verifying its signature and its time. `secret` is the value of
 * `SERVICE_WEBHOOK_SECRET`, or several of them during a key rotation. Throws `WebhookError`.
 */
export async function verifyWebhook(
  received: Request | ReceivedWebhook,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookNotice> {
  const body = await bodyOf(received)
  const header = (name: string) => headerOf(received.headers, name)
  const id = header('webhook-id')
  const time = header('webhook-timestamp')
  const signatures = header('webhook-signature')
  if (id === undefined || time === undefined || signatures === undefined)
    throw new WebhookError('The call has no signature: set SERVICE_WEBHOOK_SECRET at the service.')
  const now = (options.now ?? Date.now()) / 1000
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > (options.toleranceSeconds ?? 300))
    throw new WebhookError('The call is too old, or the clocks differ.')
  const text = joined(new TextEncoder().encode(`${id}.${time}.`), body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  for (const each of secrets) {
    const key = await keyOf(each)
    for (const signature of signatures.split(' ')) {
      const [version, value = ''] = signature.split(',')
      const bytes = version === 'v1' ? bytesOf(value) : undefined
      // WebCrypto compares in constant time.
      if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, text)))
        return noticeOf(id, body)
    }
  }
  throw new WebhookError('No signature of the call matches the secret.')
}

interface Notice {
  readonly success: boolean
  readonly data?: { readonly renderId?: string }
  readonly error?: string
  readonly code?: ErrorCode
  readonly problems?: readonly Problem[]
}

/** The id of a call is `msg_` followed by the id of its job. */
function noticeOf(id: string, body: Uint8Array): WebhookNotice {
  const { success, data, error = '', code, problems } = JSON.parse(new TextDecoder().decode(body)) as Notice
  const jobId = id.replace(/^msg_/, '')
  if (success) return { jobId, success: true, renderId: data?.renderId ?? '' }
  return {
    jobId,
    success: false,
    error,
    ...(code === undefined ? {} : { code }),
    ...(problems === undefined ? {} : { problems }),
  }
}

async function bodyOf(received: Request | ReceivedWebhook): Promise<Uint8Array> {
  if (received instanceof Request) return new Uint8Array(await received.arrayBuffer())
  return typeof received.body === 'string' ? new TextEncoder().encode(received.body) : received.body
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const header = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof header === 'string' ? header : header?.[0]
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret)
  if (bytes === undefined) throw new WebhookError(`A secret is ${prefix} and base64.`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
