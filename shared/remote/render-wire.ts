import type { FormatId } from '../plugin/contract.ts'
import type { RelayedTerms } from '../ports/index.ts'

/**
 * A whole render handed from the edge to an origin (POST `renderRoute`): the head, framed as a job is, then the template
 * where it is not in the body, then the body of the request as it came. The answer is the document, as of a conversion,
 * with its format, its name and what it amounts to in credits beside it.
 */
export const renderRoute = '/internal/render'
export const nameHeader = 'service-result-name' // percent-encoded
export const creditsHeader = 'service-result-credits'

export interface RemoteRender extends RelayedTerms {
  readonly template?: { readonly format: FormatId; readonly hash: string; readonly size: number }
  readonly remainingMs: number
}

/** undefined for what is not a render. */
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
