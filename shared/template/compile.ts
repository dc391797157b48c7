/**
 * The compiler: scan -> parse -> analyze, over all parts of a template. What comes out is run by `emit` and packed by
 * the package. All errors of all parts are told at once. The best first file to read here.
 */
import type { Place } from '../errors/app-error.ts'
import type { Warning } from '../plugin/contract.ts'
import { Aliases } from './analyze/aliases.ts'
import { buildPart, type PartTags } from './analyze/build.ts'
import { linkPieces, type PartContext, placeOf, tagOf, type ValueTag } from './analyze/part.ts'
import { flatten, TooHigh } from './analyze/paths.ts'
import { Report } from './analyze/report.ts'
import type { Limits } from './limits.ts'
import type { TemplatePackage, TemplatePart } from './package.ts'
import { SyntaxProblem, type TagNode } from './parse/ast.ts'
import { parseTag } from './parse/tag.ts'
import type { PartPlan } from './plan.ts'
import type { FormatRules } from './rules.ts'
import { prepareInline } from './scan/inline.ts'
import type { Piece } from './scan/pieces.ts'
import { scan } from './scan/scan.ts'

export interface CompiledTemplate {
  /** Without the texts of its parts: they are let go. */
  readonly package: Omit<TemplatePackage, 'parts'>
  readonly parts: readonly PartPlan[] // those with tags
  /** What `{o.name=value}` tags asked for. */
  readonly options: Readonly<Record<string, string>>
  readonly markers: readonly string[]
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
  readonly pieces: readonly Piece[]
}

/** What a template says, problems included: nothing is thrown but what keeps it from being read at all. */
export interface Inspected {
  readonly report: Report
  /** Tags that name a value, by part. */
  readonly values: readonly ValueTag[]
  readonly translations: readonly string[] // the keys of `{t(key)}`
}

/** Throws AppError 'template.*' where a part cannot be read. */
export function inspect(source: TemplatePackage, options: CompileOptions): Inspected {
  const { report, read } = readAll(source, options)
  return {
    report,
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
  report.settle()
  const names = new Map<string, PartPlan>()
  const compiled: CompiledTemplate = {
    package: { format: source.format, rules: source.rules, weight: source.weight, begin: source.begin },
    parts,
    options: asked,
    markers: read.flatMap(({ markers }) => markers),
    warnings: report.warnings,
    weight:
      source.weight + 200 * tags + parts.reduce((sum, { statics }) => sum + 6 * statics.bytes.length, 0),
    text(name, text) {
      const key = `${name}\u0000${text}`
      const known = names.get(key)
      if (known !== undefined) return known
      const own = new Report()
      const part: TemplatePart = { name, syntax: 'text', text }
      const pieces = scan(part, textRules, limits)
      const result = readPart(
        { ...common, rules: textRules, report: own, tolerant, part: name, pieces },
        aliases,
      )
      const tagsOfText: PartTags = { ...result, objectArrays }
      const plan = buildPart(result.context, tagsOfText, { slots: 0, running: 0, caches: 0 })
      own.settle()
      if (names.size >= namesAtMost) names.clear()
      names.set(key, plan)
      return plan
    },
  }
  return compiled
}

/** All that is done with the parts of a template before anything of it is thrown away for good or refused. */
function readAll(source: TemplatePackage, options: CompileOptions) {
  const { limits } = options
  const report = new Report()
  const aliases = new Aliases()
  if (options.variables !== undefined) aliases.declareAll(options.variables)
  const scanned: Scanned[] = []
  let tags = 0
  for (const part of source.parts) {
    const pieces = scanPart(part, source.rules, limits)
    if (pieces === undefined) continue
    tags += pieces.length
    scanned.push({ part, pieces })
  }
  for (const { pieces } of scanned) {
    for (const piece of pieces) if (piece.kind === 'tag') aliases.declare(piece.text)
  }
  const common = { format: source.format, rules: source.rules, limits, report, tolerant: false }
  const read = scanned.map(({ part, pieces }) => readPart({ ...common, part: part.name, pieces }, aliases))
  const objectArrays = new Set(read.flatMap(({ objects }) => [...objects]))
  const asked = Object.assign({}, ...read.map(({ options: some }) => some)) as Record<string, string>
  // A template that asks for the older language is compiled by its rules.
  const level = Number(asked['preReleaseFeatureIn'] ?? options.languageLevel)
  const tolerant = isTolerant(Number.isFinite(level) ? level : options.languageLevel)
  const parts = read.map(({ context, values, translations }) => {
    return buildPart(
      { ...context, tolerant },
      { values, translations, objectArrays },
      { slots: 0, running: 0, caches: 0 },
    )
  })
  return { report, aliases, common, read, objectArrays, parts, asked, tolerant, tags }
}

/** Names beside a document are few and mostly the same from render to render. */
const namesAtMost = 16
const textRules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [] }

/** Levels are feature codes (4022011) or the major version of the API (4, 5). */
const isTolerant = (level: number): boolean => (level >= 1_000_000 ? level < strictFrom : level < 5)

/** The pieces of a part, or undefined when it has no tags. Parts without tags are checked all the same. */
function scanPart(part: TemplatePart, rules: FormatRules, limits: Limits): readonly Piece[] | undefined {
  const scanned = prepareInline(scan(part, rules, limits), rules)
  const pieces = rules.prepare === undefined ? scanned : rules.prepare(part.name, scanned)
  return pieces.some(({ kind }) => kind === 'tag' || kind === 'computed') ? pieces : undefined
}

interface ReadPart {
  readonly context: PartContext
  readonly values: readonly ValueTag[]
  readonly translations: ReadonlyMap<number, string>
  readonly options: Readonly<Record<string, string>>
  readonly markers: readonly string[]
  /** Keys of arrays whose items are read by attribute. */
  readonly objects: ReadonlySet<string>
}

/** Expands aliases and parses every tag of a part. */
function readPart(input: Omit<PartContext, 'match' | 'parent'>, aliases: Aliases): ReadPart {
  const context: PartContext = { ...input, ...linkPieces(input.pieces) }
  const { report, limits } = context
  const values: ValueTag[] = []
  const translations = new Map<number, string>()
  const options: Record<string, string> = Object.create(null)
  const markers: string[] = []
  const objects = new Set<string>()
  context.pieces.forEach((piece, at) => {
    if (piece.kind !== 'tag' || piece.text.startsWith('#')) return
    const place = (): Place => placeOf(context, at)
    const text = aliases.expand(piece.text)
    if (text.length > limits.tagLength) {
      report.add('template.tag.too-long', { limit: limits.tagLength }, place())
      return
    }
    if (text.startsWith('$')) {
      report.warn(
        'template.alias.unknown',
        `${tagOf(piece)} uses an alias that is not declared.`,
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
          { tag: tagOf(piece), because: error.because, example: '{d.name:upperCase}' },
          place(),
        )
      return
    }
    if (node.kind === 'translate') translations.set(at, node.key)
    else if (node.kind === 'option') options[node.name] = node.value
    else if (node.kind === 'bind')
      report.warn('template.formatter.ignored', `${tagOf(piece)} has no effect here.`, context.part)
    else {
      markers.push(`{${text}}`)
      try {
        const { flat, marks } = flatten(node.path, undefined)
        values.push({ at, piece, flat, marks, calls: node.calls })
        const last = marks.at(-1)
        for (const mark of marks) {
          if (mark !== last || flat.segments.at(-1)!.selectors.at(-1) !== mark.selector) objects.add(mark.key)
        }
      } catch (error) {
        if (!(error instanceof TooHigh)) throw error
        report.add('template.path.too-high', { tag: tagOf(piece) }, place())
      }
    }
  })
  return { context, values, translations, options, markers, objects }
}
