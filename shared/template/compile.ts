/**
 * The compiler. It runs its passes over all parts of a template, in this order:
 *
 *   scan    text of a part -> tokens
 *   nest    tokens -> tree of elements
 *   parse   text of a tag -> syntax tree, aliases in place
 *   bind    tree and tags -> tree whose tokens know their loops and conditions
 *   plan    -> the plan, which `emit` runs once for each render
 *
 * Problems of all parts are collected and reported together. This is the best file to read first; `dump.ts` prints what each
 * pass returns.
 */

import type { Limits } from '../limits.ts'
import type { FormatId, Warning } from '../plugin/values.ts'
import { assignAll } from '../push-all.ts'
import { Aliases } from './bind/aliases.ts'
import { bindPart, type PartTags, type ScopedPart } from './bind/bind.ts'
import { everyPart, type ReadPart, withEmbedded } from './bind/embedded.ts'
import { type BindContext, shorten, type ValueTag } from './bind/part.ts'
import { readPart } from './bind/read-part.ts'
import { Report } from './bind/report.ts'
import { nest } from './nest/tree.ts'
import type { TemplatePackage } from './package.ts'
import { planPart } from './plan/part.ts'
import type { CompiledPart } from './plan/plan.ts'
import type { FormatRules } from './rules.ts'
import { type ScannedPart, scanPart } from './scan/part.ts'

export interface CompiledTemplate {
  /** The package without the texts of its parts, which are not needed after compilation. */
  readonly package: Omit<TemplatePackage, 'parts'>
  readonly parts: readonly CompiledPart[] // those with tags
  /** The options that `{o.name=value}` tags request. */
  readonly options: Readonly<Record<string, string>>
  /** Every value tag with its braces, in document order. */
  readonly tagTexts: readonly string[]
  readonly warnings: readonly Warning[]
  readonly weight: number // bytes of memory, estimated
  /** Compiles a text beside the document, such as the name of the output, with the document's aliases. */
  text(name: string, text: string): CompiledPart
}

export interface CompileOptions {
  readonly limits: Limits
  readonly languageLevel: number
  readonly variables: string | undefined // alias declarations from outside
  /** The array of a batch, of which each report has one item: '' for `d` itself, otherwise its name in `d`. */
  readonly single?: string
}

/** Compiles a template for rendering. Throws AppError 'template.*' that lists all problems. */
export function compile(source: TemplatePackage, options: CompileOptions): CompiledTemplate {
  const template = readTemplate(source, options)
  const { report, tokenCount } = template
  const parts = compileParts(template).map(({ compiled }) => compiled)
  report.throwIfFailed()
  return {
    package: { format: source.format, rules: source.rules, weight: source.weight, begin: source.begin },
    parts,
    options: template.options,
    tagTexts: template.partsWithEmbedded.flatMap(({ tagTexts }) => tagTexts),
    warnings: [...(source.warnings ?? []), ...report.warnings],
    weight: source.weight + 200 * tokenCount + parts.reduce((sum, part) => sum + 6 * staticBytes(part), 0),
    text: textCompiler(template, source.format, options.limits),
  }
}

/** Bytes of the static segments of a part and of all that is embedded in it. */
function staticBytes({ plan, hooks }: CompiledPart): number {
  const embedded = hooks.embedded.flatMap(({ packages }) => packages.flat())
  return plan.statics.bytes.length + embedded.reduce((sum, part) => sum + staticBytes(part), 0)
}

/** The tags and problems of a template. */
export interface Inspected {
  readonly report: Report
  /** The tags that name a value, part by part. */
  readonly values: readonly ValueTag[]
  readonly translations: readonly string[] // the keys of `{t(key)}`
  readonly parts: readonly ReadPart[]
  /** The parts that are compiled on their own, with their loops. */
  readonly scoped: readonly ScopedPart[]
}

/** Reads a template and collects its problems. Throws AppError 'template.*' only for a part that cannot be scanned. */
export function inspect(source: TemplatePackage, options: CompileOptions): Inspected {
  const template = readTemplate(source, options, true)
  const stages = compileParts(template)
  const { report, partsWithEmbedded } = template
  return {
    report,
    parts: partsWithEmbedded,
    scoped: stages.map(({ scoped }) => scoped),
    values: partsWithEmbedded.flatMap(({ values }) => values),
    translations: partsWithEmbedded.flatMap(({ translations }) => [...translations.values()]),
  }
}

/** The results of the passes for one part, for `dump.ts`. */
export interface PartStages {
  readonly read: ReadPart
  readonly scoped: ScopedPart
  readonly compiled: CompiledPart
}

/** The results of all passes, part by part. Throws as `compile` does. */
export function stagesOf(source: TemplatePackage, options: CompileOptions): readonly PartStages[] {
  const template = readTemplate(source, options)
  const stages = compileParts(template)
  template.report.throwIfFailed()
  return stages
}

/** A template after scan, nest and parse. */
interface ReadTemplate {
  readonly report: Report
  readonly aliases: Aliases
  readonly parts: readonly ReadPart[]
  /** All parts, including embedded ones. */
  readonly partsWithEmbedded: readonly ReadPart[]
  readonly objectArrays: ReadonlySet<string>
  readonly options: Readonly<Record<string, string>>
  readonly tolerant: boolean
  readonly single?: string // a key
  readonly tokenCount: number
}

/** Scans, nests and parses all parts. With `allParts`, parts without tags are read, too. */
function readTemplate(source: TemplatePackage, options: CompileOptions, allParts = false): ReadTemplate {
  const { limits, languageLevel, variables, single } = options
  const report = new Report(source.parts.map(({ name }) => name))
  const scanned = source.parts.flatMap((part) => scanPart(part, source, limits, allParts) ?? [])
  const aliases = new Aliases()
  const unread = variables === undefined ? '' : aliases.declareAll(variables)
  if (unread !== '')
    report.warn(
      'template.alias.unread',
      `"${shorten(unread)}" declares no alias. A declaration reads {#name = expression}.`,
      'variableStr',
    )
  // An alias is known everywhere, so all of them are declared before the first tag is read.
  for (const part of scanned) declareAliases(part, aliases)
  const parts = scanned.map((part) => readScanned(part, { limits, report, tolerant: false }, aliases))
  const partsWithEmbedded = parts.flatMap(everyPart)
  const declaredOptions = assignAll<Record<string, string>>(
    {},
    partsWithEmbedded.map((part) => part.options),
  )
  // A template that declares an older level of the language is compiled by the rules of that level.
  const level = Number(declaredOptions['preReleaseFeatureIn'] ?? languageLevel)
  return {
    report,
    aliases,
    parts,
    partsWithEmbedded,
    objectArrays: new Set(partsWithEmbedded.flatMap(({ objectArrays }) => [...objectArrays])),
    options: declaredOptions,
    tolerant: isTolerant(Number.isFinite(level) ? level : languageLevel),
    ...(single !== undefined && { single: single === '' ? 'd' : `d.${single}` }),
    tokenCount: scanned.reduce((sum, { tokens }) => sum + tokens.length, 0),
  }
}

function declareAliases({ tokens, embedded }: ScannedPart, aliases: Aliases): void {
  for (const token of tokens) if (token.kind === 'tag') aliases.declare(token.text)
  for (const part of [...embedded.values()].flat(2)) declareAliases(part, aliases)
}

type ReadContext = Pick<BindContext, 'limits' | 'report' | 'tolerant' | 'single'>

function readScanned(scanned: ScannedPart, common: ReadContext, aliases: Aliases): ReadPart {
  const { name: part, tokens, embedded, format, rules, within } = scanned
  const context: BindContext = {
    ...common,
    part,
    format,
    rules,
    tree: nest(tokens),
    cellsOfRow: new Map(),
    ...(within === undefined ? {} : { within }),
  }
  const read = readPart(context, aliases)
  if (embedded.size === 0) return read
  const readObjects = [...embedded].map(([token, packages]) => {
    const parts = packages.map((packageParts) =>
      packageParts.map((part) => readScanned(part, common, aliases)),
    )
    return [token, parts] as const
  })
  return withEmbedded(read, new Map(readObjects))
}

/** Binds and plans all parts. Slots, totals and caches are numbered separately for each part and the objects in it. */
function compileParts({ parts, objectArrays, tolerant, single }: ReadTemplate): PartStages[] {
  return parts.map((read) => {
    const { context, values, translations, embedded } = read
    const tags: PartTags = { values, translations, objectArrays, ...(embedded && { embedded }) }
    return {
      read,
      ...boundAndPlanned({ ...context, tolerant, ...(single !== undefined && { single }) }, tags),
    }
  })
}

function boundAndPlanned(context: BindContext, tags: PartTags): Pick<PartStages, 'scoped' | 'compiled'> {
  const counters = { slots: 0, running: 0, caches: 0 }
  const scoped = bindPart(context, tags, () => counters.slots++)
  return { scoped, compiled: planPart(scoped, counters) }
}

/** Below this level a loop without a marker is not an error. Levels are feature codes (4022011) or the API's major version. */
const strictFrom = 5_000_000
const isTolerant = (level: number): boolean => (level >= 1_000_000 ? level < strictFrom : level < 5)

/** The texts beside a document, such as the output name, are few and mostly the same from render to render. */
const maxTexts = 16
const textRules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [] }

function textCompiler(template: ReadTemplate, format: FormatId, limits: Limits): CompiledTemplate['text'] {
  const { aliases, objectArrays, tolerant, single } = template
  const compiledTexts = new Map<string, CompiledPart>()
  return (name, text) => {
    const key = `${name}\u0000${text}`
    const cached = compiledTexts.get(key)
    if (cached !== undefined) return cached
    const report = new Report([name])
    const source = { format, rules: textRules }
    const scanned = scanPart({ name, syntax: 'text', text }, source, limits, true)
    if (scanned === undefined) throw new Error('A part that is kept whole is always scanned.')
    const read = readScanned(
      scanned,
      { limits, report, tolerant, ...(single !== undefined && { single }) },
      aliases,
    )
    const { context, values, translations } = read
    const { compiled } = boundAndPlanned(context, { values, translations, objectArrays })
    report.throwIfFailed()
    if (compiledTexts.size >= maxTexts) compiledTexts.clear()
    compiledTexts.set(key, compiled)
    return compiled
  }
}
