import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { AppError } from '../../shared/errors/app-error.ts'
import type { ByteSource } from '../../shared/plugin/contract.ts'
import { type Blobs, checkKey } from '../../shared/ports/blobs.ts'

/** Streams go up in parts of this many bytes, one being filled while another is sent. */
const partBytes = 8 * 1024 * 1024
const partsAtOnce = 2

interface Store {
  readonly client: S3Client
  readonly bucket: string
  readonly prefix: string // '' or 'folder/'
}

/** Closing ends the connections that are kept open. */
export interface S3Blobs extends Blobs {
  close(): Promise<void>
}

/**
 * Blobs in a bucket of anything that speaks S3. `url` is
 * `s3://bucket/prefix?region=eu-west-1&endpoint=https://s3.example.com`, with `key:secret@` before the bucket or the
 * credentials where the AWS tools look for them. Without an endpoint it is Amazon's.
 */
export function openS3Blobs(url: string): S3Blobs {
  const store = storeOf(url)
  const { client, bucket } = store
  const place = (key: string) => ({ Bucket: bucket, Key: store.prefix + checkKey(key) })

  return {
    async put(key, body) {
      const where = place(key)
      if (!(body instanceof ReadableStream) && body.size <= partBytes) {
        const bytes = body.view ?? new Uint8Array(await body.arrayBuffer())
        await guarded(() => client.send(new PutObjectCommand({ ...where, Body: bytes })))
        return bytes.byteLength
      }
      return upload(store, where, body instanceof ReadableStream ? body : body.stream())
    },
    async get(key) {
      const where = place(key)
      const found = await guarded(() => ifThere(client.send(new HeadObjectCommand(where))))
      if (found === undefined) return undefined
      const etag = found.ETag === undefined ? {} : { IfMatch: found.ETag }
      return objectSource(client, { ...where, ...etag }, 0, found.ContentLength ?? 0)
    },
    async delete(key) {
      const where = place(key)
      await guarded(() => client.send(new DeleteObjectCommand(where)))
    },
    async move(from, to) {
      const [source, target] = [place(from), place(to)]
      const path = `${bucket}/${source.Key.split('/').map(encodeURIComponent).join('/')}`
      await guarded(async () => {
        await client.send(new CopyObjectCommand({ ...target, CopySource: path }))
        await client.send(new DeleteObjectCommand(source))
      })
    },
    async *list(prefix, after = '') {
      const where = { Bucket: bucket, Prefix: store.prefix + prefix }
      // The first version of this call: its pages begin behind a key, in every store.
      for (let next = after, more = true; more; ) {
        const start = next === '' ? {} : { Marker: store.prefix + next }
        const page = await guarded(() => client.send(new ListObjectsCommand({ ...where, ...start })))
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          next = Key.slice(store.prefix.length)
          yield { key: next, size: Size, writtenAt: LastModified?.getTime() ?? 0 }
        }
        more = page.IsTruncated === true && (page.Contents ?? []).length > 0
      }
    },
    close: async () => client.destroy(),
  }
}

function storeOf(text: string): Store {
  const url = new URL(text)
  const { searchParams: query } = url
  const endpoint = query.get('endpoint')
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  const credentials =
    url.username === ''
      ? {}
      : {
          credentials: {
            accessKeyId: decodeURIComponent(url.username),
            secretAccessKey: decodeURIComponent(url.password),
          },
        }
  const client = new S3Client({
    region: query.get('region') ?? process.env.AWS_REGION ?? 'us-east-1',
    // Stores other than Amazon's seldom have a host name for each bucket.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: query.get('pathStyle') !== 'false' }),
    ...credentials,
    // Not every store knows the newer checksums; TLS and the length guard what is sent.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, bucket: url.hostname, prefix: prefix === '' ? '' : `${prefix}/` }
}

/** The stream's own error passes unchanged; what was sent of it until then is taken back. */
async function upload(
  { client }: Store,
  where: { readonly Bucket: string; readonly Key: string },
  body: ReadableStream<Uint8Array>,
): Promise<number> {
  let size = 0
  let failure: { readonly error: unknown } | undefined
  async function* counted() {
    try {
      for await (const chunk of body) {
        size += chunk.byteLength
        if (chunk.byteLength > 0) yield chunk
      }
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  const params = { ...where, Body: Readable.from(counted(), { objectMode: false }) }
  try {
    await new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce }).done()
    return size
  } catch (cause) {
    throw failure === undefined ? new AppError('storage.blobs', {}, { cause }) : failure.error
  }
}

interface Version {
  readonly Bucket: string
  readonly Key: string
  readonly IfMatch?: string // a blob that was replaced is another one: never half of each
}

function objectSource(client: S3Client, version: Version, start: number, end: number): ByteSource {
  const size = Math.max(0, end - start)
  const read = async () => {
    const range = { Range: `bytes=${start}-${end - 1}` }
    const found = await guarded(() => client.send(new GetObjectCommand({ ...version, ...range })))
    // Not every store minds If-Match.
    if (version.IfMatch !== undefined && found.ETag !== version.IfMatch) throw short()
    return found.Body!
  }
  return {
    size,
    slice: (from, to) => {
      const [low, high] = [clamp(from, size), clamp(to, size)]
      return objectSource(client, version, start + low, start + Math.max(low, high))
    },
    stream: () => streamOf(size, read),
    async arrayBuffer() {
      if (size === 0) return new ArrayBuffer(0)
      const bytes = await guarded(async () => (await read()).transformToByteArray())
      if (bytes.byteLength !== size) throw short()
      return bytes.slice().buffer as ArrayBuffer
    },
  }
}

type Body = { transformToWebStream(): ReadableStream<Uint8Array> }

/** Asked for when something is read; one that ends before its length is an error, never a short answer. */
function streamOf(size: number, read: () => Promise<Body>): ReadableStream<Uint8Array> {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let left = size
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left === 0) return controller.close()
        reader ??= (await read()).transformToWebStream().getReader()
        const current = reader
        const { done, value } = await guarded(() => current.read())
        if (done) throw short()
        left -= value.byteLength
        controller.enqueue(value)
      },
      cancel: async (reason) => {
        await reader?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const clamp = (offset: number, size: number): number => Math.min(Math.max(offset, 0), size)

const short = () => new AppError('storage.blobs', {}, { cause: new Error('A blob was cut short.') })

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404)
      return undefined
    throw error
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('storage.blobs', {}, { cause })
  }
}
