/** Signatures of notices as the Standard Webhooks specification has them, so that receivers can use its libraries. */
import { decodeBase64 } from '../api/base64.ts'

const prefix = 'whsec_'
const shortest = 24
const longest = 64

/**
 * The operator's secrets, 'whsec_' and base64 of 24 to 64 bytes, as keys. Several while an old one is still known to
 * receivers. Throws a plain Error for another form: an unsigned notice must not be the answer to a mistyped secret.
 */
export function readWebhookSecrets(secrets: readonly string[]): readonly Uint8Array[] {
  return secrets.map((secret) => {
    const bytes = decodeBase64(new TextEncoder().encode(secret.startsWith(prefix) ? secret.slice(6) : secret))
    if (bytes === undefined || bytes.length < shortest || bytes.length > longest)
      throw new Error(`A webhook secret is ${prefix} and the base64 of ${shortest} to ${longest} bytes.`)
    return bytes
  })
}

/** Headers for one notice; none without a secret. `id` is the same for every attempt, `time` is UTC seconds. */
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

async function signature(secret: Uint8Array, text: Uint8Array): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    secret as Uint8Array<ArrayBuffer>,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const signed = new Uint8Array(await crypto.subtle.sign('HMAC', key, text as Uint8Array<ArrayBuffer>))
  return btoa(String.fromCharCode(...signed))
}
