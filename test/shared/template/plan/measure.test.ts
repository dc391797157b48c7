import { describe, expect, it } from 'vitest'
import { HookTable } from '../../../../shared/template/plan/hooks.ts'
import { measurePlan } from '../../../../shared/template/plan/measure.ts'
import type { LoopPlan, PlanNode } from '../../../../shared/template/plan/plan.ts'
import type { ComputedToken, Recorder } from '../../../../shared/template/scan/tokens.ts'

const loop = (slot: number, body: readonly PlanNode[]): LoopPlan => ({
  kind: 'loop',
  slot,
  source: { base: 'd', steps: [], keys: [] },
  filters: [],
  sort: [],
  distinct: false,
  body,
  resets: [],
  tag: '{d[i]}',
})
const recorder: Recorder = { enter: () => undefined, leave: () => undefined }
const counting: ComputedToken = {
  kind: 'computed',
  offset: 0,
  compute: () => '',
  measure: () => undefined,
  recorder,
}
const plain: ComputedToken = { kind: 'computed', offset: 0, compute: () => '' }

describe('the measuring pass', () => {
  it('is what counts, with the loops around it', () => {
    const hooks = new HookTable()
    const counts: PlanNode = { kind: 'computed', hook: hooks.addComputed(counting) }
    const writes: PlanNode = { kind: 'computed', hook: hooks.addComputed(plain) }
    const text: PlanNode = { kind: 'static', id: 0 }
    const measured = measurePlan([text, loop(0, [text, counts]), loop(1, [writes])], hooks)
    expect(measured).toEqual([
      loop(0, [
        { kind: 'record', recorders: [0], enter: 0 },
        { kind: 'measure', hook: 0 },
        { kind: 'record', recorders: [0] },
      ]),
    ])
  })
  it('is not there when nothing counts', () =>
    expect(measurePlan([loop(0, [{ kind: 'static', id: 0 }])], new HookTable())).toBeUndefined())
})
