import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAzureBlobs } from '../../../origin/storage/blobs-azure.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { blobsContract } from '../../contract/blobs.ts'
import { remoteBlobsCases } from '../../contract/remote-blobs.ts'
import { type AzureServer, startAzure } from '../../helpers/azure.ts'

let server: AzureServer
beforeAll(async () => {
  server = await startAzure()
})
afterAll(() => server.stop())
const open = async (settings?: { readonly timeoutMs?: number }) =>
  openAzureBlobs(await server.container(), settings)

blobsContract('Azure', () => open())

describe('Azure', () => {
  remoteBlobsCases(open, () => server)

  it('reports a wrong key, a missing container and a server that does not answer', async () => {
    const url = await server.container()
    const wrong = url.replace(/(?<=account:)[^@]+/, encodeURIComponent(btoa('another key')))
    const away = url.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1')
    for (const [each, code] of [
      [wrong, 'storage.blobs'],
      [away, 'storage.unavailable'],
      [url.replace('@container-', '@nowhere-'), 'storage.blobs'],
    ] as const)
      await expect(openAzureBlobs(each).put('a/b', fromBytes(new Uint8Array(1)))).rejects.toMatchObject({
        code,
      })
  })
})
