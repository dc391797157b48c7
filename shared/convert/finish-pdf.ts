import { AppError } from '../errors/app-error.ts'
import { type ComposedPdf, composePdf, type PdfComposition } from '../pdf/compose.ts'
import {
  isKnownOption,
  isPromise,
  isStageOption,
  lackedOptions,
  type PdfStageOptions,
  splitPdfOptions,
} from '../pdf/options.ts'
import { createEncryption, type Encryption, type Random } from '../pdf/security/encryption.ts'
import { applyPdfStage } from '../pdf/stage.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource, Codec, EnginePlugin, FormatId, Outcome, Warning } from '../plugin/contract.ts'
import type { Registry } from '../plugin/registry.ts'

/** Post-processing of outputs, which is the same whichever engine made them. */
export interface Finisher {
  /** Checks the caller's options before any work. `undefined`: this output has no post-processing. Throws 'convert.options'. */
  plan(to: FormatId, options: Readonly<Record<string, unknown>>): FinishPlan | undefined
  /** Joins files to a PDF, embeds files in it and finds the places it was marked at; see `../pdf/compose.ts`. */
  compose(
    bytes: Uint8Array,
    composition: PdfComposition,
    bounds: { readonly signal: AbortSignal; readonly now: number },
  ): Promise<Outcome<ComposedPdf>>
}

export interface FinishPlan {
  /** The options need no engine, so a file that has the format already needs none either. */
  readonly alone: boolean
  /** Whether this engine supports all options, lacks some that may be ignored, or must not be used at all. */
  fit(plugin: EnginePlugin): 'all' | 'most' | 'none'
  /** The options that are passed to this engine. Throws 'convert.options' where it must not be used. */
  engineOptions(plugin: EnginePlugin): Readonly<Record<string, unknown>>
  /** `plugin`: the engine the bytes come from; absent when none was needed. */
  finish(
    source: ByteSource,
    plugin: EnginePlugin | undefined,
    signal: AbortSignal,
  ): Promise<Outcome<ByteSource>>
}

export interface FinisherParts {
  readonly registry: Registry
  readonly codec: Codec
  readonly random: Random
}

/** The PDF stage as the step behind every engine; see `../pdf/stage.ts`. */
export function createPdfFinisher({ registry, codec, random }: FinisherParts): Finisher {
  return {
    compose: (bytes, composition, bounds) => composePdf(bytes, composition, { codec, random, ...bounds }),
    plan(to, options) {
      if (to !== 'pdf') return undefined
      const names = Object.keys(options)
      for (const option of names) {
        if (!isKnownOption(option) && !registry.engines().some((engine) => serves(engine, option))) {
          const shown = option.replace(/[^\w.-]/g, '?').slice(0, 60)
          throw new AppError('convert.options', { option: shown, rule: 'there is no such option' })
        }
      }
      // Validates every option now. Which of them the engine applies itself is known only once the engine is.
      const { stage } = splitPdfOptions(options, (name) =>
        registry.engines().some((plugin) => serves(plugin, name)),
      )
      const split = (plugin: EnginePlugin | undefined) =>
        splitPdfOptions(options, (name) => plugin !== undefined && serves(plugin, name))
      // Deriving keys is slow and needs nothing from the document, so it runs while the engine works.
      let encryption: Promise<Encryption> | undefined
      const beginKeys = () => {
        encryption ??= stage?.security && createEncryption(stage.security, random, codec.ciphers)
        encryption?.catch(() => {}) // reported where the keys are awaited
      }
      return {
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
          const { engine } = split(plugin)
          return Object.fromEntries(
            Object.entries(engine).filter(([name]) => !isKnownOption(name) || serves(plugin, name)),
          )
        },
        async finish(source, plugin, signal) {
          if (plugin?.finishesOutput) return { value: source, warnings: [] }
          const parts = split(plugin)
          const ignored = plugin === undefined ? [] : ignoredOptions(plugin, lackedBy(plugin))
          if (parts.stage === undefined) return { value: source, warnings: [...parts.warnings, ...ignored] }
          const done = await run(parts.stage, source, encryption, signal)
          return { value: done.value, warnings: [...done.warnings, ...ignored] }
        },
      }

      function lackedBy(plugin: EnginePlugin): readonly string[] {
        return plugin.finishesOutput ? [] : lackedOptions(options, (name) => serves(plugin, name))
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

      async function run(
        asked: PdfStageOptions,
        source: ByteSource,
        keys: Promise<Encryption> | undefined,
        signal: AbortSignal,
      ): Promise<Outcome<ByteSource>> {
        const bytes = await bytesOf(source)
        const { value, warnings } = await applyPdfStage(bytes, asked, {
          codec,
          random,
          signal,
          encryption: keys,
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

/** Warnings for the options of a PDF export that this engine does not have. */
function ignoredOptions(plugin: EnginePlugin, names: readonly string[]): readonly Warning[] {
  return names.map((option) => ({
    code: 'convert.option-ignored',
    message: `Option ${option} is not supported by ${plugin.title}.`,
  }))
}
