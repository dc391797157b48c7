import { type Authentication, createAuthentication } from '../shared/auth/authenticate.ts'
import { readPublicKeys } from '../shared/auth/keys.ts'
import type { Clock, Sql } from '../shared/ports/index.ts'
import type { EdgeConfig } from './config.ts'

/**
 * Returns undefined when authentication is off. Throws 'auth.keys' when the keys are unusable, so that a
 * Worker that cannot check tokens does not serve requests.
 */
export async function openAuthentication(
  { authentication, settings }: EdgeConfig,
  { clock, sql }: { readonly clock: Clock; readonly sql: Sql },
): Promise<Authentication | undefined> {
  if (authentication === undefined) return undefined
  const keys = await readPublicKeys(authentication.publicKeys)
  const { audience } = authentication
  return createAuthentication({ keys, audience, clock, sql, hosted: settings.hosted })
}
