import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ObjectStore, StoredObject } from 's3rver'
import S3Object from 's3rver/lib/models/object.js'

interface Stored {
  readonly bytes: Buffer
  readonly headers: Record<string, unknown>
  readonly at: Date
}

/**
 * The objects of a store that speaks S3, in memory, each put, replaced and removed in one step as the service of that
 * name promises. The files s3rver keeps itself do not: it answers a PUT before the bytes are on the disk, and a DELETE
 * takes away the folder that another PUT is about to write to.
 */
export function objectsInMemory(): ObjectStore & { keys(): readonly string[] } {
  const objects = new Map<string, Stored>()
  const uploads = new Map<string, { readonly key: string; readonly headers: Record<string, unknown> }>()
  const parts = new Map<string, Buffer>()
  const nameOf = (bucket: string, key: string) => `${bucket}/${key}`

  const metadataOf = ({ bytes, headers, at }: Stored) => ({
    ...headers,
    etag: JSON.stringify(md5Of(bytes)),
    'last-modified': at.toUTCString(),
    'content-length': bytes.length,
  })
  const put = (bucket: string, key: string, bytes: Buffer, headers: Record<string, unknown>) => {
    objects.set(nameOf(bucket, key), { bytes, headers, at: new Date() })
    return { size: bytes.length, md5: md5Of(bytes) }
  }

  return {
    keys: () => [...objects.keys()],
    existsObject: async (bucket, key) => objects.has(nameOf(bucket, key)),

    async getObject(bucket, key, options) {
      const stored = objects.get(nameOf(bucket, key))
      if (stored === undefined) return null
      const last = Math.max(0, stored.bytes.length - 1)
      const start = options?.start ?? 0
      const end = Math.min(options?.end ?? last, last)
      const satisfiable = start >= 0 && start <= end
      const content = satisfiable
        ? Readable.from([stored.bytes.subarray(start, end + 1)], { objectMode: false })
        : null
      const object = new S3Object(bucket, key, content, metadataOf(stored))
      if (options?.start !== undefined || options?.end) object.range = { start, end }
      return object
    },

    putObject: async ({ bucket, key, content, metadata }) =>
      put(bucket, key, await bytesOf(content), metadata),

    async copyObject(fromBucket, fromKey, bucket, key, headers) {
      const stored = objects.get(nameOf(fromBucket, fromKey))
      if (stored === undefined) throw Object.assign(new Error('the object is gone'), { code: 'ENOENT' })
      const copy = { bytes: stored.bytes, headers: headers ?? stored.headers, at: new Date() }
      objects.set(nameOf(bucket, key), copy)
      return metadataOf(copy)
    },

    async deleteObject(bucket, key) {
      objects.delete(nameOf(bucket, key))
    },

    async listObjects(
      bucket,
      { delimiter = '', startAfter = '', prefix = '', maxKeys = Number.POSITIVE_INFINITY },
    ) {
      const found: StoredObject[] = []
      const common = new Set<string>()
      const under = nameOf(bucket, '')
      const keys = [...objects.keys()]
        .filter((name) => name.startsWith(under))
        .map((name) => name.slice(under.length))
      for (const key of keys.sort()) {
        const stored = objects.get(nameOf(bucket, key))
        if (stored === undefined || key <= startAfter || !key.startsWith(prefix)) continue
        const cut = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
        if (cut >= 0) common.add(key.slice(0, cut + delimiter.length))
        else found.push(new S3Object(bucket, key, null, metadataOf(stored)))
      }
      return {
        objects: found.slice(0, maxKeys),
        commonPrefixes: [...common].sort(),
        isTruncated: found.length > maxKeys,
      }
    },

    async initiateUpload(_bucket, key, id, headers) {
      uploads.set(id, { key, headers })
    },

    async putPart(_bucket, id, number, content) {
      const bytes = await bytesOf(content)
      parts.set(`${id}/${number}`, bytes)
      return { size: bytes.length, md5: md5Of(bytes) }
    },

    async putObjectMultipart(bucket, id, wanted) {
      const upload = uploads.get(id)
      if (upload === undefined) throw Object.assign(new Error('no such upload'), { code: 'ENOENT' })
      const numbers = wanted.map((part) => part.number).sort((a, b) => a - b)
      const whole = Buffer.concat(numbers.map((number) => parts.get(`${id}/${number}`) ?? Buffer.alloc(0)))
      for (const number of numbers) parts.delete(`${id}/${number}`)
      uploads.delete(id)
      return put(bucket, upload.key, whole, upload.headers)
    },
  }
}

async function bytesOf(content: Buffer | Readable | null): Promise<Buffer> {
  if (content === null) return Buffer.alloc(0)
  if (Buffer.isBuffer(content)) return content
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex')
}
