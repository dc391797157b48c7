import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export interface S3Server {
  /** An empty bucket; the URL the origin is configured with. */
  bucket(): Promise<string>
  stop(): Promise<void>
}

/** A store that speaks S3, in this process, with its data in a temporary folder. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-s3-'))
  const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: folder })
  // It opens the file of an object for HEAD too, and reads it late: one that is deleted meanwhile is no news.
  server.on('error', () => {})
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
