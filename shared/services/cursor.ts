import { fromBase64Url, toBase64Url } from './ids.ts'

/** The lists that have pages. A cursor of one is not valid for another. */
export type ListName = 'templates' | 'jobs'

/** The position at which the next page of a list begins: the sort key of the last row of this page. */
export interface ListCursor {
  readonly time: number // seconds
  readonly id: string // hexadecimal
}

/** The HMAC is truncated to 128 bits, which is enough against forgery and keeps cursors short. */
const macBytes = 16

/** Returns an opaque text that only a holder of `secret` can create and that is valid for one account. */
export async function sealCursor(
  secret: Uint8Array,
  account: string,
  list: ListName,
  { time, id }: ListCursor,
): Promise<string> {
  const text = `${time}.${id}`
  const bytes = new TextEncoder().encode(text)
  const signed = new Uint8Array(macBytes + bytes.length)
  signed.set(await mac(secret, account, list, text))
  signed.set(bytes, macBytes)
  return toBase64Url(signed)
}

/** Returns undefined when the text was not created by `sealCursor` with this secret and account. */
export async function openCursor(
  secret: Uint8Array,
  account: string,
  list: ListName,
  text: string,
): Promise<ListCursor | undefined> {
  if (text.length > 256) return undefined
  const signed = fromBase64Url(text)
  if (signed === undefined || signed.length <= macBytes) return undefined
  const cursorText = new TextDecoder().decode(signed.subarray(macBytes))
  const expected = await mac(secret, account, list, cursorText)
  // All bytes are compared, so that the time taken does not reveal how many of them are right.
  let difference = 0
  for (const [index, byte] of expected.entries()) difference |= byte ^ (signed[index] ?? 0)
  const match = /^(\d{1,16})\.([0-9a-f]{32,64})$/.exec(cursorText)
  if (difference !== 0 || match === null) return undefined
  return { time: Number(match[1]), id: match[2] ?? '' }
}

async function mac(secret: Uint8Array, account: string, list: ListName, text: string): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey(
    'raw',
    secret as Uint8Array<ArrayBuffer>,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const digest = await crypto.subtle.sign(
    'HMAC',
    key,
    new TextEncoder().encode(`cursor\0${list}\0${account}\0${text}`),
  )
  return new Uint8Array(digest).subarray(0, macBytes)
}
