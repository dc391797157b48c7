/** Reads and writes the headers that identify a request and its place in a distributed trace. */
import type { Trace } from './plugin/values.ts'

/** The header of the request id, in and out. */
export const requestIdHeader = 'x-request-id'
export const traceparentHeader = 'traceparent'

/** What a caller may choose as an id: nothing that could forge a line of a log. */
const idForm = /^[\w.:+/=@-]{1,128}$/
/** Version, trace id, parent id, flags. Later versions may append fields. */
const parentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/**
 * The trace of a request with these headers: what the caller sent, where that is well-formed, otherwise new ids. The
 * parent id is always a new one, which stands for this request. A trace that begins here is marked as sampled where this
 * host `records` it.
 */
export function traceOf(
  header: (name: string) => string | undefined,
  { records = false }: { readonly records?: boolean } = {},
): Trace {
  const sentId = header(requestIdHeader)
  const [, trace = randomHex(16), parent, flags = records ? '01' : '00'] =
    parentForm.exec(header(traceparentHeader) ?? '') ?? []
  return {
    requestId: sentId !== undefined && idForm.test(sentId) ? sentId : randomHex(16),
    traceparent: `00-${trace}-${randomHex(8)}-${flags}`,
    ...(parent !== undefined && { parent }),
  }
}

/** The trace of work that a request caused and that is done later: its span is below that of the request. */
export function laterTrace({ requestId, traceparent }: Trace): Trace {
  const headers = new Map([
    [requestIdHeader, requestId],
    [traceparentHeader, traceparent],
  ])
  return traceOf((name) => headers.get(name))
}

/** The headers of a call that belongs to a trace. */
export function traceHeaders(trace: Trace | undefined): Record<string, string> {
  if (trace === undefined) return {}
  return { [requestIdHeader]: trace.requestId, [traceparentHeader]: trace.traceparent }
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
