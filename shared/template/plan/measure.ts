/**
 * The part of a plan that decides where things go: loops, conditions and the pieces that count. Running it alone costs
 * little and tells every position before anything is written.
 */

import type { Recorder } from '../scan/tokens.ts'
import type { RenderScope } from '../scope.ts'
import type { PlanNode } from './plan.ts'

/** Undefined when nothing counts. */
export function measured(nodes: readonly PlanNode[]): readonly PlanNode[] | undefined {
  const found = keep(nodes)
  return found.nodes.length === 0 ? undefined : found.nodes
}

interface Kept {
  readonly nodes: readonly PlanNode[]
  readonly recorders: ReadonlySet<Recorder>
}

function keep(nodes: readonly PlanNode[]): Kept {
  const out: PlanNode[] = []
  const recorders = new Set<Recorder>()
  for (const node of nodes) {
    if (node.kind === 'computed') {
      const { measure, recorder } = node
      if (measure === undefined) continue
      if (recorder !== undefined) recorders.add(recorder)
      out.push(silent(measure))
    } else if (node.kind === 'value') {
      if (node.measured === true) out.push(node)
    } else if (node.kind === 'columns') {
      const inside = keep(node.body ?? [])
      for (const recorder of inside.recorders) recorders.add(recorder)
      if (inside.nodes.length > 0) out.push({ ...node, body: inside.nodes })
    } else if (node.kind === 'when' || node.kind === 'loop' || node.kind === 'filled') {
      const inside = keep(node.body)
      if (inside.nodes.length === 0) continue
      for (const recorder of inside.recorders) recorders.add(recorder)
      if (node.kind !== 'loop') out.push({ ...node, body: inside.nodes })
      else
        out.push({
          ...node,
          body: [enter(inside.recorders, node.slot), ...inside.nodes, leave(inside.recorders)],
        })
    }
  }
  return { nodes: out, recorders }
}

function silent(act: (scope: RenderScope) => void): PlanNode {
  return {
    kind: 'computed',
    compute: (scope) => {
      act(scope)
      return ''
    },
  }
}

const enter = (recorders: ReadonlySet<Recorder>, loop: number): PlanNode =>
  silent((scope) => {
    for (const recorder of recorders) recorder.enter(scope, loop)
  })

const leave = (recorders: ReadonlySet<Recorder>): PlanNode =>
  silent((scope) => {
    for (const recorder of recorders) recorder.leave(scope)
  })
