/**
 * The compiler: scan -> parse -> analyze, over all parts of a template. What comes out is run by `emit` and packed by
 * the package. All errors of all parts are told at once. The best first file to read here.
 */
import type { Place } from '../errors/app-error.ts'
import type { FormatId, Warning } from '../plugin/contract.ts'
import { Aliases } from './bind/aliases.ts'
import { everyPart, type ReadPart, staticBytes, withEmbedded } from './bind/embedded.ts'
import { linkTokens, type PartContext, placeOf, tagOf, type ValueTag } from './bind/part.ts'
import { flatten, PathAboveRoot } from './bind/paths.ts'
import { Report } from './bind/report.ts'
import type { EmbeddedPackage } from './embedded.ts'
import type { Limits } from './limits.ts'
import type { TemplatePackage, TemplatePart } from './package.ts'
import { syntaxAdvice } from './parse/advice.ts'
import { SyntaxProblem, type TagNode } from './parse/ast.ts'
import { parseTag } from './parse/tag.ts'
import { buildPart, type PartTags } from './plan/build.ts'
import type { PartPlan } from './plan/plan.ts'
import type { FormatRules } from './rules.ts'
import { followSpans } from './scan/row-spans.ts'
import { scan } from './scan/scan.ts'
import { prepareInline } from './scan/split-runs.ts'
import type { Token } from './scan/tokens.ts'

export interface CompiledTemplate {
  /** Without the texts of its parts: they are let go. */
  readonly package: Omit<TemplatePackage, 'parts'>
  readonly parts: readonly PartPlan[] // those with tags
  /** What `{o.name=value}` tags asked for. */
  readonly options: Readonly<Record<string, string>>
  readonly tagTexts: readonly string[]
  readonly warnings: readonly Warning[]
  readonly weight: number // bytes, about
  /** Compiles a text beside the document, with the document's aliases. */
  text(name: string, text: string): PartPlan
}

export interface CompileOptions {
  readonly limits: Limits
  readonly languageLevel: number
  readonly variables: string | undefined // alias declarations from outside
}

/** Below this level a loop without an end is no error. */
const strictFrom = 5_000_000

interface Scanned {
  readonly part: TemplatePart
  readonly within?: string
  readonly format: FormatId
  readonly rules: FormatRules
  readonly tokens: readonly Token[]
  /** Piece -> the parts with tags of the packages that belong there. */
  readonly embedded: ReadonlyMap<number, readonly (readonly Scanned[])[]>
}

/** What a template says, problems included: nothing is thrown but what keeps it from being read at all. */
export interface Inspected {
  readonly report: Report
  /** Tags that name a value, by part. */
  readonly values: readonly ValueTag[]
  readonly translations: readonly string[] // the keys of `{t(key)}`
  readonly parts: readonly ReadPart[]
}

/** Throws AppError 'template.*' where a part cannot be read. */
export function inspect(source: TemplatePackage, options: CompileOptions): Inspected {
  const { report, read } = readAll(source, options, true)
  return {
    report,
    parts: read,
    values: read.flatMap(({ values }) => values),
    translations: read.flatMap(({ translations }) => [...translations.values()]),
  }
}

/** Throws AppError 'template.*' with every problem listed. */
export function compile(source: TemplatePackage, options: CompileOptions): CompiledTemplate {
  const { limits } = options
  const { report, aliases, common, read, objectArrays, parts, asked, tolerant, tags } = readAll(
    source,
    options,
  )
  report.throwIfFailed()
  const names = new Map<string, PartPlan>()
  const compiled: CompiledTemplate = {
    package: { format: source.format, rules: source.rules, weight: source.weight, begin: source.begin },
    parts,
    options: asked,
    tagTexts: read.flatMap(({ tagTexts: markers }) => markers),
    warnings: [...(source.warnings ?? []), ...report.warnings],
    weight: source.weight + 200 * tags + parts.reduce((sum, part) => sum + 6 * staticBytes(part), 0),
    text(name, text) {
      const key = `${name}\u0000${text}`
      const known = names.get(key)
      if (known !== undefined) return known
      const own = new Report([name])
      const part: TemplatePart = { name, syntax: 'text', text }
      const tokens = scan(part, textRules, limits)
      const result = readPart(
        { ...common, rules: textRules, report: own, tolerant, part: name, tokens },
        aliases,
      )
      const tagsOfText: PartTags = { ...result, objectArrays }
      const plan = buildPart(result.context, tagsOfText, { slots: 0, running: 0, caches: 0 })
      own.throwIfFailed()
      if (names.size >= maxNames) names.clear()
      names.set(key, plan)
      return plan
    },
  }
  return compiled
}

/** All that is done with the parts of a template before anything of it is thrown away for good or refused. */
function readAll(source: TemplatePackage, options: CompileOptions, whole = false) {
  const { limits } = options
  const report = new Report(source.parts.map(({ name }) => name))
  const aliases = new Aliases()
  if (options.variables !== undefined) aliases.declareAll(options.variables)
  const scanned: Scanned[] = []
  let tags = 0
  for (const part of source.parts) {
    const found = scanPart(part, source, limits, whole)
    if (found === undefined) continue
    tags += found.tokens.length
    scanned.push(found)
  }
  const declare = ({ tokens, embedded: inner }: Scanned) => {
    for (const token of tokens) if (token.kind === 'tag') aliases.declare(token.text)
    for (const parts of [...inner.values()].flat()) parts.forEach(declare)
  }
  scanned.forEach(declare)
  const common = { format: source.format, rules: source.rules, limits, report, tolerant: false }
  const read = scanned.map((part) => readScanned(part, { limits, report, tolerant: false }, aliases))
  const every = read.flatMap(everyPart)
  const objectArrays = new Set(every.flatMap(({ objectArrays: objects }) => [...objects]))
  const asked = Object.assign({}, ...every.map(({ options: some }) => some)) as Record<string, string>
  // A template that asks for the older language is compiled by its rules.
  const level = Number(asked['preReleaseFeatureIn'] ?? options.languageLevel)
  const tolerant = isTolerant(Number.isFinite(level) ? level : options.languageLevel)
  const parts = read.map(({ context, values, translations, embedded: inner }) => {
    return buildPart(
      { ...context, tolerant },
      { values, translations, objectArrays, ...(inner && { embedded: inner }) },
      { slots: 0, running: 0, caches: 0 },
    )
  })
  return { report, aliases, common, read: every, objectArrays, parts, asked, tolerant, tags }
}

/** Names beside a document are few and mostly the same from render to render. */
const maxNames = 16
const textRules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [] }

/** Levels are feature codes (4022011) or the major version of the API (4, 5). */
const isTolerant = (level: number): boolean => (level >= 1_000_000 ? level < strictFrom : level < 5)

/** The pieces of a part, or undefined when it has no tags, unless `whole`. Parts without tags are checked all the same. */
function scanPart(
  part: TemplatePart,
  { format, rules, within }: Pick<EmbeddedPackage, 'format' | 'rules' | 'within'>,
  limits: Limits,
  whole = false,
): Scanned | undefined {
  const scanned = followSpans(prepareInline(scan(part, rules, limits), rules), rules)
  const tokens = rules.prepare === undefined ? scanned : rules.prepare(part.name, scanned)
  if (!whole && !tokens.some(({ kind }) => kind === 'tag' || kind === 'computed')) return undefined
  const inner = new Map<number, readonly (readonly Scanned[])[]>()
  tokens.forEach((token, at) => {
    if (token.kind !== 'computed' || token.embedded === undefined) return
    const scanAll = (own: EmbeddedPackage) =>
      own.parts.flatMap((inside) => scanPart(inside, own, limits) ?? [])
    inner.set(at, token.embedded.packages.map(scanAll))
  })
  return { part, format, rules, tokens, embedded: inner, ...(within === undefined ? {} : { within }) }
}

type Reading = Pick<PartContext, 'limits' | 'report' | 'tolerant'>

function readScanned(scanned: Scanned, reading: Reading, aliases: Aliases): ReadPart {
  const { part, format, rules, tokens, embedded: inner, within } = scanned
  const place = { part: part.name, ...(within === undefined ? {} : { within }) }
  const read = readPart({ ...reading, format, rules, ...place, tokens }, aliases)
  if (inner.size === 0) return read
  const readAllOf = (packages: readonly (readonly Scanned[])[]) =>
    packages.map((parts) => parts.map((inside) => readScanned(inside, reading, aliases)))
  return withEmbedded(read, new Map([...inner].map(([at, packages]) => [at, readAllOf(packages)])))
}

/** Expands aliases and parses every tag of a part. */
function readPart(input: Omit<PartContext, 'match' | 'parent'>, aliases: Aliases): ReadPart {
  const context: PartContext = { ...input, ...linkTokens(input.tokens) }
  const { report, limits } = context
  const values: ValueTag[] = []
  const translations = new Map<number, string>()
  const options: Record<string, string> = Object.create(null)
  const markers: string[] = []
  const objects = new Set<string>()
  context.tokens.forEach((token, at) => {
    if (token.kind !== 'tag' || token.text.startsWith('#')) return
    const place = (): Place => placeOf(context, at)
    const text = aliases.expand(token.text)
    if (text.length > limits.tagLength) {
      report.add('template.tag.too-long', { limit: limits.tagLength }, place())
      return
    }
    if (text.startsWith('$')) {
      report.warn(
        'template.alias.unknown',
        `${tagOf(token)} uses an alias that is not declared.`,
        context.part,
      )
      return
    }
    let node: TagNode
    try {
      node = parseTag(text)
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error
      if (error.arithmetic !== undefined)
        report.add('template.arithmetic', { text: error.arithmetic.slice(0, 200) }, place())
      else
        report.add(
          'template.tag.syntax',
          { tag: tagOf(token), because: error.because, advice: syntaxAdvice(error.because) },
          place(),
        )
      return
    }
    if (node.kind === 'translate') translations.set(at, node.key)
    else if (node.kind === 'option') options[node.name] = node.value
    else if (node.kind === 'bind')
      report.warn('template.formatter.ignored', `${tagOf(token)} has no effect here.`, context.part)
    else {
      markers.push(`{${text}}`)
      try {
        const { flat, iterated } = flatten(node.path, undefined)
        values.push({ at, token, flat, iterated, calls: node.calls })
        const last = iterated.at(-1)
        for (const array of iterated) {
          if (array !== last || flat.segments.at(-1)!.selectors.at(-1) !== array.selector)
            objects.add(array.key)
        }
      } catch (error) {
        if (!(error instanceof PathAboveRoot)) throw error
        report.add('template.path.too-high', { tag: tagOf(token) }, place())
      }
    }
  })
  return { context, values, translations, options, tagTexts: markers, objectArrays: objects }
}
