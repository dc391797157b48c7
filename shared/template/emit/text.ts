/** Renders a plan to a text in memory, for names of files and other short texts beside the document. */
import type { Limits } from '../../limits.ts'
import type { PartWriter } from '../package-writer.ts'
import type { CompiledPart } from '../plan/plan.ts'
import { emit } from './emit.ts'
import { type EmitState, partState } from './state.ts'

/**
 * Returns what `emit` writes for one part. The parts of the document must have been written before, since the text may
 * use what they stored.
 */
export function renderText(part: CompiledPart, shared: EmitState, limits: Limits): string {
  const { plan } = part
  const { bytes, start } = plan.statics
  const decoder = new TextDecoder()
  let text = ''
  const out: PartWriter = {
    static: (id) => {
      text += decoder.decode(bytes.subarray(start[id] ?? 0, start[id + 1] ?? 0))
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
