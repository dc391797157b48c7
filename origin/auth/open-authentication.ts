import { type Authentication, createAuthentication } from '../../shared/auth/authenticate.ts'
import { readPublicKeys } from '../../shared/auth/keys.ts'
import type { Log } from '../../shared/plugin/contract.ts'
import type { Clock } from '../../shared/ports/index.ts'
import type { Sql } from '../../shared/ports/sql.ts'
import { ensureKeys, keyFiles } from './key-files.ts'

export interface AuthenticationParts {
  readonly workdir: string
  readonly publicKeys: string // PEM; empty: those of config/key.pub
  readonly audience: string
  readonly hosted: boolean
  readonly clock: Clock
  readonly sql: Sql
  readonly log: Log
}

/** Throws 'auth.keys': a service that is to check tokens and cannot does not start. */
export async function openAuthentication(parts: AuthenticationParts): Promise<Authentication> {
  const { workdir, publicKeys, audience, hosted, clock, sql, log } = parts
  const text = publicKeys === '' ? await fromFiles(workdir, log) : publicKeys
  return createAuthentication({ keys: await readPublicKeys(text), audience, hosted, clock, sql })
}

async function fromFiles(workdir: string, log: Log): Promise<string> {
  const files = keyFiles(workdir)
  const { text, created } = await ensureKeys(files)
  log.info(created ? 'authentication.keys-created' : 'authentication.keys', { ...files })
  return text
}
