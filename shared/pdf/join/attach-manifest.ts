/**
 * Attaches manifests to PDFs as associated files (ISO 32000-2, 14.13). A manifest is appended as an incremental update. The
 * described document thus remains the first part of the file and can be compared with the digest in the manifest.
 */
import { AppError } from '../../errors/app-error.ts'
import type { Codec, Outcome, Warning } from '../../plugin/values.ts'
import {
  completeManifest,
  type Manifest,
  type ManifestDraft,
  manifestName,
  maxManifestBytes,
  readManifest,
  sha256,
  writeManifest,
} from '../../provenance/manifest.ts'
import type { PdfDocument } from '../model/document.ts'
import { type PdfLimits, pdfLimits } from '../model/limits.ts'
import { archivePart, readMetadata } from '../model/metadata.ts'
import { nameTreeEntries } from '../model/name-tree.ts'
import { textOfString } from '../model/text-string.ts'
import { PdfDict, PdfName, PdfRef, PdfStream, PdfString } from '../model/values.ts'
import { isTextAt } from '../read/indirect.ts'
import { openPdf } from '../read/open.ts'
import type { Random } from '../stage/security/encryption.ts'
import { appendUpdate } from '../write/update.ts'
import { writePdf } from '../write/writer.ts'
import { attachFiles } from './attach.ts'

export interface ManifestContext {
  readonly codec: Codec
  readonly random: Random
  readonly signal: AbortSignal
  readonly limits?: PdfLimits
}

export interface DescribedPdf {
  readonly bytes: Uint8Array
  readonly manifest: Manifest
}

/**
 * Completes the manifest with information from the file, and attaches it. A file that must not have attachments is returned
 * unchanged. Warning: 'provenance.not-attached'. Throws 'pdf.broken', 'pdf.too-large'.
 */
export async function attachManifest(
  bytes: Uint8Array,
  draft: ManifestDraft,
  { codec, random, signal, limits = pdfLimits }: ManifestContext,
): Promise<Outcome<DescribedPdf>> {
  const opened = openUnlessEncrypted(bytes, codec, limits)
  if (opened === undefined) return unattached(bytes, await completeManifest(draft, bytes), 'is encrypted')
  const isUpdatable =
    !opened.rebuilt &&
    isTextAt(bytes, 0, '%PDF-') &&
    typeof opened.resolve(opened.trailer.get('Size')) === 'number' &&
    opened.trailer.get('Root') instanceof PdfRef
  const base = isUpdatable ? bytes : await writePdf(opened, { codec, random, signal })
  const document = isUpdatable ? opened : openPdf(base, codec, limits)
  const facts = { producer: producerOf(document), families: familiesOf(document) }
  const manifest = await completeManifest(draft, base, facts)
  const part = archivePart(readMetadata(document))
  if (part !== 0 && part !== 3)
    return unattached(base, manifest, `is PDF/A-${part}, which has no attachments`)
  return { value: { bytes: appendManifest(base, document, { manifest, codec }), manifest }, warnings: [] }
}

/** Appends the manifest. The result depends only on the file and the manifest. */
function appendManifest(
  base: Uint8Array,
  document: PdfDocument,
  { manifest, codec }: { readonly manifest: Manifest; readonly codec: Codec },
): Uint8Array<ArrayBuffer> {
  const root = document.trailer.get('Root')
  if (!(root instanceof PdfRef)) throw new AppError('pdf.broken', { because: 'its trailer names no catalog' })
  const firstNew = document.put(null).id
  const bytes = writeManifest(manifest)
  const file = { name: manifestName, bytes, relationship: 'Data', uncompressed: true } as const
  attachFiles(document, [file], { codec, modified: Date.parse(manifest.time) })
  return appendUpdate(base, document, { changed: [root.id], firstNew }).bytes
}

/**
 * Returns the length of the document that the manifest describes, if the file begins with that document and its manifest as
 * this service attaches it. Otherwise undefined.
 */
export async function unchangedBytes(
  file: Uint8Array,
  manifest: Manifest,
  { codec, limits = pdfLimits }: Pick<ManifestContext, 'codec' | 'limits'>,
): Promise<number | undefined> {
  const { bytes: length, sha256: digest } = manifest.document
  const base = file.subarray(0, length)
  if (base.length !== length || (await sha256(base)) !== digest) return undefined
  if (file.length === length) return length
  const expected = appendManifest(base, openPdf(base, codec, limits), { manifest, codec })
  return expected.every((byte, at) => byte === file[at]) ? expected.length : undefined
}

function unattached(bytes: Uint8Array, manifest: Manifest, because: string): Outcome<DescribedPdf> {
  const warning: Warning = {
    code: 'provenance.not-attached',
    message: `The manifest is beside the PDF and not inside it, because the PDF ${because}.`,
  }
  return { value: { bytes, manifest }, warnings: [warning] }
}

function openUnlessEncrypted(bytes: Uint8Array, codec: Codec, limits: PdfLimits): PdfDocument | undefined {
  try {
    return openPdf(bytes, codec, limits)
  } catch (error) {
    if (error instanceof AppError && error.code === 'pdf.encrypted') return undefined
    throw error
  }
}

/** The value of /Producer: the engine and its version (ISO 32000-2, 14.3.3). */
function producerOf(document: PdfDocument): string | undefined {
  const info = document.resolve(document.trailer.get('Info'))
  const producer = info instanceof PdfDict ? document.resolve(info.get('Producer')) : null
  return producer instanceof PdfString ? textOfString(producer).slice(0, 200) : undefined
}

/** The sorted names of the fonts of the file, without subset prefixes (ISO 32000-2, 9.9.2). */
function familiesOf(document: PdfDocument): readonly string[] {
  const names = new Set<string>()
  const size = document.resolve(document.trailer.get('Size'))
  const count = Math.min(typeof size === 'number' ? size : 0, document.limits.objects)
  for (let id = 1; id < count; id++) {
    const descriptor = document.resolve(new PdfRef(id))
    if (!(descriptor instanceof PdfDict)) continue
    const type = document.resolve(descriptor.get('Type'))
    const font = document.resolve(descriptor.get('FontName'))
    if (type instanceof PdfName && type.text === 'FontDescriptor' && font instanceof PdfName)
      names.add(font.text.replace(/^[A-Z]{6}\+/, ''))
  }
  return [...names].sort()
}

/** Reads the manifest that is attached to a file; undefined if there is none. Throws 'pdf.too-large'. */
export function manifestOf(document: PdfDocument): Manifest | undefined {
  const names = document.dictAt(document.catalog, 'Names')
  for (const [, value] of nameTreeEntries(document, names?.get('EmbeddedFiles') ?? null)) {
    const spec = document.resolve(value)
    if (!(spec instanceof PdfDict)) continue
    const title = document.resolve(spec.get('UF'))
    const file = document.resolve(document.dictAt(spec, 'EF')?.get('F') ?? null)
    if (!(title instanceof PdfString) || !textOfString(title).endsWith(manifestName)) continue
    if (!(file instanceof PdfStream)) continue
    const content = document.inflater.content(file, document.resolve, maxManifestBytes)
    const manifest = content && readManifest(content)
    if (manifest !== undefined) return manifest
  }
  return undefined
}
