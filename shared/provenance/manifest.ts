/**
 * Manifests: what a document was made from, and with what. A manifest is a JSON file beside the document, and inside a PDF
 * an associated file of it. Source: API 4.18.
 */

import { entryOf } from '../entry-of.ts'

/** A digest in lower-case hex: SHA-256 (FIPS 180-4) or HMAC-SHA-256 (RFC 2104). */
export type Digest = string

export interface Manifest {
  readonly type: 'platen.provenance'
  readonly version: 1
  /** When the document was made. ISO 8601, UTC. */
  readonly time: string
  readonly service: { readonly name: 'platen'; readonly version: string }
  readonly template: TemplateOrigin
  /** HMAC-SHA-256 of the JSON under the salt of the caller; see `data-digest.ts`. Absent without a salt. */
  readonly data?: { readonly hmacSha256: Digest }
  readonly complement?: { readonly hmacSha256: Digest }
  readonly options: ManifestOptions
  /** The engines in the order in which they worked. Those with the title "Instant" have the version of the service. */
  readonly engines: readonly { readonly letter: string; readonly title?: string }[]
  /** What the engine calls itself in the PDF, with its version. */
  readonly producer?: string
  readonly fonts: readonly { readonly family: string; readonly version?: string }[]
  /** The document before this manifest and signatures were added to it. In a PDF, its first `bytes` bytes. */
  readonly document: { readonly format: string; readonly sha256: Digest; readonly bytes: number }
}

export interface TemplateOrigin {
  readonly format: string
  readonly sha256: Digest
  /** The ids of a stored template. */
  readonly id?: string
  readonly versionId?: string
}

/** The fields of the request that decide how the document looks, as they were sent. */
export interface ManifestOptions {
  readonly convertTo?: string
  /** Passwords are left out: their value is `withheld`. */
  readonly formatOptions?: Readonly<Record<string, unknown>>
  readonly converter?: string
  readonly lang?: string
  readonly timezone?: string
  readonly currencySource?: string
  readonly currencyTarget?: string
  readonly hardRefresh?: true
  /** Number of signatures that were added to the document. */
  readonly signatures?: number
}

/** A manifest without what is known only from the finished document. */
export type ManifestDraft = Omit<Manifest, 'document' | 'producer'> & { readonly format: string }

/** The name of the file inside a PDF, and the end of its name beside another document. */
export const manifestName = 'provenance.json'

/** A value in the place of one that must not be repeated. */
const withheld = '(withheld)'

/** The options of an output without passwords. */
export function withoutPasswords(
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, /password/i.test(name) ? withheld : value]),
  )
}

/** Completes a draft. `document` holds the bytes that the manifest describes. */
export async function completeManifest(
  { format, ...draft }: ManifestDraft,
  document: Uint8Array,
  {
    producer,
    families,
  }: { readonly producer?: string | undefined; readonly families?: readonly string[] } = {},
): Promise<Manifest> {
  const listed = new Set(draft.fonts.map(({ family }) => family))
  const others = (families ?? []).filter((family) => !listed.has(family))
  return {
    ...draft,
    ...(producer !== undefined && { producer }),
    fonts: draft.fonts.length > 0 ? draft.fonts : others.map((family) => ({ family })),
    document: { format, sha256: await sha256(document), bytes: document.length },
  }
}

export function writeManifest(manifest: Manifest): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(manifest, undefined, 2)}\n`) as Uint8Array<ArrayBuffer>
}

/** The maximum size of a manifest that is read, in bytes. */
export const maxManifestBytes = 1_000_000

/** Reads a manifest of any origin. Returns undefined for what is none. */
export function readManifest(bytes: Uint8Array): Manifest | undefined {
  if (bytes.length > maxManifestBytes) return undefined
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes))
  } catch {
    return undefined
  }
  return isManifest(value) ? value : undefined
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || value['type'] !== 'platen.provenance' || value['version'] !== 1) return false
  const { time, service, template, data, complement, options, engines, producer, fonts, document } = value
  return (
    typeof time === 'string' &&
    Number.isFinite(Date.parse(time)) &&
    isRecord(service) &&
    areTexts(service['name'], service['version']) &&
    isRecord(template) &&
    areTexts(template['format'], template['sha256']) &&
    [template['id'], template['versionId'], producer].every(isTextOrAbsent) &&
    [data, complement].every(
      (part) => part === undefined || (isRecord(part) && areTexts(part['hmacSha256'])),
    ) &&
    isRecord(options) &&
    areRecords(engines, 'letter') &&
    areRecords(fonts, 'family') &&
    isRecord(document) &&
    areTexts(document['format'], document['sha256']) &&
    Number.isSafeInteger(document['bytes'])
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const areTexts = (...values: readonly unknown[]) => values.every((value) => typeof value === 'string')
const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string'
const areRecords = (value: unknown, member: string) =>
  Array.isArray(value) && value.every((item) => isRecord(item) && typeof entryOf(item, member) === 'string')

export async function sha256(bytes: Uint8Array): Promise<Digest> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return hexOf(digest)
}

export function hexOf(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
