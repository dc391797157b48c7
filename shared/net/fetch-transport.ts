import type { Transport } from './outbound.ts'

/**
 * The transport for hosts whose `fetch` cannot reach a private network, such as the edge, where the platform
 * resolves names outside the operator's network. `fetch` reports no error codes. Every failure gets the code
 * of a lost connection, which may be retried.
 */
export const fetchTransport: Transport = async ({ url, method, headers, body, signal }) => {
  const answer = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...(body && { body: body.slice() }),
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw Object.assign(new Error('The exchange failed.', { cause }), { code: 'ECONNRESET' })
  })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body }
}
