/** The functions of the format that the plan of a part calls, as they are numbered while the plan is made. */
import type { Formatter } from '../formatters/formatter.ts'
import type { LineBreak } from '../rules.ts'
import type { ComputedToken, Recorder } from '../scan/tokens.ts'
import type { CompiledObject, PlanHooks, TagOutput } from './plan.ts'

/** Numbers the functions that a plan calls, so that the plan itself is plain data. */
export class HookTable implements PlanHooks {
  readonly computed: Pick<ComputedToken, 'compute' | 'measure'>[] = []
  readonly outputs: TagOutput[] = []
  readonly lineBreaks: LineBreak[] = []
  readonly recorders: Recorder[] = []
  readonly embedded: CompiledObject[] = []
  readonly formatters: Formatter[] = []
  readonly #formatterIds = new Map<Formatter, number>()
  /** Which recorder the computed token of a number has. The measuring pass reports the enclosing loops to it. */
  readonly recorderOf = new Map<number, number>()

  addComputed(token: ComputedToken): number {
    const id = this.computed.push(token) - 1
    if (token.recorder !== undefined) this.recorderOf.set(id, this.#recorder(token.recorder))
    return id
  }

  addOutput(output: TagOutput): number {
    return this.outputs.push(output) - 1
  }

  addLineBreak(lineBreak: LineBreak): number {
    return this.lineBreaks.push(lineBreak) - 1
  }

  addFormatter(formatter: Formatter): number {
    const existing = this.#formatterIds.get(formatter)
    if (existing !== undefined) return existing
    const id = this.formatters.push(formatter) - 1
    this.#formatterIds.set(formatter, id)
    return id
  }

  addEmbedded(object: CompiledObject): number {
    return this.embedded.push(object) - 1
  }

  #recorder(recorder: Recorder): number {
    const existing = this.recorders.indexOf(recorder)
    return existing >= 0 ? existing : this.recorders.push(recorder) - 1
  }
}
