/**
 * Puts the plan of a part together: pieces become static stretches and value nodes, loops become nodes with a body,
 * guarded pieces stand under the conditions that show them.
 */
import { makeStatics, type StaticTable } from '../../office/statics.ts'
import { mergedAreas, spanOf, type WrittenNumber } from '../bind/columns.ts'
import type { ReadPart } from '../bind/embedded.ts'
import { gridLoops, type WideCell } from '../bind/grid.ts'
import { findGuards, type Guard, isGuardTag } from '../bind/guards.ts'
import { findLoops, type Loop, loopOfTokens, selectorFor } from '../bind/loops.ts'
import { type PartContext, placeOf, tagOf, type ValueTag } from '../bind/part.ts'
import { compileFilters, compilePath, type EnclosingLoop } from '../bind/paths.ts'
import type { CallNode, SelectorNode } from '../parse/ast.ts'
import type { LineBreak } from '../rules.ts'
import type { TagContext, TagToken, Token } from '../scan/tokens.ts'
import { measured } from './measure.ts'
import type { ConditionPlan, FilterPlan, LoopPlan, PartPlan, PlanNode, SetPlan } from './plan.ts'
import { compileSet, isSetTag } from './sets.ts'
import { splitUnique } from './unique.ts'
import { type Counters, compileValue, isQuiet, pathContext, printsNothing, reduces } from './values.ts'

export interface PartTags {
  readonly values: readonly ValueTag[]
  readonly translations: ReadonlyMap<number, string> // piece -> key
  /** Arrays whose items are read by attribute somewhere in the template: their bare markers print nothing. */
  readonly objectArrays: ReadonlySet<string>
  readonly embedded?: ReadPart['embedded']
}

export function buildPart(context: PartContext, tags: PartTags, numbers: Counters): PartPlan {
  const builder = new Builder(context, tags, numbers)
  return builder.part()
}

/** Beyond these, equal stretches in loops share their numbers too. */
const maxOwnSegments = 4_000

/** Marks per piece are bounded: many blocks around many pieces would cost their product. */
const maxGuardEntries = 4_000_000

interface ColumnsLeft {
  span: number
  readonly dropped: { readonly condition: number; readonly by: number }[]
  grows?: readonly Loop[]
}

class Builder {
  readonly #context: PartContext
  readonly #tags: PartTags
  readonly #numbers: Counters
  readonly #byToken = new Map<number, ValueTag>()
  readonly #loops: readonly Loop[]
  readonly #removed: Uint8Array
  readonly #inner: Int32Array // piece -> loop
  readonly #guards: readonly Guard[]
  readonly #guardsOf: (readonly number[])[]
  /** Loop -> guards judged anew for each of its items. */
  readonly #resets = new Map<number, number[]>()
  readonly #insteads = new Map<number, number[]>() // piece -> guards with a stand-in before it
  readonly #texts: string[] = []
  readonly #repeated: boolean[] = []
  readonly #known = new Map<string, number>()
  readonly #gridStarts: ReadonlyMap<number, Loop>
  readonly #innerSets: SetPlan[] = []
  /** Where an area over rows begins: the number under which it is known to have begun. */
  readonly #begun = new Map<number, number>()
  #flags = 0
  /** Cells that columns are taken from, by their first piece and by the piece that says how wide they are. */
  readonly #narrowed = new Map<number, ColumnsLeft>()
  readonly #widths = new Map<number, WrittenNumber & { readonly left: ColumnsLeft }>()

  constructor(context: PartContext, tags: PartTags, numbers: Counters) {
    this.#context = context
    this.#tags = tags
    this.#numbers = numbers
    for (const tag of tags.values) this.#byToken.set(tag.at, tag)
    const looping = tags.values.filter((tag) => !isSetTag(tag))
    const found = findLoops(context, looping, reduces)
    const grid = gridLoops(context, found.loops)
    for (const { start, stop } of grid.removed) found.removed.fill(1, start, stop)
    this.#loops = found.loops
    this.#gridStarts = grid.loops
    this.#removed = found.removed
    this.#inner = loopOfTokens(found.loops, context.tokens.length)
    for (const loop of found.loops) loop.slot = numbers.slots++
    this.#guards = findGuards(context, looping, found.removed)
    this.#guards.forEach((guard, id) => {
      for (let at = this.#home(guard); at >= 0; at = this.#parentOf(at)) {
        const ids = this.#resets.get(at)
        if (ids === undefined) this.#resets.set(at, [id])
        else ids.push(id)
      }
    })
    this.#guardsOf = this.#spread()
    this.#narrow()
    this.#widen(grid.wide)
    this.#merge(found.removed)
  }

  #widen(wide: readonly WideCell[]): void {
    for (const { cell, span, lost, loops } of wide) {
      const width = spanOf(this.#context, cell)
      if (width === undefined) continue
      const left = this.#narrowed.get(cell) ?? { span, dropped: [] }
      left.span -= lost
      left.grows = loops
      this.#widths.set(width.at, { ...width, left })
    }
  }

  /**
   * An area that covers the marker of a loop covers all copies of its row: the first begins it, the others go on with it.
   * A loop whose items the cell shows begins an area with each.
   */
  #merge(removed: Uint8Array): void {
    if (this.#loops.length === 0) return
    for (const { at, cell, row, below } of mergedAreas(this.#context)) {
      if (below.length === 0 || removed[at] === 1) continue
      const stop = this.#context.match[cell]!
      const shows = (loop: Loop) =>
        this.#tags.values.some(
          (tag) => tag.at > cell && tag.at < stop && tag.iterated.some(({ key }) => key === loop.key),
        )
      let home = this.#inner[row]!
      for (; home >= 0; home = this.#parentOf(home)) {
        const loop = this.#loops[home]!
        const covers = below.some((open) => open >= loop.marker.start && open < loop.marker.stop)
        if (!covers || shows(loop)) break
      }
      if (home === this.#inner[row]) continue
      const flag = this.#guards.length + this.#flags++
      this.#begun.set(at, flag)
      if (home >= 0) this.#resets.set(home, [...(this.#resets.get(home) ?? []), flag])
    }
  }

  #narrow(): void {
    this.#guards.forEach(({ narrowed = [] }, condition) => {
      for (const { cell, span, by } of narrowed) {
        const known = this.#narrowed.get(cell)
        if (known !== undefined) {
          known.dropped.push({ condition, by })
          continue
        }
        const left = { span, dropped: [{ condition, by }] }
        this.#narrowed.set(cell, left)
        const width = spanOf(this.#context, cell)
        if (width !== undefined) this.#widths.set(width.at, { ...width, left })
      }
    })
  }

  part(): PartPlan {
    const context = this.#context
    const sets = this.#sets()
    const nodes = this.#range(0, context.tokens.length, -1, [])
    const conditions = this.#guards.map((guard) => this.#condition(guard))
    const measure = measured(nodes)
    return {
      name: context.part,
      statics: this.#statics(),
      nodes,
      ...(measure === undefined ? {} : { measure }),
      slots: this.#numbers.slots,
      flags: this.#flags,
      conditions,
      sets: [...sets, ...this.#innerSets],
    }
  }

  #statics(): StaticTable {
    return makeStatics(this.#texts, this.#repeated)
  }

  #sets(): SetPlan[] {
    return this.#tags.values
      .filter(isSetTag)
      .flatMap((tag) => compileSet(tag, { context: this.#context, numbers: this.#numbers, loops: [] }) ?? [])
  }

  /** Which guards each piece stands under. */
  #spread(): (readonly number[])[] {
    const none: readonly number[] = []
    const of: (readonly number[])[] = new Array(this.#context.tokens.length).fill(none)
    let entries = 0
    const sound = this.#guards.every((guard, id) => {
      let before: readonly number[] | undefined
      let after: readonly number[] = none
      for (const { start, stop } of guard.ranges) {
        for (let at = start; at < stop; at += 1) {
          if (of[at] !== before) {
            before = of[at]!
            after = [...before, id]
            entries += after.length
          }
          of[at] = after
        }
        entries += stop - start
      }
      if (guard.instead !== undefined) {
        this.#insteads.set(guard.instead.before, [...(this.#insteads.get(guard.instead.before) ?? []), id])
      }
      return entries <= maxGuardEntries
    })
    if (!sound) {
      const { limits, report, part } = this.#context
      report.add('template.tag.too-many', { limit: limits.tags }, { part })
      return of.fill(none)
    }
    if (this.#context.report.failed) return of
    this.#checkEdges()
    return of
  }

  /** A block begins and ends on the same side of each loop. */
  #checkEdges(): void {
    for (const guard of this.#guards) {
      // The cells of a column stand in loops over rows, and what is said of the column holds in all of them.
      if (guard.narrowed !== undefined) continue
      const home = this.#home(guard)
      for (const { start, stop } of guard.ranges) {
        for (let at = start; at < stop; at += 1) {
          let loop = this.#inner[at]!
          // Outward to the loop that lies directly in the guard's own loop.
          while (loop >= 0 && loop !== home && this.#parentOf(loop) !== home) loop = this.#parentOf(loop)
          const whole =
            loop === home ||
            (loop >= 0 && this.#loops[loop]!.start >= start && this.#loops[loop]!.stop <= stop)
          if (!whole) {
            this.#context.report.add(
              'template.block.overlap',
              { tag: tagOf(guard.tag.token) },
              placeOf(this.#context, guard.tag.at),
            )
            at = stop
          } else if (loop !== home) at = this.#loops[loop]!.stop - 1
        }
      }
    }
  }

  /** The loop a guard is judged in: the innermost one around all of its pieces. */
  #home(guard: Guard): number {
    return this.#inner[guard.at] ?? -1
  }

  #parentOf(loop: number): number {
    return this.#loops[loop]!.parent?.index ?? -1
  }

  #loopsAround(loop: number): EnclosingLoop[] {
    const around: EnclosingLoop[] = []
    for (let at = loop; at >= 0; at = this.#parentOf(at)) around.unshift(this.#loops[at]!)
    return [...(this.#context.outerLoops ?? []), ...around]
  }

  #condition(guard: Guard): ConditionPlan {
    const home = this.#home(guard)
    const over: ConditionPlan['over'][number][] = []
    if (!guard.block) {
      for (let at = this.#inner[guard.tag.at]!; at >= 0 && at !== home; at = this.#parentOf(at)) {
        const loop = this.#loops[at]!
        const shown = this.#shown(loop)
        over.unshift({ ...this.#loopHead(loop), slot: loop.slot, ...(shown === undefined ? {} : { shown }) })
      }
    }
    const loops = this.#loopsAround(over.length === 0 ? home : this.#inner[guard.tag.at]!)
    const value = compileValue(guard.tag, guard.calls, {
      context: this.#context,
      numbers: this.#numbers,
      loops,
    })
    return {
      wanted: guard.wanted,
      over,
      value:
        value === undefined
          ? { path: { base: 'd', steps: [], keys: [] }, calls: [], guards: [], neutral: true, tag: '' }
          : { ...value, guards: this.#filterGuards(guard.tag, loops) },
    }
  }

  /**
   * The nodes of pieces [start, stop), which lie in loop `home` and under the guards `under`. The element at `plain` is
   * written as it is.
   */
  #range(start: number, stop: number, home: number, under: readonly number[], plain = -1): PlanNode[] {
    const out: PlanNode[] = []
    let text = ''
    let at = start
    const flush = () => {
      if (text !== '') out.push({ kind: 'static', id: this.#static(text, home >= 0) })
      text = ''
    }
    while (at < stop) {
      for (const id of this.#insteads.get(at) ?? []) {
        if (under.includes(id) || this.#removed[at] === 1) continue
        flush()
        out.push({
          kind: 'otherwise',
          condition: id,
          id: this.#static(this.#guards[id]!.instead!.markup, home >= 0),
        })
      }
      const guards = this.#outerGuards(at, home).filter((id) => !under.includes(id))
      if (guards.length > 0) {
        let end = at + 1
        let same = this.#guardsOf[at]!
        // Neighbours mostly share one list.
        for (; end < stop; end += 1) {
          const next = this.#guardsOf[end]!
          if (next !== same && !guards.every((id) => next.includes(id))) break
          same = next
        }
        // A stand-in for something inside belongs inside; one for these guards was written above.
        flush()
        const body = this.#range(at, end, home, [...under, ...guards])
        if (body.length > 0) out.push({ kind: 'when', conditions: guards, body })
        at = end
        continue
      }
      if (this.#removed[at] === 1) {
        at += 1
        continue
      }
      const loop = this.#loopStarting(at, home)
      if (loop !== undefined) {
        flush()
        out.push(this.#loop(loop, under))
        at = loop.stop
        continue
      }
      const narrowed = this.#narrowed.get(at)
      if (narrowed !== undefined) {
        this.#narrowed.delete(at)
        flush()
        const end = this.#context.match[at]! >= 0 ? this.#context.match[at]! + 1 : at + 1
        out.push({ ...this.#columns(narrowed), body: this.#range(at, end, home, under) })
        at = end
        continue
      }
      const grid = this.#gridStarts.get(at)
      if (grid !== undefined && home !== grid.index) {
        flush()
        const end = this.#context.match[at]! >= 0 ? this.#context.match[at]! + 1 : at + 1
        out.push({
          ...this.#loopHead(grid),
          slot: this.#numbers.slots++,
          resets: [],
          body: [{ kind: 'static', id: this.#static(this.#raw(at, end), true) }],
        })
        at = end
        continue
      }
      const token = this.#context.tokens[at]!
      const filled = at === plain ? undefined : this.#filled(token, at, home, under)
      if (filled !== undefined) {
        flush()
        out.push(...filled.nodes)
        at = filled.stop
        continue
      }
      const begun = this.#begun.get(at)
      if (begun !== undefined) {
        flush()
        const [first, later] = [this.#raw(at, at + 1), this.#context.rules.grid!.merge!.goesOn]
        out.push({
          kind: 'first-or-later',
          flag: begun,
          first: this.#static(first, true),
          later: this.#static(later, true),
        })
        at += 1
        continue
      }
      const width = this.#widths.get(at)
      if (width !== undefined && 'raw' in token) {
        text += token.raw.slice(0, width.start)
        flush()
        out.push(this.#columns(width.left))
        text = token.raw.slice(width.end)
      } else if (
        token.kind === 'open' ||
        token.kind === 'close' ||
        token.kind === 'void' ||
        token.kind === 'text'
      ) {
        const parts = home >= 0 ? splitUnique(token, this.#context.rules) : [token.raw]
        for (const part of parts) {
          if (typeof part === 'string') text += part
          else {
            flush()
            out.push(part)
          }
        }
      } else {
        const node = this.#dynamic(token, at, home)
        if (node !== undefined) {
          flush()
          out.push(node)
        }
      }
      at += 1
    }
    flush()
    return out
  }

  #columns({ span, dropped, grows = [] }: ColumnsLeft): Extract<PlanNode, { kind: 'columns' }> {
    const body: PlanNode[] = [{ kind: 'static', id: this.#static(' ', true) }]
    const loops = grows.map((loop) => ({
      ...this.#loopHead(loop),
      slot: this.#numbers.slots++,
      resets: [],
      body,
    }))
    return { kind: 'columns', span, dropped, grows: loops }
  }

  /** An element that must not be left empty and whose content may all vanish. */
  #filled(
    token: Token,
    at: number,
    home: number,
    under: readonly number[],
  ): { nodes: PlanNode[]; stop: number } | undefined {
    const content = this.#vanishing(token, at, home, under)
    if (content === undefined) return undefined
    const close = this.#context.match[at]!
    const instead = this.#insteadOf(token)
    const inside = this.#range(content, close, home, under)
    const before = this.#range(at, content, home, under, at)
    if (instead !== undefined) {
      const otherwise = this.#static(instead, home >= 0)
      return { nodes: [...before, { kind: 'filled', probe: inside, body: inside, otherwise }], stop: close }
    }
    const body = [...before, ...inside, ...this.#range(close, close + 1, home, under)]
    return { nodes: [{ kind: 'filled', probe: inside, body }], stop: close + 1 }
  }

  #insteadOf(token: Token): string | undefined {
    const { filled } = this.#context.rules
    return token.kind === 'open' && filled !== undefined && Object.hasOwn(filled, token.name)
      ? filled[token.name]!.instead
      : undefined
  }

  /** Where the content of an element begins that must not be left empty, when all of it may vanish. */
  #vanishing(token: Token, at: number, home: number, under: readonly number[]): number | undefined {
    const { rules, match, tokens } = this.#context
    if (token.kind !== 'open' || rules.filled === undefined || !Object.hasOwn(rules.filled, token.name)) {
      return undefined
    }
    const { skip } = rules.filled[token.name]!
    const close = match[at]!
    const behind = (child: number) => (match[child]! > child ? match[child]! + 1 : child + 1)
    const isBlank = (child: Token) =>
      child.kind === 'text'
        ? child.markup === true || !/\S/.test(child.raw)
        : (child.kind === 'tag' || child.kind === 'computed') && child.hidden === true
    let content = at + 1
    for (; content < close; content = behind(content)) {
      const child = tokens[content]!
      if (!isBlank(child) && !('name' in child && skip.includes(child.name))) break
    }
    if (content >= close) return undefined
    for (let child = content; child < close; child = behind(child)) {
      const inside = tokens[child]!
      const stays =
        !isBlank(inside) &&
        this.#removed[child] === 0 &&
        this.#inner[child] === home &&
        this.#guardsOf[child]!.every((id) => under.includes(id)) &&
        (this.#insteadOf(inside) !== undefined || this.#vanishing(inside, child, home, under) === undefined)
      if (stays) return undefined
    }
    return content
  }

  #raw(start: number, stop: number): string {
    return this.#context.tokens
      .slice(start, stop)
      .map((token) => ('raw' in token ? token.raw : ''))
      .join('')
  }

  /** The guards of a piece that are judged outside of the loops that begin at it. */
  #outerGuards(at: number, home: number): readonly number[] {
    const ids = this.#guardsOf[at]!
    if (ids.length === 0) return ids
    const starting = this.#loopStarting(at, home)
    if (starting === undefined) return ids
    return ids.filter((id) => !this.#isInside(this.#home(this.#guards[id]!), starting.index))
  }

  #loopStarting(at: number, home: number): Loop | undefined {
    let inner = this.#inner[at]!
    if (inner === home || inner < 0) return undefined
    while (this.#parentOf(inner) !== home) inner = this.#parentOf(inner)
    const loop = this.#loops[inner]!
    return loop.start === at ? loop : undefined
  }

  #loopHead(loop: Loop): Omit<LoopPlan, 'body' | 'resets' | 'slot'> {
    const around = this.#loopsAround(loop.parent?.index ?? -1)
    const scope = pathContext(loop.startTag, around)
    const inside = pathContext(loop.startTag, [...around, loop])
    const keys = (selector: SelectorNode) => selector.iterators.map((iterator) => iterator.keys)
    const isIndex = (names: readonly string[]) => names.length === 1 && names[0] === 'i'
    const iterators =
      [keys(loop.begin), keys(loop.end)].find((list) => list.some((names) => !isIndex(names))) ??
      keys(loop.begin)
    const sort = iterators.filter((names) => !isIndex(names))
    const times = loop.end.iterators.find((iterator) => iterator.times !== undefined)?.times
    return {
      kind: 'loop',
      source: compilePath(loop.path, scope),
      filters: compileFilters(loop.end.filters, loop.path, inside),
      sort,
      distinct: sort.length > 0 && sort.length === iterators.length,
      ...(times === undefined ? {} : { times }),
      tag: tagOf(loop.startTag.token),
    }
  }

  #loop(loop: Loop, under: readonly number[]): LoopPlan {
    const head = this.#loopHead(loop)
    const shown = this.#shown(loop)
    const body = this.#range(loop.start, loop.stop, loop.index, under)
    const resets = this.#resets.get(loop.index) ?? []
    return { ...head, slot: loop.slot, ...(shown === undefined ? {} : { shown }), body, resets }
  }

  #isInside(loop: number, outer: number): boolean {
    for (let at = loop; at >= 0; at = this.#parentOf(at)) if (at === outer) return true
    return false
  }

  /**
   * The lists of filters of which one must pass for an item to be written: those of the tags in the block. Undefined
   * when a tag without filters is always shown.
   */
  #shown(loop: Loop): FilterPlan[][] | undefined {
    const lists = new Map<string, SelectorNode>()
    const { values } = this.#tags
    for (let n = firstFrom(values, loop.start); n < values.length && values[n]!.at < loop.stop; n += 1) {
      const tag = values[n]!
      if (this.#removed[tag.at] === 1) continue
      if (isGuardTag(tag) || isSetTag(tag) || printsNothing(tag.calls) || isQuiet(tag.calls)) continue
      const selector = selectorFor(tag, loop.key)
      if (this.#isNeutral(tag) && (selector === undefined || selector.filters.length === 0)) continue
      if (selector === undefined || selector.filters.length === 0) return undefined
      lists.set(JSON.stringify(selector.filters), selector)
    }
    if (lists.size === 0) return undefined
    const scope = pathContext(loop.startTag, this.#loopsAround(loop.index))
    return [...lists.values()].map((selector) => compileFilters(selector.filters, loop.path, scope))
  }

  #isNeutral(tag: ValueTag): boolean {
    const last = tag.iterated.at(-1)
    const ends = tag.flat.segments.at(-1)!.selectors.at(-1)
    return (
      tag.calls.length === 0 &&
      last !== undefined &&
      ends === last.selector &&
      this.#tags.objectArrays.has(last.key)
    )
  }

  #dynamic(token: Token, at: number, home: number): PlanNode | undefined {
    if (token.kind === 'computed') {
      const { compute, measure, recorder, embedded: inner } = token
      if (inner !== undefined) {
        const packages = this.#packages(at, home)
        return { kind: 'inner', packages, write: (scope, fills) => inner.write(scope, fills) }
      }
      return {
        kind: 'computed',
        compute,
        ...(measure === undefined ? {} : { measure }),
        ...(recorder === undefined ? {} : { recorder }),
      }
    }
    if (token.kind !== 'tag') return undefined
    const key = this.#tags.translations.get(at)
    if (key !== undefined) return { kind: 'translate', key, escape: this.#escapeOf(token, at) }
    const tag = this.#byToken.get(at)
    if (tag === undefined || isGuardTag(tag) || isSetTag(tag)) return undefined
    const loops = this.#loopsAround(home)
    const calls: readonly CallNode[] =
      token.absorbs !== undefined && tag.calls.at(-1)?.name === token.absorbs
        ? tag.calls.slice(0, -1)
        : tag.calls
    const compiled = compileValue(tag, calls, { context: this.#context, numbers: this.#numbers, loops })
    if (compiled === undefined || printsNothing(calls)) return undefined
    const neutral = this.#isNeutral(tag)
    if (neutral) return undefined
    const value = { ...compiled, guards: this.#filterGuards(tag, loops), neutral }
    return {
      kind: 'value',
      value,
      escape: this.#escapeOf(token, at),
      ...this.#lineBreak(calls, at),
      ...(token.output === undefined ? {} : { output: token.output }),
      ...(token.measured === undefined ? {} : { measured: token.measured }),
    }
  }

  /** The documents inside that belong to a piece, with the loops around it as theirs. */
  #packages(at: number, home: number): PartPlan[][] {
    const { report, tolerant } = this.#context
    const { objectArrays, embedded: inner } = this.#tags
    const outer = this.#loopsAround(home)
    const build = ({ context, values, translations, embedded: deeper }: ReadPart) => {
      const tags: PartTags = { values, translations, objectArrays, ...(deeper && { embedded: deeper }) }
      const plan = buildPart({ ...context, report, tolerant, outerLoops: outer }, tags, this.#numbers)
      this.#innerSets.push(...plan.sets)
      return plan
    }
    return (inner?.get(at) ?? []).map((parts) => parts.map(build))
  }

  #lineBreak(calls: readonly CallNode[], at: number): { lineBreak?: LineBreak } {
    const { rules, parent, tokens } = this.#context
    if (rules.lineBreakAt === undefined || !calls.some(({ name }) => name === 'convCRLF')) return {}
    return { lineBreak: rules.lineBreakAt(tokens, parent, at) }
  }

  #escapeOf(token: TagToken, at: number): TagContext {
    const { rules, parent, tokens } = this.#context
    if (rules.escape === undefined || token.context !== 'text') return token.context
    for (let open = parent[at]!; open >= 0; open = parent[open]!) {
      const around = tokens[open]!
      if (around.kind === 'open' && rules.paragraphs.includes(around.name)) return 'paragraph'
    }
    return token.context
  }

  /** Filters of the tag's own brackets, for loops that do not leave the item out anyway. */
  #filterGuards(tag: ValueTag, loops: readonly EnclosingLoop[]): { slot: number; filters: FilterPlan[] }[] {
    const guards: { slot: number; filters: FilterPlan[] }[] = []
    for (const { key, selector } of tag.iterated) {
      if (selector.filters.length === 0) continue
      const loop = this.#loops.find(
        (candidate) => candidate.key === key && loops.some(({ slot }) => slot === candidate.slot),
      )
      if (loop === undefined) continue
      const written = JSON.stringify(selector.filters)
      if (written === JSON.stringify(loop.end.filters)) continue
      guards.push({
        slot: loop.slot,
        filters: compileFilters(selector.filters, loop.path, pathContext(tag, loops)),
      })
    }
    return guards
  }

  /**
   * The number of a stretch. Equal stretches share one, but for those in loops: what such a stretch was written next to
   * in the iteration before is the best guess at what it is written next to now.
   */
  #static(text: string, repeated: boolean): number {
    const own = repeated && this.#texts.length < maxOwnSegments
    const known = own ? undefined : this.#known.get(text)
    if (known !== undefined) {
      if (repeated) this.#repeated[known] = true
      return known
    }
    const id = this.#texts.length
    this.#texts.push(text)
    this.#repeated.push(repeated)
    if (!own) this.#known.set(text, id)
    return id
  }
}

/** The first tag at or behind a piece; tags are in document order. */
function firstFrom(tags: readonly ValueTag[], token: number): number {
  let low = 0
  let high = tags.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tags[middle]!.at < token) low = middle + 1
    else high = middle
  }
  return low
}
