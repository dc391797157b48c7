import { fromBase64Url, toBase64Url } from './ids.ts'

/** Where a list goes on: the sort key of the last row of a page. */
export interface Cursor {
  readonly deployedAt: number
  readonly versionId: string
}

const macBytes = 16

/** An opaque text that only holders of `secret` can make, valid for one account. */
export async function sealCursor(secret: Uint8Array, account: string, cursor: Cursor): Promise<string> {
  const text = `${cursor.deployedAt}.${cursor.versionId}`
  const bytes = new TextEncoder().encode(text)
  const sealed = new Uint8Array(macBytes + bytes.length)
  sealed.set(await mac(secret, account, text))
  sealed.set(bytes, macBytes)
  return toBase64Url(sealed)
}

/** undefined when the text was not made by sealCursor with this secret and account. */
export async function openCursor(
  secret: Uint8Array,
  account: string,
  text: string,
): Promise<Cursor | undefined> {
  if (text.length > 256) return undefined
  const sealed = fromBase64Url(text)
  if (sealed === undefined || sealed.length <= macBytes) return undefined
  const inner = new TextDecoder().decode(sealed.subarray(macBytes))
  const expected = await mac(secret, account, inner)
  let difference = 0
  for (const [at, byte] of expected.entries()) difference |= byte ^ sealed[at]!
  const found = /^(\d{1,16})\.([0-9a-f]{64})$/.exec(inner)
  if (difference !== 0 || found === null) return undefined
  return { deployedAt: Number(found[1]), versionId: found[2]! }
}

async function mac(secret: Uint8Array, account: string, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey(
    'raw',
    secret as Uint8Array<ArrayBuffer>,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const signed = await crypto.subtle.sign(
    'HMAC',
    key,
    new TextEncoder().encode(`cursor\0${account}\0${text}`),
  )
  return new Uint8Array(signed).subarray(0, macBytes)
}
