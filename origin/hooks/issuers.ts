import { readPublicKeys, type VerifyKey } from '../../shared/auth/keys.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import type { Clock } from '../../shared/ports/index.ts'

/** In which an issuer that nobody knew is refused without asking again. */
const quarantineMs = 60_000
const mostIssuers = 10_000

/**
 * The keys of the issuer of a token, by the operator's hook. One that has no key is refused for a while, so that forged
 * tokens do not become calls to whatever the hook asks; one that had a key once is always asked for, so that nobody can
 * shut it out with tokens of their own. Throws 'api.unauthorized' and what the hook throws.
 */
export function issuerKeys(parts: {
  readonly ask: (claims: Readonly<Record<string, unknown>>) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
}): (claims: Readonly<Record<string, unknown>>) => Promise<readonly VerifyKey[]> {
  const { ask, clock, log } = parts
  const unknownUntil = new Map<string, number>()
  const known = new Set<string>()

  return async (claims) => {
    const issuer = String(claims['iss'] ?? '').slice(0, 200)
    const until = unknownUntil.get(issuer) ?? 0
    if (until > clock.now()) throw new AppError('api.unauthorized')
    unknownUntil.delete(issuer)
    const keys = await keysOf(claims, issuer)
    if (keys.length > 0) {
      remember(known, issuer)
      return keys
    }
    if (!known.has(issuer)) remember(unknownUntil, issuer, clock.now() + quarantineMs)
    throw new AppError('api.unauthorized')
  }

  /** A hook that fails says in its way that it has none; one that is slow says nothing about the issuer. */
  async function keysOf(claims: Readonly<Record<string, unknown>>, issuer: string) {
    try {
      const key = await ask(claims)
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
  if (into.size > mostIssuers) into.delete(into.keys().next().value!)
}
