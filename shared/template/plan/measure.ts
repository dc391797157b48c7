/**
 * The measuring pass: the nodes of a plan that determine positions, which are loops, conditions and the computed tokens
 * that measure. Running them alone costs little and yields every position before anything is written.
 */
import type { HookTable } from './hooks.ts'
import type { PlanNode } from './plan.ts'

/** The nodes of the measuring pass; undefined when no token measures. */
export function measurePlan(nodes: readonly PlanNode[], hooks: HookTable): readonly PlanNode[] | undefined {
  const measured = keep(nodes, hooks)
  return measured.nodes.length === 0 ? undefined : measured.nodes
}

interface MeasuredNodes {
  readonly nodes: readonly PlanNode[]
  /** The recorders of the tokens in `nodes`: the loops around are reported to them. */
  readonly recorders: ReadonlySet<number>
}

function keep(nodes: readonly PlanNode[], hooks: HookTable): MeasuredNodes {
  const measuredNodes: PlanNode[] = []
  const recorders = new Set<number>()
  const measureBody = (body: readonly PlanNode[]): MeasuredNodes => {
    const measured = keep(body, hooks)
    for (const recorder of measured.recorders) recorders.add(recorder)
    return measured
  }
  for (const node of nodes) {
    if (node.kind === 'computed') {
      if (hooks.computed[node.hook]?.measure === undefined) continue
      const recorder = hooks.recorderOf.get(node.hook)
      if (recorder !== undefined) recorders.add(recorder)
      measuredNodes.push({ kind: 'measure', hook: node.hook })
    } else if (node.kind === 'value') {
      if (node.measured === true) measuredNodes.push(node)
    } else if (node.kind === 'columns') {
      const measured = measureBody(node.body ?? [])
      if (measured.nodes.length > 0) measuredNodes.push({ ...node, body: measured.nodes })
    } else if (node.kind === 'when' || node.kind === 'filled') {
      const measured = measureBody(node.body)
      if (measured.nodes.length > 0) measuredNodes.push({ ...node, body: measured.nodes })
    } else if (node.kind === 'loop') {
      const measured = measureBody(node.body)
      if (measured.nodes.length === 0) continue
      const enter: PlanNode = { kind: 'record', recorders: [...measured.recorders], enter: node.slot }
      const leave: PlanNode = { kind: 'record', recorders: [...measured.recorders] }
      measuredNodes.push({ ...node, body: [enter, ...measured.nodes, leave] })
    }
  }
  return { nodes: measuredNodes, recorders }
}
