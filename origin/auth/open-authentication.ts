import { type Authentication, createAuthentication, type FindKeys } from '../../shared/auth/authenticate.ts'
import { readPublicKeys } from '../../shared/auth/keys.ts'
import type { Log } from '../../shared/plugin/values.ts'
import type { Clock } from '../../shared/ports/index.ts'
import type { Sql } from '../../shared/ports/sql.ts'
import { ensureKeys, keyFiles } from './key-files.ts'

export interface AuthenticationParts {
  readonly workdir: string
  readonly publicKeys: string // PEM; empty: the keys of config/key.pub
  readonly audience: string
  readonly findKeys?: FindKeys | undefined // a hook of the operator, which replaces all keys
  readonly hosted: boolean
  readonly clock: Clock
  readonly sql: Sql
  readonly log: Log
}

/**
 * Opens the verification of tokens. Throws 'auth.keys', because a service must not start without the keys it
 * needs.
 */
export async function openAuthentication(parts: AuthenticationParts): Promise<Authentication> {
  const { findKeys, audience, hosted, clock, sql } = parts
  return createAuthentication({
    keys: findKeys ?? (await configuredKeys(parts)),
    audience,
    hosted,
    clock,
    sql,
  })
}

function configuredKeys({ workdir, publicKeys, log }: AuthenticationParts) {
  return publicKeys === '' ? fromFiles(workdir, log).then(readPublicKeys) : readPublicKeys(publicKeys)
}

async function fromFiles(workdir: string, log: Log): Promise<string> {
  const files = keyFiles(workdir)
  const { text, created } = await ensureKeys(files)
  log.info(created ? 'authentication.keys-created' : 'authentication.keys', { ...files })
  return text
}
