import type { RelayedTerms } from '../ports/index.ts'
import type { StoredTemplate } from '../ports/relay.ts'
import { type Manifest, readManifest } from '../provenance/manifest.ts'

/**
 * The protocol by which the edge sends a complete render to an origin (POST `renderRoute`). The body is the
 * head, framed like a job in `wire.ts`, then the template unless it is in the request body, then the
 * unchanged request body. The answer is the document, as for a conversion, with its format, name and price in
 * credits in headers.
 */
export const renderRoute = '/internal/render'
export const nameHeader = 'service-result-name' // percent-encoded
export const creditsHeader = 'service-result-credits'
export const manifestHeader = 'service-result-manifest' // JSON, percent-encoded

/** The head of a render. `hash` is SHA-256 in lower-case hex, `size` is in bytes. */
export interface RemoteRender extends RelayedTerms {
  readonly template?: StoredTemplate & { readonly size: number }
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
  const { major, test, waits, egressAuthorization, provenance, template, remainingMs } = value as Record<
    string,
    unknown
  >
  if (major !== 3 && major !== 4 && major !== 5) return undefined
  if (typeof remainingMs !== 'number' || !Number.isFinite(remainingMs)) return undefined
  const stored = template === undefined ? {} : readTemplate(template)
  if (stored === undefined) return undefined
  return {
    major,
    test: test === true,
    waits: waits === true,
    ...(typeof egressAuthorization === 'string' && { egressAuthorization }),
    ...(provenance === true && { provenance }),
    ...stored,
    remainingMs,
  }
}

function readTemplate(value: unknown): Pick<RemoteRender, 'template'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { format, hash, size, stored } = value as Record<string, unknown>
  if (typeof format !== 'string' || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return undefined
  return { template: { format, hash, size, ...readIds(stored) } }
}

function readIds(value: unknown): Pick<StoredTemplate, 'stored'> {
  if (typeof value !== 'object' || value === null) return {}
  const { id, versionId } = value as Record<string, unknown>
  if (typeof versionId !== 'string') return {}
  return { stored: { ...(typeof id === 'string' && { id }), versionId } }
}

/** Characters of the manifest header. All headers of an answer share some 16 KB. */
const maxManifestLength = 6000

/** Encodes a manifest for a header. Returns undefined where it is too long for one. */
export function encodeManifest(manifest: Manifest): string | undefined {
  const text = encodeURIComponent(JSON.stringify(manifest))
  return text.length <= maxManifestLength ? text : undefined
}

/** Decodes the manifest of an answer. Returns undefined for what is none. */
export function decodeManifest(text: string | null): Manifest | undefined {
  try {
    return text === null ? undefined : readManifest(new TextEncoder().encode(decodeURIComponent(text)))
  } catch {
    return undefined
  }
}
