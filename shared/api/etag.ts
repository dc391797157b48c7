import { type Call, json, nothing, type Reply } from './call.ts'

/** Whether `If-None-Match` contains this entity tag, by weak comparison (RFC 9110 13.1.2). */
export function matchesEtag(call: Call, etag: string): boolean {
  const etags = (call.headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  return etags.includes(etag.replace(/^W\//, '')) || etags.includes('*')
}

/** A JSON response whose entity tag is a digest of its text, or 304 when the client has that text already. */
export async function taggedJson(call: Call, value: unknown): Promise<Reply> {
  const reply = json(200, value)
  const text = reply.body.kind === 'text' ? reply.body.text : ''
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  const etag = `W/"${Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`
  const headers = { etag, 'cache-control': 'private, no-cache' }
  if (matchesEtag(call, etag)) return { status: 304, headers, body: nothing }
  return { ...reply, headers: { ...reply.headers, ...headers } }
}
