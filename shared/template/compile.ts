/**
 * The compiler: scan -> parse -> analyze, over all parts of a template. What comes out is run by `emit` and packed by
 * the package. All errors of all parts are told at once. The best first file to read here.
 */
import type { Place } from '../errors/app-error.ts'
import type { FormatId, Warning } from '../plugin/contract.ts'
import { Aliases } from './analyze/aliases.ts'
import { buildPart, type PartTags } from './analyze/build.ts'
import { everyPart, type ReadPart, staticBytes, withInner } from './analyze/inner.ts'
import { linkPieces, type PartContext, placeOf, tagOf, type ValueTag } from './analyze/part.ts'
import { flatten, TooHigh } from './analyze/paths.ts'
import { Report } from './analyze/report.ts'
import type { InnerPackage } from './inner.ts'
import type { Limits } from './limits.ts'
import type { TemplatePackage, TemplatePart } from './package.ts'
import { syntaxAdvice } from './parse/advice.ts'
import { SyntaxProblem, type TagNode } from './parse/ast.ts'
import { parseTag } from './parse/tag.ts'
import type { PartPlan } from './plan.ts'
import type { FormatRules } from './rules.ts'
import { prepareInline } from './scan/inline.ts'
import type { Piece } from './scan/pieces.ts'
import { scan } from './scan/scan.ts'
import { followSpans } from './scan/spans.ts'

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
  readonly within?: string
  readonly format: FormatId
  readonly rules: FormatRules
  readonly pieces: readonly Piece[]
  /** Piece -> the parts with tags of the packages that belong there. */
  readonly inner: ReadonlyMap<number, readonly (readonly Scanned[])[]>
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
  report.settle()
  const names = new Map<string, PartPlan>()
  const compiled: CompiledTemplate = {
    package: { format: source.format, rules: source.rules, weight: source.weight, begin: source.begin },
    parts,
    options: asked,
    markers: read.flatMap(({ markers }) => markers),
    warnings: [...(source.warnings ?? []), ...report.warnings],
    weight: source.weight + 200 * tags + parts.reduce((sum, part) => sum + 6 * staticBytes(part), 0),
    text(name, text) {
      const key = `${name}\u0000${text}`
      const known = names.get(key)
      if (known !== undefined) return known
      const own = new Report([name])
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
    tags += found.pieces.length
    scanned.push(found)
  }
  const declare = ({ pieces, inner }: Scanned) => {
    for (const piece of pieces) if (piece.kind === 'tag') aliases.declare(piece.text)
    for (const parts of [...inner.values()].flat()) parts.forEach(declare)
  }
  scanned.forEach(declare)
  const common = { format: source.format, rules: source.rules, limits, report, tolerant: false }
  const read = scanned.map((part) => readScanned(part, { limits, report, tolerant: false }, aliases))
  const every = read.flatMap(everyPart)
  const objectArrays = new Set(every.flatMap(({ objects }) => [...objects]))
  const asked = Object.assign({}, ...every.map(({ options: some }) => some)) as Record<string, string>
  // A template that asks for the older language is compiled by its rules.
  const level = Number(asked['preReleaseFeatureIn'] ?? options.languageLevel)
  const tolerant = isTolerant(Number.isFinite(level) ? level : options.languageLevel)
  const parts = read.map(({ context, values, translations, inner }) => {
    return buildPart(
      { ...context, tolerant },
      { values, translations, objectArrays, ...(inner && { inner }) },
      { slots: 0, running: 0, caches: 0 },
    )
  })
  return { report, aliases, common, read: every, objectArrays, parts, asked, tolerant, tags }
}

/** Names beside a document are few and mostly the same from render to render. */
const namesAtMost = 16
const textRules: FormatRules = { elements: {}, paragraphs: ['line'], noise: [] }

/** Levels are feature codes (4022011) or the major version of the API (4, 5). */
const isTolerant = (level: number): boolean => (level >= 1_000_000 ? level < strictFrom : level < 5)

/** The pieces of a part, or undefined when it has no tags, unless `whole`. Parts without tags are checked all the same. */
function scanPart(
  part: TemplatePart,
  { format, rules, within }: Pick<InnerPackage, 'format' | 'rules' | 'within'>,
  limits: Limits,
  whole = false,
): Scanned | undefined {
  const scanned = followSpans(prepareInline(scan(part, rules, limits), rules), rules)
  const pieces = rules.prepare === undefined ? scanned : rules.prepare(part.name, scanned)
  if (!whole && !pieces.some(({ kind }) => kind === 'tag' || kind === 'computed')) return undefined
  const inner = new Map<number, readonly (readonly Scanned[])[]>()
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'computed' || piece.inner === undefined) return
    const scanAll = (own: InnerPackage) => own.parts.flatMap((inside) => scanPart(inside, own, limits) ?? [])
    inner.set(at, piece.inner.packages.map(scanAll))
  })
  return { part, format, rules, pieces, inner, ...(within === undefined ? {} : { within }) }
}

type Reading = Pick<PartContext, 'limits' | 'report' | 'tolerant'>

function readScanned(scanned: Scanned, reading: Reading, aliases: Aliases): ReadPart {
  const { part, format, rules, pieces, inner, within } = scanned
  const place = { part: part.name, ...(within === undefined ? {} : { within }) }
  const read = readPart({ ...reading, format, rules, ...place, pieces }, aliases)
  if (inner.size === 0) return read
  const readAllOf = (packages: readonly (readonly Scanned[])[]) =>
    packages.map((parts) => parts.map((inside) => readScanned(inside, reading, aliases)))
  return withInner(read, new Map([...inner].map(([at, packages]) => [at, readAllOf(packages)])))
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
          { tag: tagOf(piece), because: error.because, advice: syntaxAdvice(error.because) },
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
