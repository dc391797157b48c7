import { readPublicKeys, type VerifyKey } from '../../shared/auth/keys.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/values.ts'
import type { Clock } from '../../shared/ports/index.ts'

/**
 * How long an issuer for which the hook had no key is refused without another call. A new issuer waits at
 * most this long after a premature first token; a shorter time allows more calls by forged tokens.
 */
const quarantineMs = 60_000
/** The maximum number of issuers that are remembered in each list. The oldest are dropped. */
const maxIssuers = 10_000

/**
 * Returns a function that gets the keys of the issuer of a token from the operator's hook, `keysFor`. An issuer
 * without a key is refused for `quarantineMs`, so that forged tokens do not cause calls to the systems behind
 * the hook. An issuer that has had a key is exempt, so that forged tokens cannot lock it out. Throws
 * 'api.unauthorized' and 'hook.slow'.
 */
export function issuerKeys(parts: {
  readonly keysFor: (claims: Readonly<Record<string, unknown>>) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
}): (claims: Readonly<Record<string, unknown>>) => Promise<readonly VerifyKey[]> {
  const { keysFor, clock, log } = parts
  /** Issuers without a key, and when they may be tried again (ms since the epoch). */
  const unknownUntil = new Map<string, number>()
  /** Issuers that have had a key. */
  const knownIssuers = new Set<string>()

  return async (claims) => {
    const issuer = String(claims['iss'] ?? '').slice(0, 200)
    const until = unknownUntil.get(issuer) ?? 0
    if (until > clock.now()) throw new AppError('api.unauthorized')
    unknownUntil.delete(issuer)
    const keys = await keysOf(claims, issuer)
    if (keys.length > 0) {
      remember(knownIssuers, issuer)
      return keys
    }
    if (!knownIssuers.has(issuer)) remember(unknownUntil, issuer, clock.now() + quarantineMs)
    throw new AppError('api.unauthorized')
  }

  /**
   * A hook that fails counts as having no key. A timeout is thrown, because it implies nothing about the
   * issuer.
   */
  async function keysOf(claims: Readonly<Record<string, unknown>>, issuer: string) {
    try {
      const key = await keysFor(claims)
      if (key === undefined || key === null || key === '') return []
      return await readPublicKeys(Buffer.isBuffer(key) ? key.toString() : String(key))
    } catch (error) {
      if (error instanceof AppError && error.code === 'hook.slow') throw error
      log.warn('authentication.no-key', {
        issuer,
        error: error instanceof Error ? (error.cause ?? error) : error,
      })
      return []
    }
  }
}

function remember(into: Set<string>, issuer: string): void
function remember(into: Map<string, number>, issuer: string, until: number): void
function remember(into: Set<string> | Map<string, number>, issuer: string, until = 0): void {
  if (into instanceof Set) into.add(issuer)
  else into.set(issuer, until)
  if (into.size > maxIssuers) into.delete(into.keys().next().value!)
}
