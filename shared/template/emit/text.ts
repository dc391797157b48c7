/** Renders a plan to a text in memory, for names of files and other short texts beside the document. */
import type { Limits } from '../limits.ts'
import type { PartWriter } from '../package.ts'
import type { CompiledPart } from '../plan/plan.ts'
import { emit } from './emit.ts'
import { partState, type RenderState } from './state.ts'

export function renderText(part: CompiledPart, shared: RenderState, limits: Limits): string {
  const { plan } = part
  const { bytes, start } = plan.statics
  const decoder = new TextDecoder()
  let text = ''
  const out: PartWriter = {
    static: (id) => {
      text += decoder.decode(bytes.subarray(start[id]!, start[id + 1]!))
    },
    text: (chunk) => {
      text += chunk
    },
    get size() {
      return text.length
    },
    end: () => undefined,
  }
  emit(plan.nodes, { state: partState(shared, part), out, outputBytes: limits.outputBytes })
  return text
}
