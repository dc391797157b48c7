import { rm } from 'node:fs/promises'
import S3rver, { type Context } from 's3rver'
import { type Gate, startGate } from './gate.ts'
import { objectsInMemory } from './s3-store.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface S3Server extends Pick<Gate, 'down' | 'up' | 'freeze' | 'thaw'> {
  /** An empty bucket; the URL the origin is configured with. */
  bucket(): Promise<string>
  /** Answers everything that writes with 507, as a store whose disk is full. */
  fill(): void
  empty(): void
  /** The keys of all objects. */
  keys(): readonly string[]
  /** The lifecycle rules of each bucket, as XML. */
  readonly lifecycles: Map<string, string>
  stop(): Promise<void>
}

/** A store that speaks S3, in this process: its buckets in a temporary folder, the objects in memory. */
export async function startS3(): Promise<S3Server> {
  const folder = temporaryFolder('platen-s3')
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder })
  const objects = objectsInMemory()
  Object.assign(server.store, objects)
  server.on('error', () => {}) // a reader that goes away in the middle is no news
  let full = false
  const lifecycles = new Map<string, string>()
  server.middleware.unshift(async (context, next) => {
    const [path = '', query = ''] = context.url.split('?')
    if (/^lifecycle\b/.test(query)) return keepLifecycle(context, path.split('/')[1] ?? '', lifecycles)
    if (!full || !['PUT', 'POST'].includes(context.method)) return next()
    context.req.resume()
    context.status = 507
    context.body = '<Error><Code>InsufficientStorage</Code></Error>'
  })
  const gate = await startGate((await server.run()).port)
  const { port } = gate
  let count = 0
  return {
    ...gate,
    fill: () => {
      full = true
    },
    empty: () => {
      full = false
    },
    keys: objects.keys,
    lifecycles,
    bucket: async () => {
      const name = `bucket-${++count}`
      await server.configureBuckets()
      await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'PUT', headers: { 'content-length': '0' } })
      return `s3://S3RVER:S3RVER@${name}/files?endpoint=http://127.0.0.1:${port}`
    },
    stop: async () => {
      await gate.close()
      // A connection whose client has gone while it was frozen must not hold up the end.
      server.httpServer.closeAllConnections()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Keeps and gives the lifecycle rules of a bucket, which s3rver does not know. */
async function keepLifecycle(
  context: Context,
  bucket: string,
  lifecycles: Map<string, string>,
): Promise<void> {
  if (context.method === 'PUT') {
    let xml = ''
    for await (const chunk of context.req) xml += chunk
    lifecycles.set(bucket, xml)
    context.status = 200
    context.body = ''
    return
  }
  const xml = lifecycles.get(bucket)
  context.status = xml === undefined ? 404 : 200
  context.body = xml ?? '<Error><Code>NoSuchLifecycleConfiguration</Code></Error>'
}
