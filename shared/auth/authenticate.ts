import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../ports/index.ts'
import type { Sql } from '../ports/sql.ts'
import { findStanding, type TokenKind } from '../records/accounts.ts'
import { isRevoked, saveRevoked } from '../records/revoked-tokens.ts'
import { accountOf, kindOf } from './account.ts'
import type { VerifyKey } from './keys.ts'

/** The account and the token behind an authenticated request. */
export interface Caller {
  readonly account: string
  readonly kind: TokenKind
  /**
   * SHA-256 of the signed part of the token, in hex. The signature is not included: it has more than one
   * valid form.
   */
  readonly token: string
  readonly expiresAt: number // expiry of the token, seconds
}

export interface Authentication {
  /**
   * Returns the caller that an `Authorization` header proves. Throws 'api.unauthorized' for a missing,
   * forged, foreign or revoked token, and 'api.unauthorized.expired' for one that was valid before.
   */
  authenticate(authorization: string | undefined): Promise<Caller>
  /** Revokes the caller's token. This process refuses it at once, others within `recheckMs`. */
  revoke(caller: Caller): Promise<void>
}

export interface TokenRules {
  /**
   * The accepted keys, or a function that finds them by the claims of a token, which are unverified at that
   * point.
   */
  readonly keys: readonly VerifyKey[] | FindKeys
  readonly audience: string
  readonly clock: Clock
  /** The database that records revoked tokens. */
  readonly sql: Sql
  /**
   * A hosted service, which accepts only accounts that exist and are open, and only tokens that were not
   * ended.
   */
  readonly hosted?: boolean
  /**
   * The number of verified tokens to cache, 1000 by default. Verifying an ES512 signature takes milliseconds.
   */
  readonly remembered?: number
}

/** Finds the keys that may have signed a token, by its unverified claims. */
export type FindKeys = (claims: Readonly<Record<string, unknown>>) => Promise<readonly VerifyKey[]>

/** A verified token in the cache. */
interface Proof {
  readonly caller: Caller
  readonly lookedUpAt: number // ms since the epoch; the database had no revocation at that time
}

/** Characters. Tokens of this service are far shorter, and Node accepts headers of 16 KB in all. */
const maxTokenLength = 8192
const defaultRemembered = 1000
/**
 * How long, in ms, a verified token is accepted without reading the database again. Reading costs a round
 * trip; a longer time lets a revoked token be used for longer in other processes.
 */
export const recheckMs = 5000

/**
 * Creates the check of bearer tokens. A token must be a JWT (RFC 7519) that one of the keys has signed, with
 * the expected audience and an expiry.
 */
export function createAuthentication({
  keys,
  audience,
  clock,
  sql,
  hosted = false,
  remembered = defaultRemembered,
}: TokenRules): Authentication {
  // The cache of verified tokens, the oldest first. Its keys are digests, so that the time of a look-up does
  // not reveal the tokens in it.
  const proofs = new Map<string, Proof>()
  let revocations = 0 // by this process; detects a revocation during a look-up

  return {
    async authenticate(authorization) {
      const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(authorization ?? '')?.[1]
      if (token === undefined || token.length > maxTokenLength) throw new AppError('api.unauthorized')
      const digest = await digestOf(token)
      const cached = proofs.get(digest)
      const caller = cached?.caller ?? (await prove(token))
      const now = clock.now()
      if (caller.expiresAt <= now / 1000) {
        proofs.delete(digest)
        throw new AppError('api.unauthorized.expired')
      }
      if (cached !== undefined && now - cached.lookedUpAt < recheckMs) return caller
      proofs.delete(digest)
      const before = revocations
      await checkStanding(caller, now)
      // A revocation during the look-up may have made its result outdated, so the result is not cached.
      if (before === revocations) remember(digest, { caller, lookedUpAt: now })
      return caller
    },
    async revoke(caller) {
      await saveRevoked(sql, caller)
      revocations++
      for (const [digest, proof] of proofs) if (proof.caller.token === caller.token) proofs.delete(digest)
    },
  }

  /** Throws if the token was revoked or ended, or if its account does not exist or is closed. */
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

  /** Verifies the signature and the claims of a token. */
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

/** The id of a token in the database: SHA-256 of its signed part, in lower-case hex. */
export function tokenDigest(token: string): Promise<string> {
  return digestOf(token.slice(0, token.lastIndexOf('.')))
}

/**
 * The error for a token that failed verification. The library checks claims only after the signature, so
 * 'expired' is reported only for a token with a valid signature.
 */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof errors.JWTExpired) return new AppError('api.unauthorized.expired')
  return new AppError('api.unauthorized', {}, { cause: error })
}

/** The algorithm in the unverified header of a token. */
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
