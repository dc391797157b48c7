import { createByteReader, streamOf } from '../byte-reader.ts'
import { AppError } from '../errors/app-error.ts'
import { inParts } from '../parts.ts'

/**
 * Bytes at rest under a key of their own, in pieces, so that neither end holds them whole. A piece is its length in four
 * bytes, 12 bytes of nonce and AES-256-GCM of the text; its place and whether it is the last are authenticated with it,
 * so that pieces cannot be left out, moved or cut off.
 */
const nonceBytes = 12
const pieceBytes = 1024 * 1024
const mostSealed = pieceBytes + 1024

export function sealed(key: Uint8Array, text: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return streamOf(sealPieces(key, text))
}

async function* sealPieces(
  key: Uint8Array,
  text: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const loaded = await load(key)
  let held: Uint8Array = new Uint8Array(0)
  let place = 0
  for await (const piece of inParts(text, pieceBytes)) {
    if (place > 0 || held.byteLength > 0) yield sealPiece(loaded, held, { place: place++, last: false })
    held = piece
  }
  yield sealPiece(loaded, held, { place, last: true })
}

/** Throws 'storage.damaged', also in its middle, when the bytes were not sealed with this key, or were changed. */
export function unsealed(key: Uint8Array, stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  return streamOf(unsealPieces(key, stream))
}

async function* unsealPieces(
  key: Uint8Array,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const loaded = await load(key)
  const reader = createByteReader(stream)
  let next = await takePiece(reader)
  for (let place = 0; ; place++) {
    if (next === undefined) throw damaged()
    const piece = next
    next = await takePiece(reader)
    const text = await openPiece(loaded, piece, { place, last: next === undefined })
    if (text.byteLength > 0) yield text
    if (next === undefined) return
  }
}

async function takePiece(reader: ReturnType<typeof createByteReader>): Promise<Uint8Array | undefined> {
  const head = await reader.take(4)
  if (head === undefined) return undefined
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0)
  if (length < nonceBytes || length > mostSealed) throw damaged()
  const piece = await reader.take(length)
  if (piece === undefined) throw damaged()
  return piece
}

interface Where {
  readonly place: number
  readonly last: boolean
}

type Key = Awaited<ReturnType<typeof load>>

async function sealPiece(key: Key, text: Uint8Array, where: Where): Promise<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const hidden = await crypto.subtle.encrypt(cipher(nonce, where), key, view(text))
  const piece = new Uint8Array(4 + nonceBytes + hidden.byteLength)
  new DataView(piece.buffer).setUint32(0, nonceBytes + hidden.byteLength)
  piece.set(nonce, 4)
  piece.set(new Uint8Array(hidden), 4 + nonceBytes)
  return piece
}

async function openPiece(key: Key, piece: Uint8Array, where: Where): Promise<Uint8Array> {
  const nonce = piece.subarray(0, nonceBytes)
  const hidden = view(piece.subarray(nonceBytes))
  try {
    return new Uint8Array(await crypto.subtle.decrypt(cipher(nonce, where), key, hidden))
  } catch (cause) {
    throw damaged(cause)
  }
}

function cipher(iv: Uint8Array, { place, last }: Where) {
  const additionalData = new Uint8Array(5)
  new DataView(additionalData.buffer).setUint32(0, place)
  additionalData[4] = last ? 1 : 0
  return { name: 'AES-GCM', iv: view(iv), additionalData }
}

function load(key: Uint8Array) {
  return crypto.subtle.importKey('raw', view(key), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function damaged(cause?: unknown): AppError {
  return new AppError('storage.damaged', {}, cause === undefined ? {} : { cause })
}

/** Bytes here are never shared memory, which WebCrypto refuses. */
function view(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
