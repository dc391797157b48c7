/**
 * Signs webhook notices as the Standard Webhooks specification defines, so that receivers can use its
 * libraries.
 */

import { decodeBase64 } from '../base64.ts'
import { toBase64 } from '../plugin/base64.ts'

const prefix = 'whsec_'
/** Bounds of a secret in bytes, by the specification. */
const minBytes = 24
const maxBytes = 64

/**
 * Decodes the operator's secrets, each 'whsec_' followed by the base64 of 24 to 64 bytes, into keys. There
 * may be several while receivers change to a new one. Throws a plain Error for another form, because a
 * mistyped secret must stop the start instead of leaving notices unsigned.
 */
export function readWebhookSecrets(secrets: readonly string[]): readonly Uint8Array[] {
  return secrets.map((secret) => {
    const bytes = decodeBase64(new TextEncoder().encode(secret.startsWith(prefix) ? secret.slice(6) : secret))
    if (bytes === undefined || bytes.length < minBytes || bytes.length > maxBytes)
      throw new Error(`A webhook secret is ${prefix} and the base64 of ${minBytes} to ${maxBytes} bytes.`)
    return bytes
  })
}

/**
 * Returns the signature headers of a notice, none if there is no secret. `id` must be the same for every
 * attempt. `time` is in UTC seconds.
 */
export async function signNotice(
  secrets: readonly Uint8Array[],
  notice: { readonly id: string; readonly time: number; readonly body: string },
): Promise<Readonly<Record<string, string>>> {
  if (secrets.length === 0) return {}
  const { id, time, body } = notice
  const text = new TextEncoder().encode(`${id}.${time}.${body}`)
  const signatures = await Promise.all(secrets.map((secret) => signature(secret, text)))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': signatures.map((signed) => `v1,${signed}`).join(' '),
  }
}

/**
 * The secrets by which the receivers of one account check its notices. Each is derived from one of the operator, so that
 * no account can sign for another and nothing has to be stored: HMAC-SHA256 with that secret over a text with the name.
 */
export function accountSecrets(
  operator: readonly Uint8Array[],
  account: string,
): Promise<readonly Uint8Array[]> {
  const text = new TextEncoder().encode(`webhook secret of ${account}`)
  return Promise.all(operator.map((secret) => hmac(secret, text)))
}

/** A secret in the form in which receivers configure it. */
export function secretText(secret: Uint8Array): string {
  return prefix + toBase64(secret)
}

async function signature(secret: Uint8Array, text: Uint8Array): Promise<string> {
  return toBase64(await hmac(secret, text))
}

async function hmac(secret: Uint8Array, text: Uint8Array): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey(
    'raw',
    secret as Uint8Array<ArrayBuffer>,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, text as Uint8Array<ArrayBuffer>))
}
