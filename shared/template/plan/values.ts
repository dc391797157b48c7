/** Plans the value of a tag: its path, its chain of formatters, its aggregate. */
import { nearestName } from '../../nearest-name.ts'
import { type BindContext, locationOf, shorten, tagOf, type ValueTag } from '../bind/part.ts'
import {
  arraysOf,
  type EnclosingLoop,
  type FlatPath,
  flatten,
  isIterator,
  isSilent,
  keyOf,
  ownerOf,
  PathAboveRoot,
  type Segment,
} from '../bind/paths.ts'
import { reducerAt } from '../bind/tag-kinds.ts'
import { adviceFor } from '../formatters/advice.ts'
import type { Formatter, Parameter } from '../formatters/formatter.ts'
import { formatters, suggest } from '../formatters/registry.ts'
import type { ArgNode, CallNode, PathNode, SelectorNode, SumItem } from '../parse/ast.ts'
import type { HookTable } from './hooks.ts'
import { compileFilters, compilePath, type PathContext } from './paths.ts'
import type { AggregatePlan, ArgPlan, CallPlan, LevelPlan, SumPlan, ValuePlan } from './plan.ts'

/** The numbers that the parts of one package share, counted up while they are planned. */
export interface SlotCounters {
  slots: number // of loops
  running: number // of running totals
  caches: number // of results that hold for the whole render
}

/** The context in which a value is planned. */
export interface ValueContext {
  readonly context: BindContext
  readonly counters: SlotCounters
  readonly hooks: HookTable
  /** Loops around the place where the value is used, outermost first. */
  readonly loops: readonly EnclosingLoop[]
}

/** Formats whose text has no formatting that HTML could request. */
const unstyledFormats = new Set('xlsx ods xml docbook ooxml xmlss svg txt csv idml pdf'.split(' '))
/** Formats whose elements have no colours or positions that a tag could set. */
const unpaintedFormats = new Set('md txt csv json xml docbook ooxml xmlss svg idml pdf'.split(' '))
/** Formatters that must be the last one of their tag. */
const lastFormatters = new Set(['showBegin', 'showEnd', 'hideBegin', 'hideEnd', 'drop', 'keep', 'set'])

/** Plans the value of a tag. An error in the tag is reported, and undefined is returned. */
export function compileValue(
  tag: ValueTag,
  calls: readonly CallNode[],
  values: ValueContext,
): ValuePlan | undefined {
  const { context } = values
  try {
    const paths = pathContext(tag, values.loops)
    const reducer = reducerAt(calls)
    const aggregate = reducer < 0 ? undefined : compileAggregate(tag, calls.slice(0, reducer + 1), values)
    if (reducer >= 0 && aggregate === undefined) return undefined
    const chain = compileCalls(tag, calls.slice(reducer + 1), values, paths)
    if (chain === undefined) return undefined
    return {
      path: aggregate?.item ?? compilePath(tag.flat, paths),
      calls: chain,
      guards: [],
      ...(aggregate === undefined ? {} : { aggregate }),
      tag: tagOf(tag.token),
    }
  } catch (error) {
    if (!(error instanceof PathAboveRoot)) throw error
    context.report.add('template.path.too-high', { tag: tagOf(tag.token) }, locationOf(context, tag.at))
    return undefined
  }
}

/** The context in which the paths of a tag are planned. */
export function pathContext(tag: ValueTag, loops: readonly EnclosingLoop[]): PathContext {
  return { loops, indexSlot: (dots) => indexSlot(tag, loops, dots) }
}

/**
 * The slot of the loop that `.i` refers to. With one loop it is that loop. With several, one dot refers to the loop just
 * outside the innermost, each further dot to the next one outward, and one dot too many to the innermost. Existing
 * templates rely on this order.
 */
function indexSlot(tag: ValueTag, loops: readonly EnclosingLoop[], dots: number): number | undefined {
  const tagLoops = tag.iterated.flatMap(({ key }) => loops.findLast((loop) => loop.key === key) ?? [])
  const candidates = tagLoops.length > 0 ? tagLoops : loops
  return slotByDots(
    candidates.map(({ slot }) => slot),
    dots,
  )
}

function slotByDots(slots: readonly number[], dots: number): number | undefined {
  return slots[slots.length - 2 - dots] ?? slots.at(-1)
}

/** A chain of formatters. Names and arguments are checked here, once, and not by each formatter at run time. */
function compileCalls(
  tag: ValueTag,
  calls: readonly CallNode[],
  values: ValueContext,
  paths: PathContext,
): CallPlan[] | undefined {
  const plans: CallPlan[] = []
  let isValid = true
  for (const call of calls) {
    const plan = compileCall(tag, call, values, paths)
    if (plan === 'wrong') isValid = false
    else if (plan !== 'nothing') plans.push(plan)
  }
  return isValid ? plans : undefined
}

/** 'wrong' for a call that was reported as an error, 'nothing' for one that has no effect on the value. */
function compileCall(
  tag: ValueTag,
  call: CallNode,
  values: ValueContext,
  paths: PathContext,
): CallPlan | 'wrong' | 'nothing' {
  const { context, counters, hooks } = values
  const formatter = formatters.get(call.name)
  if (formatter === undefined) {
    reportUnknown(context, tag, call)
    return 'wrong'
  }
  const isTest = formatter.kind === 'test' || formatter.kind === 'condition'
  const needed = isTest ? 0 : formatter.parameters.filter(({ optional }) => optional !== true).length
  if (call.args.length < needed) {
    const because = `it needs ${needed} argument${needed === 1 ? '' : 's'}`
    const details = { name: call.name, tag: tagOf(tag.token), because }
    context.report.add('template.formatter.arguments', details, locationOf(context, tag.at))
    return 'wrong'
  }
  warnAboutCall(context, tag, call, formatter)
  if (formatter.kind === 'structure') {
    // At the end of a tag, such a formatter was handled before this is reached.
    if (!lastFormatters.has(call.name)) return 'nothing'
    const details = { name: call.name, tag: tagOf(tag.token) }
    context.report.add('template.formatter.last', details, locationOf(context, tag.at))
    return 'wrong'
  }
  const stray = context.tolerant ? undefined : strayIterator(call.args, tag, paths, context.single)
  if (stray !== undefined) {
    const details = { ...stray, tag: tagOf(tag.token) }
    context.report.add('template.path.iterator', details, locationOf(context, tag.at))
    return 'wrong'
  }
  const args = call.args.map((arg) => compileArg(arg, tag, paths))
  const constants = args.flatMap((arg) => (arg.kind === 'constant' ? [arg.value] : []))
  return {
    formatter: call.name,
    hook: hooks.addFormatter(formatter),
    conditional: isTest,
    args,
    ...(constants.length === args.length ? { constants } : {}),
    ...(formatter.kind === 'aggregate' ? { running: counters.running++ } : {}),
  }
}

function reportUnknown(context: BindContext, tag: ValueTag, { name }: CallNode): void {
  const { report } = context
  // Finding a similar name costs more than anything else here, and most reports beyond the limit are dropped.
  if (report.full) return
  if (!report.suggested.has(name)) report.suggested.set(name, suggest(name))
  const similarName = report.suggested.get(name)
  const suggestion = similarName === undefined ? '' : ` Do you mean "${similarName}"?`
  const details = { name: shorten(name), meant: suggestion, advice: adviceFor(name, similarName) }
  report.add('template.formatter.unknown', details, locationOf(context, tag.at))
}

function warnAboutCall(
  { report, part, format }: BindContext,
  tag: ValueTag,
  { name, args }: CallNode,
  { kind, parameters }: Formatter,
): void {
  const max = parameters.some(({ rest }) => rest === true) ? Infinity : parameters.length
  if (args.length > max) {
    const argumentCount = max === 0 ? 'no arguments' : `at most ${max}`
    const message = `Formatter "${name}" takes ${argumentCount}: ${tagOf(tag.token)} gives it ${args.length}.`
    report.warn('template.formatter.arguments', message, part)
  }
  for (const message of unknownWords(tag, name, args, parameters))
    report.warn('template.formatter.arguments', message, part)
  if (name === 'html' && unstyledFormats.has(format)) {
    const message = `${tagOf(tag.token)} writes its text without formatting, because ${format} cannot hold any.`
    report.warn('template.html.text', message, part)
  }
  if ((name === 'color' || name === 'transform') && unpaintedFormats.has(format)) {
    const message = `${tagOf(tag.token)} has no effect: a template of the type ${format} has no ${name === 'color' ? 'colours' : 'shapes'} that a tag can change.`
    report.warn('template.formatter.ignored', message, part)
  }
  if (kind === 'structure' && !lastFormatters.has(name) && name !== 'isImage')
    report.warn('template.formatter.ignored', `Formatter "${name}" has no effect here.`, part)
}

/** Words written in the template that a parameter does not know. They have no effect. */
function unknownWords(
  tag: ValueTag,
  name: string,
  args: readonly ArgNode[],
  parameters: readonly Parameter[],
): string[] {
  return args.flatMap((arg, at) => {
    const { words, keys = [] } = parameters[at] ?? parameters.at(-1) ?? {}
    const written = arg.kind === 'text' ? arg.text.trim() : ''
    if (words === undefined || written === '') return []
    const colon = keys.length === 0 ? -1 : written.indexOf(':')
    const [word, choices] = colon < 0 ? [written, words] : [written.slice(0, colon).trim(), keys]
    if (includesWord(choices, word)) return []
    const where = `"${shorten(word)}" in ${tagOf(tag.token)}`
    if (includesWord(keys, word)) return [`Formatter "${name}" needs a value after ${where}: ${word}:value.`]
    return [`Formatter "${name}" does not know ${where}.${adviceForWord(word, [...words, ...keys])}`]
  })
}

const includesWord = (choices: readonly string[], word: string): boolean =>
  choices.some((candidate) => candidate.toLowerCase() === word.toLowerCase())

const maxListedWords = 20

function adviceForWord(word: string, choices: readonly string[]): string {
  const similar = nearestName(word, choices)
  if (similar !== undefined) return ` Do you mean "${similar}"?`
  return choices.length <= maxListedWords ? ` Known: ${choices.join(', ')}.` : ''
}

/** An iterator in an argument whose array no loop around the tag runs over. It would always refer to the first item. */
function strayIterator(
  args: readonly ArgNode[],
  tag: ValueTag,
  { loops }: PathContext,
  single: string | undefined,
): { readonly array: string; readonly iterator: string } | undefined {
  for (const arg of args) {
    const paths =
      arg.kind === 'path' ? [arg] : arg.kind === 'sum' ? arg.sum.filter((item) => item.kind === 'path') : []
    for (const { path } of paths) {
      if (!path.steps.some(({ kind }) => kind === 'select')) continue
      for (const { key, array, selector } of arraysOf(flatten(path, ownerOf(tag.flat)).flat)) {
        if (key === single) continue
        const iterator = selector.iterators
          .map(({ keys, next }) => keys.join('.') + (next ? '+1' : ''))
          .join(',')
        if (iterator.endsWith('+1') || !loops.some((loop) => loop.key === key)) return { array, iterator }
      }
    }
  }
  return undefined
}

/** Plans one argument of a formatter. */
export function compileArg(arg: ArgNode, tag: ValueTag, paths: PathContext): ArgPlan {
  switch (arg.kind) {
    case 'text':
      return { kind: 'constant', value: arg.text }
    case 'translated':
      return arg
    case 'path':
      return compileArgPath(arg.path, tag, paths)
    case 'sum':
      return { kind: 'sum', items: arg.sum.map((item) => compileSumItem(item, tag, paths)) }
    default:
      return arg satisfies never
  }
}

function compileSumItem(item: SumItem, tag: ValueTag, paths: PathContext): SumPlan {
  if (item.kind !== 'path') return item
  return compileArgPath(item.path, tag, paths) as SumPlan
}

/** `.i` is the index of a loop. Every other relative path starts from the object that owns the tag's value. */
function compileArgPath(path: PathNode, tag: ValueTag, paths: PathContext): ArgPlan {
  const only = path.steps.length === 1 ? path.steps[0] : undefined
  if (path.root === '.' && only?.kind === 'key' && (only.name === 'i' || only.name === 'I')) {
    const slot = paths.indexSlot(path.up)
    if (slot !== undefined) return { kind: 'index', slot }
  }
  const owner = ownerOf(tag.flat)
  const { flat } = flatten(path, owner)
  return { kind: 'path', path: compilePath(flat, { ...paths, argumentOwner: owner }) }
}

/**
 * Plans an aggregate. Brackets without an iterator, `[]` and filters, visit all items below the loops that are named by [i]. With
 * [i] alone, the items of all loops are visited. Source: template language 19.
 */
function compileAggregate(
  tag: ValueTag,
  calls: readonly CallNode[],
  values: ValueContext,
): AggregatePlan | undefined {
  const call = calls.at(-1)!
  const visitsWithoutIterator = (path: FlatPath) =>
    path.segments.some(({ selectors }) =>
      selectors.some((selector) => !isIterator(selector) && visitsAll(selector)),
    )
  const mixed = visitsWithoutIterator(tag.flat)
  const {
    levels,
    paths: levelPaths,
    flat,
  } = compileLevels(tag, values, (selector) => (isIterator(selector) ? !mixed : visitsAll(selector)))
  const visited: ValueTag = { ...tag, flat }
  const before = compileCalls(visited, calls.slice(0, -1), values, levelPaths)
  if (before === undefined) return undefined
  const takesSeparator = call.name === 'aggStr' || call.name === 'aggStrD'
  const separator = takesSeparator ? call.args[0] : undefined
  const partition = (takesSeparator ? call.args.slice(1) : call.args).filter((arg) => arg.kind !== 'text')
  const tagPaths = pathContext(tag, values.loops)
  const global = levels.length === 0 || typeof levels[0]!.source.base !== 'number'
  return {
    levels,
    item: compilePath(flat, levelPaths),
    before,
    name: call.name,
    separator: separator === undefined ? undefined : compileArg(separator, tag, tagPaths),
    keys: partition.map((arg) => compileArg(arg, visited, levelPaths)),
    current: partition.map((arg) => compileArg(arg, tag, tagPaths)),
    cache: global ? values.counters.caches++ : undefined,
  }
}

/** Brackets that mean every item in the path of an aggregate. */
const visitsAll = (selector: SelectorNode): boolean =>
  isSilent(selector) || (selector.filters.length > 0 && !isIterator(selector))

/**
 * One level for each array of the path for which `visits` is true. Paths compiled with the `paths` that come back start from
 * the items of these levels.
 */
export function compileLevels(
  tag: ValueTag,
  values: ValueContext,
  visits: (selector: SelectorNode) => boolean,
): { levels: LevelPlan[]; paths: PathContext; flat: FlatPath } {
  const levels: LevelPlan[] = []
  const loops: EnclosingLoop[] = [...values.loops]
  const keys: string[] = []
  const slotsOfPath = () => keys.flatMap((key) => loops.findLast((loop) => loop.key === key)?.slot ?? [])
  const levelPaths: PathContext = {
    loops,
    indexSlot: (dots) => slotByDots(slotsOfPath(), dots) ?? indexSlot(tag, loops, dots),
  }
  const walked: Segment[] = []
  for (const { name, selectors } of tag.flat.segments) {
    const withoutIterators: SelectorNode[] = []
    for (const selector of selectors) {
      const array: FlatPath = {
        root: tag.flat.root,
        segments: [...walked, { name, selectors: [...withoutIterators] }],
      }
      const visited = visits(selector)
      if (visited || isIterator(selector)) keys.push(keyOf(array))
      if (visited) {
        const source = compilePath(array, levelPaths)
        const filters = compileFilters(selector.filters, array, levelPaths)
        const slot = values.counters.slots++
        levels.push({ slot, source, filters })
        loops.push({ key: keyOf(array), slot })
      }
      withoutIterators.push(visited ? allItems : selector)
    }
    walked.push({ name, selectors: withoutIterators })
  }
  return { levels, paths: levelPaths, flat: { root: tag.flat.root, segments: walked } }
}

const allItems: SelectorNode = { iterators: [], filters: [] }
