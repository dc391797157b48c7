/** Verifies a document, and the files that it was made from, against its manifest. */
import { manifestOf, unchangedBytes } from '../pdf/join/attach-manifest.ts'
import { pdfLimits } from '../pdf/model/limits.ts'
import { openPdf } from '../pdf/read/open.ts'
import { signedLength } from '../pdf/sign/signed-length.ts'
import type { Codec } from '../plugin/values.ts'
import { digestOfJson } from '../provenance/data-digest.ts'
import { type Digest, type Manifest, sha256 } from '../provenance/manifest.ts'

export interface Verification {
  readonly manifest: Manifest
  /** 'attached': read from the PDF itself. 'beside': from a separate file. */
  readonly source: 'attached' | 'beside'
  /**
   * Whether the document is byte for byte the one that the manifest describes. A PDF may go on after that with what a signature
   * covers; anything else that is appended may show other pages.
   */
  readonly document: 'same' | 'changed'
  /** The number of bytes after an unchanged PDF and its manifest. */
  readonly appendedBytes: number
  readonly template?: Comparison
  readonly data?: Comparison
  readonly complement?: Comparison
}

/** 'unknown': the manifest has no digest to compare with, or no salt was specified. */
export type Comparison = 'same' | 'other' | 'unknown'

export interface VerifiedFiles {
  readonly document: Uint8Array
  /** The manifest of a document that does not contain one. If present, it is always used. */
  readonly manifest?: Manifest | undefined
  readonly template?: Uint8Array | undefined
  readonly data?: Uint8Array | undefined
  readonly complement?: Uint8Array | undefined
  readonly salt?: string | undefined
}

/** Resolves to undefined for a document without a manifest. Throws 'pdf.*' for a PDF that cannot be read. */
export async function verify(files: VerifiedFiles, codec: Codec): Promise<Verification | undefined> {
  const { document: bytes, template, data, complement, salt } = files
  const manifest = files.manifest ?? attachedManifest(bytes, codec)
  if (manifest === undefined) return undefined
  const length = await unchangedLength(bytes, manifest, codec)
  const appendedBytes = length === undefined ? 0 : bytes.length - length
  const isSame =
    length !== undefined &&
    (appendedBytes === 0 || signedLength(openPdf(bytes, codec, pdfLimits), bytes) === bytes.length)
  return {
    manifest,
    source: files.manifest === undefined ? 'attached' : 'beside',
    document: isSame ? 'same' : 'changed',
    appendedBytes,
    ...(template && { template: compared(manifest.template.sha256, [await sha256(template)]) }),
    ...(data && { data: await comparedJson(manifest.data?.hmacSha256, data, salt) }),
    ...(complement && {
      complement: await comparedJson(manifest.complement?.hmacSha256, complement, salt),
    }),
  }
}

function attachedManifest(bytes: Uint8Array, codec: Codec): Manifest | undefined {
  return isPdf(bytes) ? manifestOf(openPdf(bytes, codec, pdfLimits)) : undefined
}

async function unchangedLength(
  bytes: Uint8Array,
  manifest: Manifest,
  codec: Codec,
): Promise<number | undefined> {
  if (isPdf(bytes)) return unchangedBytes(bytes, manifest, { codec })
  const { sha256: digest } = manifest.document
  return (await sha256(bytes)) === digest ? bytes.length : undefined
}

const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'

/** Compares a JSON file unchanged, and as a client writes it after parsing: numbers and escapes have several notations. */
async function comparedJson(
  digest: Digest | undefined,
  json: Uint8Array,
  salt: string | undefined,
): Promise<Comparison> {
  if (digest === undefined || salt === undefined) return 'unknown'
  const rewritten = JSON.stringify(JSON.parse(new TextDecoder().decode(json)))
  return compared(digest, [await digestOfJson(json, salt), await digestOfJson(rewritten, salt)])
}

const compared = (digest: Digest, found: readonly Digest[]): Comparison =>
  found.includes(digest) ? 'same' : 'other'
