import type { Transport } from './outbound.ts'

/**
 * The transport of hosts whose `fetch` cannot reach a private network, as at the edge: names are resolved by the
 * platform, outside of ours.
 */
export const fetchTransport: Transport = async ({ url, method, headers, body, signal }) => {
  const answer = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal,
    ...(body && { body: body.slice() }),
  })
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: answer.body }
}
