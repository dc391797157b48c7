/**
 * Prints the results of the compiler passes as text, for `platen plan template.docx` and the cases in test/cases/plan. The
 * format is for people only; no other code parses it.
 */
import type { ScopedPart } from './bind/bind.ts'
import type { TokenRange } from './bind/columns.ts'
import type { PartStages } from './compile.ts'
import type { ElementTree } from './nest/tree.ts'
import type {
  ArgPlan,
  CallPlan,
  CompiledPart,
  FilterPlan,
  LevelPlan,
  LoopPlan,
  PathPlan,
  PlanNode,
  SetPlan,
  SumPlan,
  TargetStep,
  ValuePlan,
} from './plan/plan.ts'
import type { Token } from './scan/tokens.ts'

/** The passes whose results can be printed, in their order. */
export const stageNames = ['tokens', 'tree', 'scopes', 'plan'] as const
export type StageName = (typeof stageNames)[number]

/** The stages of one part under headings, in the order of the passes. */
export function dumpPart({ scoped, compiled }: PartStages, stages: readonly StageName[]): string {
  const { tree, part } = scoped.context
  const lines: Readonly<Record<StageName, () => readonly string[]>> = {
    tokens: () => dumpTokens(tree.tokens),
    tree: () => dumpTree(tree),
    scopes: () => dumpScopes(scoped),
    plan: () => dumpPlan(compiled),
  }
  return [`# ${part}`, ...stages.flatMap((stage) => ['', `## ${stage}`, ...lines[stage]()])].join('\n')
}

const maxText = 100
/** Quotes a text and shortens a long one in the middle. */
function quoted(text: string): string {
  const short = text.length <= maxText ? text : `${text.slice(0, maxText - 30)} … ${text.slice(-27)}`
  return JSON.stringify(short)
}

/** Prints one token per line: its index, kind, and markup, text or tag. */
export const dumpTokens = (tokens: readonly Token[]): string[] =>
  tokens.map((token, index) => `${String(index).padStart(4)} ${describeToken(token)}`)

function describeToken(token: Token): string {
  if (token.kind === 'tag') {
    const output = token.output === undefined ? '' : ' written by the format'
    return `tag   {${token.text}} as ${token.context}${output}`
  }
  if (token.kind === 'computed') return token.embedded === undefined ? 'computed' : 'computed embedded object'
  if (token.kind === 'text') return `${token.markup === true ? 'more ' : 'text '} ${quoted(token.raw)}`
  return `${token.kind.padEnd(5)} ${token.name} ${quoted(token.raw)}`
}

/** Prints elements with their token ranges [start, stop) and the tags in them. */
export function dumpTree(tree: ElementTree): string[] {
  const depth: number[] = []
  return tree.tokens.flatMap((token, index) => {
    const level = 1 + (depth[tree.parentOf(index)] ?? 0)
    depth[index] = level
    const indent = '  '.repeat(level)
    const name = tree.nameOf(index)
    if (name !== undefined) return [`${indent}${name} ${index}..${tree.indexAfter(index)}`]
    return token.kind === 'tag' ? [`${indent}{${token.text}} ${index}`] : []
  })
}

/** Prints loops and guards with the tokens that they apply to. */
function dumpScopes(scoped: ScopedPart): string[] {
  const { loops, guards, resets, mergedCells, gridLoops, widths } = scoped
  const range = ({ start, stop }: TokenRange) => `${start}..${stop}`
  return [
    ...loops.map((loop) => {
      const outerLoop = loop.parent === undefined ? '' : ` in loop ${loop.parent.index}`
      const clears = resets.get(loop.index) ?? []
      const cleared = clears.length === 0 ? '' : `, clears conditions ${clears.join(' ')}`
      return `loop ${loop.index}${outerLoop} over ${loop.key}: tokens ${range(loop)}, marker ${range(loop.marker)}, slot ${loop.slot}${cleared}`
    }),
    ...guards.map((guard, id) => {
      const standIn = guard.standIn === undefined ? '' : `, else ${quoted(guard.standIn.markup)}`
      return `condition ${id} {${guard.tag.token.text}} shows when ${guard.keepsWhen}: tokens ${guard.ranges.map(range).join(' ')}${standIn}`
    }),
    ...[...gridLoops].map(([token, loop]) => `column entry ${token} repeats with loop ${loop.index}`),
    ...[...widths.values()].map(({ at: token, columns }) => {
      const loops = columns.grows.map(({ index }) => ` and those of loop ${index}`).join('')
      return `column count at token ${token}: ${columns.span}${loops}`
    }),
    ...[...mergedCells].map(([token, flag]) => `merged cell at token ${token} begins once per flag ${flag}`),
  ]
}

/** Prints the nodes, then the conditions and the nodes of the measuring pass that they refer to by number. */
export function dumpPlan(part: CompiledPart): string[] {
  const { plan } = part
  return [
    ...plan.sets.map((set) => `  ${describeSet(set)}`),
    ...dumpNodes(plan.nodes, part, '  '),
    ...plan.conditions.flatMap(({ showsWhen, value, over }, id) => [
      `condition ${id} is ${showsWhen}: ${describeValue(value)}`,
      ...over.map((level) => `  for every item of ${describeLevel(level)}`),
    ]),
    ...(plan.measure === undefined ? [] : ['measuring pass', ...dumpNodes(plan.measure, part, '  ')]),
  ]
}

function dumpNodes(nodes: readonly PlanNode[], part: CompiledPart, indent: string): string[] {
  return nodes.flatMap((node) => dumpNode(node, part, indent))
}

function dumpNode(node: PlanNode, part: CompiledPart, indent: string): string[] {
  const { hooks } = part
  const line = (text: string) => `${indent}${text}`
  const segment = (id: number) => quoted(segmentText(part, id))
  const dumpBody = (body: readonly PlanNode[]) => dumpNodes(body, part, `${indent}  `)
  switch (node.kind) {
    case 'static':
      return [line(`static ${segment(node.id)}`)]
    case 'value': {
      const output = node.output === undefined ? '' : `, written by hook ${node.output}`
      const measured = node.measured === true ? ', measured' : ''
      return [line(`value ${describeValue(node.value)} as ${node.escape}${output}${measured}`)]
    }
    case 'loop':
      return [line(describeLoop(node)), ...dumpBody(node.body)]
    case 'when':
      return [line(`when ${node.conditions.join(' and ')}`), ...dumpBody(node.body)]
    case 'otherwise':
      return [line(`unless ${node.condition} static ${segment(node.id)}`)]
    case 'first-or-later':
      return [line(`first of flag ${node.flag} static ${segment(node.first)}, later ${segment(node.later)}`)]
    case 'columns': {
      const dropped = node.dropped.map(({ condition, by }) => ` less ${by} unless ${condition}`).join('')
      const grows = node.grows.map((loop) => ` and ${describePath(loop.source)}`).join('')
      return [line(`columns ${node.span}${dropped}${grows}`), ...dumpBody(node.body ?? [])]
    }
    case 'filled': {
      const otherwise = node.otherwise === undefined ? '' : `, else static ${segment(node.otherwise)}`
      return [line(`if filled${otherwise}`), ...dumpBody(node.body)]
    }
    case 'translate':
      return [line(`translate ${quoted(node.key)} as ${node.escape}`)]
    case 'unique':
      return [line(`unique ${node.space} ${node.takes} ${quoted(node.original)}`)]
    case 'embedded': {
      const packages = hooks.embedded[node.hook]?.packages ?? []
      const embeddedParts = packages
        .flat()
        .flatMap((part) => [
          line(`  # ${part.plan.name}`),
          ...dumpPlan(part).map((text) => line(`  ${text}`)),
        ])
      return [line('embedded object'), ...embeddedParts]
    }
    case 'computed':
      return [line(`computed by hook ${node.hook}`)]
    case 'measure':
      return [line(`measure by hook ${node.hook}`)]
    case 'record': {
      const recorders = node.recorders.join(' ')
      return [line(node.enter === undefined ? `leave ${recorders}` : `enter ${recorders} slot ${node.enter}`)]
    }
    default:
      return node satisfies never
  }
}

function segmentText({ plan }: CompiledPart, id: number): string {
  const { bytes, start } = plan.statics
  return new TextDecoder().decode(bytes.subarray(start[id], start[id + 1]))
}

function describeLoop({ slot, source, filters, shown, sort, distinct, times, resets }: LoopPlan): string {
  const by = sort.map((names) => names.join('.')).join(', ')
  return [
    `loop slot ${slot} over ${describePath(source)}`,
    filters.length === 0 ? '' : `where ${describeFilters(filters)}`,
    shown === undefined ? '' : `showing ${shown.map(describeFilters).join(' or ')}`,
    by === '' ? '' : `${distinct ? 'grouped' : 'sorted'} by ${by}`,
    times === undefined ? '' : `times .${times.join('.')}`,
    resets.length === 0 ? '' : `clearing ${resets.join(' ')}`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

function describeValue({ path, calls, guards, aggregate }: ValuePlan): string {
  const from =
    aggregate === undefined
      ? describePath(path)
      : [
          `${aggregate.name}(${describePath(aggregate.item)}${aggregate.before.map(describeCall).join('')})`,
          ...aggregate.levels.map((level) => `over ${describeLevel(level)}`),
          aggregate.keys.length === 0 ? '' : `by ${aggregate.keys.map(describeArg).join(', ')}`,
        ]
          .filter((text) => text !== '')
          .join(' ')
  const only = guards.map(({ slot, filters }) => ` if item ${slot} has ${describeFilters(filters)}`).join('')
  return from + calls.map(describeCall).join('') + only
}

const describeLevel = ({ slot, source, filters }: LevelPlan): string =>
  `${describePath(source)} slot ${slot}${filters.length === 0 ? '' : ` where ${describeFilters(filters)}`}`

const describeCall = ({ formatter, args }: CallPlan): string =>
  ` | ${formatter}${args.length === 0 ? '' : `(${args.map(describeArg).join(', ')})`}`

function describeArg(arg: ArgPlan): string {
  switch (arg.kind) {
    case 'constant':
      return JSON.stringify(arg.value) ?? 'nothing'
    case 'path':
      return describePath(arg.path)
    case 'index':
      return `index ${arg.slot}`
    case 'translated':
      return arg.parts
        .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : `t(${part})`))
        .join(' + ')
    case 'sum':
      return `[${arg.items.map(describeSum).join(' ')}]`
    default:
      return arg satisfies never
  }
}

function describeSum(item: SumPlan): string {
  if (item.kind === 'number') return String(item.value)
  if (item.kind === 'path') return describePath(item.path)
  return item.kind === 'index' ? `index ${item.slot}` : item.operator
}

/** `d.a.b`, or `item 0 .a` for a path that starts from the item of a loop. */
function describePath({ base, steps }: PathPlan): string {
  const from = typeof base === 'number' ? `item ${base} ` : base
  return (
    from +
    steps
      .map((step) => {
        if (step.kind === 'key') return `.${step.name}`
        if (step.kind === 'at') return `[${step.index}]`
        return step.kind === 'parallel'
          ? `[index ${step.slot}]`
          : `[first where ${describeFilters(step.filters)}]`
      })
      .join('')
  ).trimEnd()
}

const describeFilters = (filters: readonly FilterPlan[]): string =>
  filters.length === 0 ? 'anything' : filters.map(describeFilter).join(' and ')

function describeFilter({ left, operator, right }: FilterPlan): string {
  const value =
    right.kind === 'constant'
      ? right.quoted
        ? `'${right.text}'`
        : right.text
      : right.kind === 'item'
        ? `.${right.keys.join('.')}`
        : describePath(right.path)
  return `${left === undefined ? 'index' : `.${left.join('.')}`} ${operator} ${value}`
}

function describeSet({ value, target, levels }: SetPlan): string {
  const over = levels.map((level) => ` for ${describeLevel(level)}`).join('')
  return `set ${describePath(target.base)}${target.steps.map(describeTarget).join('')} = ${describeValue(value)}${over}`
}

function describeTarget({ name, item }: TargetStep): string {
  if (item === undefined) return `.${name}`
  if (item.append) return `.${name}[]`
  return `.${name}[${item.match.map(({ key, value }) => `${key} = ${describeArg(value)}`).join(', ')}]`
}
