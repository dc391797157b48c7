import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../ports/index.ts'
import type { Sql } from '../ports/sql.ts'
import { findStanding, type TokenKind } from '../records/accounts.ts'
import { isRevoked, saveRevoked } from '../records/revoked-tokens.ts'
import { accountOf, kindOf } from './account.ts'
import type { VerifyKey } from './keys.ts'

/** Who a token speaks for. */
export interface Caller {
  readonly account: string
  readonly kind: TokenKind
  readonly token: string // SHA-256 of what its signature covers, hex: a signature may be written in more than one way
  readonly expiresAt: number // of the token, seconds
}

export interface Authentication {
  /**
   * The caller whom an `Authorization` header proves. Throws 'api.unauthorized' for none, a forged, a foreign or a
   * revoked one, 'api.unauthorized.expired' for one that was good once.
   */
  authenticate(authorization: string | undefined): Promise<Caller>
  /** From here on the caller's token is refused: here at once, in other processes within `recheckMs`. */
  revoke(caller: Caller): Promise<void>
}

export interface TokenRules {
  /** Those that are believed, or what finds them by the claims of a token, which are not proven yet. */
  readonly keys: readonly VerifyKey[] | FindKeys
  readonly audience: string
  readonly clock: Clock
  /** Where revoked tokens are written down. */
  readonly sql: Sql
  /** A hosted service: only accounts that were created and are open, and tokens that were not ended, are let in. */
  readonly hosted?: boolean
  /** Proven tokens that are remembered: checking an ES512 signature costs milliseconds, knowing it again next to none. */
  readonly remembered?: number
}

export type FindKeys = (claims: Readonly<Record<string, unknown>>) => Promise<readonly VerifyKey[]>

interface Proof {
  readonly caller: Caller
  readonly lookedUpAt: number // ms: when it was not revoked
}

/** Above what any of our tokens needs, below what Node takes as headers. */
const longestToken = 8192
const defaultRemembered = 1000
/** A look-up costs a round trip to the database. In this time a leaked token does no more than it has done before. */
export const recheckMs = 5000

/** Checks bearer tokens: JWT (RFC 7519) signed by one of the keys, for our audience, with an expiry. */
export function createAuthentication({
  keys,
  audience,
  clock,
  sql,
  hosted = false,
  remembered = defaultRemembered,
}: TokenRules): Authentication {
  // By digest, so that how long a look-up takes tells nothing about the tokens in it. The oldest is dropped first.
  const proofs = new Map<string, Proof>()
  let revocations = 0

  return {
    async authenticate(authorization) {
      const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(authorization ?? '')?.[1]
      if (token === undefined || token.length > longestToken) throw new AppError('api.unauthorized')
      const digest = await digestOf(token)
      const known = proofs.get(digest)
      const caller = known?.caller ?? (await prove(token))
      const now = clock.now()
      if (caller.expiresAt <= now / 1000) {
        proofs.delete(digest)
        throw new AppError('api.unauthorized.expired')
      }
      if (known !== undefined && now - known.lookedUpAt < recheckMs) return caller
      proofs.delete(digest)
      const before = revocations
      await checkStanding(caller, now)
      // What was read while a token was being revoked may be old already.
      if (before === revocations) remember(digest, { caller, lookedUpAt: now })
      return caller
    },
    async revoke(caller) {
      await saveRevoked(sql, caller)
      revocations++
      for (const [digest, proof] of proofs) if (proof.caller.token === caller.token) proofs.delete(digest)
    },
  }

  async function checkStanding({ account, token }: Caller, now: number): Promise<void> {
    const [revoked, standing] = await Promise.all([
      isRevoked(sql, account, token),
      hosted ? findStanding(sql, account, token) : undefined,
    ])
    if (revoked || (hosted && (standing === undefined || standing.closed)))
      throw new AppError('api.unauthorized')
    const endsAt = standing?.endsAt ?? null
    if (endsAt !== null && endsAt <= now / 1000) throw new AppError('api.unauthorized.expired')
  }

  function remember(digest: string, proof: Proof): void {
    proofs.set(digest, proof)
    if (proofs.size > remembered) proofs.delete(proofs.keys().next().value!)
  }

  async function prove(token: string): Promise<Caller> {
    const algorithm = algorithmOf(token)
    const currentDate = new Date(clock.now())
    for (const key of typeof keys === 'function' ? await keys(claimsOf(token)) : keys) {
      if (!key.algorithms.includes(algorithm)) continue
      try {
        const options = { algorithms: [algorithm], audience, requiredClaims: ['exp'], currentDate }
        const { payload } = await jwtVerify(token, key.key, options)
        return await callerOf(token, payload)
      } catch (error) {
        // Another key may have signed it.
        if (error instanceof errors.JWSSignatureVerificationFailed) continue
        throw refusalOf(error)
      }
    }
    throw new AppError('api.unauthorized')
  }
}

async function callerOf(token: string, payload: JWTPayload): Promise<Caller> {
  const account = accountOf(payload)
  const kind = kindOf(payload)
  if (account === undefined || kind === undefined) throw new AppError('api.unauthorized')
  return { account, kind, token: await tokenDigest(token), expiresAt: Math.ceil(payload.exp!) }
}

/** What a token is known by in the records: SHA-256 of what its signature covers, hex. */
export function tokenDigest(token: string): Promise<string> {
  return digestOf(token.slice(0, token.lastIndexOf('.')))
}

/** The claims are looked at only after the signature: 'expired' is said to the owner of a token, not to a guesser. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof errors.JWTExpired) return new AppError('api.unauthorized.expired')
  return new AppError('api.unauthorized', {}, { cause: error })
}

function algorithmOf(token: string): string {
  try {
    return String(decodeProtectedHeader(token).alg)
  } catch (cause) {
    throw new AppError('api.unauthorized', {}, { cause })
  }
}

function claimsOf(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch (cause) {
    throw new AppError('api.unauthorized', {}, { cause })
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
