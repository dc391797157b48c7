/**
 * The measuring pass: the part of a plan that decides where things go, which is its loops, its conditions and the tokens
 * that count. Running it alone costs little and gives every position before anything is written.
 */
import type { HookTable } from './hooks.ts'
import type { PlanNode } from './plan.ts'

/** Undefined when nothing counts. */
export function measurePlan(nodes: readonly PlanNode[], hooks: HookTable): readonly PlanNode[] | undefined {
  const measured = keep(nodes, hooks)
  return measured.nodes.length === 0 ? undefined : measured.nodes
}

interface Kept {
  readonly nodes: readonly PlanNode[]
  /** The recorders of the tokens in `nodes`: the loops around are reported to them. */
  readonly recorders: ReadonlySet<number>
}

function keep(nodes: readonly PlanNode[], hooks: HookTable): Kept {
  const out: PlanNode[] = []
  const recorders = new Set<number>()
  const inside = (body: readonly PlanNode[]): Kept => {
    const kept = keep(body, hooks)
    for (const recorder of kept.recorders) recorders.add(recorder)
    return kept
  }
  for (const node of nodes) {
    if (node.kind === 'computed') {
      if (hooks.computed[node.hook]?.measure === undefined) continue
      const recorder = hooks.recorderOf.get(node.hook)
      if (recorder !== undefined) recorders.add(recorder)
      out.push({ kind: 'measure', hook: node.hook })
    } else if (node.kind === 'value') {
      if (node.measured === true) out.push(node)
    } else if (node.kind === 'columns') {
      const kept = inside(node.body ?? [])
      if (kept.nodes.length > 0) out.push({ ...node, body: kept.nodes })
    } else if (node.kind === 'when' || node.kind === 'filled') {
      const kept = inside(node.body)
      if (kept.nodes.length > 0) out.push({ ...node, body: kept.nodes })
    } else if (node.kind === 'loop') {
      const kept = inside(node.body)
      if (kept.nodes.length === 0) continue
      const enter: PlanNode = { kind: 'record', recorders: [...kept.recorders], enter: node.slot }
      const leave: PlanNode = { kind: 'record', recorders: [...kept.recorders] }
      out.push({ ...node, body: [enter, ...kept.nodes, leave] })
    }
  }
  return { nodes: out, recorders }
}
