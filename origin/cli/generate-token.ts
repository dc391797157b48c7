import { existsSync } from 'node:fs'
import { isAccountName } from '../../shared/auth/account.ts'
import { entryOf } from '../../shared/entry-of.ts'
import { tokenKinds } from '../../shared/records/accounts.ts'
import { keyFiles } from '../auth/key-files.ts'
import { signToken } from '../auth/sign-token.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readFlags } from './flags.ts'

const defaultLife = '1y'
const unitSeconds: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
}
/** The latest time that a Date of JavaScript can represent, in seconds (ECMA-262, 21.4.1.1). */
const lastSecond = 8_640_000_000_000

/** Signs a token with the private key of this folder. */
export const generateToken: LocalCommand = {
  local: true,
  usage:
    'platen generate-token [--iss NAME] [--aud NAME] [--exp 90d|UNIX-TIME] [--account NAME] [--kind test|production] [--workdir FOLDER]',
  summary:
    'Prints a token for the API. It is valid for one year unless --exp sets another period (with s, m, h, d, w or y) or an end (Unix time in seconds).',
  async run(readConfig, args) {
    const values = readFlags(args, {
      iss: { type: 'string', default: 'platen' },
      aud: { type: 'string' },
      exp: { type: 'string', default: defaultLife },
      account: { type: 'string' },
      kind: { type: 'string' },
    })
    const config = readConfig(values.workdir)
    const { account } = values
    if (account !== undefined && !isAccountName(account))
      throw new UsageError(
        '--account takes up to 64 of a-z, 0-9, _ and -, and starts with a letter or digit.',
      )
    const kind = tokenKinds.find((candidate) => candidate === values.kind)
    if (values.kind !== undefined && kind === undefined)
      throw new UsageError('--kind takes test or production.')
    if (values.iss === '') throw new UsageError('--iss takes a name.')
    const issuedAt = Math.floor(Date.now() / 1000)
    const expiresAt = readExpiry(values.exp, issuedAt)
    const { privateKey } = keyFiles(config.workdir)
    if (!existsSync(privateKey))
      throw new UsageError(`There is no private key ${privateKey}. Run platen generate-keys first.`)
    const audience = values.aud ?? config.jwtAudience
    console.log(
      await signToken(privateKey, { issuer: values.iss, audience, issuedAt, expiresAt, account, kind }),
    )
    console.error(`Valid until ${new Date(expiresAt * 1000).toISOString()}.`)
    return 0
  },
}

/** Converts a time span such as '90d' to seconds. Throws UsageError. */
export function readSpan(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})([smhdwy])$/.exec(text) ?? []
  if (amount === undefined) throw new UsageError(`Write a period as 90d, 12h or 1y, not "${text}".`)
  return Number(amount) * entryOf(unitSeconds, unit)!
}

/**
 * Converts a time span after `now`, such as '90d', or an absolute time to a time in seconds since the epoch.
 * Throws UsageError.
 */
export function readExpiry(text: string, now: number): number {
  const [, amount, unit = ''] = /^(\d{1,13})([smhdwy]?)$/.exec(text) ?? []
  if (amount === undefined)
    throw new UsageError(`--exp takes 90d, 12h, 1y or a time in seconds, not "${text}".`)
  const expiry = unit === '' ? Number(amount) : now + Number(amount) * entryOf(unitSeconds, unit)!
  if (expiry <= now)
    throw new UsageError(`--exp ${text} is in the past. For a period, add a unit: ${amount}s or ${amount}d.`)
  if (expiry > lastSecond) throw new UsageError(`--exp ${text} is too far away.`)
  return expiry
}
