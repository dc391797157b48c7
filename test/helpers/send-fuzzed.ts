import { request } from 'node:http'
import type { FuzzedRequest } from './fuzzed-bodies.ts'

export interface FuzzedAnswer {
  readonly status: number
  readonly body: string
}

/** Sends a request in the pieces that it asks for. Rejects when the connection breaks. */
export function sendFuzzed(
  url: string,
  { method, path, headers, body, pieceBytes }: FuzzedRequest,
): Promise<FuzzedAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('latin1') }),
      )
    })
    sent.once('error', reject)
    for (let at = 0; at < body.length; at += pieceBytes) sent.write(body.subarray(at, at + pieceBytes))
    sent.end()
  })
}

/** What is wrong with a response; undefined for a document, or for an error that blames the caller. */
export function wrongWith({ status, body }: FuzzedAnswer): string | undefined {
  if (status === 200) return undefined
  const reported = parsed(body)
  if (reported?.success !== false || typeof reported.error !== 'string' || reported.error === '')
    return `${status} ${body.slice(0, 200)}`
  // Unexpected failures, with the message that each endpoint has for them.
  const unforeseen = /^(Server Error|Error while rendering template|Cannot retrieve template)/
  return status >= 501 || unforeseen.test(reported.error) ? `${status} ${reported.error}` : undefined
}

function parsed(text: string): { readonly success?: unknown; readonly error?: unknown } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
