import { createByteReader, streamOf } from '../byte-reader.ts'
import { AppError } from '../errors/app-error.ts'
import { inParts } from '../parts.ts'

/**
 * Encryption of stored bytes with a key of their own. The bytes are split into chunks, so that neither the
 * writer nor the reader needs all of them in memory. A chunk is its length in four bytes (big-endian), a
 * nonce of 12 bytes, and the AES-256-GCM ciphertext with its tag. The index of the chunk and whether it is
 * the last are authenticated as additional data, so that removing, moving or truncating chunks is detected.
 */
const nonceBytes = 12
/**
 * The unencrypted size of every chunk but the last. It bounds the memory of both ends. A smaller value would
 * make files that are already stored unreadable.
 */
const chunkBytes = 1024 * 1024
/** A stored length above this is damage: the extra 1024 bytes leave space for nonce and tag. */
const maxEncrypted = chunkBytes + 1024

/** Encrypts `text` with a key of 32 bytes, chunk by chunk while the result is read. */
export function encryptStream(key: Uint8Array, text: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return streamOf(encryptChunks(key, text))
}

async function* encryptChunks(
  key: Uint8Array,
  text: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const loaded = await load(key)
  // One chunk is withheld, because whether it is the last is known only when the next one arrives or none
  // does.
  let pending: Uint8Array = new Uint8Array(0)
  let index = 0
  for await (const chunk of inParts(text, chunkBytes)) {
    if (index > 0 || pending.byteLength > 0)
      yield encryptChunk(loaded, pending, { index: index++, last: false })
    pending = chunk
  }
  yield encryptChunk(loaded, pending, { index, last: true })
}

/**
 * Decrypts what `encryptStream` wrote. The stream fails with 'storage.damaged', possibly after some output, when the
 * bytes were encrypted with another key or were changed.
 */
export function decryptStream(
  key: Uint8Array,
  stream: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  return streamOf(decryptChunks(key, stream))
}

async function* decryptChunks(
  key: Uint8Array,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const loaded = await load(key)
  const reader = createByteReader(stream)
  let nextChunk = await readChunk(reader)
  for (let index = 0; ; index++) {
    if (nextChunk === undefined) throw damaged()
    const chunk = nextChunk
    nextChunk = await readChunk(reader)
    const text = await decryptChunk(loaded, chunk, { index, last: nextChunk === undefined })
    if (text.byteLength > 0) yield text
    if (nextChunk === undefined) return
  }
}

async function readChunk(reader: ReturnType<typeof createByteReader>): Promise<Uint8Array | undefined> {
  const head = await reader.take(4)
  if (head === undefined) return undefined
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0)
  if (length < nonceBytes || length > maxEncrypted) throw damaged()
  const chunk = await reader.take(length)
  if (chunk === undefined) throw damaged()
  return chunk
}

interface ChunkPosition {
  readonly index: number
  readonly last: boolean
}

type Key = Awaited<ReturnType<typeof load>>

async function encryptChunk(key: Key, text: Uint8Array, position: ChunkPosition): Promise<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const ciphertext = await crypto.subtle.encrypt(cipher(nonce, position), key, view(text))
  const chunk = new Uint8Array(4 + nonceBytes + ciphertext.byteLength)
  new DataView(chunk.buffer).setUint32(0, nonceBytes + ciphertext.byteLength)
  chunk.set(nonce, 4)
  chunk.set(new Uint8Array(ciphertext), 4 + nonceBytes)
  return chunk
}

async function decryptChunk(key: Key, chunk: Uint8Array, position: ChunkPosition): Promise<Uint8Array> {
  const nonce = chunk.subarray(0, nonceBytes)
  const ciphertext = view(chunk.subarray(nonceBytes))
  try {
    return new Uint8Array(await crypto.subtle.decrypt(cipher(nonce, position), key, ciphertext))
  } catch (cause) {
    throw damaged(cause)
  }
}

function cipher(iv: Uint8Array, { index, last }: ChunkPosition) {
  const additionalData = new Uint8Array(5)
  new DataView(additionalData.buffer).setUint32(0, index)
  additionalData[4] = last ? 1 : 0
  return { name: 'AES-GCM', iv: view(iv), additionalData }
}

function load(key: Uint8Array) {
  return crypto.subtle.importKey('raw', view(key), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function damaged(cause?: unknown): AppError {
  return new AppError('storage.damaged', {}, cause === undefined ? {} : { cause })
}

/** A type assertion only. WebCrypto refuses shared memory, and no bytes in this file are shared. */
function view(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
