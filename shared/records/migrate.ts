import { AppError } from '../errors/app-error.ts'
import type { Sql, Statement } from '../ports/sql.ts'

/**
 * One numbered file of `migrations/`, such as '0001_records.sql', with its text. A released file is never
 * edited.
 */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/**
 * The table of applied migrations. It has the shape that `wrangler d1 migrations` uses (wrangler.toml names
 * this table), so that both can be used on one database.
 */
const history = `CREATE TABLE IF NOT EXISTS schema_migrations (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/**
 * Applies the migrations that the database does not have yet, in the order of their numbers, each in one
 * transaction together with its row in the history. If two processes start at once, the unique name lets one
 * of them insert the row; the other one finds the migration applied and continues.
 *
 * Returns the names applied by this call. Throws AppError 'storage.records' when a statement fails. That
 * migration is then rolled back, and the ones before it stay.
 */
export async function migrate(sql: Sql, migrations: readonly Migration[]): Promise<readonly string[]> {
  const ordered = inOrder(migrations)
  await createHistory(sql)
  const appliedNames = await applied(sql)
  const names: string[] = []
  for (const { id, name, text } of ordered) {
    if (appliedNames.has(name)) continue
    const historyRow: Statement = {
      text: 'INSERT INTO schema_migrations (id, name) VALUES (?1, ?2)',
      values: [id, name],
    }
    const statements = splitStatements(text).map((text): Statement => ({ text, values: [] }))
    try {
      await sql.batch([historyRow, ...statements])
      names.push(name)
    } catch (error) {
      if (!isConflict(error) || !(await applied(sql)).has(name)) throw error
    }
  }
  return names
}

/**
 * PostgreSQL reports a unique violation when two sessions create the same table at once. A second try then
 * succeeds.
 */
async function createHistory(sql: Sql): Promise<void> {
  const statement: Statement = { text: history, values: [] }
  try {
    await sql.batch([statement])
  } catch (error) {
    if (!isConflict(error)) throw error
    await sql.batch([statement])
  }
}

/** The names of the applied migrations. */
async function applied(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ name: string }>({ text: 'SELECT name FROM schema_migrations', values: [] })
  return new Set(rows.map((row) => row.name))
}

/** Sorts migrations by number. Throws for a misnamed file and for a number that occurs twice. */
function inOrder(migrations: readonly Migration[]): readonly { id: number; name: string; text: string }[] {
  const numbered = migrations.map(({ name, sql }) => {
    const digits = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (digits === undefined) throw migrationError(`A migration is not named like 0001_subject.sql: ${name}`)
    return { id: Number(digits), name, text: sql }
  })
  numbered.sort((a, b) => a.id - b.id)
  numbered.forEach((migration, index) => {
    if (migration.id === numbered[index - 1]?.id)
      throw migrationError(`Two migrations are number ${migration.id}.`)
  })
  return numbered
}

/**
 * Splits a migration into statements, because drivers take one at a time. Quotes and comments are recognised.
 * Bodies with inner semicolons (triggers, functions) are not, since SQLite and PostgreSQL have no common
 * syntax for them.
 */
function splitStatements(text: string): readonly string[] {
  const statements: string[] = []
  let current = ''
  // Quoted text, comments, the separator, or one other character, in this order.
  for (const [token] of text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[\s\S]/g)) {
    if (token === ';') {
      statements.push(current.trim())
      current = ''
    } else if (!token.startsWith('--') && !token.startsWith('/*')) {
      current += token
    }
  }
  statements.push(current.trim())
  return statements.filter((statement) => statement !== '')
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage.conflict'
}

function migrationError(message: string): AppError {
  return new AppError('storage.records', {}, { cause: new Error(message) })
}
