/** The functions of the format that the plan of a part calls, as they are numbered while the plan is made. */
import type { Formatter } from '../formatters/formatter.ts'
import type { LineBreak } from '../rules.ts'
import type { ComputedToken, Recorder } from '../scan/tokens.ts'
import type { CompiledObject, Hooks, Output } from './plan.ts'

export class HookTable implements Hooks {
  readonly computed: Pick<ComputedToken, 'compute' | 'measure'>[] = []
  readonly outputs: Output[] = []
  readonly lineBreaks: LineBreak[] = []
  readonly recorders: Recorder[] = []
  readonly embedded: CompiledObject[] = []
  readonly formatters: Formatter[] = []
  readonly #formatterIds = new Map<Formatter, number>()
  /** Which recorder the computed token of a number has. The measuring pass tells it of the loops around. */
  readonly recorderOf = new Map<number, number>()

  addComputed(token: ComputedToken): number {
    const id = this.computed.push(token) - 1
    if (token.recorder !== undefined) this.recorderOf.set(id, this.#recorder(token.recorder))
    return id
  }

  addOutput(output: Output): number {
    return this.outputs.push(output) - 1
  }

  addLineBreak(lineBreak: LineBreak): number {
    return this.lineBreaks.push(lineBreak) - 1
  }

  addFormatter(formatter: Formatter): number {
    const known = this.#formatterIds.get(formatter)
    if (known !== undefined) return known
    const id = this.formatters.push(formatter) - 1
    this.#formatterIds.set(formatter, id)
    return id
  }

  addEmbedded(object: CompiledObject): number {
    return this.embedded.push(object) - 1
  }

  #recorder(recorder: Recorder): number {
    const known = this.recorders.indexOf(recorder)
    return known >= 0 ? known : this.recorders.push(recorder) - 1
  }
}
