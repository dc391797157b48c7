import { Readable } from 'node:stream'
import {
  type BlobGetPropertiesResponse,
  BlobServiceClient,
  type BlockBlobClient,
  RestError,
  StorageSharedKeyCredential,
} from '@azure/storage-blob'
import { inParts } from '../../shared/parts.ts'
import { type Blobs, checkKey } from '../../shared/ports/blobs.ts'
import { guarded, incompleteBlob, remoteSource, storeTimeoutMs, within } from './remote-source.ts'

/** Streams are uploaded in blocks of this many bytes. One block is filled while another is sent. */
const blockBytes = 8 * 1024 * 1024
/** A request that carries a block may take so many times as long as another. */
const blockTimes = 4
/** Callers wait for the result, so an outage that lasts longer than these retries is an error. */
const retryOptions = { maxTries: 3, retryDelayInMs: 200, maxRetryDelayInMs: 2000 }

/**
 * Opens a container of Azure Blob Storage, or of a compatible store, as a blob store. `url` is
 * `azure://account:key@container/prefix` with a percent-encoded key, and
 * `?endpoint=http://127.0.0.1:10000/account` for a store other than Azure's own. The blocks of a stream that
 * failed never become part of a blob; Azure removes them after a week.
 */
export function openAzureBlobs(url: string, { timeoutMs = storeTimeoutMs } = {}): Blobs {
  const { container, prefix } = containerOf(url)
  const blobOf = (key: string) => container.getBlockBlobClient(prefix + checkKey(key))
  const ask = <T>(work: (abortSignal: AbortSignal) => Promise<T>) => guarded(() => within(timeoutMs, work))
  const send = <T>(work: (abortSignal: AbortSignal) => Promise<T>) =>
    guarded(() => within(blockTimes * timeoutMs, work))

  return {
    async put(key, body) {
      const blob = blobOf(key)
      const parts = inParts(body instanceof ReadableStream ? body : body.stream(), blockBytes)
      const first = await parts.next()
      const head = first.done ? new Uint8Array(0) : first.value
      // A small body takes a single request. That is faster, and with blocks, two concurrent writers of the
      // same blob would discard each other's uncommitted blocks.
      if (head.byteLength < blockBytes) {
        await send((abortSignal) => blob.upload(head, head.byteLength, { abortSignal }))
        return head.byteLength
      }
      return putBlocks(blob, withHead(head, parts), send)
    },
    async get(key) {
      const blob = blobOf(key)
      const properties = await ask((abortSignal) => ifExists(blob.getProperties({ abortSignal })))
      if (properties === undefined) return undefined
      const ranges = rangesOf(blob, properties, timeoutMs)
      return remoteSource(ranges, [0, properties.contentLength ?? 0], timeoutMs)
    },
    async delete(key) {
      const blob = blobOf(key)
      await ask((abortSignal) => blob.deleteIfExists({ abortSignal }))
    },
    async move(from, to) {
      const [source, target] = [blobOf(from), blobOf(to)]
      await send(async (abortSignal) => {
        // Azure completes a copy within one account at once. Other stores may need the polling.
        const copying = await target.beginCopyFromURL(source.url, { intervalInMs: 200, abortSignal })
        await copying.pollUntilDone()
        await source.delete({ abortSignal })
      })
    },
    async *list(keyPrefix, after = '') {
      const control = new AbortController()
      const pages = container
        .listBlobsFlat({ prefix: prefix + keyPrefix, abortSignal: control.signal })
        .byPage()
        [Symbol.asyncIterator]()
      while (true) {
        const { value, done } = await guarded(() => within(timeoutMs, () => pages.next(), control))
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

/** Uploads blocks and then makes them the blob. Returns its size in bytes. Errors of `parts` are thrown unchanged. */
async function putBlocks(
  blob: BlockBlobClient,
  parts: AsyncGenerator<Uint8Array, void, undefined>,
  send: <T>(work: (abortSignal: AbortSignal) => Promise<T>) => Promise<T>,
): Promise<number> {
  const upload = crypto.randomUUID()
  const ids: string[] = []
  let size = 0
  let sending: Promise<unknown> = Promise.resolve()
  for await (const part of parts) {
    await sending
    // The ids of the blocks of a blob have one length.
    const id = btoa(`${upload} ${String(ids.length).padStart(6, '0')}`)
    ids.push(id)
    size += part.byteLength
    sending = send((abortSignal) => blob.stageBlock(id, part, part.byteLength, { abortSignal }))
    sending.catch(() => {}) // the next `await` throws it
  }
  await sending
  await send((abortSignal) => blob.commitBlockList(ids, { abortSignal }))
  return size
}

async function* withHead(
  head: Uint8Array,
  chunks: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head
  yield* chunks
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

/**
 * Reads ranges of one version of a blob. Fails when the blob has been replaced, so that versions are never
 * mixed.
 */
function rangesOf(blob: BlockBlobClient, { etag }: BlobGetPropertiesResponse, timeoutMs: number) {
  return async (start: number, end: number) => {
    const conditions = etag === undefined ? {} : { ifMatch: etag }
    const download = await within(timeoutMs, (abortSignal) =>
      blob.download(start, end - start, { conditions, abortSignal }),
    )
    if (download.etag !== etag || download.readableStreamBody === undefined) throw incompleteBlob()
    return Readable.toWeb(Readable.from(download.readableStreamBody)) as unknown as ReadableStream<Uint8Array>
  }
}

/** Resolves to undefined for a blob that does not exist. */
async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RestError && error.statusCode === 404) return undefined
    throw error
  }
}
