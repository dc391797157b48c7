import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../../origin/config.ts'
import { startServer } from '../../../origin/server.ts'
import { openAzureBlobs } from '../../../origin/storage/blobs-azure.ts'
import { openFsBlobs } from '../../../origin/storage/blobs-fs.ts'
import { splitBlobs } from '../../../origin/storage/blobs-split.ts'
import { blobsContract } from '../../contract/blobs.ts'
import { createClient } from '../../contract/http/client.ts'
import { type AzureServer, startAzure } from '../../helpers/azure.ts'
import { testConfig } from '../../helpers/origin-config.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
let server: AzureServer
beforeAll(async () => {
  server = await startAzure()
})
afterAll(() => server.stop())

blobsContract('two folders as one store', async () =>
  splitBlobs([await openFsBlobs(temporary()), await openFsBlobs(temporary())]),
)

it('moves between its stores, and lists both in one order', async () => {
  const [templates, renders] = [await openFsBlobs(temporary()), await openFsBlobs(temporary())]
  const blobs = splitBlobs([templates, renders])
  const keys = ['a/jobs/1', 'a/renders/1', 'a/samples/1', 'a/templates/1', 'b/renders/1', 'b/templates/1']
  for (const key of [...keys].reverse()) await blobs.put(key, new Blob([key]) as never)
  const listed = async (store: typeof blobs) => {
    const found: string[] = []
    for await (const { key } of store.list('')) found.push(key)
    return found
  }
  expect(await listed(blobs)).toEqual(keys)
  expect(await listed(templates)).toEqual(['a/samples/1', 'a/templates/1', 'b/templates/1'])
  await blobs.move('a/jobs/1', 'a/templates/2')
  expect(await listed(renders)).toEqual(['a/renders/1', 'b/renders/1'])
  expect(await new Response((await templates.get('a/templates/2'))!.stream()).text()).toBe('a/jobs/1')
})

it('an origin keeps its files in the containers that the environment names', async () => {
  const [templates, renders] = [await server.container(), await server.container()]
  const { account, key, endpoint } = server.environment
  const { blobsUrl } = readConfig([], {
    AZURE_STORAGE_ACCOUNT: account,
    AZURE_STORAGE_KEY: key,
    AZURE_STORAGE_ENDPOINT: endpoint,
    CONTAINER_TEMPLATES: new URL(templates).hostname,
    CONTAINER_RENDERS: new URL(renders).hostname,
  }).config
  const { config, remove } = await testConfig({ mergeWorkers: 1, blobsUrl })
  const origin = await startServer(config)
  const client = createClient(origin.url)
  const id = await client.hashed('in Azure: {d.a}')
  const { renderId } = (await client.post(`/render/${id}`, { data: { a: 1 } })).body.data
  const names = async (url: string) => {
    const found: string[] = []
    for await (const { key } of openAzureBlobs(url.replace('/files', '')).list(''))
      found.push(key.split('/')[1]!)
    return found
  }
  expect([await names(templates), await names(renders)]).toEqual([['templates'], ['renders']])
  expect((await client.get(`/render/${renderId}`)).text).toBe('in Azure: 1')
  expect(await names(renders)).toEqual([])
  await origin.stop()
  await remove()
})
