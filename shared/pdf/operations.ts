/**
 * The operations that hosts perform on the PDFs of a render. Each works on entire files and may take long for large ones, so
 * a host may run them outside of the thread that serves requests (`origin/pdf-threads.ts`). Arguments and results are
 * therefore plain data, except for the signal and `drawText`.
 */
import type { InvoiceRequest } from '../invoice/report.ts'
import type { PdfChanges, PdfDescription } from '../plugin/pdf-changes.ts'
import type { DrawText } from '../plugin/text-drawing.ts'
import type { Codec, Outcome, Warning } from '../plugin/values.ts'
import type { ManifestDraft } from '../provenance/manifest.ts'
import type { DescribedPdf } from './join/attach-manifest.ts'
import type { ComposedPdf, PdfComposition } from './join/compose.ts'
import type { SignatureField, UnsignedPdf } from './sign/sign-pdf.ts'
import type { PdfStageOptions } from './stage/options.ts'
import type { EncryptionKeys, EncryptionRequest, Random } from './stage/security/encryption.ts'

export interface PdfBounds {
  readonly signal: AbortSignal
}

export interface DrawingBounds extends PdfBounds {
  /** Draws lines with embedded fonts. Absent if no engine of the host can. */
  readonly drawText?: DrawText | undefined
}

/** `obstacles` completes 'The PDF has …' and explains why the document cannot conform without redrawing it. */
export type StageOutcome = Outcome<Uint8Array> | { readonly obstacles: string }

export interface PdfOperations {
  /** See `stage/stage.ts`. `keys` are those of `options.security`, where they were derived ahead. */
  applyStage(
    bytes: Uint8Array,
    options: PdfStageOptions,
    bounds: DrawingBounds & { readonly keys?: EncryptionKeys | undefined },
  ): Promise<StageOutcome>
  /** See `stage/security/encryption.ts`. */
  deriveKeys(request: EncryptionRequest, bounds: PdfBounds): Promise<EncryptionKeys>
  /** See `join/compose.ts`. `now`: ms since the epoch. */
  compose(
    bytes: Uint8Array,
    composition: PdfComposition,
    bounds: PdfBounds & { readonly now: number },
  ): Promise<Outcome<ComposedPdf>>
  /** See `join/attach-manifest.ts`. */
  attachManifest(
    bytes: Uint8Array,
    manifest: ManifestDraft,
    bounds: PdfBounds,
  ): Promise<Outcome<DescribedPdf>>
  /** See `join/compose.ts`. */
  join(files: readonly Uint8Array[], bounds: PdfBounds): Promise<Outcome<Uint8Array>>
  /** See `amend/amend.ts`. */
  amend(bytes: Uint8Array, changes: PdfChanges, bounds: DrawingBounds): Promise<Outcome<Uint8Array>>
  /** See `amend/amend.ts`. */
  describe(bytes: Uint8Array, bounds: PdfBounds): Promise<PdfDescription>
  /** See `sign/sign-pdf.ts`. */
  prepareSignature(
    bytes: Uint8Array,
    field: SignatureField,
    bounds: DrawingBounds & { readonly reservedBytes: number },
  ): Promise<Outcome<UnsignedPdf>>
  /** Checks the XML of an electronic invoice that is not in a PDF. `name` is its file name. Throws 'invoice.rules'. */
  checkInvoice(
    bytes: Uint8Array,
    request: InvoiceRequest,
    bounds: PdfBounds & { readonly name: string },
  ): Promise<readonly Warning[]>
  /** Returns warnings about what a PDF lost when an engine redrew it; see `stage/losses.ts`. */
  lossesBetween(before: Uint8Array, after: Uint8Array, bounds: PdfBounds): Promise<readonly Warning[]>
  /** The text of each page; see `text/read-text.ts`. */
  readText(bytes: Uint8Array, bounds: PdfBounds): Promise<readonly string[]>
}

export interface PdfTools {
  readonly codec: Codec
  /** Returns n random bytes, for keys and identifiers. */
  readonly random: Random
}

/**
 * Creates operations that run in the calling thread. Their code is imported at the first use, so that an idle host does not
 * load it.
 */
export function createPdfOperations(tools: PdfTools): PdfOperations {
  const work = () => import('./work.ts')
  return {
    applyStage: async (bytes, options, bounds) =>
      (await work()).applyStage(bytes, options, { ...tools, ...bounds }),
    deriveKeys: async (request) => (await work()).deriveKeys(request, tools.random, tools.codec.ciphers),
    compose: async (bytes, composition, bounds) =>
      (await work()).composePdf(bytes, composition, { ...tools, ...bounds }),
    attachManifest: async (bytes, manifest, bounds) =>
      (await work()).attachManifest(bytes, manifest, { ...tools, ...bounds }),
    join: async (files, bounds) => (await work()).joinPdfs(files, { ...tools, ...bounds }),
    amend: async (bytes, changes, bounds) => (await work()).amendPdf(bytes, changes, { ...tools, ...bounds }),
    describe: async (bytes) => (await work()).describePdf(bytes, tools.codec),
    prepareSignature: async (bytes, field, bounds) =>
      (await work()).prepareSignature(bytes, field, { ...tools, ...bounds }),
    checkInvoice: async (bytes, request, { name }) => (await work()).checkInvoiceXml(bytes, request, name),
    lossesBetween: async (before, after) => (await work()).lossesOfFiles(before, after, tools.codec),
    readText: async (bytes) => (await work()).readPdfText(bytes, tools.codec),
  }
}
