import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isAccountName } from '../../shared/auth/account.ts'
import { tokenDigest } from '../../shared/auth/authenticate.ts'
import { entryOf } from '../../shared/entry-of.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql } from '../../shared/ports/sql.ts'
import {
  type AccountToken,
  endToken,
  findAccount,
  listAccounts,
  listTokens,
  removeAccount,
  saveAccount,
  saveToken,
  setAllowance,
  setClosed,
  type TokenKind,
  tokenKinds,
} from '../../shared/records/accounts.ts'
import { migrate } from '../../shared/records/migrate.ts'
import { saveRevoked } from '../../shared/records/revoked-tokens.ts'
import { balance, monthOf, sandboxCredits } from '../../shared/services/accounts.ts'
import { keyFiles } from '../auth/key-files.ts'
import { signToken } from '../auth/sign-token.ts'
import type { OriginConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { readMigrations } from '../storage/migrations.ts'
import { openSqlite } from '../storage/records-sqlite.ts'
import { type LocalCommand, UsageError } from './command.ts'
import { readCommandLine } from './flags.ts'
import { readExpiry, readSpan } from './generate-token.ts'
import { openWranglerD1 } from './wrangler-d1.ts'

/** The actions by name. `words` is the number of positional arguments that an action takes. */
const actions = {
  create: { words: 1, run: create },
  list: { words: 0, run: list },
  credits: { words: 1, run: credits },
  close: {
    words: 1,
    run: (context: CommandContext, [name = '']: CommandWords) => setOpen(context, name, false),
  },
  reopen: {
    words: 1,
    run: (context: CommandContext, [name = '']: CommandWords) => setOpen(context, name, true),
  },
  remove: { words: 1, run: remove },
  token: { words: 1, run: (context: CommandContext, [name = '']: CommandWords) => issue(context, name) },
  tokens: { words: 1, run: tokens },
  rotate: { words: 2, run: rotate },
  revoke: { words: 2, run: revoke },
} as const satisfies Record<
  string,
  { words: number; run(context: CommandContext, words: CommandWords): Promise<void> }
>

type CommandWords = readonly string[]
type CommandOptions = ReturnType<typeof readWords>['values']

interface CommandContext {
  readonly sql: Sql
  readonly config: OriginConfig
  readonly values: CommandOptions
  readonly now: number // seconds
}

/**
 * Manages the accounts of a hosted service: in the database of the working folder, in PostgreSQL, or with
 * `--d1` in the D1 database of an edge.
 */
export const accounts: LocalCommand = {
  local: true,
  usage: `platen accounts create NAME [--credits N|unlimited]
  platen accounts list | close NAME | reopen NAME | remove NAME
  platen accounts credits NAME [--credits N|unlimited]
  platen accounts token NAME [--kind test|production] [--exp 90d] [--label TEXT]
  platen accounts tokens NAME
  platen accounts rotate NAME TOKEN-ID [--grace 1d] [--exp 90d]
  platen accounts revoke NAME TOKEN-ID
  each with [--workdir FOLDER], or for an edge [--d1 remote|local] [--database NAME] [--persist-to FOLDER]`,
  summary: 'Creates and lists the accounts, tokens and credits of a hosted service (SERVICE_HOSTED).',
  async run(readConfig, args) {
    const { values, positionals } = readWords(args)
    const [name = '', ...words] = positionals
    const action = entryOf(actions, name)
    if (action === undefined)
      throw new UsageError(
        name === ''
          ? `Name one of the commands ${Object.keys(actions).join(', ')}.`
          : `There is no command "accounts ${name}".`,
      )
    if (words.length !== action.words)
      throw new UsageError(
        `accounts ${name} takes ${action.words} ${action.words === 1 ? 'argument' : 'arguments'}.`,
      )
    const account = words[0]
    if (account !== undefined && !isAccountName(account))
      throw new UsageError(
        'The name of an account has up to 64 of the characters a-z, 0-9, _ and -, and starts with a letter or digit.',
      )
    const config = readConfig(values.workdir)
    const sql = await open(config, values)
    try {
      await action.run({ sql, config, values, now: Math.floor(Date.now() / 1000) }, words)
      return 0
    } finally {
      await sql.close?.()
    }
  },
}

function readWords(args: readonly string[]) {
  const text = { type: 'string' } as const
  return readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      workdir: { type: 'string', short: 'w' },
      credits: text,
      kind: { type: 'string', default: 'production' },
      exp: { type: 'string', default: '1y' },
      grace: { type: 'string', default: '0s' },
      label: { type: 'string', default: '' },
      d1: text,
      database: { type: 'string', default: 'platen' },
      'persist-to': text,
    },
  })
}

/** Opens the database of the accounts and migrates it, except a D1 database, which wrangler migrates. */
async function open(config: OriginConfig, values: CommandOptions): Promise<Sql> {
  if (values.d1 !== undefined) {
    if (values.d1 !== 'remote' && values.d1 !== 'local') throw new UsageError('--d1 takes remote or local.')
    return openWranglerD1({
      location: values.d1,
      database: values.database,
      persistTo: values['persist-to'],
      say: (line) => void process.stderr.write(`${line}\n`),
    })
  }
  const { databaseUrl, dataDir } = config
  if (databaseUrl === '' && !existsSync(dataDir))
    throw new UsageError(`There is no service in ${dataDir} yet.`)
  const sql =
    databaseUrl === ''
      ? openSqlite(join(dataDir, 'service.sqlite'))
      : (await import('../storage/records-postgres.ts')).openPostgres(databaseUrl, {
          log: createLog(config.logLevel),
          connections: 1,
        })
  await migrate(sql, await readMigrations())
  return sql
}

async function create({ sql, values, now }: CommandContext, [name = '']: CommandWords): Promise<void> {
  const monthlyCredits = readCredits(values.credits) ?? sandboxCredits
  const row = {
    name,
    monthlyCredits: monthlyCredits === 'unlimited' ? null : monthlyCredits,
    createdAt: now,
    closedAt: null,
  }
  await saveAccount(sql, row).catch((error: unknown) => {
    const isConflict = error instanceof AppError && error.code === 'storage.conflict'
    throw isConflict ? new UsageError(`There is already an account "${name}".`) : error
  })
  console.log(`${name}  ${creditText(row.monthlyCredits)} credits a month`)
}

async function list({ sql, now }: CommandContext): Promise<void> {
  for (const row of await listAccounts(sql, monthOf(now * 1000))) {
    const closed = row.closedAt === null ? '' : `  closed ${day(row.closedAt)}`
    console.log(`${row.name}  ${row.used} of ${creditText(row.monthlyCredits)} credits used${closed}`)
  }
}

async function credits({ sql, values, now }: CommandContext, [name = '']: CommandWords): Promise<void> {
  const allowance = readCredits(values.credits)
  await requireAccount(sql, name)
  if (allowance !== undefined) await setAllowance(sql, name, allowance === 'unlimited' ? null : allowance)
  const { limit, remaining, resetAt } = await balance({ sql, clock: { now: () => now * 1000 } }, name)
  console.log(
    limit === undefined
      ? `${name}  unlimited credits`
      : `${name}  ${remaining} of ${limit} credits left until ${day(resetAt)}`,
  )
}

async function setOpen({ sql, now }: CommandContext, name: string, isOpen: boolean): Promise<void> {
  if (!(await setClosed(sql, name, isOpen ? null : now))) throw noAccount(name)
  console.log(`${name}  ${isOpen ? 'open' : 'closed'}`)
}

/**
 * Removes an account with its templates, renders, jobs and tokens. This cannot be undone, so the account must
 * be closed first.
 */
async function remove({ sql }: CommandContext, [name = '']: CommandWords): Promise<void> {
  const account = await findAccount(sql, name)
  if (account === undefined) throw noAccount(name)
  if (account.closedAt === null)
    throw new UsageError(`Close the account "${name}" first, since removing it deletes everything it has.`)
  await removeAccount(sql, name)
  console.log(`${name}  removed`)
}

async function issue({ sql, config, values, now }: CommandContext, name: string): Promise<void> {
  await requireAccount(sql, name)
  const kind = tokenKinds.find((candidate) => candidate === values.kind)
  if (kind === undefined) throw new UsageError('--kind takes test or production.')
  await createToken({ sql, config, now }, { account: name, kind, label: values.label, exp: values.exp })
}

/** Signs and stores a token. Prints the token to standard output and all else to standard error. */
async function createToken(
  { sql, config, now }: Pick<CommandContext, 'sql' | 'config' | 'now'>,
  options: {
    readonly account: string
    readonly kind: TokenKind
    readonly label: string
    readonly exp: string
  },
): Promise<void> {
  const { account, kind, label, exp } = options
  const expiresAt = readExpiry(exp, now)
  const { privateKey } = keyFiles(config.workdir)
  if (!existsSync(privateKey))
    throw new UsageError(`There is no private key ${privateKey}. Run platen generate-keys first.`)
  const claims = { issuer: 'platen', audience: config.jwtAudience, issuedAt: now, expiresAt, account, kind }
  const text = await signToken(privateKey, claims)
  const token = await tokenDigest(text)
  await saveToken(sql, { account, token, kind, label, createdAt: now, expiresAt, endsAt: null })
  console.log(text)
  console.error(
    `${kind} token ${shortId(token)} of ${account}, good until ${day(expiresAt)}. It is shown once.`,
  )
}

async function tokens({ sql, now }: CommandContext, [name = '']: CommandWords): Promise<void> {
  await requireAccount(sql, name)
  for (const row of await listTokens(sql, name)) {
    const label = row.label === '' ? '' : `  ${row.label}`
    console.log(
      `${shortId(row.token)}  ${row.kind}  made ${day(row.createdAt)}  ${validity(row, now)}${label}`,
    )
  }
}

/** Describes whether a token is valid: 'good until …', 'expired …' or 'revoked …'. */
function validity({ endsAt, expiresAt }: AccountToken, now: number): string {
  if (endsAt !== null && endsAt <= now) return `revoked ${day(endsAt)}`
  const end = endsAt === null ? expiresAt : Math.min(endsAt, expiresAt)
  return end <= now ? `expired ${day(end)}` : `good until ${day(end)}`
}

/** Issues a new token of the same kind. The old one stays valid for `--grace`, then it ends. */
async function rotate(context: CommandContext, [name = '', id = '']: CommandWords): Promise<void> {
  const { sql, config, values, now } = context
  const old = await oneToken(sql, name, id)
  const grace = readSpan(values.grace)
  const options = { account: name, kind: old.kind, label: old.label, exp: values.exp }
  await createToken({ sql, config, now }, options)
  await end(context, old, now + grace)
  console.error(`Token ${shortId(old.token)} ends ${grace === 0 ? 'now' : day(now + grace)}.`)
}

async function revoke(context: CommandContext, [name = '', id = '']: CommandWords): Promise<void> {
  const token = await oneToken(context.sql, name, id)
  await end(context, token, context.now)
  console.log(`${shortId(token.token)}  revoked`)
}

/** Ends a token at a time in seconds since the epoch. */
async function end({ sql, now }: CommandContext, row: AccountToken, at: number): Promise<void> {
  await endToken(sql, row.account, row.token, at)
  // A service that has authentication but no accounts checks only the list of revoked tokens.
  if (at <= now) await saveRevoked(sql, row)
}

/** The only token of an account whose digest starts with `id`, at least 4 characters. Throws UsageError. */
async function oneToken(sql: Sql, name: string, id: string): Promise<AccountToken> {
  await requireAccount(sql, name)
  const matches = (await listTokens(sql, name)).filter(({ token }) => id.length >= 4 && token.startsWith(id))
  if (matches.length !== 1)
    throw new UsageError(
      `"${id}" is ${matches.length === 0 ? 'no token' : 'more than one token'} of ${name}.`,
    )
  return matches[0]!
}

/** Throws UsageError when there is no such account. */
async function requireAccount(sql: Sql, name: string): Promise<void> {
  if ((await findAccount(sql, name)) === undefined) throw noAccount(name)
}

function noAccount(name: string): UsageError {
  return new UsageError(`There is no account "${name}".`)
}

function readCredits(text: string | undefined): number | 'unlimited' | undefined {
  if (text === undefined || text === 'unlimited') return text
  if (!/^\d{1,12}$/.test(text)) throw new UsageError('--credits takes a number or unlimited.')
  return Number(text)
}

function creditText(credits: number | null): string {
  return credits === null ? 'unlimited' : String(credits)
}

function shortId(token: string): string {
  return token.slice(0, 12)
}

function day(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')
}
