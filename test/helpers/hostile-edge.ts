import { readFileSync } from 'node:fs'
import { edgeTarget } from './edge-target.ts'
import type { FuzzedRequest } from './fuzzed-bodies.ts'
import type { FuzzedFile } from './fuzzed-files.ts'
import { processesBelow } from './processes.ts'
import { slowdown } from './processor-time.ts'
import { sendFuzzed, wrongWith } from './send-fuzzed.ts'

/** The deadline of each render in milliseconds, and what an answer may take beyond it on a machine that does nothing else. */
const [renderTimeoutMs, graceMs] = [4_000, 5_000]
/** The heap of an isolate on the platform. Beyond it workerd dies, and the connection breaks. */
const heapMegabytes = 128

/** A Worker in workerd with the heap of the platform, to which hostile requests are sent. */
export async function startHostileEdge() {
  const variables = { SERVICE_RENDER_TIMEOUT: String(renderTimeoutMs) }
  let edge = await edgeTarget(variables, { heapMegabytes })
  const workerd = () => processesBelow(process.pid).find(({ args }) => args.includes('workerd'))?.pid
  return {
    /** The resident memory of workerd, in MB. */
    megabytes: () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${workerd()}/status`, 'utf8'))?.[1]) / 1024,
    /** What is wrong with the answer to a request; undefined for a document or an error of the catalogue, in time. */
    async wrongWith(request: FuzzedRequest): Promise<string | undefined> {
      const started = performance.now()
      const sent = await sendFuzzed(edge.url, request).then(
        (answer) => ({ wrong: wrongWith(answer) }),
        (error: unknown) => ({ wrong: String(error) }),
      )
      const ms = performance.now() - started
      if (workerd() === undefined) {
        await edge.stop()
        edge = await edgeTarget(variables, { heapMegabytes })
        return 'The isolate died.'
      }
      if (sent.wrong !== undefined || ms < renderTimeoutMs + graceMs) return sent.wrong
      const limit = renderTimeoutMs + graceMs * slowdown()
      return ms < limit ? undefined : `It took ${ms.toFixed(0)} ms.`
    },
    stop: () => edge.stop(),
  }
}

/** A render with this body. */
export const renderOf = (what: string, body: Uint8Array<ArrayBuffer>): FuzzedRequest => ({
  what,
  method: 'POST',
  path: '/render/template?download=true',
  headers: { 'content-type': 'application/json' },
  body,
  pieceBytes: 65_536,
})

/** A render of a bent file. Engines that the Worker lacks are not asked for by their letters. */
export function renderOfFile({ what, bytes, to, engine, merges }: FuzzedFile): FuzzedRequest {
  const body = {
    ...(merges && { data: {} }),
    template: Buffer.from(bytes).toString('base64'),
    convertTo: to,
    ...(engine === 'I' && { converter: engine }),
  }
  return renderOf(what, new TextEncoder().encode(JSON.stringify(body)))
}
