import type { FormatId } from '../plugin/values.ts'
import type { RelayedTerms } from '../ports/index.ts'

/**
 * The protocol by which the edge sends a complete render to an origin (POST `renderRoute`). The body is the
 * head, framed like a job in `wire.ts`, then the template unless it is in the request body, then the
 * unchanged request body. The answer is the document, as for a conversion, with its format, name and price in
 * credits in headers.
 */
export const renderRoute = '/internal/render'
export const nameHeader = 'service-result-name' // percent-encoded
export const creditsHeader = 'service-result-credits'

/** The head of a render. `hash` is SHA-256 in lower-case hex, `size` is in bytes. */
export interface RemoteRender extends RelayedTerms {
  readonly template?: { readonly format: FormatId; readonly hash: string; readonly size: number }
  readonly remainingMs: number // until the deadline; a duration, because clocks differ
}

/** Parses and checks the head of a render. Returns undefined for anything else. */
export function readRemoteRender(text: Uint8Array): RemoteRender | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(text))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { major, test, waits, egressAuthorization, template, remainingMs } = value as Record<string, unknown>
  if (major !== 3 && major !== 4 && major !== 5) return undefined
  if (typeof remainingMs !== 'number' || !Number.isFinite(remainingMs)) return undefined
  const stored = template === undefined ? {} : readTemplate(template)
  if (stored === undefined) return undefined
  return {
    major,
    test: test === true,
    waits: waits === true,
    ...(typeof egressAuthorization === 'string' && { egressAuthorization }),
    ...stored,
    remainingMs,
  }
}

function readTemplate(value: unknown): Pick<RemoteRender, 'template'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { format, hash, size } = value as Record<string, unknown>
  if (typeof format !== 'string' || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined
  return { template: { format, hash, size } }
}
