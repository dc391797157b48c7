import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { openR2Blobs } from '../../../edge/storage/blobs-r2.ts'
import { blobsContract } from '../../contract/blobs.ts'

blobsContract('R2', async () => {
  await reset()
  return openR2Blobs(env.BLOBS)
})
