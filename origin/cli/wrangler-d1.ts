import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Sql, SqlValue, Statement } from '../../shared/ports/sql.ts'
import { UsageError } from './command.ts'
import { wrangler } from './wrangler.ts'

/** A local D1 database is one SQLite file. The process of a running Worker may lock it briefly. */
const attempts = 6

interface D1Result {
  readonly results: readonly Record<string, SqlValue>[]
  readonly success: boolean
  readonly meta?: { readonly changes?: number }
}

/**
 * Opens a D1 database through `wrangler d1 execute`, with the rights of the user who has logged in to
 * wrangler (docs/decisions/api-hosted-accounts.md). Each call starts a process, so this is for commands of an
 * operator, not for a service. Throws 'storage.conflict' and UsageError.
 */
export function openWranglerD1(options: {
  readonly location: 'remote' | 'local'
  readonly database: string
  readonly persistTo?: string // the folder of a local database
  readonly say: (line: string) => void
}): Sql {
  const { location, database, persistTo, say } = options
  const args = ['d1', 'execute', database, `--${location}`, '--json', '--yes']
  if (persistTo !== undefined) args.push('--persist-to', persistTo)

  async function execute(statements: readonly Statement[], attempt = 1): Promise<readonly D1Result[]> {
    const { code, stdout, stderr } = await wrangler([
      ...args,
      '--command',
      statements.map(asText).join(';\n'),
    ])
    const answer = parse(stdout)
    if (code === 0 && Array.isArray(answer)) return answer as readonly D1Result[]
    const output = JSON.stringify(answer ?? '') + stderr
    if (/SQLITE_BUSY|database is locked/.test(output) && attempt < attempts) {
      // The statements of a call are one transaction, so nothing was written and the call can be repeated.
      say('The database is busy: trying again.')
      await wait(attempt * 250)
      return execute(statements, attempt + 1)
    }
    if (/UNIQUE constraint failed|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE|ROWID)/.test(output))
      throw new AppError('storage.conflict', {}, { cause: new Error(output) })
    if (/no such table/.test(output))
      throw new UsageError(
        `The database ${database} has no tables yet: npx wrangler d1 migrations apply ${database} --${location}`,
      )
    throw new UsageError(`wrangler d1 execute failed: ${output.slice(0, 1000)}`)
  }

  return {
    query: async <Row = Record<string, SqlValue>>(statement: Statement) =>
      ((await execute([statement]))[0]?.results ?? []) as readonly Row[],
    batch: async (statements) =>
      (await execute(statements)).map(({ meta, results }) => meta?.changes ?? results.length),
  }
}

/** A statement with its values inserted into the text, because the command line of wrangler takes no parameters. */
function asText({ text, values }: Statement): string {
  return text.replace(/\?(\d+)/g, (_, number: string) => literal(values[Number(number) - 1] ?? null))
}

function literal(value: SqlValue): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError('Only whole numbers are written into SQL.')
    return String(value)
  }
  if (typeof value === 'string') return `'${value.replaceAll('\0', '').replaceAll("'", "''")}'`
  return `X'${Buffer.from(value).toString('hex')}'`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
