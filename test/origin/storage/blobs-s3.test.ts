import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openS3Blobs } from '../../../origin/storage/blobs-s3.ts'
import { blobsContract } from '../../contract/blobs.ts'
import { remoteBlobsCases } from '../../contract/remote-blobs.ts'
import { type S3Server, startS3 } from '../../helpers/s3.ts'
import { useClosing } from '../../helpers/temporary.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3()
})
afterAll(() => server.stop())
const closing = useClosing()
const open = async (settings?: { readonly timeoutMs?: number }) =>
  closing(openS3Blobs(await server.bucket(), settings))

// The server of the tests walks folder by folder, where S3 sorts by whole keys, and writes over the file that is there,
// where S3 puts objects whole.
blobsContract('S3', () => open(), { sorts: false, wholeWrites: false })

describe('S3', () => {
  remoteBlobsCases(open, () => server)

  it('reports a store that cannot be reached', async () => {
    const blobs = closing(openS3Blobs('s3://key:secret@bucket?endpoint=http://127.0.0.1:1'))
    await expect(blobs.get('a/b')).rejects.toMatchObject({ code: 'storage.unavailable' })
  })
})
