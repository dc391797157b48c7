import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { authenticateContract } from '../../contract/authenticate.ts'

authenticateContract('Node, SQLite', async () => {
  const sql = openSqlite(':memory:')
  await migrate(sql, await readMigrations())
  return sql
})
