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
import { type Blobs, checkKey } from '../../shared/ports/blobs.ts'
import { guarded, notWhole, remoteSource, sendCounted } from './remote-source.ts'

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
      const stream = body instanceof ReadableStream ? body : body.stream()
      return sendCounted(stream, (counted) => {
        const params = { ...where, Body: counted }
        return new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce }).done()
      })
    },
    async get(key) {
      const where = place(key)
      const found = await guarded(() => ifThere(client.send(new HeadObjectCommand(where))))
      if (found === undefined) return undefined
      const etag = found.ETag === undefined ? {} : { IfMatch: found.ETag }
      return remoteSource(rangesOf(client, { ...where, ...etag }), 0, found.ContentLength ?? 0)
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
    // A store that is frozen or cut off says nothing at all.
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 15_000 },
    // Not every store knows the newer checksums; TLS and the length guard what is sent.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, bucket: url.hostname, prefix: prefix === '' ? '' : `${prefix}/` }
}

interface Version {
  readonly Bucket: string
  readonly Key: string
  readonly IfMatch?: string // a blob that was replaced is another one: never half of each
}

function rangesOf(client: S3Client, version: Version) {
  return async (start: number, end: number) => {
    const range = { Range: `bytes=${start}-${end - 1}` }
    const found = await client.send(new GetObjectCommand({ ...version, ...range }))
    // Not every store minds If-Match.
    if (version.IfMatch !== undefined && found.ETag !== version.IfMatch) throw notWhole()
    return found.Body!.transformToWebStream() as ReadableStream<Uint8Array>
  }
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404)
      return undefined
    throw error
  }
}
