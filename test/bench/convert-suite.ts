import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { type ConvertPeer, processPerCallPeer, productPeer, unoLoopPeer } from './peers/convert.ts'
import { mergePeers } from './peers/merge.ts'
import { markdownTable, median, quantile, short } from './statistics.ts'
import { workloads } from './workloads.ts'

const documents = [
  { name: 'letter', rounds: 30 },
  { name: 'invoice 100 rows', rounds: 20 },
  { name: 'invoice 1,000 rows', rounds: 4 },
]

/** DOCX to PDF with engine L, against the bare loop over the same office and against one process for each call. */
export async function convertSuite(only: string | undefined): Promise<object> {
  const folder = temporaryFolder('bench-convert')
  const chosen = documents.filter(({ name }) => only === undefined || name.includes(only))
  const paths = new Map<string, string>()
  for (const { name } of chosen) paths.set(name, await writeDocument(folder, name))
  try {
    const latency = await latencies(chosen, paths)
    const throughput = await throughputs(paths)
    return { latency, throughput }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function latencies(chosen: typeof documents, paths: ReadonlyMap<string, string>): Promise<object> {
  const peers: Record<string, ConvertPeer> = {
    'engine L': await productPeer('L', 1),
    'bare UNO loop': await unoLoopPeer(1),
    'libreoffice-convert': await processPerCallPeer(),
  }
  const figures: Record<string, Record<string, number[]>> = {}
  for (const { name, rounds } of chosen) {
    const times: Record<string, number[]> = Object.fromEntries(Object.keys(peers).map((peer) => [peer, []]))
    for (let round = -2; round < rounds; round++) {
      for (const [peerName, peer] of Object.entries(peers)) {
        // A process for each call takes seconds: a few rounds are enough to see that.
        if (peerName === 'libreoffice-convert' && (round < 0 || round >= 3)) continue
        const started = performance.now()
        await peer.convert(paths.get(name) ?? '')
        if (round >= 0) times[peerName]?.push(performance.now() - started)
      }
    }
    figures[name] = times
  }
  for (const peer of Object.values(peers)) await peer.stop()
  const rows = Object.entries(figures).map(([name, times]) => {
    const p50 = Object.values(times).map((values) => median(values))
    const cells = Object.values(times).map(
      (values) => `${short(median(values))} (${short(quantile(values, 0.95))})`,
    )
    return [
      name,
      ...cells,
      `${short((p50[0] ?? 0) / (p50[1] ?? 1))} ×`,
      `${short((p50[2] ?? 0) / (p50[0] ?? 1))} ×`,
    ]
  })
  const head = ['ms p50 (p95)', ...Object.keys(peers), 'L / bare loop', 'process per call / L']
  console.log(`\n## DOCX to PDF, one caller\n\n${markdownTable(head, rows)}`)
  return figures
}

/** Four callers at once, one and two processes, of the product and of the bare loop. */
async function throughputs(paths: ReadonlyMap<string, string>): Promise<object> {
  const rows: string[][] = []
  const figures: Record<string, unknown> = {}
  for (const [name, path] of paths) {
    if (name.includes('1,000')) continue
    const count = name === 'letter' ? 80 : 40
    // One at a time: two services do not share a process outside of this bench.
    const peers: Record<string, () => Promise<ConvertPeer>> = {
      'L 1': () => productPeer('L', 1),
      'L 2': () => productPeer('L', 2),
      'bare 1': () => unoLoopPeer(1),
      'bare 2': () => unoLoopPeer(2),
    }
    const rates: Record<string, number[]> = Object.fromEntries(Object.keys(peers).map((peer) => [peer, []]))
    for (let round = 0; round < 3; round++) {
      for (const [peerName, open] of Object.entries(peers)) {
        const peer = await open()
        await perSecond(peer, path, 12) // warm
        rates[peerName]?.push(await perSecond(peer, path, count))
        await peer.stop()
      }
    }
    const at = (peer: string) => median(rates[peer] ?? [])
    rows.push([
      name,
      ...Object.keys(peers).map((peer) => short(at(peer))),
      `${short(at('L 2') / at('L 1'))} ×`,
      `${short(at('bare 2') / at('bare 1'))} ×`,
    ])
    figures[name] = rates
  }
  const head = [
    'documents/s, 4 callers',
    'L, 1 factory',
    'L, 2 factories',
    'bare, 1',
    'bare, 2',
    'L 2/1',
    'bare 2/1',
  ]
  console.log(`\n## DOCX to PDF, throughput\n\n${markdownTable(head, rows)}`)
  return figures
}

async function perSecond(peer: ConvertPeer, path: string, count: number): Promise<number> {
  const started = performance.now()
  let left = count
  const caller = async () => {
    while (left-- > 0) await peer.convert(path)
  }
  await Promise.all([caller(), caller(), caller(), caller()])
  return (count * 1000) / (performance.now() - started)
}

async function writeDocument(folder: string, name: string): Promise<string> {
  const workload = workloads.find((one) => one.name === name)
  if (workload === undefined) throw new Error(`No such workload: ${name}`)
  const peer = await mergePeers['platen']?.()
  const run = await peer?.prepare(await workload.template('paths'), 'docx')
  const path = join(folder, `${name.replace(/\W/g, '-')}.docx`)
  writeFileSync(path, (await run?.(workload.data())) ?? new Uint8Array())
  return path
}
