import type { RouteFailure, RouteHost, RouteRequest, RouteResponse } from 'platen/plugin'
import { entryOf } from '../../../shared/entry-of.ts'
import { extensionOf } from './request.ts'

export interface OutputFile {
  readonly name: string
  readonly bytes: Uint8Array
}

const types: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  zip: 'application/zip',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
}

/** The ID of a request: the one that the caller sent, otherwise that of the service. */
export function traceOf({ headers, id }: RouteRequest): string {
  const trace = headers.get('gotenberg-trace') ?? ''
  return /^[\w.:-]{1,200}$/.test(trace) ? trace : id
}

/**
 * The file name that the caller chose, without its extension and without characters that a header does not allow;
 * otherwise a generated one.
 */
function outputName(request: RouteRequest): string {
  const requested = (request.headers.get('gotenberg-output-filename') ?? '')
    .replace(/[^\w .()+-]/g, '_')
    .trim()
  return requested === '' ? crypto.randomUUID() : requested.slice(0, 200)
}

/** Responds with one file unchanged, or several as a zip. */
export async function replyWith(
  files: readonly OutputFile[],
  request: RouteRequest,
  host: Pick<RouteHost, 'zip'>,
): Promise<RouteResponse> {
  const [only] = files
  const isSingle = files.length === 1 && only !== undefined
  const extension = isSingle ? extensionOf(only.name) : 'zip'
  const bytes = isSingle ? only.bytes : await host.zip(distinct(files))
  return {
    status: 200,
    headers: {
      'content-type': entryOf(types, extension) ?? 'application/octet-stream',
      'content-disposition': `attachment; filename="${outputName(request)}.${extension}"`,
      'gotenberg-trace': traceOf(request),
    },
    body: bytes,
  }
}

/** Makes the file names unique: two files with the same name get numbers. */
function distinct(files: readonly OutputFile[]): readonly OutputFile[] {
  const counts = new Map<string, number>()
  return files.map(({ name, bytes }) => {
    const safe = name.replace(/[\\/\p{Cc}]/gu, '_').slice(-200)
    const count = (counts.get(safe) ?? 0) + 1
    counts.set(safe, count)
    return { name: count === 1 ? safe : safe.replace(/(\.[^.]*)?$/, ` (${count})$1`), bytes }
  })
}

export const textReply = (status: number, body: string, request: RouteRequest): RouteResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=UTF-8', 'gotenberg-trace': traceOf(request) },
  body,
})

export const jsonReply = (value: unknown, request: RouteRequest): RouteResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=UTF-8', 'gotenberg-trace': traceOf(request) },
  body: JSON.stringify(value),
})

/** Reports failures as plain text: 400 for errors of the caller, 403 for a refused address, 503 for an overload. */
export function refuse({ code, status, blame, message }: RouteFailure, request: RouteRequest): RouteResponse {
  if (code === 'net.refused') return textReply(403, 'Forbidden', request)
  if (code === 'api.render.timeout' || code === 'convert.busy' || code === 'convert.waited' || status === 503)
    return textReply(503, 'Service Unavailable', request)
  if (blame === 'us') return textReply(500, 'Internal Server Error', request)
  return textReply(status >= 400 && status < 500 ? status : blame === 'engine' ? 500 : 400, message, request)
}
