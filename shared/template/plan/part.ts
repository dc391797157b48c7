/**
 * The plan pass: from a part whose tokens know their loops and guards to the nodes that a render runs. Neighbouring markup
 * becomes one static segment, a tag a value node, a loop a node with a body, and guarded tokens the body of a node that
 * tests their conditions.
 */
import { pushAll } from '../../push-all.ts'
import {
  bindPart,
  type CellColumns,
  enclosingLoops,
  homeOf,
  loopsFrom,
  type PartTags,
  type ScopedPart,
} from '../bind/bind.ts'
import type { ReadPart } from '../bind/embedded.ts'
import { type Guard, isGuardTag } from '../bind/guards.ts'
import type { Loop } from '../bind/loops.ts'
import type { BindContext, ValueTag } from '../bind/part.ts'
import { isMarkerOnly, isSetTag, printsNothing } from '../bind/tag-kinds.ts'
import type { CallNode } from '../parse/ast.ts'
import type { ElementToken, TagContext, TagToken, TextToken, Token } from '../scan/tokens.ts'
import { contentStandIn, type Surroundings, vanishingContent } from './filled.ts'
import { HookTable } from './hooks.ts'
import { filtersOf, loopHead, shownFilters } from './loops.ts'
import { measurePlan } from './measure.ts'
import type { ColumnsPlan, CompiledPart, ConditionPlan, LoopPlan, PlanNode, SetPlan } from './plan.ts'
import { SegmentTable } from './segments.ts'
import { compileSet } from './sets.ts'
import { splitUnique } from './unique.ts'
import { compileValue, type SlotCounters, type ValueContext } from './values.ts'

/** Binds and plans a part of an embedded object. Its numbers continue those of the part around it. */
function compilePart(context: BindContext, tags: PartTags, counters: SlotCounters): CompiledPart {
  return planPart(
    bindPart(context, tags, () => counters.slots++),
    counters,
  )
}

/**
 * Plans one bound part. Its slots, running totals and caches are numbered by `counters`, which embedded parts share.
 */
export function planPart(scoped: ScopedPart, counters: SlotCounters): CompiledPart {
  const { context, tags, guards, flags } = scoped
  const planner = new PartPlanner(scoped, counters)
  const { hooks } = planner
  const sets = tags.values
    .filter(isSetTag)
    .flatMap((tag) => compileSet(tag, { context, counters, hooks, loops: [] }) ?? [])
  const nodes = planner.nodes(0, context.tree.tokens.length, { loopIndex: -1, under: [] })
  const conditions = guards.map((guard) => planCondition(guard, scoped, { counters, hooks }))
  const measure = measurePlan(nodes, hooks)
  return {
    plan: {
      name: context.part,
      statics: planner.segments.table(),
      nodes,
      ...(measure === undefined ? {} : { measure }),
      slots: counters.slots,
      flags,
      conditions,
      sets: [...sets, ...planner.embeddedSets],
    },
    hooks,
  }
}

function planCondition(
  guard: Guard,
  scoped: ScopedPart,
  shared: Pick<ValueContext, 'counters' | 'hooks'>,
): ConditionPlan {
  const { context, loops, loopOf } = scoped
  const loopIndex = homeOf(guard, loopOf)
  const tagLoop = loopOf[guard.tag.at] ?? -1
  // A block is evaluated where it begins. An element may hold its tag deeper, in loops of its own.
  const between = guard.block ? [] : loopsUpTo(loops, tagLoop, loopIndex).reverse()
  const over = between.map((loop) => {
    const shown = shownFilters(loop, scoped)
    return { ...loopHead(loop, scoped), slot: loop.slot, ...(shown === undefined ? {} : { shown }) }
  })
  const enclosing = enclosingLoops(scoped, over.length === 0 ? loopIndex : tagLoop)
  const value = compileValue(guard.tag, guard.calls, { ...shared, context, loops: enclosing })
  return {
    showsWhen: guard.keepsWhen,
    over,
    value:
      value === undefined
        ? { path: { base: 'd', steps: [], keys: [] }, calls: [], guards: [], tag: '' }
        : { ...value, guards: filtersOf(guard.tag, scoped, enclosing) },
  }
}

/** The loops around the one of this index, itself included, up to but without `outer`. */
function loopsUpTo(loops: readonly Loop[], index: number, outer: number): Loop[] {
  const enclosing = loopsFrom(loops, index)
  const end = enclosing.findIndex((loop) => loop.index === outer)
  return end < 0 ? enclosing : enclosing.slice(0, end)
}

/** The steps of planning one element that come before its tokens. Each enters the element anew with the next step. */
type ElementStep = 'columns' | 'filled' | 'tokens'

/** Nodes for the tokens up to, but without, `stop`. */
interface Planned {
  readonly nodes: readonly PlanNode[]
  readonly stop: number
}

class PartPlanner {
  readonly segments = new SegmentTable()
  readonly hooks = new HookTable()
  /** `:set` tags of embedded objects: they run with those of the part. */
  readonly embeddedSets: SetPlan[] = []
  readonly #scoped: ScopedPart
  readonly #counters: SlotCounters
  readonly #tagAt: ReadonlyMap<number, ValueTag>

  constructor(scoped: ScopedPart, counters: SlotCounters) {
    this.#scoped = scoped
    this.#counters = counters
    this.#tagAt = new Map(scoped.tags.values.map((tag) => [tag.at, tag]))
  }

  /**
   * The nodes of the tokens [start, stop), which are in the loop and under the guards of `where`. `first` is the step at
   * which the element at `start` is entered.
   */
  nodes(start: number, stop: number, where: Surroundings, first: ElementStep = 'columns'): PlanNode[] {
    const { removed } = this.#scoped
    const list = new NodeList((text) => this.segments.add(text, where.loopIndex >= 0))
    let index = start
    while (index < stop) {
      this.#replacements(index, where, list)
      const planned =
        this.#guarded(index, stop, where, list) ??
        (removed[index] === 1 ? { nodes: [], stop: index + 1 } : undefined) ??
        this.#loopAt(index, where, list) ??
        this.#element(index, where, index === start ? first : 'columns', list)
      if (planned === undefined) {
        this.#token(index, where, list)
        index += 1
      } else {
        list.push(planned.nodes)
        index = planned.stop
      }
    }
    return list.end()
  }

  /** Adds the markup that replaces dropped tokens and is written before this token. */
  #replacements(index: number, { loopIndex, under }: Surroundings, list: NodeList): void {
    const { standIns, removed, guards } = this.#scoped
    if (removed[index] === 1) return
    for (const id of standIns.get(index) ?? []) {
      const markup = guards[id]?.standIn?.markup
      if (markup === undefined || under.includes(id)) continue
      list.flush()
      list.push([{ kind: 'otherwise', condition: id, id: this.segments.add(markup, loopIndex >= 0) }])
    }
  }

  /** Plans a run of tokens under guards that do not apply to the tokens around them. */
  #guarded(index: number, stop: number, where: Surroundings, list: NodeList): Planned | undefined {
    const { guardsOf } = this.#scoped
    // Most tokens have no guard, and this runs for each of them.
    if (guardsOf[index]?.length === 0) return undefined
    const conditions = this.#outerGuards(index, where.loopIndex).filter((id) => !where.under.includes(id))
    if (conditions.length === 0) return undefined
    let groupStop = index + 1
    let previous = guardsOf[index]
    // Neighbours mostly share one list, which is compared by identity first.
    for (; groupStop < stop; groupStop += 1) {
      const next = guardsOf[groupStop]
      if (next !== previous && !conditions.every((id) => next?.includes(id))) break
      previous = next
    }
    list.flush()
    const body = this.nodes(index, groupStop, {
      loopIndex: where.loopIndex,
      under: [...where.under, ...conditions],
    })
    return { nodes: body.length > 0 ? [{ kind: 'when', conditions, body }] : [], stop: groupStop }
  }

  /**
   * The guards of a token that apply to the entire loop that begins at it, and are evaluated outside of it. A dropped column may be
   * the first of several that a loop repeats: its guard applies in each copy, to its own cell.
   */
  #outerGuards(index: number, loopIndex: number): readonly number[] {
    const { guardsOf, guards, loopOf, loops } = this.#scoped
    const ids = guardsOf[index] ?? []
    if (ids.length === 0) return ids
    const starting = this.#loopStarting(index, loopIndex)
    if (starting === undefined) return ids
    return ids.filter((id) => {
      const guard = guards[id]
      if (guard === undefined || guardsOf[starting.stop - 1]?.includes(id) !== true) return false
      return !loopsFrom(loops, homeOf(guard, loopOf)).includes(starting)
    })
  }

  /** The outermost loop within loop `loopIndex` that begins at a token. */
  #loopStarting(index: number, loopIndex: number): Loop | undefined {
    const { loops, loopOf } = this.#scoped
    const innermost = loopOf[index] ?? -1
    if (innermost === loopIndex || innermost < 0) return undefined
    const loop = loopsUpTo(loops, innermost, loopIndex).at(-1)
    return loop?.start === index ? loop : undefined
  }

  #loopAt(index: number, { loopIndex, under }: Surroundings, list: NodeList): Planned | undefined {
    const loop = this.#loopStarting(index, loopIndex)
    if (loop === undefined) return undefined
    list.flush()
    const head = loopHead(loop, this.#scoped)
    const shown = shownFilters(loop, this.#scoped)
    const body = this.nodes(loop.start, loop.stop, { loopIndex: loop.index, under })
    const resets = this.#scoped.resets.get(loop.index) ?? []
    const node: LoopPlan = {
      ...head,
      slot: loop.slot,
      ...(shown === undefined ? {} : { shown }),
      body,
      resets,
    }
    return { nodes: [node], stop: loop.stop }
  }

  /** Elements that are planned as a whole: cells that lose columns, columns that repeat, content that may vanish. */
  #element(index: number, where: Surroundings, step: ElementStep, list: NodeList): Planned | undefined {
    const { context, narrowed, gridLoops } = this.#scoped
    const columns = step === 'columns' ? narrowed.get(index) : undefined
    if (columns !== undefined) {
      const stop = context.tree.indexAfter(index)
      list.flush()
      const node = this.#columns(columns)
      return { nodes: [{ ...node, body: this.nodes(index, stop, where, 'filled') }], stop }
    }
    const grid = gridLoops.get(index)
    if (grid !== undefined && where.loopIndex !== grid.index) {
      const stop = context.tree.indexAfter(index)
      list.flush()
      const segment = this.segments.add(context.tree.raw(index, stop), true)
      return { nodes: [this.#repeated(grid, [{ kind: 'static', id: segment }])], stop }
    }
    return step === 'tokens' ? undefined : this.#filled(index, where)
  }

  #columns({ span, dropped, grows }: CellColumns): ColumnsPlan {
    // The loops only count their items: each writes one segment, and what it holds does not matter.
    const body: PlanNode[] = [{ kind: 'static', id: this.segments.add(' ', true) }]
    return { kind: 'columns', span, dropped, grows: grows.map((loop) => this.#repeated(loop, body)) }
  }

  /** A second loop over the same items, with a slot of its own and without conditions to reset. */
  #repeated(loop: Loop, body: readonly PlanNode[]): LoopPlan {
    return { ...loopHead(loop, this.#scoped), slot: this.#counters.slots++, resets: [], body }
  }

  /** An element that must not be left empty and whose content may all vanish. */
  #filled(index: number, where: Surroundings): Planned | undefined {
    const { tree } = this.#scoped.context
    const content = vanishingContent(this.#scoped, index, where)
    if (content === undefined) return undefined
    const close = tree.matchOf(index)
    const standIn = contentStandIn(this.#scoped, tree.tokens[index])
    const contentNodes = this.nodes(content, close, where)
    const leadNodes = this.nodes(index, content, where, 'tokens')
    if (standIn !== undefined) {
      const otherwise = this.segments.add(standIn, where.loopIndex >= 0)
      return {
        nodes: [...leadNodes, { kind: 'filled', probe: contentNodes, body: contentNodes, otherwise }],
        stop: close,
      }
    }
    const body = [...leadNodes, ...contentNodes, ...this.nodes(close, close + 1, where)]
    return { nodes: [{ kind: 'filled', probe: contentNodes, body }], stop: close + 1 }
  }

  /** One token that nothing else has planned. */
  #token(index: number, { loopIndex }: Surroundings, list: NodeList): void {
    const { context, mergedCells, widths } = this.#scoped
    const token = context.tree.tokens[index]
    if (token === undefined) return
    if (token.kind === 'tag' || token.kind === 'computed') {
      const node =
        token.kind === 'tag' ? this.#tag(token, index, loopIndex) : this.#computed(token, index, loopIndex)
      if (node !== undefined) list.push([node])
      return
    }
    const flag = mergedCells.get(index)
    const continuation = context.rules.grid?.merge?.continuation
    if (flag !== undefined && continuation !== undefined) {
      list.flush()
      const first = this.segments.add(token.raw, true)
      list.push([{ kind: 'first-or-later', flag, first, later: this.segments.add(continuation, true) }])
      return
    }
    const width = widths.get(index)
    if (width !== undefined) {
      list.text(token.raw.slice(0, width.start))
      list.flush()
      list.push([this.#columns(width.columns)])
      list.text(token.raw.slice(width.end))
    } else this.#markup(token, loopIndex, list)
  }

  /** Markup and text. In a loop, attributes that must differ in each copy become nodes of their own. */
  #markup(token: ElementToken | TextToken, loopIndex: number, list: NodeList): void {
    if (loopIndex < 0) {
      list.text(token.raw)
      return
    }
    for (const part of splitUnique(token, this.#scoped.context.rules)) {
      if (typeof part === 'string') list.text(part)
      else list.push([part])
    }
  }

  #computed(token: Extract<Token, { kind: 'computed' }>, index: number, loopIndex: number): PlanNode {
    const { embedded } = token
    if (embedded === undefined) return { kind: 'computed', hook: this.hooks.addComputed(token) }
    const packages = this.#packages(index, loopIndex)
    const hook = this.hooks.addEmbedded({ packages, write: (scope, fills) => embedded.write(scope, fills) })
    return { kind: 'embedded', hook }
  }

  #tag(token: TagToken, index: number, loopIndex: number): PlanNode | undefined {
    const { context, tags } = this.#scoped
    const key = tags.translations.get(index)
    if (key !== undefined) return { kind: 'translate', key, escape: this.#escapeOf(token, index) }
    const tag = this.#tagAt.get(index)
    if (tag === undefined || isGuardTag(tag) || isSetTag(tag)) return undefined
    const loops = enclosingLoops(this.#scoped, loopIndex)
    const calls: readonly CallNode[] =
      token.absorbs !== undefined && tag.calls.at(-1)?.name === token.absorbs
        ? tag.calls.slice(0, -1)
        : tag.calls
    const value = compileValue(tag, calls, { context, counters: this.#counters, hooks: this.hooks, loops })
    if (value === undefined || printsNothing(calls) || isMarkerOnly(tag, tags.objectArrays)) return undefined
    return {
      kind: 'value',
      value: { ...value, guards: filtersOf(tag, this.#scoped, loops) },
      escape: this.#escapeOf(token, index),
      ...this.#lineBreak(calls, index),
      ...(token.output === undefined ? {} : { output: this.hooks.addOutput(token.output) }),
      ...(token.measured === undefined ? {} : { measured: token.measured }),
    }
  }

  /** The parts of an embedded object at a token, planned inside the loops around it. */
  #packages(index: number, loopIndex: number): CompiledPart[][] {
    const { report, tolerant, single } = this.#scoped.context
    const { objectArrays, embedded } = this.#scoped.tags
    const outerLoops = enclosingLoops(this.#scoped, loopIndex)
    const compile = ({ context, values, translations, embedded: deeper }: ReadPart) => {
      const tags: PartTags = { values, translations, objectArrays, ...(deeper && { embedded: deeper }) }
      const partContext = {
        ...context,
        report,
        tolerant,
        outerLoops,
        ...(single !== undefined && { single }),
      }
      const part = compilePart(partContext, tags, this.#counters)
      pushAll(this.embeddedSets, part.plan.sets)
      return part
    }
    return (embedded?.get(index) ?? []).map((parts) => parts.map(compile))
  }

  #lineBreak(calls: readonly CallNode[], index: number): { lineBreak?: number } {
    const { rules, tree } = this.#scoped.context
    if (rules.lineBreakAt === undefined || !calls.some(({ name }) => name === 'convCRLF')) return {}
    return { lineBreak: this.hooks.addLineBreak(rules.lineBreakAt(tree.tokens, tree.parent, index)) }
  }

  /** How a value is escaped at a token. Formats with a way of their own use it inside paragraphs. */
  #escapeOf(token: TagToken, index: number): TagContext {
    const { rules, tree } = this.#scoped.context
    if (rules.escape === undefined || token.context !== 'text') return token.context
    return tree.ancestor(index, rules.paragraphs) >= 0 ? 'paragraph' : token.context
  }
}

/**
 * Nodes as they are made: neighbouring markup is collected and becomes one static segment. Segments are numbered in the
 * order in which they are made, and compression refers from one to those before it, so markup is flushed before what
 * follows it is planned.
 */
class NodeList {
  readonly #nodes: PlanNode[] = []
  readonly #segment: (text: string) => number
  /** Markup that is not part of a node yet. */
  #pending = ''

  constructor(segment: (text: string) => number) {
    this.#segment = segment
  }

  text(text: string): void {
    this.#pending += text
  }

  push(nodes: readonly PlanNode[]): void {
    if (nodes.length === 0) return
    this.flush()
    pushAll(this.#nodes, nodes)
  }

  end(): PlanNode[] {
    this.flush()
    return this.#nodes
  }

  flush(): void {
    if (this.#pending !== '') this.#nodes.push({ kind: 'static', id: this.#segment(this.#pending) })
    this.#pending = ''
  }
}
