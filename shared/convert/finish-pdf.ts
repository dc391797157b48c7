import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import type { DrawingBounds, PdfOperations } from '../pdf/operations.ts'
import { insertSignature, signedContent } from '../pdf/sign/insert-signature.ts'
import type { SignatureField } from '../pdf/sign/sign-pdf.ts'
import { conformOptions } from '../pdf/stage/options.ts'
import type { EncryptionKeys } from '../pdf/stage/security/encryption.ts'
import type { EnginePlugin } from '../plugin/contract.ts'
import type { Registry } from '../plugin/registry.ts'
import type { DrawText } from '../plugin/text-drawing.ts'
import type { ByteSource, FormatId, Outcome } from '../plugin/values.ts'
import { type DividedOptions, divideOptions, serves } from './divide-options.ts'
import { conformOutput, conformSource, lossesOf, runStage } from './pdf-stage.ts'

/** Post-processing of outputs, which is the same whichever engine made them. */
export interface Finisher {
  /**
   * Checks the caller's options before any work. Returns undefined for an output without post-processing. `drawText` draws
   * watermarks in scripts that the standard fonts lack, and embeds their fonts, which archival PDFs require; without it
   * such watermarks are refused. Throws 'convert.options'.
   */
  plan(to: FormatId, options: Readonly<Record<string, unknown>>, drawText?: DrawText): FinishPlan | undefined
  /** Joins files to a PDF, embeds files in it and finds the positions of its markers; see `../pdf/join/compose.ts`. */
  readonly compose: PdfOperations['compose']
  /** The text of each page; see `../pdf/text/read-text.ts`. */
  readonly readText: PdfOperations['readText']
  /** Attaches a manifest to a PDF; see `../pdf/join/attach-manifest.ts`. */
  readonly attachManifest: PdfOperations['attachManifest']
  /** Changes a PDF as a route of a plugin asks; see `../pdf/amend/amend.ts`. */
  readonly amend: PdfOperations['amend']
  /** What a PDF says about itself; see `../pdf/amend/amend.ts`. */
  readonly describe: PdfOperations['describe']
  /** Checks the XML of an electronic invoice. */
  readonly checkInvoice: PdfOperations['checkInvoice']
  /** Adds a signature to a PDF; see `../pdf/sign/sign-pdf.ts`. Throws also what `context.sign` throws. */
  sign(bytes: Uint8Array, field: SignatureField, context: SignContext): Promise<Outcome<Uint8Array>>
  /** Joins PDFs in their order. Throws 'api.batch.pdf' for one that cannot be read, 'pdf.too-large'. */
  join(files: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Outcome<Uint8Array>>
}

export interface SignContext extends DrawingBounds {
  /** The largest size of what `sign` returns, in bytes. */
  readonly reservedBytes: number
  /** Signs the bytes of the file without the space for the signature. Returns the DER of a detached CMS signature. */
  readonly sign: (content: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>
}

export interface FinishPlan {
  /** All options are applied by the post-processing, so a file that is a PDF already needs no engine. */
  readonly byStageAlone: boolean
  /**
   * Makes an existing PDF conform to PDF/A or PDF/UA without an engine. Absent when the options request no conformance, or
   * something else besides. Resolves to a reason when an engine has to redraw the document instead.
   */
  conform?(
    source: ByteSource,
    signal: AbortSignal,
  ): Promise<Outcome<ByteSource> | { readonly because: string }>
  /** Whether this engine supports all options, lacks some that may be ignored, or must not be used at all. */
  fit(plugin: EnginePlugin): 'all' | 'most' | 'none'
  /** The options that are passed to this engine. Throws 'convert.options' where it must not be used. */
  engineOptions(plugin: EnginePlugin, signal: AbortSignal): Readonly<Record<string, unknown>>
  /**
   * Applies the post-processing. `plugin` is the engine that made `source`; absent when none was needed. `original` is the
   * PDF that the engine has redrawn; the output is compared with it, and losses are reported as warnings.
   */
  finish(
    source: ByteSource,
    plugin: EnginePlugin | undefined,
    signal: AbortSignal,
    original?: ByteSource,
  ): Promise<Outcome<ByteSource>>
}

export interface FinisherParts {
  readonly registry: Registry
  readonly pdf: PdfOperations
}

/** Creates the post-processing of PDFs, which runs after every engine; see `../pdf/stage/stage.ts`. */
export function createPdfFinisher(parts: FinisherParts): Finisher {
  const { registry, pdf } = parts
  return {
    compose: pdf.compose,
    readText: pdf.readText,
    attachManifest: pdf.attachManifest,
    amend: pdf.amend,
    describe: pdf.describe,
    checkInvoice: pdf.checkInvoice,
    async sign(bytes, field, { sign, ...bounds }) {
      const { value, warnings } = await pdf.prepareSignature(bytes, field, bounds)
      insertSignature(value, await sign(signedContent(value)))
      return { value: value.bytes, warnings }
    },
    join: async (files, signal) => pdf.join(await Array.fromAsync(files), { signal }),
    plan(to, options, drawText) {
      if (to !== 'pdf') return undefined
      const divided = divideOptions(options, registry, { embedsFonts: drawText !== undefined })
      return planFinish(options, divided, { ...parts, drawText })
    },
  }
}

function planFinish(
  options: Readonly<Record<string, unknown>>,
  divided: DividedOptions,
  tools: FinisherParts & { readonly drawText: DrawText | undefined },
): FinishPlan {
  const { registry, pdf, drawText } = tools
  const stageTools = { pdf, drawText }
  const conformance = () => conformOptions(options, { embedsFonts: drawText !== undefined })
  // Deriving keys is slow and needs nothing from the document, so it runs while the engine works.
  let keys: Promise<EncryptionKeys> | undefined
  const beginKeys = (signal: AbortSignal) => {
    const security = divided.stage?.security
    if (security === undefined) return
    keys ??= pdf.deriveKeys(security, { signal })
    keys.catch(() => {}) // reported where the keys are awaited
  }
  return {
    ...(divided.conformsAlone && {
      conform: async (source, signal) =>
        conformSource({ source, options: conformance(), signal }, stageTools),
    }),
    byStageAlone: divided.byStageAlone,
    fit(plugin) {
      if (divided.lackedBy(plugin).length === 0) return 'all'
      return divided.lackedConformance(plugin) === undefined ? 'most' : 'none'
    },
    engineOptions(plugin, signal) {
      if (plugin.finishesOutput) return options
      const lacked = divided.lackedConformance(plugin)
      if (lacked !== undefined) refuseConformance(lacked, entryOf(options, lacked), plugin, registry)
      beginKeys(signal)
      return divided.engineOptions(plugin)
    },
    async finish(source, plugin, signal, original) {
      if (plugin?.finishesOutput) return { value: source, warnings: [] }
      const ignored = plugin === undefined ? [] : divided.ignoredBy(plugin)
      if (divided.requestsConformance && plugin?.conformable) {
        const run = { source, options: conformance(), signal, keys }
        const { value, warnings } = await conformOutput(run, plugin, stageTools)
        return { value, warnings: [...warnings, ...ignored] }
      }
      const { stage, warnings } = divided.splitFor(plugin)
      const losses = original === undefined ? [] : await lossesOf(original, source, { pdf, signal })
      if (stage === undefined) return { value: source, warnings: [...warnings, ...losses, ...ignored] }
      const staged = await runStage({ source, options: stage, signal, keys }, stageTools)
      if ('obstacles' in staged)
        throw new Error('The stage refused a conformance that the options do not ask for.')
      return { value: staged.value, warnings: [...staged.warnings, ...losses, ...ignored] }
    },
  }
}

/** Throws 'convert.options' for a conformance that the engine lacks. The message names an engine that has it. */
function refuseConformance(option: string, value: unknown, plugin: EnginePlugin, registry: Registry): never {
  const able = registry.engines().find((engine) => serves(engine, option) && engine.letter !== undefined)
  const instead = able === undefined ? '' : `; ${able.title} (converter ${able.letter}) can`
  const kind = option === 'PDFUACompliance' ? 'PDF/UA' : 'PDF/A'
  const rule = `cannot be ${String(value)} with ${plugin.title}, which cannot make ${kind}${instead}`
  throw new AppError('convert.options', { option, rule })
}
