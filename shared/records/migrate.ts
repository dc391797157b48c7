import { AppError } from '../errors/app-error.ts'
import type { Sql, Statement } from '../ports/sql.ts'

/** One numbered file of `migrations/`: '0001_records.sql' and its text. Never edited once released. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/**
 * The list of what was applied. Its shape is the one that `wrangler d1 migrations` keeps (wrangler.toml names this
 * table), so that both may be used on one database.
 */
const history = `CREATE TABLE IF NOT EXISTS schema_migrations (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`

/**
 * Applies the migrations that the database does not have yet, in the order of their numbers, each in one transaction
 * together with its line in the history. Two processes may start at once: the line's unique name lets one of them
 * win, the other finds the work done.
 *
 * Returns the names applied by this call. Throws AppError 'storage.records' when a statement fails: nothing of that
 * migration is kept then, those before it are.
 */
export async function migrate(sql: Sql, migrations: readonly Migration[]): Promise<readonly string[]> {
  const ordered = inOrder(migrations)
  await createHistory(sql)
  const done = await applied(sql)
  const names: string[] = []
  for (const { id, name, text } of ordered) {
    if (done.has(name)) continue
    const line: Statement = {
      text: 'INSERT INTO schema_migrations (id, name) VALUES (?1, ?2)',
      values: [id, name],
    }
    const statements = splitStatements(text).map((text): Statement => ({ text, values: [] }))
    try {
      await sql.batch([line, ...statements])
      names.push(name)
    } catch (error) {
      if (!isConflict(error) || !(await applied(sql)).has(name)) throw error
    }
  }
  return names
}

/** Creating the same table from two sessions at once is a broken unique rule inside PostgreSQL: look again. */
async function createHistory(sql: Sql): Promise<void> {
  const statement: Statement = { text: history, values: [] }
  try {
    await sql.batch([statement])
  } catch (error) {
    if (!isConflict(error)) throw error
    await sql.batch([statement])
  }
}

async function applied(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ name: string }>({ text: 'SELECT name FROM schema_migrations', values: [] })
  return new Set(rows.map((row) => row.name))
}

function inOrder(migrations: readonly Migration[]): readonly { id: number; name: string; text: string }[] {
  const numbered = migrations.map(({ name, sql }) => {
    const digits = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
    if (digits === undefined) throw ours(`A migration is not named like 0001_subject.sql: ${name}`)
    return { id: Number(digits), name, text: sql }
  })
  numbered.sort((a, b) => a.id - b.id)
  numbered.forEach((migration, index) => {
    if (migration.id === numbered[index - 1]?.id) throw ours(`Two migrations are number ${migration.id}.`)
  })
  return numbered
}

/**
 * The statements of a migration: drivers take one at a time. Knows quotes and comments; bodies with inner semicolons
 * (triggers, functions) are not in the dialect that SQLite and PostgreSQL share, so it need not know those.
 */
function splitStatements(text: string): readonly string[] {
  const statements: string[] = []
  let current = ''
  // Quoted text, comments, the separator, or one other character, in this order.
  for (const [piece] of text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[\s\S]/g)) {
    if (piece === ';') {
      statements.push(current.trim())
      current = ''
    } else if (!piece.startsWith('--') && !piece.startsWith('/*')) {
      current += piece
    }
  }
  statements.push(current.trim())
  return statements.filter((statement) => statement !== '')
}

function isConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage.conflict'
}

function ours(message: string): AppError {
  return new AppError('storage.records', {}, { cause: new Error(message) })
}
