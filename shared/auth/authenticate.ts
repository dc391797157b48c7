import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import { AppError } from '../errors/app-error.ts'
import type { Clock } from '../ports/index.ts'
import { accountOf } from './account.ts'
import type { VerifyKey } from './keys.ts'

/** Who a token speaks for. */
export interface Caller {
  readonly account: string
}

/**
 * The caller whom an `Authorization` header proves. Throws 'api.unauthorized' for none, a forged or a foreign one,
 * 'api.unauthorized.expired' for one that was good once.
 */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>

export interface TokenRules {
  readonly keys: readonly VerifyKey[]
  readonly audience: string
  readonly clock: Clock
  /** Proven tokens that are remembered: checking an ES512 signature costs milliseconds, knowing it again next to none. */
  readonly remembered?: number
}

interface Proof extends Caller {
  readonly expiresAt: number // seconds
}

/** Above what any of our tokens needs, below what Node takes as headers. */
const longestToken = 8192
const defaultRemembered = 1000

/** Checks bearer tokens: JWT (RFC 7519) signed by one of the keys, for our audience, with an expiry. */
export function createAuthenticate({
  keys,
  audience,
  clock,
  remembered = defaultRemembered,
}: TokenRules): Authenticate {
  // By digest, so that how long a look-up takes tells nothing about the tokens in it. The oldest is dropped first.
  const proofs = new Map<string, Proof>()

  return async (authorization) => {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+) *$/i.exec(authorization ?? '')?.[1]
    if (token === undefined || token.length > longestToken) throw new AppError('api.unauthorized')
    const digest = await digestOf(token)
    const proof = proofs.get(digest) ?? (await prove(token))
    if (proof.expiresAt <= clock.now() / 1000) {
      proofs.delete(digest)
      throw new AppError('api.unauthorized.expired')
    }
    remember(digest, proof)
    return { account: proof.account }
  }

  function remember(digest: string, proof: Proof): void {
    proofs.delete(digest)
    proofs.set(digest, proof)
    if (proofs.size > remembered) proofs.delete(proofs.keys().next().value!)
  }

  async function prove(token: string): Promise<Proof> {
    const algorithm = algorithmOf(token)
    const currentDate = new Date(clock.now())
    for (const key of keys) {
      if (!key.algorithms.includes(algorithm)) continue
      try {
        const options = { algorithms: [algorithm], audience, requiredClaims: ['exp'], currentDate }
        const { payload } = await jwtVerify(token, key.key, options)
        return proofOf(payload)
      } catch (error) {
        // Another key may have signed it.
        if (error instanceof errors.JWSSignatureVerificationFailed) continue
        throw refusalOf(error)
      }
    }
    throw new AppError('api.unauthorized')
  }
}

function proofOf(payload: JWTPayload): Proof {
  const account = accountOf(payload)
  if (account === undefined) throw new AppError('api.unauthorized')
  return { account, expiresAt: payload.exp! }
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

async function digestOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return String.fromCharCode(...new Uint8Array(digest))
}
