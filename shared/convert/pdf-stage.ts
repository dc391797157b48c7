import { AppError } from '../errors/app-error.ts'
import type { PdfOperations } from '../pdf/operations.ts'
import type { PdfStageOptions } from '../pdf/stage/options.ts'
import type { EncryptionKeys } from '../pdf/stage/security/encryption.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { EnginePlugin } from '../plugin/contract.ts'
import type { DrawText } from '../plugin/text-drawing.ts'
import type { ByteSource, Outcome, Warning } from '../plugin/values.ts'

/** The dependencies of the stage, besides the file and its options. */
export interface StageTools {
  readonly pdf: PdfOperations
  /** Draws watermarks with embedded fonts; see `Finisher.plan`. */
  readonly drawText?: DrawText | undefined
}

/** One use of the stage. */
export interface StageRun {
  readonly source: ByteSource
  readonly options: PdfStageOptions
  readonly signal: AbortSignal
  /** Keys that were derived ahead; without them the stage derives its own. */
  readonly keys?: Promise<EncryptionKeys> | undefined
}

/** Applies the stage of `../pdf/stage/stage.ts` to a file. */
export async function runStage(
  { source, options, signal, keys }: StageRun,
  { pdf, drawText }: StageTools,
): Promise<Outcome<ByteSource> | { readonly obstacles: string }> {
  const bytes = await bytesOf(source)
  const outcome = await pdf.applyStage(bytes, options, { drawText, signal, keys: await keys })
  return 'obstacles' in outcome ? outcome : { value: fromBytes(outcome.value), warnings: outcome.warnings }
}

/**
 * Makes the PDF of an engine conform. Throws 'pdf.unconformable' when that is impossible: the caller who requested PDF/A
 * or PDF/UA must not get a file without it.
 */
export async function conformOutput(
  run: StageRun,
  plugin: EnginePlugin,
  tools: StageTools,
): Promise<Outcome<ByteSource>> {
  const outcome = await runStage(run, tools)
  if ('obstacles' in outcome)
    throw new AppError('pdf.unconformable', { engine: plugin.title, because: outcome.obstacles })
  return outcome
}

/** Makes a caller's PDF conform. Resolves to a reason when an engine has to redraw the document instead. */
export async function conformSource(
  run: StageRun,
  tools: StageTools,
): Promise<Outcome<ByteSource> | { readonly because: string }> {
  try {
    const outcome = await runStage(run, tools)
    return 'obstacles' in outcome ? { because: `The PDF has ${outcome.obstacles}.` } : outcome
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'pdf.promise')
      return { because: 'The PDF has characters that no font of this service has.' }
    if (['pdf.encrypted', 'pdf.broken', 'pdf.too-large'].includes(error.code))
      return { because: error.message }
    throw error
  }
}

/** Warnings for what a PDF lost when an engine redrew it. */
export async function lossesOf(
  original: ByteSource,
  redrawn: ByteSource,
  { pdf, signal }: { readonly pdf: PdfOperations; readonly signal: AbortSignal },
): Promise<readonly Warning[]> {
  const [before, after] = await Promise.all([bytesOf(original), bytesOf(redrawn)])
  return pdf.lossesBetween(before, after, { signal })
}
