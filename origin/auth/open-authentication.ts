import { type Authentication, createAuthentication, type FindKeys } from '../../shared/auth/authenticate.ts'
import { readPublicKeys } from '../../shared/auth/keys.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import type { Clock } from '../../shared/ports/index.ts'
import type { Sql } from '../../shared/ports/sql.ts'
import { ensureKeys, keyFiles } from './key-files.ts'

export interface AuthenticationParts {
  readonly workdir: string
  readonly publicKeys: string // PEM; empty: those of config/key.pub
  readonly audience: string
  readonly findKeys?: FindKeys | undefined // a hook of the operator, in place of all keys
  readonly hosted: boolean
  readonly clock: Clock
  readonly sql: Sql
  readonly log: Log
}

/** Throws 'auth.keys': a service that is to check tokens and cannot does not start. */
export async function openAuthentication(parts: AuthenticationParts): Promise<Authentication> {
  const { findKeys, audience, hosted, clock, sql } = parts
  return createAuthentication({ keys: findKeys ?? (await ownKeys(parts)), audience, hosted, clock, sql })
}

function ownKeys({ workdir, publicKeys, log }: AuthenticationParts) {
  return publicKeys === '' ? fromFiles(workdir, log).then(readPublicKeys) : readPublicKeys(publicKeys)
}

async function fromFiles(workdir: string, log: Log): Promise<string> {
  const files = keyFiles(workdir)
  const { text, created } = await ensureKeys(files)
  log.info(created ? 'authentication.keys-created' : 'authentication.keys', { ...files })
  return text
}
