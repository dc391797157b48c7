import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { openD1 } from '../../../edge/storage/records-d1.ts'
import { recordsContract } from '../../contract/records.ts'

recordsContract('D1', async () => {
  await reset()
  return openD1(env.RECORDS)
})
