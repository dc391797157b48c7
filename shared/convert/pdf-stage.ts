import { AppError } from '../errors/app-error.ts'
import type { PdfStageOptions } from '../pdf/stage/options.ts'
import type { Encryption, Random } from '../pdf/stage/security/encryption.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { EnginePlugin } from '../plugin/contract.ts'
import type { DrawText } from '../plugin/text-drawing.ts'
import type { ByteSource, Codec, Outcome, Warning } from '../plugin/values.ts'

/** The dependencies of the stage, besides the file and its options. */
export interface StageTools {
  readonly codec: Codec
  readonly random: Random
  /** Draws watermarks with embedded fonts; see `Finisher.plan`. */
  readonly drawText?: DrawText | undefined
}

/** One use of the stage. */
export interface StageRun {
  readonly source: ByteSource
  readonly options: PdfStageOptions
  readonly signal: AbortSignal
  /** Keys that were derived ahead; without them the stage derives its own. */
  readonly encryption?: Promise<Encryption> | undefined
}

/** Imports the code that works on PDFs at its first use, so that an idle host does not hold it. */
export const pdfWork = () => import('../pdf/work.ts')

/** Applies the stage of `../pdf/stage/stage.ts` to a file. */
export async function runStage(
  { source, options, signal, encryption }: StageRun,
  tools: StageTools,
): Promise<Outcome<ByteSource>> {
  const { applyPdfStage } = await pdfWork()
  const bytes = await bytesOf(source)
  const { value, warnings } = await applyPdfStage(bytes, options, { ...tools, signal, encryption })
  return { value: fromBytes(value), warnings }
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
  try {
    return await runStage(run, tools)
  } catch (error) {
    const { Unconformable } = await pdfWork()
    if (!(error instanceof Unconformable)) throw error
    throw new AppError('pdf.unconformable', { engine: plugin.title, because: error.because })
  }
}

/** Makes a caller's PDF conform. Resolves to a reason when an engine has to draw the document anew instead. */
export async function conformSource(
  run: StageRun,
  tools: StageTools,
): Promise<Outcome<ByteSource> | { readonly because: string }> {
  try {
    return await runStage(run, tools)
  } catch (error) {
    const { Unconformable } = await pdfWork()
    if (error instanceof Unconformable) return { because: error.message }
    if (!(error instanceof AppError)) throw error
    if (error.code === 'pdf.promise')
      return { because: 'The PDF has characters that no font of this service has.' }
    if (['pdf.encrypted', 'pdf.broken', 'pdf.too-large'].includes(error.code))
      return { because: error.message }
    throw error
  }
}

/** Warnings for what a PDF lost when an engine drew it anew. */
export async function lossesOf(
  original: ByteSource,
  redrawn: ByteSource,
  codec: Codec,
): Promise<readonly Warning[]> {
  const { lossesBetween, openPdf, pdfLimits, unknownLosses } = await pdfWork()
  try {
    const [before, after] = await Promise.all([bytesOf(original), bytesOf(redrawn)])
    return lossesBetween(openPdf(before, codec, pdfLimits), openPdf(after, codec, pdfLimits))
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('pdf.')) return [unknownLosses]
    throw error
  }
}
