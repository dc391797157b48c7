import { afterAll, beforeAll } from 'vitest'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openPostgres } from '../../../origin/storage/records-postgres.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import type { Sql } from '../../../shared/ports/sql.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { accountsContract } from '../../contract/accounts.ts'
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts'
import { useClosing } from '../../helpers/temporary.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
const closing = useClosing()
const migrated = async (sql: Sql) => {
  await migrate(sql, await readMigrations())
  return closing(sql)
}

accountsContract('SQLite', () => migrated(openSqlite(':memory:')))
accountsContract('PostgreSQL', async () => migrated(openPostgres(await server.database(), { log })))
