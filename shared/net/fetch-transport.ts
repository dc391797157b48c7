import type { Transport } from './outbound.ts'

/**
 * The transport of hosts whose `fetch` cannot reach a private network, as at the edge: names are resolved by the
 * platform, outside of ours. It tells no codes of failures; all of them pass for a lost connection, which is worth another try.
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
