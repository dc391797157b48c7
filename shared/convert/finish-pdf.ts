import { AppError } from '../errors/app-error.ts'
import type { ComposedPdf, PdfComposition } from '../pdf/join/compose.ts'
import type { SignatureField, SignContext } from '../pdf/sign/sign-pdf.ts'
import {
  conforming,
  conformOptions,
  conformsAlone,
  isKnownOption,
  isPromise,
  isStageOption,
  lackedOptions,
  type PdfStageOptions,
  type SplitPdfOptions,
  splitPdfOptions,
} from '../pdf/stage/options.ts'
import type { Encryption, Random } from '../pdf/stage/security/encryption.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { EnginePlugin } from '../plugin/contract.ts'
import type { Registry } from '../plugin/registry.ts'
import type { DrawText } from '../plugin/text-drawing.ts'
import type { ByteSource, Codec, FormatId, Outcome, Warning } from '../plugin/values.ts'

/** Post-processing of outputs, which is the same whichever engine made them. */
export interface Finisher {
  /**
   * Checks the caller's options before any work. Returns undefined for an output without post-processing. `drawText` draws
   * watermarks in scripts that the standard fonts lack, and embeds their fonts, which archival PDFs require; without it
   * such watermarks are refused. Throws 'convert.options'.
   */
  plan(to: FormatId, options: Readonly<Record<string, unknown>>, drawText?: DrawText): FinishPlan | undefined
  /** Joins files to a PDF, embeds files in it and finds the positions of its markers; see `../pdf/join/compose.ts`. */
  compose(
    bytes: Uint8Array,
    composition: PdfComposition,
    bounds: { readonly signal: AbortSignal; readonly now: number },
  ): Promise<Outcome<ComposedPdf>>
  /** Adds a signature to a PDF; see `../pdf/sign/sign-pdf.ts`. */
  sign(
    bytes: Uint8Array,
    field: SignatureField,
    context: Omit<SignContext, 'codec' | 'random'>,
  ): Promise<Outcome<Uint8Array>>
  /** Joins PDFs in their order. Throws 'api.batch.pdf' for one that cannot be read, 'pdf.too-large'. */
  join(files: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Outcome<Uint8Array>>
}

export interface FinishPlan {
  /** All options are applied by the post-processing, so a file that is a PDF already needs no engine. */
  readonly alone: boolean
  /**
   * Makes an existing PDF conform to PDF/A or PDF/UA without an engine. Absent when the options request no conformance, or
   * something else besides. Resolves to a reason when the document has to be drawn anew instead.
   */
  conform?(
    source: ByteSource,
    signal: AbortSignal,
  ): Promise<Outcome<ByteSource> | { readonly because: string }>
  /** Whether this engine supports all options, lacks some that may be ignored, or must not be used at all. */
  fit(plugin: EnginePlugin): 'all' | 'most' | 'none'
  /** The options that are passed to this engine. Throws 'convert.options' where it must not be used. */
  engineOptions(plugin: EnginePlugin): Readonly<Record<string, unknown>>
  /**
   * Applies the post-processing. `plugin` is the engine that made `source`; absent when none was needed. `original` is the
   * PDF that the engine drew anew; the output is compared with it, and losses are reported as warnings.
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
  readonly codec: Codec
  readonly random: Random
}

/** How a request without options is divided between the engine and the stage. */
const withoutOptions: SplitPdfOptions = { engine: {}, warnings: [] }

/** Imports the code that works on PDFs at its first use, so that an idle host does not hold it. */
const pdfWork = () => import('../pdf/work.ts')

/** Creates the post-processing of PDFs, which runs after every engine; see `../pdf/stage/stage.ts`. */
export function createPdfFinisher({ registry, codec, random }: FinisherParts): Finisher {
  return {
    async compose(bytes, composition, bounds) {
      const { composePdf } = await pdfWork()
      return composePdf(bytes, composition, { codec, random, ...bounds })
    },
    async sign(bytes, field, context) {
      const { signPdf } = await pdfWork()
      return signPdf(bytes, field, { codec, random, ...context })
    },
    async join(files, signal) {
      const { joinPdfs } = await pdfWork()
      return joinPdfs(files, { codec, random, signal })
    },
    plan(to, options, drawText) {
      if (to !== 'pdf') return undefined
      const names = Object.keys(options)
      for (const option of names) {
        if (isKnownOption(option)) continue
        if (!registry.engines().some((engine) => offers(engine, option))) {
          const optionName = option.replace(/[^\w.-]/g, '?').slice(0, 60)
          throw new AppError('convert.options', { option: optionName, rule: 'there is no such option' })
        }
      }
      // Validates every option now. Which of them the engine applies itself is known only once the engine is.
      const embedsFonts = drawText !== undefined
      const split = (isServed: (name: string) => boolean) =>
        names.length === 0 ? withoutOptions : splitPdfOptions(options, isServed, { embedsFonts })
      const { stage } = split((name) => registry.engines().some((plugin) => serves(plugin, name)))
      // Deriving keys is slow and needs nothing from the document, so it runs while the engine works.
      let encryption: Promise<Encryption> | undefined
      const beginKeys = () => {
        const security = stage?.security
        if (security === undefined) return
        encryption ??= pdfWork().then(({ createEncryption }) =>
          createEncryption(security, random, codec.ciphers),
        )
        encryption.catch(() => {}) // reported where the keys are awaited
      }
      const isConformance = conformsAlone(options, { embedsFonts })
      const isConformanceRequested = names.some((name) => isPromise(name, options[name]))
      return {
        ...(isConformance && { conform }),
        alone: names.length > 0 && names.every((option) => isStageOption(option, options[option])),
        fit(plugin) {
          const lacks = lackedBy(plugin)
          if (lacks.length === 0) return 'all'
          return lacks.some((name) => isPromise(name, options[name])) ? 'none' : 'most'
        },
        engineOptions(plugin) {
          if (plugin.finishesOutput) return options
          refuseConformance(plugin)
          beginKeys()
          const { engine } = split((name) => serves(plugin, name))
          const passedOptions = Object.entries(engine).filter(
            ([name]) => !isKnownOption(name) || serves(plugin, name),
          )
          return {
            ...Object.fromEntries(passedOptions),
            ...(isConformanceRequested && plugin.conformable && { UseTaggedPDF: true }),
          }
        },
        async finish(source, plugin, signal, original) {
          if (plugin?.finishesOutput) return { value: source, warnings: [] }
          if (isConformanceRequested && plugin?.conformable) return conformOutput(plugin, source, signal)
          const optionParts = split((name) => plugin !== undefined && serves(plugin, name))
          const ignored = plugin === undefined ? [] : ignoredOptions(plugin, lackedBy(plugin))
          const lossWarnings = original === undefined ? [] : await losses(original, source)
          const warnings = [...lossWarnings, ...ignored]
          if (optionParts.stage === undefined)
            return { value: source, warnings: [...optionParts.warnings, ...warnings] }
          const staged = await run(optionParts.stage, source, encryption, signal)
          return { value: staged.value, warnings: [...staged.warnings, ...warnings] }
        },
      }

      /** Makes the PDF of an engine conform. Unlike `finish`, it does not report what was lost since the original. */
      async function conformOutput(
        plugin: EnginePlugin,
        source: ByteSource,
        signal: AbortSignal,
      ): Promise<Outcome<ByteSource>> {
        try {
          const staged = await run(conformOptions(options, { embedsFonts }), source, encryption, signal)
          const ignored = ignoredOptions(plugin, lackedBy(plugin))
          return { value: staged.value, warnings: [...staged.warnings, ...ignored] }
        } catch (error) {
          const { Unconformable } = await pdfWork()
          if (!(error instanceof Unconformable)) throw error
          throw new AppError('pdf.unconformable', { engine: plugin.title, because: error.because })
        }
      }

      async function conform(source: ByteSource, signal: AbortSignal) {
        try {
          return await run(conformOptions(options, { embedsFonts }), source, undefined, signal)
        } catch (error) {
          const { Unconformable } = await pdfWork()
          if (error instanceof Unconformable) return { because: error.message }
          const code = error instanceof AppError ? error.code : ''
          if (code === 'pdf.promise')
            return { because: 'The PDF has characters that no font of this service has.' }
          if (code === 'pdf.encrypted' || code === 'pdf.broken' || code === 'pdf.too-large')
            return { because: (error as AppError).message }
          throw error
        }
      }

      function lackedBy(plugin: EnginePlugin): readonly string[] {
        if (plugin.finishesOutput || names.length === 0) return []
        const replaced = plugin.conformable === true && isConformanceRequested ? conforming : []
        return lackedOptions(options, (name) => serves(plugin, name) || replaced.includes(name))
      }

      /** A caller who asked for PDF/A or PDF/UA must not get a PDF that does not conform. */
      function refuseConformance(plugin: EnginePlugin): void {
        const option = lackedBy(plugin).find((name) => isPromise(name, options[name]))
        if (option === undefined) return
        const able = registry
          .engines()
          .find((engine) => serves(engine, option) && engine.letter !== undefined)
        const instead = able === undefined ? '' : `; ${able.title} (converter ${able.letter}) can`
        const kind = option === 'PDFUACompliance' ? 'PDF/UA' : 'PDF/A'
        const rule = `cannot be ${String(options[option])} with ${plugin.title}, which cannot make ${kind}${instead}`
        throw new AppError('convert.options', { option, rule })
      }

      async function losses(original: ByteSource, redrawn: ByteSource): Promise<readonly Warning[]> {
        const { lossesBetween, openPdf, pdfLimits, unknownLosses } = await pdfWork()
        try {
          const [before, after] = await Promise.all([bytesOf(original), bytesOf(redrawn)])
          return lossesBetween(openPdf(before, codec, pdfLimits), openPdf(after, codec, pdfLimits))
        } catch (error) {
          if (error instanceof AppError && error.code.startsWith('pdf.')) return [unknownLosses]
          throw error
        }
      }

      async function run(
        stageOptions: PdfStageOptions,
        source: ByteSource,
        keys: Promise<Encryption> | undefined,
        signal: AbortSignal,
      ): Promise<Outcome<ByteSource>> {
        const { applyPdfStage } = await pdfWork()
        const bytes = await bytesOf(source)
        const { value, warnings } = await applyPdfStage(bytes, stageOptions, {
          codec,
          random,
          signal,
          encryption: keys,
          drawText,
        })
        return { value: fromBytes(value), warnings }
      }
    },
  }
}

/** Whether the engine lists the option in its schema. */
function serves(plugin: EnginePlugin, option: string): boolean {
  const listed = plugin.options.json['properties']
  return typeof listed === 'object' && listed !== null && Object.hasOwn(listed, option)
}

/** Whether the engine, or one of those that it represents, has the option for some output. */
function offers(plugin: EnginePlugin, option: string): boolean {
  return (
    serves(plugin, option) || plugin.conversions.some(({ options }) => options?.includes(option) === true)
  )
}

/** Warnings for the options of a PDF export that this engine does not have. */
function ignoredOptions(plugin: EnginePlugin, names: readonly string[]): readonly Warning[] {
  return names.map((option) => ({
    code: 'convert.option-ignored',
    message: `Option ${option} is not supported by ${plugin.title}.`,
  }))
}
