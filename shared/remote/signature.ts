/**
 * Signatures of requests between the edge and its origins, made with a shared secret: HMAC-SHA-256 over
 * method, route, time, nonce, the digest of the job and, unless the body is a stream, the digest of the body.
 */
export interface SignedParts {
  readonly method: 'GET' | 'POST'
  readonly route: string // '/internal/convert', without any prefix a proxy may add
  readonly jobDigest: string // SHA-256 of the job as sent, lower-case hex; '' without one
  readonly bodyDigest: string // SHA-256 of the body, lower-case hex; '' where it is a stream
}

const signatureHeaders = {
  at: 'service-signed-at', // ms since the epoch
  nonce: 'service-nonce',
  jobDigest: 'service-job-digest',
  bodyDigest: 'service-body-digest',
  signature: 'service-signature',
} as const

/**
 * How far the time of a request may differ from the clock of the origin, in ms. It bounds the time for a
 * replay.
 */
const windowMs = 60_000
const nonceBytes = 16
/** Nonces in memory. One process cannot convert nearly as many requests within the window. */
const maxNonces = 200_000

/** Returns the headers that sign a request. `now` is in ms since the epoch. */
export async function sign(secret: string, parts: SignedParts, now: number): Promise<Record<string, string>> {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(nonceBytes)))
  const signedAt = String(now)
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secret), textOf(parts, signedAt, nonce))
  return {
    [signatureHeaders.at]: signedAt,
    [signatureHeaders.nonce]: nonce,
    [signatureHeaders.jobDigest]: parts.jobDigest,
    [signatureHeaders.bodyDigest]: parts.bodyDigest,
    [signatureHeaders.signature]: toHex(new Uint8Array(mac)),
  }
}

export type Verified =
  | { readonly ok: true; readonly jobDigest: string; readonly bodyDigest: string }
  | { readonly ok: false; readonly because: 'missing' | 'late' | 'forged' | 'replayed' }

/**
 * Creates a verifier that remembers nonces, so that each signed request is accepted once by a process and,
 * with `once`, once by a cluster. Signatures are compared in constant time. `because` is for the log and must
 * not be sent to the caller. `now` returns ms since the epoch.
 */
export function createVerifier(
  secret: string,
  now: () => number,
  /**
   * Resolves to true for the first process of the cluster that passes this text, and to false for `ms`
   * afterwards.
   */
  once?: (text: string, ms: number) => Promise<boolean>,
): (
  request: Pick<SignedParts, 'method' | 'route'> & { readonly header: (name: string) => string | undefined },
) => Promise<Verified> {
  // Maps each nonce to the time when it may be forgotten, in ms since the epoch. The earliest comes first.
  const nonces = new Map<string, number>()

  return async ({ method, route, header }) => {
    const signedAt = header(signatureHeaders.at) ?? ''
    const nonce = header(signatureHeaders.nonce) ?? ''
    const jobDigest = header(signatureHeaders.jobDigest) ?? ''
    const bodyDigest = header(signatureHeaders.bodyDigest) ?? ''
    const signature = fromHex(header(signatureHeaders.signature) ?? '')
    const areDigests = [jobDigest, bodyDigest].every((digest) => /^([0-9a-f]{64})?$/.test(digest))
    if (
      signature === undefined ||
      !areDigests ||
      !/^\d{1,15}$/.test(signedAt) ||
      !/^[0-9a-f]{32}$/.test(nonce)
    ) {
      return { ok: false, because: 'missing' }
    }
    const text = textOf({ method, route, jobDigest, bodyDigest }, signedAt, nonce)
    if (!(await crypto.subtle.verify('HMAC', await keyOf(secret), signature, text))) {
      return { ok: false, because: 'forged' }
    }
    const time = now()
    if (Math.abs(time - Number(signedAt)) > windowMs) return { ok: false, because: 'late' }
    forget(time)
    // When the memory is full, requests are refused, because a replay could no longer be detected.
    if (nonces.has(nonce) || nonces.size >= maxNonces) return { ok: false, because: 'replayed' }
    // The time of a request may be one window in the future, and it is accepted until one window after that
    // time.
    nonces.set(nonce, time + 2 * windowMs)
    if (once !== undefined && !(await once(nonce, 2 * windowMs))) return { ok: false, because: 'replayed' }
    return { ok: true, jobDigest, bodyDigest }
  }

  function forget(time: number): void {
    for (const [nonce, until] of nonces) {
      if (until > time) break
      nonces.delete(nonce)
    }
  }
}

/** SHA-256 in lower-case hex. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)))
}

function textOf(parts: SignedParts, signedAt: string, nonce: string): Uint8Array<ArrayBuffer> {
  const { method, route, jobDigest, bodyDigest } = parts
  const lines = ['service-1', method, route, signedAt, nonce, jobDigest, bodyDigest || 'stream']
  return new TextEncoder().encode(lines.join('\n')) as Uint8Array<ArrayBuffer>
}

function keyOf(secret: string) {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['sign', 'verify'])
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16))
}
