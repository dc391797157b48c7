import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { type Gate, startGate } from './gate.ts'
import { objectsInMemory } from './s3-store.ts'

export interface S3Server extends Pick<Gate, 'down' | 'up' | 'freeze' | 'thaw'> {
  /** An empty bucket; the URL the origin is configured with. */
  bucket(): Promise<string>
  /** Answers everything that writes with 507, as a store whose disk is full. */
  fill(): void
  empty(): void
  /** The keys of all objects. */
  keys(): readonly string[]
  stop(): Promise<void>
}

/** A store that speaks S3, in this process: its buckets in a temporary folder, the objects in memory. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-s3-'))
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder })
  const objects = objectsInMemory()
  Object.assign(server.store, objects)
  server.on('error', () => {}) // a reader that goes away in the middle is no news
  let full = false
  server.middleware.unshift(async (context, next) => {
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
    bucket: async () => {
      const name = `bucket-${++count}`
      await server.configureBuckets()
      await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'PUT', headers: { 'content-length': '0' } })
      return `s3://S3RVER:S3RVER@${name}/files?endpoint=http://127.0.0.1:${port}`
    },
    stop: async () => {
      await gate.close()
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
