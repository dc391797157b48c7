import { env } from 'cloudflare:workers'
import { openD1 } from '../../edge/storage/records-d1.ts'
import { migrate } from '../../shared/records/migrate.ts'
import revokedTokens from '../../shared/records/migrations/0008_revoked_tokens.sql?raw'
import { authenticateContract } from '../contract/authenticate.ts'

authenticateContract('workerd, D1', async () => {
  const sql = openD1(env.RECORDS)
  await migrate(sql, [{ name: '0008_revoked_tokens.sql', sql: revokedTokens }])
  return sql
})
