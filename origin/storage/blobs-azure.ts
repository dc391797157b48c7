import { Readable } from 'node:stream'
import {
  type BlobGetPropertiesResponse,
  BlobServiceClient,
  type BlockBlobClient,
  RestError,
  StorageSharedKeyCredential,
} from '@azure/storage-blob'
import { streamOf } from '../../shared/byte-reader.ts'
import { inParts } from '../../shared/parts.ts'
import { type Blobs, checkKey } from '../../shared/ports/blobs.ts'
import { guarded, notWhole, remoteSource, sendCounted } from './remote-source.ts'

/** Streams go up in blocks of this many bytes, one being filled while another is sent. */
const blockBytes = 8 * 1024 * 1024
const blocksAtOnce = 2
/** A store that is away for longer is an error: callers wait. */
const retryOptions = { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2000 }

/**
 * Blobs in a container of Azure Blob Storage, or of anything that speaks like it. `url` is
 * `azure://account:key@container/prefix`, the key percent-encoded, with `?endpoint=http://127.0.0.1:10000/account` where
 * it is not Azure's own. What a stream had sent when it failed is never part of a blob, and Azure drops it after a week.
 */
export function openAzureBlobs(url: string): Blobs {
  const { container, prefix } = containerOf(url)
  const place = (key: string) => container.getBlockBlobClient(prefix + checkKey(key))

  return {
    async put(key, body) {
      const blob = place(key)
      const parts = inParts(body instanceof ReadableStream ? body : body.stream(), blockBytes)
      const first = await parts.next()
      const head = first.done ? new Uint8Array(0) : first.value
      // In one piece: quicker, and two who write one blob at a time do not take each other's blocks away.
      if (head.byteLength < blockBytes) {
        await guarded(() => blob.upload(head, head.byteLength))
        return head.byteLength
      }
      const whole = streamOf(behind(head, parts))
      return sendCounted(whole, (counted) => blob.uploadStream(counted, blockBytes, blocksAtOnce))
    },
    async get(key) {
      const blob = place(key)
      const found = await guarded(() => ifThere(blob.getProperties()))
      return found && remoteSource(rangesOf(blob, found), 0, found.contentLength ?? 0)
    },
    async delete(key) {
      const blob = place(key)
      await guarded(() => blob.deleteIfExists())
    },
    async move(from, to) {
      const [source, target] = [place(from), place(to)]
      await guarded(async () => {
        // Within one account it is done at once; a poll is for stores that take their time.
        const copying = await target.beginCopyFromURL(source.url, { intervalInMs: 200 })
        await copying.pollUntilDone()
        await source.delete()
      })
    },
    async *list(wanted, after = '') {
      const pages = container
        .listBlobsFlat({ prefix: prefix + wanted })
        .byPage()
        [Symbol.asyncIterator]()
      while (true) {
        const { value, done } = await guarded(() => pages.next())
        if (done === true) return
        for (const { name, properties } of value.segment.blobItems) {
          const key = name.slice(prefix.length)
          if (key <= after) continue
          const { contentLength = 0, lastModified } = properties
          yield { key, size: contentLength, writtenAt: lastModified.getTime() }
        }
      }
    },
  }
}

async function* behind(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head
  yield* rest
}

function containerOf(text: string) {
  const url = new URL(text)
  const account = decodeURIComponent(url.username)
  const key = decodeURIComponent(url.password)
  const endpoint = url.searchParams.get('endpoint') ?? `https://${account}.blob.core.windows.net`
  const service = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(account, key), {
    retryOptions,
  })
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  return {
    container: service.getContainerClient(url.hostname),
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}

/** A blob that was replaced is another one: never half of each. */
function rangesOf(blob: BlockBlobClient, { etag }: BlobGetPropertiesResponse) {
  return async (start: number, end: number) => {
    const conditions = etag === undefined ? {} : { ifMatch: etag }
    const found = await blob.download(start, end - start, { conditions })
    if (found.etag !== etag || found.readableStreamBody === undefined) throw notWhole()
    return Readable.toWeb(Readable.from(found.readableStreamBody)) as unknown as ReadableStream<Uint8Array>
  }
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RestError && error.statusCode === 404) return undefined
    throw error
  }
}
