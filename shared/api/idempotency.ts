/**
 * The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07). For a day, a repeated request with the same
 * key gets the stored response and creates nothing, and concurrent ones wait for the first. A different request with the
 * key is refused. Only successful responses are stored: a call that failed has created nothing and frees its key. The response
 * is stored in the transaction in which the call takes effect. Where the response is the effect, it is sent only once it is
 * stored.
 */
import { gather } from '../byte-reader.ts'
import { AppError } from '../errors/app-error.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/values.ts'
import {
  findKey,
  freeKey,
  type KeptAnswer,
  type KeyHold,
  type KeyRef,
  keepAnswer,
  keptBytes,
  removeExpiredKey,
  renewKey,
  takeKey,
} from '../records/idempotency-keys.ts'
import { discardFile, putFile } from '../services/discard-file.ts'
import { decryptStream, encryptStream } from '../services/encrypted-stream.ts'
import { fromHex, toHex } from '../services/ids.ts'
import { type Services, seconds } from '../services/services.ts'
import type { Call, CallKey, Reply } from './call.ts'
import { type HashedBody, hashedBody } from './hashed-body.ts'
import { parseMediaType } from './multipart/head.ts'
import type { Input, Route } from './route.ts'

const keptSeconds = 86_400
/** The key of a call whose process died becomes free after this time; a running call renews its hold four times within it. */
const holdSeconds = 60
const renewMs = 15_000
/** How long a concurrent call waits for the first one before it is refused with 'api.key.running'. */
const maxWaitMs = 60_000
const firstPauseMs = 50
const maxPauseMs = 1000
/** The maximum size of a file that is stored with a response. */
const maxStoredBytes = 32 * 1024 * 1024
/** The maximum size of all such files of one account. */
export const maxAccountBytes = 1024 * 1024 * 1024

/** The allowance for the part headers of a form, beside its fields and its file. */
const formBytes = 1024 * 1024

interface KeyedCall {
  readonly route: Route
  readonly input: Input
  readonly call: Call
}

/**
 * The calls with a key that run in this process. Parallel calls with the same key wait beside it, without the database: a
 * hundred of them would all compete for one row, and for connections, which others then wait for until they are refused.
 * It holds no promises, because the Worker must not await those of another request. Entries end by the clock as holds do,
 * because the platform may drop a request without running its `finally`.
 */
export interface LocalHolds {
  isHeld(ref: KeyRef, nowMs: number): boolean
  /** Holds the key, or holds it longer. */
  hold(hold: KeyHold, untilMs: number): void
  /** Ends the hold of this call, unless another call holds the key by now. */
  release(hold: KeyHold): void
}

export function createLocalHolds(): LocalHolds {
  const holds = new Map<string, { readonly holder: string; readonly untilMs: number }>()
  const idOf = ({ account, key }: KeyRef) => `${key} ${account}`
  return {
    isHeld: (ref, nowMs) => nowMs < (holds.get(idOf(ref))?.untilMs ?? 0),
    hold: (hold, untilMs) => void holds.set(idOf(hold), { holder: hold.holder, untilMs }),
    release: (hold) => {
      if (holds.get(idOf(hold))?.holder === hold.holder) holds.delete(idOf(hold))
    },
  }
}

/**
 * Runs a route for a call with the header `Idempotency-Key`, or replays the stored response of an earlier call with the same
 * key. `local` is that of the process. Throws what the route throws, and 'api.key.invalid', 'api.key.reused',
 * 'api.key.running', 'api.key.not-kept', 'api.aborted' and 'storage.damaged'.
 */
export async function runOnce(
  services: Services,
  local: LocalHolds,
  header: string,
  { route, input, call }: KeyedCall,
): Promise<Reply> {
  const keyHash = hasherOf(services)
  keyHash.update(new TextEncoder().encode(`${route.operation}\n${readKey(header)}`))
  const ref = { account: input.account, key: keyHash.hex() }
  const { maxDataBytes, maxTemplateBytes } = services.settings
  const body = hashedBody(call, hasherOf(services), maxDataBytes + maxTemplateBytes + formBytes)
  const keyed = { ...call, body: body.stream }
  const waitUntil = services.clock.now() + maxWaitMs
  let mayBeFree = true // as far as this call has read
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    // Who has waited reads first, as all others do at the same time. Only one call at a time can try to take the key.
    if (local.isHeld(ref, services.clock.now())) mayBeFree = false
    else if (mayBeFree) {
      const hold = { ...ref, holder: toHex(services.ids.random(8)) }
      local.hold(hold, services.clock.now() + holdSeconds * 1000)
      try {
        if (await claim(services, hold))
          return await runClaimed(services, { hold, local }, { route, input, call: keyed, body })
      } finally {
        local.release(hold)
      }
    }
    if (!local.isHeld(ref, services.clock.now())) {
      const row = await findKey(services.sql, ref)
      const now = seconds(services)
      if (row !== undefined && row.answer !== '') {
        if (row.expiresAt > now)
          return replay(services, row, requestPrint(services, call, await body.digest()))
        await forget(services, ref, now)
        mayBeFree = true
        continue
      }
      mayBeFree = row === undefined || row.heldUntil <= now
    }
    if (services.clock.now() >= waitUntil) throw new AppError('api.key.running')
    await pause(pauseMs, call.signal)
  }
}

/** Takes the key, also where the database took it and its answer was lost. */
async function claim(services: Services, hold: KeyHold): Promise<boolean> {
  const { sql } = services
  const now = seconds(services)
  const times = { now, until: now + holdSeconds, expiresAt: now + keptSeconds }
  return takeKey(sql, hold, times).catch(async (error: unknown) => {
    if (!isUnanswered(error) || (await findKey(sql, hold))?.holder !== hold.holder) throw error
    return true
  })
}

const isUnanswered = (error: unknown) => error instanceof AppError && error.code === 'storage.unanswered'

interface ClaimedCall extends KeyedCall {
  readonly body: HashedBody
}

/**
 * Runs a call that holds the key. The hold ends by the clock, so on a slow machine another call may have taken the key
 * meanwhile. This call is then stopped, and whatever it still writes has no effect (`batchHolding`).
 */
async function runClaimed(
  services: Services,
  { hold, local }: { readonly hold: KeyHold; readonly local: LocalHolds },
  { route, input, call, body }: ClaimedCall,
): Promise<Reply> {
  const { sql, log } = services
  const lost = new AbortController()
  const renew = async () => {
    const until = seconds(services) + holdSeconds
    if (await renewKey(sql, hold, until)) local.hold(hold, until * 1000)
    else lost.abort(new AppError('api.key.running'))
  }
  const timer = setInterval(
    () => void renew().catch((error: unknown) => log.warn('key.renew', { error })),
    renewMs,
  )
  const key = recorderOf(services, hold, { call, body })
  const signal = AbortSignal.any([call.signal, lost.signal])
  try {
    const reply = await route.run(services, input, { ...call, signal, key })
    if (reply.status >= 300) await free(services, hold)
    else await key.keep(reply)
    return reply
  } catch (error) {
    await free(services, hold)
    throw lost.signal.aborted ? lost.signal.reason : error
  } finally {
    clearInterval(timer)
  }
}

/** Frees the key of a call that created nothing. When the database is unreachable, the hold expires by itself. */
async function free({ sql, log }: Services, hold: KeyHold): Promise<void> {
  await freeKey(sql, hold).catch((error: unknown) => log.warn('key.free', { error }))
}

/** The stored part of a response. A file is stored in a blob of its own; `notKept` marks a file that was not stored. */
interface StoredReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string
  readonly notKept?: true
}

function withText({ status, headers, body }: Reply): StoredReply {
  return { status, headers, ...(body.kind === 'text' && { text: body.text }) }
}

interface Recorder extends CallKey {
  /** Keeps the response of a call that has succeeded. Throws as `keepFile`, unless the route has kept an answer. */
  keep(reply: Reply): Promise<void>
}

function recorderOf(
  services: Services,
  hold: KeyHold,
  { call, body: received }: Pick<ClaimedCall, 'call' | 'body'>,
): Recorder {
  const { log } = services
  let recorded: 'nothing' | 'answer' | 'file' = 'nothing'
  const noFile = { blob: '', size: 0, secret: '' }
  const print = async () => requestPrint(services, call, await received.digest())

  /** Stores the file of a response. A file that is too large, or that the storage does not take, is not kept. */
  async function stored(source: ByteSource): Promise<Pick<KeptAnswer, 'blob' | 'size' | 'secret'>> {
    if (!(await fits(services, hold.account, source.size))) return noFile
    const secret = services.ids.random(32)
    const blob = `${hold.account}/answers/${toHex(services.ids.random(16))}`
    const bytes = await bytesOf(source)
    const chunks = async function* () {
      yield bytes
    }
    const isStored = await putFile(services, blob, encryptStream(secret, chunks())).then(
      () => true,
      (error: unknown) => log.warn('key.keep', { error }),
    )
    return isStored ? { blob, size: source.size, secret: toHex(secret) } : noFile
  }

  async function record(reply: Reply): Promise<void> {
    const { body } = reply
    const storedFile = body.kind === 'bytes' ? await stored(body.source) : noFile
    const isKept = body.kind !== 'bytes' || storedFile.blob !== ''
    const answer = JSON.stringify({ ...withText(reply), ...(!isKept && { notKept: true }) })
    const discard = async () => storedFile.blob !== '' && discardFile(services, storedFile.blob)
    try {
      if (await keepForCertain(services, hold, { fingerprint: await print(), answer, ...storedFile })) return
    } catch (error) {
      if (!isUnanswered(error)) await discard()
      throw error
    }
    await discard()
    throw new AppError('api.key.running')
  }

  return {
    async answerOf(reply) {
      recorded = 'answer'
      return { hold, answer: { fingerprint: await print(), answer: JSON.stringify(withText(reply)) } }
    },
    async keepFile(reply) {
      await record(reply)
      recorded = 'file'
    },
    async keep(reply) {
      if (recorded === 'file') return
      // The answer of the transaction serves as well. It lacks only what was not known then, such as the remaining credits.
      if (recorded === 'answer')
        return record(reply).catch((error: unknown) => log.warn('key.keep', { error }))
      return record(reply)
    },
  }
}

/** As `keepAnswer`, also where the database kept the answer and its own answer was lost. */
async function keepForCertain({ sql }: Services, hold: KeyHold, kept: KeptAnswer): Promise<boolean> {
  return keepAnswer(sql, hold, kept).catch(async (error: unknown) => {
    if (!isUnanswered(error)) throw error
    const row = await findKey(sql, hold)
    if (row?.holder !== hold.holder || row.answer === '') throw error
    return true
  })
}

/** Whether the file of a response may be stored. */
async function fits({ sql }: Services, account: string, size: number): Promise<boolean> {
  return size <= maxStoredBytes && (await keptBytes(sql, account)) + size <= maxAccountBytes
}

async function replay(services: Services, row: KeptAnswer, fingerprint: string): Promise<Reply> {
  if (row.fingerprint !== fingerprint) throw new AppError('api.key.reused')
  const { status, headers, text, notKept } = JSON.parse(row.answer) as StoredReply
  if (notKept) throw new AppError('api.key.not-kept')
  const marked = { ...headers, 'service-idempotent-replay': 'true' }
  if (row.blob === '') return { status, headers: marked, body: { kind: 'text', text: text ?? '' } }
  const source = await services.blobs.get(row.blob)
  if (source === undefined) throw new AppError('storage.damaged')
  const bytes = await gather(decryptStream(fromHex(row.secret), source.stream()))
  return { status, headers: marked, body: { kind: 'bytes', source: fromBytes(bytes) } }
}

async function forget(services: Services, ref: KeyRef, now: number): Promise<void> {
  for (const blob of await removeExpiredKey(services.sql, ref, now))
    if (blob !== '') await discardFile(services, blob)
}

/**
 * Reads the key: a string of structured fields (RFC 9651 3.3.3) or, as most clients send it, the bare characters. Throws
 * 'api.key.invalid'.
 */
function readKey(header: string): string {
  const text = header.trim()
  const key = /^".*"$/.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new AppError('api.key.invalid')
  return key
}

/** The fingerprint of a request: a hash of its method, path, query, options in headers, media type and body. */
function requestPrint(services: Services, { method, path, query, headers }: Call, body: string): string {
  const requestedByHeader = [...headers]
    .filter(([name]) => name.startsWith('service-') || name === 'prefer')
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
  const { type = '' } = parseMediaType(headers.get('content-type') ?? '') ?? {}
  const hash = hasherOf(services)
  hash.update(
    new TextEncoder().encode(
      JSON.stringify([method, path, [...query].sort(), type, requestedByHeader, body]),
    ),
  )
  return hash.hex()
}

const hasherOf = (services: Services) => services.hasher.sha256()

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // A signal that was aborted before sends no event.
    if (signal.aborted) return reject(new AppError('api.aborted'))
    const stop = () => {
      clearTimeout(timer)
      reject(new AppError('api.aborted'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
