/**
 * One peer in a process of its own, so that neither its garbage nor its compiled code weighs on the others. Loads one
 * workload at a time and answers timed runs.
 */
import { mergePeers } from './peers/merge.ts'
import { workloads } from './workloads.ts'

interface Request {
  readonly workload: string
  readonly runs: number
}

const make = mergePeers[process.argv[2] ?? '']
if (make === undefined) throw new Error(`No such peer: ${process.argv[2]}`)
const peer = await make()
const prepared = new Map<string, (data: unknown) => Promise<Uint8Array>>()

process.on('message', async ({ workload: name, runs }: Request) => {
  try {
    const workload = workloads.find((one) => one.name === name)
    if (workload === undefined) throw new Error(`No such workload: ${name}`)
    let run = prepared.get(name)
    if (run === undefined) {
      run = await peer.prepare(await workload.template(peer.style), workload.extension)
      prepared.set(name, run)
    }
    const times: number[] = []
    let size = 0
    for (let n = 0; n < runs; n++) {
      const data = workload.data()
      const started = performance.now()
      const document = await run(data)
      times.push(performance.now() - started)
      size = document.byteLength
    }
    process.send?.({ times, size, peakKb: process.resourceUsage().maxRSS })
  } catch (error) {
    process.send?.({ error: (error as Error).message })
  }
})
process.send?.({ ready: true, idleKb: process.resourceUsage().maxRSS })
