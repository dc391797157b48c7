/** Compiles the value of a tag: its path, its chain of formatters, its aggregate. */

import { type PartContext, placeOf, shorten, tagOf, type ValueTag } from '../bind/part.ts'
import {
  arraysOf,
  compileFilters,
  compilePath,
  type EnclosingLoop,
  type FlatPath,
  flatten,
  isIterator,
  isSilent,
  keyOf,
  ownerOf,
  PathAboveRoot,
  type PathContext,
  type Segment,
} from '../bind/paths.ts'
import { adviceFor } from '../formatters/advice.ts'
import { formatters, suggest } from '../formatters/registry.ts'
import type { ArgNode, CallNode, PathNode, SelectorNode, SumItem } from '../parse/ast.ts'
import type { AggregatePlan, ArgPlan, CallPlan, LevelPlan, SumPlan, ValuePlan } from './plan.ts'

/** Numbers given out while a template is analysed. */
export interface Counters {
  slots: number
  running: number
  caches: number
}

export interface ValueContext {
  readonly context: PartContext
  readonly numbers: Counters
  /** Loops around the place where the value is used, outermost first. */
  readonly loops: readonly EnclosingLoop[]
}

/** Formatters that act on the markup and leave nothing to print; the core carries out some and says so of the rest. */
const silent = new Set(['drop', 'keep', 'set'])
/** Formatters that leave their value with the render: what they stand in shows without them as well. */
const quiet = new Set(['appendFile', 'attachFile', 'appendTemplate'])
export const isQuiet = (calls: readonly CallNode[]): boolean => calls.some(({ name }) => quiet.has(name))
/** Formats whose content has no looks that HTML could ask for. */
const textAlone = new Set('xlsx ods xml docbook ooxml xmlss svg txt csv idml pdf'.split(' '))
/** Formatters behind which nothing may stand. */
const last = new Set(['showBegin', 'showEnd', 'hideBegin', 'hideEnd', 'drop', 'keep', 'set'])
export const printsNothing = (calls: readonly CallNode[]): boolean =>
  calls.some(({ name }) => silent.has(name))

export const reduces = (tag: ValueTag): boolean =>
  tag.calls.some(({ name }) => name.startsWith('agg') && formatters.get(name)?.kind === 'aggregate')

/** Undefined when something in the tag is wrong, which is then reported. */
export function compileValue(
  tag: ValueTag,
  calls: readonly CallNode[],
  scope: ValueContext,
): ValuePlan | undefined {
  const { context } = scope
  try {
    const pathScope = pathContext(tag, scope.loops)
    const reduced = calls.findIndex(
      ({ name }) => name.startsWith('agg') && formatters.get(name)?.kind === 'aggregate',
    )
    if (reduced >= 0) {
      const aggregate = compileAggregate(tag, calls.slice(0, reduced + 1), scope)
      if (aggregate === undefined) return undefined
      const after = compileCalls(tag, calls.slice(reduced + 1), scope, pathScope)
      if (after === undefined) return undefined
      return {
        path: aggregate.item,
        calls: after,
        guards: [],
        aggregate,
        neutral: false,
        tag: tagOf(tag.token),
      }
    }
    const chain = compileCalls(tag, calls, scope, pathScope)
    if (chain === undefined) return undefined
    return {
      path: compilePath(tag.flat, pathScope),
      calls: chain,
      guards: [],
      neutral: false,
      tag: tagOf(tag.token),
    }
  } catch (error) {
    if (!(error instanceof PathAboveRoot)) throw error
    context.report.add('template.path.too-high', { tag: tagOf(tag.token) }, placeOf(context, tag.at))
    return undefined
  }
}

export function pathContext(tag: ValueTag, loops: readonly EnclosingLoop[]): PathContext {
  return { loops, indexSlot: (dots) => indexSlot(tag, loops, dots) }
}

/**
 * The loop that `.i` means. With one loop `.i` is that loop. With several, one dot is the loop just outside the
 * innermost, more dots go outward, and one dot more than that is the innermost: an old order that templates rely on.
 */
function indexSlot(tag: ValueTag, loops: readonly EnclosingLoop[], dots: number): number | undefined {
  const own = tag.iterated.flatMap(({ key }) => loops.findLast((loop) => loop.key === key) ?? [])
  const known = own.length > 0 ? own : loops
  return byDots(
    known.map(({ slot }) => slot),
    dots,
  )
}

function byDots(slots: readonly number[], dots: number): number | undefined {
  return slots[slots.length - 2 - dots] ?? slots.at(-1)
}

/** Lower and upper bound of the number of arguments are checked here, once, not by each formatter. */
function compileCalls(
  tag: ValueTag,
  calls: readonly CallNode[],
  scope: ValueContext,
  pathScope: PathContext,
): CallPlan[] | undefined {
  const { context } = scope
  const plans: CallPlan[] = []
  let sound = true
  for (const call of calls) {
    const formatter = formatters.get(call.name)
    if (formatter === undefined) {
      sound = false
      if (context.report.full) continue
      const { suggested } = context.report
      if (!suggested.has(call.name)) suggested.set(call.name, suggest(call.name))
      const near = suggested.get(call.name)
      const meant = near === undefined ? '' : ` Do you mean "${near}"?`
      context.report.add(
        'template.formatter.unknown',
        { name: shorten(call.name), meant, advice: adviceFor(call.name, near) },
        placeOf(context, tag.at),
      )
      continue
    }
    const needed = formatter.parameters.filter(({ optional }) => optional !== true).length
    const isTest = formatter.kind === 'test' || formatter.kind === 'condition'
    if (call.args.length < needed && !isTest) {
      const because = `it needs ${needed} argument${needed === 1 ? '' : 's'}`
      context.report.add(
        'template.formatter.arguments',
        { name: call.name, tag: tagOf(tag.token), because },
        placeOf(context, tag.at),
      )
      sound = false
      continue
    }
    const most = formatter.parameters.some(({ rest }) => rest === true)
      ? Infinity
      : formatter.parameters.length
    if (call.args.length > most) {
      const message = `Formatter "${call.name}" takes ${most === 0 ? 'no arguments' : `at most ${most}`}: ${tagOf(tag.token)} gives it ${call.args.length}.`
      context.report.warn('template.formatter.arguments', message, context.part)
    }
    if (call.name === 'html' && textAlone.has(context.format)) {
      const message = `${tagOf(tag.token)} writes its text without looks: ${context.format} holds no others.`
      context.report.warn('template.html.text', message, context.part)
    }
    if (formatter.kind === 'structure') {
      // Where it ends its tag it is carried out before this is reached.
      if (last.has(call.name)) {
        context.report.add(
          'template.formatter.last',
          { name: call.name, tag: tagOf(tag.token) },
          placeOf(context, tag.at),
        )
        sound = false
        continue
      }
      if (call.name !== 'isImage') {
        context.report.warn(
          'template.formatter.ignored',
          `Formatter "${call.name}" has no effect here.`,
          context.part,
        )
      }
      continue
    }
    const loose = context.tolerant ? undefined : strayIterator(call.args, tag, pathScope)
    if (loose !== undefined) {
      context.report.add(
        'template.path.iterator',
        { ...loose, tag: tagOf(tag.token) },
        placeOf(context, tag.at),
      )
      sound = false
      continue
    }
    const args = call.args.map((arg) => compileArg(arg, tag, pathScope))
    const constant = args.every((arg) => arg.kind === 'constant')
    plans.push({
      formatter,
      conditional: isTest,
      args,
      ...(constant ? { constants: args.map((arg) => (arg as { value: unknown }).value) } : {}),
      ...(formatter.kind === 'aggregate' ? { running: scope.numbers.running++ } : {}),
    })
  }
  return sound ? plans : undefined
}

/** An iterator in an argument that no loop around the tag runs over: it would always mean the first item. */
function strayIterator(
  args: readonly ArgNode[],
  tag: ValueTag,
  { loops }: PathContext,
): { readonly array: string; readonly iterator: string } | undefined {
  for (const arg of args) {
    const paths =
      arg.kind === 'path' ? [arg] : arg.kind === 'sum' ? arg.sum.filter((item) => item.kind === 'path') : []
    for (const { path } of paths) {
      if (!path.steps.some(({ kind }) => kind === 'select')) continue
      for (const { key, array, selector } of arraysOf(flatten(path, ownerOf(tag.flat)).flat)) {
        const iterator = selector.iterators
          .map(({ keys, next }) => keys.join('.') + (next ? '+1' : ''))
          .join(',')
        if (iterator.endsWith('+1') || !loops.some((loop) => loop.key === key)) return { array, iterator }
      }
    }
  }
  return undefined
}

export function compileArg(arg: ArgNode, tag: ValueTag, scope: PathContext): ArgPlan {
  switch (arg.kind) {
    case 'text':
      return { kind: 'constant', value: arg.text }
    case 'translated':
      return arg
    case 'path':
      return compileArgPath(arg.path, tag, scope)
    case 'sum':
      return { kind: 'sum', items: arg.sum.map((item) => compileSumItem(item, tag, scope)) }
    default:
      return arg satisfies never
  }
}

function compileSumItem(item: SumItem, tag: ValueTag, scope: PathContext): SumPlan {
  if (item.kind !== 'path') return item
  return compileArgPath(item.path, tag, scope) as SumPlan
}

/** `.i` is the loop's index; everything else starts from the object that owns the tag's value. */
function compileArgPath(path: PathNode, tag: ValueTag, scope: PathContext): ArgPlan {
  const only = path.steps.length === 1 ? path.steps[0] : undefined
  if (path.root === '.' && only?.kind === 'key' && (only.name === 'i' || only.name === 'I')) {
    const slot = scope.indexSlot(path.up)
    if (slot !== undefined) return { kind: 'index', slot }
  }
  const owner = ownerOf(tag.flat)
  const { flat } = flatten(path, owner)
  return { kind: 'path', path: compilePath(flat, { ...scope, argumentOwner: owner }) }
}

/**
 * The levels of arrays an aggregate visits. `[]` and filters visit all items below the loops named by [i]; with [i]
 * alone everything is visited, over all loops. Source: template language 19.
 */
function compileAggregate(
  tag: ValueTag,
  calls: readonly CallNode[],
  scope: ValueContext,
): AggregatePlan | undefined {
  const call = calls.at(-1)!
  const quiet = (path: FlatPath) =>
    path.segments.some(({ selectors }) =>
      selectors.some((selector) => !isIterator(selector) && visitsAll(selector)),
    )
  const mixed = quiet(tag.flat)
  const {
    levels,
    scope: inner,
    flat,
  } = compileLevels(tag, scope, (selector) => (isIterator(selector) ? !mixed : visitsAll(selector)))
  const visited: ValueTag = { ...tag, flat }
  const before = compileCalls(visited, calls.slice(0, -1), scope, inner)
  if (before === undefined) return undefined
  const takesSeparator = call.name === 'aggStr' || call.name === 'aggStrD'
  const separator = takesSeparator ? call.args[0] : undefined
  const partition = (takesSeparator ? call.args.slice(1) : call.args).filter((arg) => arg.kind !== 'text')
  const outer = pathContext(tag, scope.loops)
  const global = levels.length === 0 || typeof levels[0]!.source.base !== 'number'
  return {
    levels,
    item: compilePath(flat, inner),
    before,
    name: call.name,
    separator: separator === undefined ? undefined : compileArg(separator, tag, outer),
    keys: partition.map((arg) => compileArg(arg, visited, inner)),
    current: partition.map((arg) => compileArg(arg, tag, outer)),
    cache: global ? scope.numbers.caches++ : undefined,
  }
}

/** In an aggregate's path, brackets that mean every item. */
const visitsAll = (selector: SelectorNode): boolean =>
  isSilent(selector) || (selector.filters.length > 0 && !isIterator(selector))

/** One level for each array of the path that `visits` says is gone through; later paths see their items. */
export function compileLevels(
  tag: ValueTag,
  scope: ValueContext,
  visits: (selector: SelectorNode) => boolean,
): { levels: LevelPlan[]; scope: PathContext; flat: FlatPath } {
  const levels: LevelPlan[] = []
  const loops: EnclosingLoop[] = [...scope.loops]
  const keys: string[] = []
  const slotsOfPath = () => keys.flatMap((key) => loops.findLast((loop) => loop.key === key)?.slot ?? [])
  const inner: PathContext = {
    loops,
    indexSlot: (dots) => byDots(slotsOfPath(), dots) ?? indexSlot(tag, loops, dots),
  }
  const walked: Segment[] = []
  for (const { name, selectors } of tag.flat.segments) {
    const plain: SelectorNode[] = []
    for (const selector of selectors) {
      const array: FlatPath = { root: tag.flat.root, segments: [...walked, { name, selectors: [...plain] }] }
      const visited = visits(selector)
      if (visited || isIterator(selector)) keys.push(keyOf(array))
      if (visited) {
        const source = compilePath(array, inner)
        const filters = compileFilters(selector.filters, array, inner)
        const slot = scope.numbers.slots++
        levels.push({ slot, source, filters })
        loops.push({ key: keyOf(array), slot })
      }
      plain.push(visited ? allItems : selector)
    }
    walked.push({ name, selectors: plain })
  }
  return { levels, scope: inner, flat: { root: tag.flat.root, segments: walked } }
}

const allItems: SelectorNode = { iterators: [], filters: [] }
