import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type LifecycleRule,
  ListObjectsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type Blobs, checkKey } from '../../shared/ports/blobs.ts'
import { guarded, incompleteBlob, remoteSource, sendCounted, storeTimeoutMs } from './remote-source.ts'

/** Streams are uploaded in parts of this many bytes. One part is filled while another is sent. */
const partBytes = 8 * 1024 * 1024
const partConcurrency = 2

interface BucketPrefix {
  readonly client: S3Client
  readonly bucket: string
  readonly prefix: string // '' or 'folder/'
}

/** A blob store in S3. `close` ends the connections that are kept open. */
export interface S3Blobs extends Blobs {
  /**
   * Makes the store itself remove what a crash leaves behind: parts of uploads that were never completed, after a
   * day, and with `expireDays` every object of that age. Other rules of the bucket are kept.
   */
  setLifecycle(rules: { readonly expireDays?: number | undefined }): Promise<void>
  close(): Promise<void>
}

/** Prefix of the names of our rules. Rules with other names are not changed. */
const rulePrefix = 'platen-'

/**
 * Opens a bucket of a store with the S3 API as a blob store. `url` is
 * `s3://key:secret@bucket/prefix?region=eu-west-1&endpoint=https://s3.example.com`. Without `key:secret@` the
 * credentials are looked up as the AWS tools do. Without an endpoint it is a bucket of Amazon.
 */
export function openS3Blobs(url: string, { timeoutMs = storeTimeoutMs } = {}): S3Blobs {
  const store = storeOf(url, timeoutMs)
  const { client, bucket } = store
  const objectOf = (key: string) => ({ Bucket: bucket, Key: store.prefix + checkKey(key) })

  return {
    async put(key, body) {
      const object = objectOf(key)
      if (!(body instanceof ReadableStream) && body.size <= partBytes) {
        const bytes = body.view ?? new Uint8Array(await body.arrayBuffer())
        await guarded(() => client.send(new PutObjectCommand({ ...object, Body: bytes })))
        return bytes.byteLength
      }
      const stream = body instanceof ReadableStream ? body : body.stream()
      return sendCounted(stream, (counted) => uploadInParts(client, object, counted))
    },
    async get(key) {
      const object = objectOf(key)
      const head = await guarded(() => ifExists(client.send(new HeadObjectCommand(object))))
      if (head === undefined) return undefined
      const etag = head.ETag === undefined ? {} : { IfMatch: head.ETag }
      return remoteSource(rangesOf(client, { ...object, ...etag }), [0, head.ContentLength ?? 0], timeoutMs)
    },
    async delete(key) {
      const object = objectOf(key)
      await guarded(() => client.send(new DeleteObjectCommand(object)))
    },
    async move(from, to) {
      const [source, target] = [objectOf(from), objectOf(to)]
      const path = `${bucket}/${source.Key.split('/').map(encodeURIComponent).join('/')}`
      await guarded(async () => {
        await client.send(new CopyObjectCommand({ ...target, CopySource: path }))
        await client.send(new DeleteObjectCommand(source))
      })
    },
    async *list(prefix, after = '') {
      const object = { Bucket: bucket, Prefix: store.prefix + prefix }
      // This uses version 1 of the call, because its `Marker` accepts any key in every store.
      for (let startAfter = after, hasMore = true; hasMore; ) {
        const start = startAfter === '' ? {} : { Marker: store.prefix + startAfter }
        const page = await guarded(() => client.send(new ListObjectsCommand({ ...object, ...start })))
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          startAfter = Key.slice(store.prefix.length)
          yield { key: startAfter, size: Size, writtenAt: LastModified?.getTime() ?? 0 }
        }
        hasMore = page.IsTruncated === true && (page.Contents ?? []).length > 0
      }
    },
    async setLifecycle({ expireDays }) {
      const filter = { Status: 'Enabled', Filter: { Prefix: store.prefix } } as const
      const ownRules: LifecycleRule[] = [
        {
          ...filter,
          ID: `${rulePrefix}unfinished-uploads`,
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        },
      ]
      if (expireDays !== undefined)
        ownRules.push({ ...filter, ID: `${rulePrefix}expired`, Expiration: { Days: expireDays } })
      await guarded(async () => {
        const present = await ifExists(
          client.send(new GetBucketLifecycleConfigurationCommand({ Bucket: bucket })),
        )
        const foreignRules = present?.Rules?.filter(({ ID = '' }) => !ID.startsWith(rulePrefix)) ?? []
        const configuration = { Rules: [...foreignRules, ...ownRules] }
        await client.send(
          new PutBucketLifecycleConfigurationCommand({
            Bucket: bucket,
            LifecycleConfiguration: configuration,
          }),
        )
      })
    },
    close: async () => client.destroy(),
  }
}

/**
 * Uploads a stream in parts. Where that fails, its parts are removed if the store answers; those that stay are removed by
 * the lifecycle of the bucket.
 */
async function uploadInParts(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string },
  body: Readable,
): Promise<unknown> {
  const upload = new Upload({
    client,
    params: { ...object, Body: body },
    partSize: partBytes,
    queueSize: partConcurrency,
    // The library would report that it cannot remove the parts, instead of why the upload failed.
    leavePartsOnError: true,
  })
  try {
    return await upload.done()
  } catch (error) {
    const { uploadId } = upload
    if (uploadId !== undefined)
      await client
        .send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId }))
        .catch(() => undefined)
    throw error
  }
}

function storeOf(text: string, timeoutMs: number): BucketPrefix {
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
    // Stores other than Amazon's rarely have a host name for each bucket, so the bucket is part of the path.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: query.get('pathStyle') !== 'false' }),
    ...credentials,
    requestHandler: { connectionTimeout: Math.min(5_000, timeoutMs), socketTimeout: timeoutMs },
    // Not every store supports the newer checksums. TLS and the length protect the data in transit.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { client, bucket: url.hostname, prefix: prefix === '' ? '' : `${prefix}/` }
}

/** One version of an object. */
interface Version {
  readonly Bucket: string
  readonly Key: string
  readonly IfMatch?: string // reading fails when the blob was replaced, so that versions are never mixed
}

/** Reads ranges of one version of an object. Fails when it has been replaced. */
function rangesOf(client: S3Client, version: Version) {
  return async (start: number, end: number) => {
    const range = { Range: `bytes=${start}-${end - 1}` }
    const object = await client.send(new GetObjectCommand({ ...version, ...range }))
    // Some stores ignore If-Match, so the version of the response is compared too.
    if (version.IfMatch !== undefined && object.ETag !== version.IfMatch) throw incompleteBlob()
    return object.Body!.transformToWebStream() as ReadableStream<Uint8Array>
  }
}

/** Resolves to undefined for an object that does not exist. */
async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 404)
      return undefined
    throw error
  }
}
