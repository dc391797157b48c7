import { env } from 'cloudflare:workers'
import { migrations } from '../../edge/migrations.ts'
import { openD1 } from '../../edge/storage/records-d1.ts'
import { migrate } from '../../shared/records/migrate.ts'
import { accountsContract } from '../contract/accounts.ts'

accountsContract('workerd, D1', async () => {
  const sql = openD1(env.RECORDS)
  await migrate(sql, migrations)
  return sql
})
