import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import {
  conforming,
  conformsAlone,
  isPdfOption,
  isPromise,
  isStageOption,
  lackedOptions,
  type SplitPdfOptions,
  splitPdfOptions,
} from '../pdf/stage/options.ts'
import type { EnginePlugin } from '../plugin/contract.ts'
import type { Registry } from '../plugin/registry.ts'
import type { Warning } from '../plugin/values.ts'

type Options = Readonly<Record<string, unknown>>

/** The options of one request for a PDF, divided between the engine and the post-processing that follows it. */
export interface DividedOptions {
  /** Post-processing applies all of them, so a file that is a PDF already needs no engine. */
  readonly byStageAlone: boolean
  /** They request PDF/A or PDF/UA. */
  readonly requestsConformance: boolean
  /** Post-processing alone can make an existing PDF conform as they request. */
  readonly conformsAlone: boolean
  /** The options of post-processing if an engine serves every option that some engine serves. */
  readonly stage: SplitPdfOptions['stage']
  /** Divides them for one engine, or for a PDF that needs none. */
  splitFor(plugin: EnginePlugin | undefined): SplitPdfOptions
  /** The options that are passed to this engine. */
  engineOptions(plugin: EnginePlugin): Options
  /** The options that neither this engine nor the post-processing applies. */
  lackedBy(plugin: EnginePlugin): readonly string[]
  /** Warnings for `lackedBy`. */
  ignoredBy(plugin: EnginePlugin): readonly Warning[]
  /** The requested conformance that this engine lacks, as the name of its option. */
  lackedConformance(plugin: EnginePlugin): string | undefined
}

/** How a request without options is divided. */
const withoutOptions: SplitPdfOptions = { engine: {}, warnings: [] }

/**
 * Checks and divides the options of a request. `embedsFonts`: watermarks can be drawn with embedded fonts, as archival
 * PDFs require. Throws 'convert.options' for an option that no engine has and for an unusable value.
 */
export function divideOptions(
  options: Options,
  registry: Registry,
  { embedsFonts }: { readonly embedsFonts: boolean },
): DividedOptions {
  const names = Object.keys(options)
  const hasOptions = names.length > 0
  refuseUnknown(names, registry)
  const split = (isServed: (name: string) => boolean) =>
    hasOptions ? splitPdfOptions(options, isServed, { embedsFonts }) : withoutOptions
  // Validates every option before any work, although the engine that will apply some of them is not chosen yet.
  const { stage } = split((name) => registry.engines().some((plugin) => serves(plugin, name)))
  const requestsConformance = names.some((name) => isPromise(name, entryOf(options, name)))

  const splitFor = (plugin: EnginePlugin | undefined) =>
    split((name) => plugin !== undefined && serves(plugin, name))

  const lackedBy = (plugin: EnginePlugin): readonly string[] => {
    if (plugin.finishesOutput || !hasOptions) return []
    const replaced = plugin.conformable === true && requestsConformance ? conforming : []
    return lackedOptions(options, (name) => serves(plugin, name) || replaced.includes(name))
  }

  return {
    byStageAlone: hasOptions && names.every((name) => isStageOption(name, entryOf(options, name))),
    requestsConformance,
    conformsAlone: hasOptions && conformsAlone(options, { embedsFonts }),
    stage,
    splitFor,
    engineOptions(plugin) {
      const served = Object.entries(splitFor(plugin).engine).filter(
        ([name]) => !isPdfOption(name) || serves(plugin, name),
      )
      return {
        ...Object.fromEntries(served),
        ...(requestsConformance && plugin.conformable && { UseTaggedPDF: true }),
      }
    },
    lackedBy,
    ignoredBy: (plugin) =>
      lackedBy(plugin).map((option) => ({
        code: 'convert.option-ignored',
        message: `Option ${option} is not supported by ${plugin.title}.`,
      })),
    lackedConformance: (plugin) => lackedBy(plugin).find((name) => isPromise(name, entryOf(options, name))),
  }
}

/** Throws 'convert.options' for the first name that neither the specification nor any engine has. */
function refuseUnknown(names: readonly string[], registry: Registry): void {
  const unknown = names.find(
    (name) => !isPdfOption(name) && !registry.engines().some((engine) => offers(engine, name)),
  )
  if (unknown === undefined) return
  const option = unknown.replace(/[^\w.-]/g, '?').slice(0, 60)
  throw new AppError('convert.options', { option, rule: 'there is no such option' })
}

/** Whether the engine lists the option in its schema. */
export function serves(plugin: EnginePlugin, option: string): boolean {
  const listed = plugin.options.json['properties']
  return typeof listed === 'object' && listed !== null && Object.hasOwn(listed, option)
}

/** Whether the engine, or one of those that it represents, has the option for some output. */
function offers(plugin: EnginePlugin, option: string): boolean {
  return (
    serves(plugin, option) || plugin.conversions.some(({ options }) => options?.includes(option) === true)
  )
}
