/**
 * Merges a template with data: open -> compile (or find compiled) -> emit -> pack. There is one engine for each thread or
 * isolate. A merge runs to its end without yielding, so it shares nothing with another merge.
 */

import { entryOf, setEntry } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import { chartsAreLoaded, loadCharts } from '../images/chart.ts'
import { isChartObject } from '../images/chart-option.ts'
import { defaultLimits, type Limits } from '../limits.ts'
import type { FormatPlugin, OpenContext } from '../plugin/contract.ts'
import type { Codec, FormatId, Outcome, Warning } from '../plugin/values.ts'
import type {
  BatchShape,
  Inspection,
  InspectJob,
  JsonInput,
  Merged,
  MergeJob,
  MergeOptions,
  Merger,
  MergeTemplate,
} from '../ports/merger.ts'
import { escapeText } from '../xml/markup.ts'
import { addressesArray, inArray } from './batch.ts'
import { LruCache } from './cache.ts'
import { type CompiledTemplate, compile, type PartStages, stagesOf } from './compile.ts'
import { embeddedFormat, embeddedLimits } from './embedded.ts'
import { emit, nowhere } from './emit/emit.ts'
import { runSets } from './emit/set.ts'
import { type EmitState, partState } from './emit/state.ts'
import { renderText } from './emit/text.ts'
import { chartPicture } from './formatters/chart.ts'
import type { RenderContext } from './formatters/formatter.ts'
import { forgetOperations, operationsOf } from './formatters/operations.ts'
import { formatters } from './formatters/registry.ts'
import { inspectTemplate } from './inspect/inspect.ts'
import { Media, renderMedia } from './media/media.ts'
import { type PackageWriter, packageWriter } from './package-writer.ts'
import type { CompiledPart } from './plan/plan.ts'
import { addressed, RenderScope } from './scope.ts'
import { warningsOf } from './warnings.ts'

export interface MergeEngineOptions {
  readonly codec: Codec
  readonly formats: (id: FormatId) => FormatPlugin | undefined
  readonly limits?: Limits
  /** The maximum memory of compiled templates. */
  readonly cacheBytes?: number
}
/** The report of `check` on a template that compiles. */
export interface CheckedTemplate {
  readonly format: FormatId
  readonly tags: number // the number of tags
  readonly parts: readonly string[] // names of the parts with tags
}
export interface MergeEngine {
  /** Renders one document. Throws AppError 'template.*' or 'package.*'; `signal` stops it with 'template.stopped'. */
  merge: (job: MergeJob, signal?: AbortSignal) => Promise<Outcome<Merged>>
  /** Opens and compiles. Throws as `merge` does. */
  check: (template: MergeTemplate) => Promise<Outcome<CheckedTemplate>>
  /** Opens the file without compiling it: a stored template may have mistakes in its tags, but it must be readable. */
  open: (template: MergeTemplate) => Promise<void>
  /** Lists the problems of a template and the data that it reads. Throws when the file cannot be opened. */
  inspect: (job: InspectJob) => Promise<Inspection>
  /** Returns the results of each pass of the compiler, for printing. Throws as `merge` does. */
  stages: (template: MergeTemplate) => Promise<readonly PartStages[]>
  stats: () => ReturnType<LruCache<CompiledTemplate>['stats']>
}

/** 128 MiB: a few hundred templates of ordinary size. */
const cacheBytesByDefault = 134_217_728

/** Creates an engine with a cache of compiled templates. */
export function createMergeEngine(options: MergeEngineOptions): MergeEngine {
  const { codec, formats, limits = defaultLimits } = options
  const cache = new LruCache<CompiledTemplate>(options.cacheBytes ?? cacheBytesByDefault)

  /** Opens the files embedded in a file. Their total unpacked size is limited like that of the file itself. */
  const innerOf = (): NonNullable<OpenContext['inner']> => {
    let bytesLeft = limits.inflatedBytes // the number of bytes that the embedded files may still unpack to
    return async (name, bytes, numbers) => {
      const format = embeddedFormat(name)
      const plugin = format === undefined ? undefined : formats(format)
      if (plugin?.template === undefined || bytesLeft <= 0) return undefined
      const limitsOfEmbedded = embeddedLimits(limits)
      const innerLimits = {
        ...limitsOfEmbedded,
        inflatedBytes: Math.min(limitsOfEmbedded.inflatedBytes, bytesLeft),
      }
      try {
        const pack = await plugin.template.open(bytes, {
          codec,
          limits: innerLimits,
          ...(numbers && { numbers }),
        })
        bytesLeft -= pack.parts.reduce((sum, { text }) => sum + text.length, bytes.length)
        return pack
      } catch (error) {
        // A damaged or protected embedded file does not prevent merging the document around it. It is copied unchanged.
        if (!(error instanceof AppError && error.code.startsWith('package.'))) throw error
        bytesLeft -= innerLimits.inflatedBytes / 4
        return undefined
      }
    }
  }
  /**
   * Throws AppError 'template.format' for a format that has no templates, and 'package.*' for a file that is not a package.
   */
  const open = async (template: MergeTemplate) => {
    const plugin = formats(template.format)
    if (plugin?.template === undefined) {
      throw new AppError('template.format', {
        format: template.format,
        known: 'docx, odt, xlsx, ods, pptx, odp, html, xml, md, txt, csv',
      })
    }
    if (template.bytes.length > limits.templateBytes) {
      throw new AppError('package.too-large', { limit: limits.templateBytes })
    }
    return plugin.template.open(template.bytes, { codec, limits, inner: innerOf() })
  }
  /** Returns the compiled template, from the cache if the template has a hash. */
  const compiled = async (
    template: MergeTemplate,
    level: number,
    variables: string | undefined,
    batch?: BatchShape,
  ) => {
    const single = batch && (batch.array ?? '')
    const key = JSON.stringify([template.format, level, template.hash, variables, single])
    const cached = template.hash === '' ? undefined : cache.get(key)
    if (cached !== undefined) return { plan: cached, reused: true }
    const plan = compile(await open(template), {
      limits,
      languageLevel: level,
      variables,
      ...(single !== undefined && { single }),
    })
    if (template.hash !== '') cache.set(key, plan, plan.weight)
    return { plan, reused: false }
  }

  return {
    async merge(job, signal) {
      if (signal?.aborted === true) throw new AppError('template.stopped')
      const { data, complement } = parsed(job)
      const { languageLevel, variableStr, batch } = job.options
      const compilation = await compiled(job.template, languageLevel, variableStr, batch)
      const { plan } = compilation
      await loadFormatters(plan.tagTexts)
      const templateOptions = optionsOf(plan)
      let value = run({ plan, job, data: batchItem(data, job.options, plan), complement, limits, signal })
      if (value.lacksCharts) {
        await loadCharts()
        // The data is parsed again, so that the second run does not see what a tag stored in the first.
        const reread = parsed(job)
        const item = batchItem(reread.data, job.options, plan)
        value = run({ plan, job, data: item, complement: reread.complement, limits, signal })
      }
      const { lacksCharts: _, warnings, ...merged } = value
      return {
        value: { ...merged, tagOptions: templateOptions, planReused: compilation.reused },
        warnings: warnings.length === 0 ? plan.warnings : [...plan.warnings, ...warnings],
      }
    },
    async check(template) {
      const { plan } = await compiled(template, 5, undefined)
      const value = {
        format: template.format,
        tags: plan.tagTexts.length,
        parts: plan.parts.map((part) => part.plan.name),
      }
      return { value, warnings: plan.warnings }
    },
    async open(template) {
      await open(template)
    },
    async inspect(job) {
      return inspectTemplate(await open(job.template), job, { limits, parse: parseJson })
    },
    async stages(template) {
      return stagesOf(await open(template), { limits, languageLevel: 5, variables: undefined })
    },
    stats: () => cache.stats(),
  }
}

/** Parses the data of a job. Throws AppError 'template.data' for text that is not JSON. */
function parsed({ data, options }: MergeJob): { readonly data: unknown; readonly complement: unknown } {
  const { complement } = options
  return {
    data: parseJson(data, 'data'),
    complement: complement === undefined ? {} : parseJson(complement, 'complement'),
  }
}

/** Loads the libraries of formatters that the template uses. They are large and most templates need none. */
async function loadFormatters(markers: readonly string[]): Promise<void> {
  for (const { name, load } of formatters.values()) {
    if (load !== undefined && markers.some((marker) => marker.includes(`:${name}`))) await load()
  }
}

/** The engine behind the port that services call. */
export function mergerOf(engine: MergeEngine): Merger {
  return {
    merge: (job, signal) => engine.merge(job, signal),
    check: (template) => engine.open(template),
    inspect: (job) => engine.inspect(job),
  }
}

/** One execution of a plan. */
interface MergeRun {
  readonly plan: CompiledTemplate
  readonly job: MergeJob
  readonly data: unknown
  readonly complement: unknown
  readonly limits: Limits
  readonly signal: AbortSignal | undefined
}

type MergeResult = Omit<Merged, 'tagOptions' | 'planReused'> & {
  /** Whether a chart was left empty because the chart library had not been loaded yet. */
  readonly lacksCharts: boolean
  readonly warnings: readonly Warning[]
}

/** Executes a plan: stores the values of `:set` tags, measures, writes every part, and names the outputs. */
function run({ plan, job, data, complement, limits, signal }: MergeRun): MergeResult {
  const { options, template } = job
  const render = contextOf(options, plan, template.format)
  const hasSets = plan.parts.some((part) => part.plan.sets.length > 0)
  const shared: EmitState = {
    // Stored values go into a copy of the caller's data. Data that came as text belongs to this render already.
    data: hasSets && 'value' in job.data ? structuredClone(data) : data,
    complement: withNow(
      hasSets && options.complement !== undefined && 'value' in options.complement
        ? structuredClone(complement)
        : complement,
      options.now,
    ),
    render,
    budget: { left: limits.iterations, limit: limits.iterations, signal },
    unique: new Map(),
    scope: new RenderScope(),
  }
  // A value may be a chart without any formatter in the template that would have loaded the chart library.
  let lacksCharts = false
  const drawChart = (value: unknown) => {
    if (!isChartObject(value)) return undefined
    lacksCharts ||= !chartsAreLoaded()
    return chartPicture(value, render)
  }
  const { files, failOn, fallbackImages, maxFiles } = options
  const media = new Media(files, failOn, drawChart, limits.inflatedBytes, fallbackImages, maxFiles)
  shared.scope.set(renderMedia, media)
  if (options.addressed === true) shared.scope.set(addressed, true)
  if (hasSets) for (const part of inSetOrder(plan.parts)) runSets(part, shared)
  const writer = plan.package.begin()
  shared.scope.set(packageWriter, writer)
  try {
    for (const part of plan.parts) measurePart(part, shared)
    forgetOperations(render)
    for (const part of plan.parts) writePart(part, shared, writer, limits)
    plan.package.rules.finish?.(shared.scope, writer)
    const names: Record<string, string> = {}
    for (const [name, text] of Object.entries(options.names ?? {}))
      setEntry(names, name, renderText(plan.text(name, text), shared, limits))
    const operations = operationsOf(render)
    return {
      document: writer.finish(),
      format: template.format,
      lacksCharts,
      warnings: warningsOf(shared.scope),
      names,
      ...(operations.length === 0 ? {} : { operations }),
      ...(media.needs.size === 0 ? {} : { needs: [...media.needs] }),
      ...(media.fallbackRequests.size === 0 ? {} : { fallbackImages: [...media.fallbackRequests.values()] }),
      ...(options.debug === true ? { debug: { markers: plan.tagTexts } } : {}),
    }
  } catch (error) {
    writer.abandon()
    throw error
  }
}

/** The parts in the order in which their `:set` tags run. Headers and footers read what the body stores. */
function inSetOrder(parts: readonly CompiledPart[]): readonly CompiledPart[] {
  const main = /(^|\/)(document|content|workbook|presentation)\.xml$/
  return [...parts].sort((a, b) => Number(main.test(b.plan.name)) - Number(main.test(a.plan.name)))
}

/** Runs the measuring pass of a part, for what depends on how often things repeat, such as cell references. */
function measurePart(part: CompiledPart, shared: EmitState): void {
  if (part.plan.measure === undefined) return
  const state = partState(shared, part)
  emit(part.plan.measure, { state, out: nowhere, outputBytes: Number.POSITIVE_INFINITY })
}

function writePart(part: CompiledPart, shared: EmitState, writer: PackageWriter, limits: Limits): void {
  const { plan } = part
  const partWriter = writer.part(plan.name, plan.statics)
  emit(plan.nodes, { state: partState(shared, part), out: partWriter, outputBytes: limits.outputBytes })
  if (partWriter.size > limits.outputBytes)
    throw new AppError('template.output', { part: plan.name, limit: limits.outputBytes })
  partWriter.end()
}

function parseJson(input: JsonInput, field: string): unknown {
  if ('value' in input) return input.value
  try {
    return JSON.parse(typeof input.text === 'string' ? input.text : new TextDecoder().decode(input.text))
  } catch (error) {
    throw new AppError('template.data', { field, because: describe(error) }, { cause: error })
  }
}

/** The data of one item of a batch, in the shape that the tags of the template address. */
function batchItem(item: unknown, { batch, names }: MergeOptions, plan: CompiledTemplate): unknown {
  if (batch === undefined || !addressesArray(plan.tagTexts, Object.values(names ?? {}), batch.array))
    return item
  return inArray(item, batch.array, batch.rest === undefined ? {} : parseJson(batch.rest, 'data'))
}

/**
 * Describes the syntax error of a text that is not JSON, and its position. The messages of parsers are not used, since they
 * quote the text, which may be confidential.
 */
function describe(error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')
  return position === null
    ? 'it ends too early or is not JSON'
    : `unexpected character at position ${position[1]}`
}

/**
 * Adds the time of the render to the complement as a property that is not enumerable, so that a complement without members is
 * still empty.
 */
function withNow(complement: unknown, now: number): unknown {
  if (typeof complement !== 'object' || complement === null || Array.isArray(complement)) return complement
  if (Object.hasOwn(complement, 'now')) return complement
  const value = new Date(now).toISOString()
  return Object.defineProperty({ ...complement }, 'now', { value, writable: true, configurable: true })
}

/** The request options that `{o.name=value}` tags of the template set. */
function optionsOf({ options }: CompiledTemplate): Merged['tagOptions'] {
  const text = (name: string) => entryOf(options, name)
  const level = Number(text('preReleaseFeatureIn'))
  const lang = text('lang')
  const timezone = text('timezone')
  const converter = text('converter')
  const hardRefresh = text('hardRefresh')
  const styleSource = text('styleSource')
  return {
    ...(lang === undefined ? {} : { lang }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(converter === undefined ? {} : { converter }),
    ...(hardRefresh === undefined ? {} : { hardRefresh: hardRefresh === 'true' }),
    ...(styleSource === undefined ? {} : { styleSource }),
    ...(Number.isFinite(level) && level > 0 ? { preReleaseFeatureIn: level } : {}),
  }
}

/** Time zones that are known to exist. Asking `Intl` takes a hundred times as long. */
const zones = new Set<string>()
/** Checks the name of a time zone. Throws AppError 'template.timezone' if it does not exist. */
function checkedZone(name: string): string {
  if (zones.has(name)) return name
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    throw new AppError('template.timezone', { name: name.slice(0, 100) })
  }
  zones.add(name)
  return name
}

/** The render context of the formatters. Options that the template sets take precedence over those of the request. */
function contextOf(options: MergeOptions, plan: CompiledTemplate, format: FormatId): RenderContext {
  const templateOptions = optionsOf(plan)
  const { rules } = plan.package
  const translations: Record<string, Readonly<Record<string, string>>> = {}
  for (const [lang, texts] of Object.entries(options.translations ?? {}))
    setEntry(translations, normalLang(lang), texts)
  return {
    lang: normalLang(templateOptions.lang ?? options.lang),
    timezone: checkedZone(templateOptions.timezone ?? options.timezone),
    now: options.now,
    translations,
    enums: options.enum ?? {},
    currencySource: options.currencySource,
    currencyTarget: options.currencyTarget,
    currencyRates: options.currencyRates ?? {},
    highPrecision: plan.options['useHighPrecisionArithmetic'] === 'true',
    lineBreak: rules.lineBreak,
    formatId: format,
    escape: rules.plain === true ? (text) => text : (rules.escape ?? escapeText),
    memo: new Map(),
  }
}

/** Normalises a language tag for the lookup of translations and locales: 'pt_BR' becomes 'pt-br'. */
const normalLang = (lang: string): string => lang.toLowerCase().replaceAll('_', '-')
