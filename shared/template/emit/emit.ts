/**
 * The emit pass: runs a plan over the data and writes the output. The depth of recursion is that of the plan, which is bounded.
 * Work is bounded by the steps of the render, output by the size of the part.
 */
import { AppError } from '../../errors/app-error.ts'
import { decodeEntities } from '../../xml/scan.ts'
import type { FillPackage } from '../embedded.ts'
import { holds } from '../formatters/condition.ts'
import { Markup } from '../formatters/formatter.ts'
import { translate } from '../formatters/lookup.ts'
import { escaped } from '../formatters/markup.ts'
import { printsObject } from '../formatters/printed.ts'
import type { PartWriter } from '../package-writer.ts'
import type { ColumnsPlan, CompiledPart, ConditionPlan, LoopPlan, PlanNode, ValuePlan } from '../plan/plan.ts'
import type { TagContext } from '../scan/tokens.ts'
import { spend } from './budget.ts'
import { escapeFor, escapeMarkup } from './escape.ts'
import { arrange } from './order.ts'
import { passes, resolve } from './resolve.ts'
import { hookOf, type PartState, partState } from './state.ts'
import { evaluate, resetCondition, runCalls, textOf } from './value.ts'
import { itemsOf, walk } from './walk.ts'
import { isWritten } from './written.ts'

/** The inputs of `emit` besides the plan. */
export interface Emit {
  readonly state: PartState
  readonly out: PartWriter
  readonly outputBytes: number // the maximum number of uncompressed bytes of one part
}

/** The maximum number of repetitions that `*` in an iterator may request. */
const maxRepeats = 400

const escapedText = (context: TagContext, text: string, { shared }: PartState): string =>
  context === 'paragraph' ? escaped(text, shared.render) : escapeFor(context, text)

/** Markup with the line breaks of its context; in attributes, escaped as text. */
function markupFor(
  { escape: context, lineBreak }: Extract<PlanNode, { kind: 'value' }>,
  { markup, verbatim }: Markup,
  { shared, hooks }: PartState,
): string {
  const { render, scope } = shared
  const withSeparator = (separator: string) =>
    render.lineBreak === undefined ? markup : markup.split(render.lineBreak).join(separator)
  if (context === 'attribute') return escapeMarkup(withSeparator('&#10;'))
  if (context === 'address') return escapeMarkup(withSeparator(''))
  if (context === 'document') return escapeFor('attribute', withSeparator('\n'))
  // Browsers do not decode character references in scripts and style sheets.
  if (!verbatim && isCode(context)) return escapeFor(context, decodeEntities(withSeparator('\n')))
  if (context.endsWith('-in-attribute')) return escapeMarkup(withSeparator('\n'))
  if (lineBreak === undefined) return markup
  const parts = hookOf(hooks.lineBreaks, lineBreak)
  return withSeparator(parts.map((part) => (typeof part === 'string' ? part : part(scope))).join(''))
}

const isCode = (context: TagContext): boolean => /^(?:script|style|name$|element$|animated$)/.test(context)

/**
 * Runs nodes in order, each for the current items of the loops around it. Throws AppError 'template.*' when the render
 * exceeds its steps or its bytes, or is stopped.
 */
export function emit(nodes: readonly PlanNode[], emitting: Emit): void {
  const { state, out } = emitting
  // Iterates by index, because an iterator costs an object for each node of each row until V8 has optimised this
  // function.
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index]!
    switch (node.kind) {
      case 'static':
        out.static(node.id)
        break
      case 'value':
        writeValue(node, state, out)
        break
      case 'loop':
        loop(node, emitting)
        break
      case 'when':
        if (node.conditions.every((id) => condition(id, state))) emit(node.body, emitting)
        break
      case 'otherwise':
        if (!condition(node.condition, state)) out.static(node.id)
        break
      case 'first-or-later':
        out.static(state.conditions[node.flag] === 0 ? node.first : node.later)
        state.conditions[node.flag] = 1
        break
      case 'columns': {
        const remaining = columnsLeft(node, state)
        if (node.body === undefined) out.text(String(Math.max(1, remaining)))
        else if (remaining > 0) emit(node.body, emitting)
        break
      }
      case 'filled':
        if (wouldWrite(node.probe, state)) emit(node.body, emitting)
        else if (node.otherwise !== undefined) out.static(node.otherwise)
        break
      case 'translate':
        out.text(escapedText(node.escape, translate(node.key, state.shared.render), state))
        break
      case 'unique':
        out.text(unique(node, state))
        break
      case 'computed':
        out.text(hookOf(state.hooks.computed, node.hook).compute(state.shared.scope))
        break
      case 'embedded': {
        const { packages, write } = hookOf(state.hooks.embedded, node.hook)
        const fills = packages.map((parts) => fillOf(parts, emitting))
        out.text(write(state.shared.scope, fills))
        break
      }
      case 'measure':
        hookOf(state.hooks.computed, node.hook).measure?.(state.shared.scope)
        break
      case 'record':
        record(node, state)
        break
      default:
        node satisfies never
    }
  }
}

function writeValue(node: Extract<PlanNode, { kind: 'value' }>, state: PartState, out: PartWriter): void {
  const { value: plan } = node
  if (plan.guards.length > 0 && !guardsPass(plan.guards, state)) return
  const value = evaluate(plan, state)
  const output = node.output === undefined ? undefined : state.hooks.outputs[node.output]
  const asText = isMarker(plan, value) ? nothing : textOf
  if (output !== undefined) {
    out.text(output(value, asText, state.shared.scope))
    return
  }
  if (value instanceof Markup) {
    out.text(markupFor(node, value, state))
    return
  }
  const text = asText(value)
  // An empty text is not a JSON value, so `escapeFor` writes null.
  if (text === '' && node.escape !== 'json-value') return
  // The text of a number contains no character that XML would escape.
  const needsNoEscape = typeof value === 'number' && node.escape === 'text'
  out.text(needsNoEscape ? text : escapedText(node.escape, text, state))
}

function record({ recorders, enter }: Extract<PlanNode, { kind: 'record' }>, state: PartState): void {
  for (const id of recorders) {
    const recorder = hookOf(state.hooks.recorders, id)
    if (enter === undefined) recorder.leave(state.shared.scope)
    else recorder.enter(state.shared.scope, enter)
  }
}

/**
 * Whether the value is the current item of a loop and an object: a tag such as `{d.list[i]}` then only marks the beginning of
 * the loop. Source: template language 11.6.
 */
const isMarker = ({ path, aggregate }: ValuePlan, value: unknown): boolean =>
  typeof value === 'object' &&
  typeof path.base === 'number' &&
  path.steps.length === 0 &&
  aggregate === undefined &&
  printsObject(value)

const nothing = (): string => ''

/** An embedded object has access to the items of the loops around its position. */
function fillOf(parts: readonly CompiledPart[], { state, outputBytes }: Emit): FillPackage {
  return (writer, scope) => {
    const shared = { ...state.shared, scope }
    const begin = (part: CompiledPart): PartState => {
      const partStart = partState(shared, part)
      for (let slot = 0; slot < state.items.length && slot < part.plan.slots; slot += 1) {
        partStart.items[slot] = state.items[slot]
        partStart.index[slot] = state.index[slot] ?? 0
        partStart.lengths[slot] = state.lengths[slot] ?? 0
      }
      return partStart
    }
    for (const part of parts) {
      if (part.plan.measure !== undefined)
        emit(part.plan.measure, { state: begin(part), out: nowhere, outputBytes: Number.POSITIVE_INFINITY })
    }
    for (const part of parts) {
      const { plan } = part
      const partWriter = writer.part(plan.name, plan.statics)
      emit(plan.nodes, { state: begin(part), out: partWriter, outputBytes })
      if (partWriter.size > outputBytes)
        throw new AppError('template.output', { part: plan.name, limit: outputBytes })
      partWriter.end()
    }
  }
}

/** A writer for passes that write nothing: measuring, and counting items. */
export const nowhere: PartWriter = {
  size: 0,
  static: () => undefined,
  text: () => undefined,
  end: () => undefined,
}

function guardsPass(guards: ValuePlan['guards'], state: PartState): boolean {
  return guards.every(({ slot, filters }) =>
    passes(filters, state.items[slot], state.index[slot] ?? 0, state.lengths[slot] ?? 0, state),
  )
}

/**
 * The number of columns of a table or cell: its own, minus those that conditions drop, with one for each item of a loop
 * in place of the column that the loop repeats.
 */
function columnsLeft({ span, dropped, grows }: ColumnsPlan, state: PartState): number {
  const remaining = dropped.reduce(
    (sum, { condition: id, by }) => (condition(id, state) ? sum : sum - by),
    span,
  )
  let items = 0
  const counter: PartWriter = { ...nowhere, static: () => void (items += 1) }
  for (const grown of grows) loop(grown, { state, out: counter, outputBytes: Number.POSITIVE_INFINITY })
  return remaining - grows.length + items
}

/** Whether running the nodes would write anything. Values count as written. Loop slots are restored afterwards. */
function wouldWrite(nodes: readonly PlanNode[], state: PartState): boolean {
  return nodes.some((node) => {
    switch (node.kind) {
      case 'when':
        return node.conditions.every((id) => condition(id, state)) && wouldWrite(node.body, state)
      case 'otherwise':
        return !condition(node.condition, state)
      case 'columns':
        return node.body === undefined || (columnsLeft(node, state) > 0 && wouldWrite(node.body, state))
      case 'filled':
        return node.otherwise !== undefined || wouldWrite(node.probe, state)
      case 'loop':
        return loopWouldWrite(node, state)
      default:
        return true
    }
  })
}

/** Whether a loop would write anything for at least one of its items. */
function loopWouldWrite(plan: LoopPlan, state: PartState): boolean {
  const { slot } = plan
  const items = itemsOf(resolve(plan.source, state))
  const savedItem = state.items[slot]
  const savedIndex = state.index[slot] ?? 0
  const writes = items.some((item, index) => {
    spend(state.shared.budget)
    state.items[slot] = item
    state.index[slot] = index
    state.lengths[slot] = items.length
    if (!isWritten(plan, item, index, items.length, state)) return false
    if (plan.times !== undefined && repeats(walk(item, plan.times)) === 0) return false
    for (const id of plan.resets) state.conditions[id] = 0
    return wouldWrite(plan.body, state)
  })
  state.items[slot] = savedItem
  state.index[slot] = savedIndex
  return writes
}

/**
 * Writes the block of a loop for each item, in the order that the loop sorts them in. Afterwards the slot holds what it
 * held before, because a loop may run inside another run of itself.
 */
function loop(plan: LoopPlan, emitting: Emit): void {
  const { state, out } = emitting
  const { slot, times, resets } = plan
  const items = itemsOf(resolve(plan.source, state))
  const order = plan.sort.length > 0 ? arrange(plan, items, state) : undefined
  const count = order?.length ?? items.length
  const { budget } = state.shared
  const savedItem = state.items[slot]
  const savedIndex = state.index[slot] ?? 0
  for (let n = 0; n < count; n += 1) {
    const index = order === undefined ? n : (order[n] ?? 0)
    const item = items[index]
    spend(budget)
    state.items[slot] = item
    state.index[slot] = index
    state.lengths[slot] = items.length
    if (order === undefined && !isWritten(plan, item, index, items.length, state)) continue
    const copies = times === undefined ? 1 : repeats(walk(item, times))
    for (let copy = 0; copy < copies; copy += 1) {
      if (copy > 0) spend(budget)
      for (const id of resets) state.conditions[id] = 0
      emit(plan.body, emitting)
    }
    if (out.size > emitting.outputBytes) {
      throw new AppError('template.output', { part: state.plan.name, limit: emitting.outputBytes })
    }
  }
  state.items[slot] = savedItem
  state.index[slot] = savedIndex
}

/** How often a value requests its item to be repeated; 0 for anything but a number. */
function repeats(value: unknown): number {
  const number =
    typeof value === 'number'
      ? value
      : Number(typeof value === 'string' && value.trim() !== '' ? value : Number.NaN)
  if (number > maxRepeats) throw new AppError('template.loop.repeat', { limit: maxRepeats })
  return Number.isNaN(number) ? 0 : Math.floor(number)
}

/** Whether a condition shows its tokens. It is evaluated once for each item of the loops around it. */
function condition(id: number, state: PartState): boolean {
  const evaluated = state.conditions[id] ?? 0
  if (evaluated !== 0) return evaluated === 1
  const plan = state.plan.conditions[id]
  const result = plan !== undefined && shows(plan, 0, state)
  state.conditions[id] = result ? 1 : 2
  return result
}

/**
 * Evaluates a condition for all items of the loops between the element and its tag. `level` is the first of these loops that has
 * no item yet.
 */
function shows(plan: ConditionPlan, level: number, state: PartState): boolean {
  const over = plan.over[level]
  if (over === undefined) {
    resetCondition(state)
    // For an item that the tag's own filter excludes, the tag has no value.
    const value = guardsPass(plan.value.guards, state)
      ? evaluate(plan.value, state)
      : runCalls(plan.value.calls, undefined, state)
    return holds(state.tag.condition, value) === plan.showsWhen
  }
  const items = itemsOf(resolve(over.source, state))
  const savedItem = state.items[over.slot]
  const savedIndex = state.index[over.slot] ?? 0
  const savedLength = state.lengths[over.slot] ?? 0
  const result = items.every((item, index) => {
    spend(state.shared.budget)
    state.items[over.slot] = item
    state.index[over.slot] = index
    state.lengths[over.slot] = items.length
    if (!isWritten(over, item, index, items.length, state)) return true
    if (over.times !== undefined && repeats(walk(item, over.times)) === 0) return true
    return shows(plan, level + 1, state)
  })
  state.items[over.slot] = savedItem
  state.index[over.slot] = savedIndex
  state.lengths[over.slot] = savedLength
  return result
}

/** The first copy keeps the value of the template. Later copies get numbers above those that editors assign. */
function unique(node: Extract<PlanNode, { kind: 'unique' }>, state: PartState): string {
  const { unique: counters } = state.shared
  const key = `${node.space}\u0000${node.original}`
  if (node.takes === 'same') return state.current.get(key) ?? node.original
  const copies = (counters.get(key) ?? 0) + 1
  counters.set(key, copies)
  let value = node.original
  if (copies > 1) {
    if (node.name) value = `${node.original}_${copies}`
    else {
      const highest = (counters.get(node.space) ?? firstFree) + 1
      counters.set(node.space, highest)
      value = String(highest)
    }
  }
  state.current.set(key, value)
  return value
}

/** Word processors number their objects from 1 and do not reach this number. */
const firstFree = 1_000_000
