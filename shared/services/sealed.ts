import { AppError } from '../errors/app-error.ts'

/** Bytes at rest under a key of their own: AES-256-GCM, 12 bytes of nonce, then the text with its tag. */
const nonceBytes = 12

export async function seal(key: Uint8Array, bytes: Uint8Array): Promise<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const hidden = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await load(key), view(bytes))
  const sealed = new Uint8Array(nonceBytes + hidden.byteLength)
  sealed.set(nonce)
  sealed.set(new Uint8Array(hidden), nonceBytes)
  return sealed
}

/** Throws 'storage.blobs' when the bytes were not sealed with this key, or were changed. */
export async function unseal(key: Uint8Array, sealed: Uint8Array): Promise<Uint8Array> {
  try {
    const iv = view(sealed.subarray(0, nonceBytes))
    const hidden = view(sealed.subarray(nonceBytes))
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, await load(key), hidden))
  } catch (cause) {
    throw new AppError('storage.blobs', {}, { cause })
  }
}

function load(key: Uint8Array) {
  return crypto.subtle.importKey('raw', view(key), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Bytes here are never shared memory, which WebCrypto refuses. */
function view(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}
