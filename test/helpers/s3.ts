import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { objectsInMemory } from './s3-store.ts'

export interface S3Server {
  /** An empty bucket; the URL the origin is configured with. */
  bucket(): Promise<string>
  stop(): Promise<void>
}

/** A store that speaks S3, in this process: its buckets in a temporary folder, the objects in memory. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-s3-'))
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder })
  Object.assign(server.store, objectsInMemory())
  server.on('error', () => {}) // a reader that goes away in the middle is no news
  const { port } = await server.run()
  let count = 0
  return {
    bucket: async () => {
      const name = `bucket-${++count}`
      await server.configureBuckets()
      await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'PUT', headers: { 'content-length': '0' } })
      return `s3://S3RVER:S3RVER@${name}/files?endpoint=http://127.0.0.1:${port}`
    },
    stop: async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
