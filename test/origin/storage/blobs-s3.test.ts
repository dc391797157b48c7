import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openS3Blobs } from '../../../origin/storage/blobs-s3.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { blobsContract } from '../../contract/blobs.ts'
import { type S3Server, startS3 } from '../../helpers/s3.ts'
import { useClosing } from '../../helpers/temporary.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3()
})
afterAll(() => server.stop())
const closing = useClosing()
const open = async () => closing(openS3Blobs(await server.bucket()))

// The server of the tests walks folder by folder, where S3 sorts by whole keys, and writes over the file that is there,
// where S3 puts objects whole.
blobsContract('S3', open, { sorts: false, wholeWrites: false })

describe('S3', () => {
  it('a blob that was replaced while it was read is an error, never half of each', async () => {
    const blobs = await open()
    await blobs.put('a/b', fromBytes(new Uint8Array(1000)))
    const source = (await blobs.get('a/b'))!
    await blobs.put('a/b', fromBytes(new Uint8Array(1000).fill(1)))
    await expect(bytesOf(source)).rejects.toMatchObject({ code: 'storage.blobs' })
    await blobs.delete('a/b')
    await expect(new Response(source.stream()).arrayBuffer()).rejects.toMatchObject({ code: 'storage.blobs' })
  })

  it('says so when the store cannot be reached', async () => {
    const blobs = closing(openS3Blobs('s3://key:secret@bucket?endpoint=http://127.0.0.1:1'))
    await expect(blobs.get('a/b')).rejects.toMatchObject({ code: 'storage.blobs' })
  })

  it('lists more than one page', async () => {
    const blobs = await open()
    const keys = Array.from({ length: 1_100 }, (_, n) => `a/${String(n).padStart(4, '0')}`)
    for (let at = 0; at < keys.length; at += 100)
      await Promise.all(keys.slice(at, at + 100).map((key) => blobs.put(key, fromBytes(new Uint8Array(1)))))
    const found: string[] = []
    for await (const { key } of blobs.list('a/')) found.push(key)
    expect(found).toEqual(keys)
  })
})
