import { type ChildProcess, fork } from 'node:child_process'
import { mergePeers } from './peers/merge.ts'
import { markdownTable, median, quantile, short } from './statistics.ts'
import { type Workload, workloads } from './workloads.ts'

interface Answer {
  readonly times?: readonly number[]
  readonly size?: number
  readonly peakKb?: number
  readonly error?: string
}
interface Cell {
  readonly p50: number
  readonly p95: number
  readonly size: number
  readonly peakMb: number
}

const extensionsOf: Readonly<Record<string, readonly string[]>> = {
  platen: ['docx', 'xlsx', 'pptx'],
  carbone: ['docx', 'xlsx', 'pptx'],
  docxtemplater: ['docx', 'pptx'],
  'easy-template-x': ['docx'],
}

/**
 * Fills the same templates with every engine. Each round asks every peer in turn, so that a slow minute of the
 * machine hits all of them; the first round of each is thrown away. Peak memory comes from a fresh process.
 */
export async function mergeSuite(only: string | undefined): Promise<object> {
  const peers = new Map(Object.keys(mergePeers).map((name) => [name, start(name)]))
  const results: Record<string, Record<string, Cell>> = {}
  const chosen = workloads.filter((one) => only === undefined || one.name.includes(only))
  for (const workload of chosen) {
    const able = [...peers.keys()].filter((name) => extensionsOf[name]?.includes(workload.extension))
    const times = new Map<string, number[]>(able.map((name) => [name, []]))
    const sizes = new Map<string, number>()
    for (let round = 0; round <= workload.rounds; round++) {
      for (const name of able) {
        const answer = await ask(
          await (peers.get(name) as Promise<ChildProcess>),
          workload.name,
          workload.perRound,
        )
        if (answer.error !== undefined) throw new Error(`${name}, ${workload.name}: ${answer.error}`)
        if (round > 0) times.get(name)?.push(...(answer.times ?? []))
        sizes.set(name, answer.size ?? 0)
      }
    }
    results[workload.name] = {}
    for (const name of able) {
      const peakMb = await peakMemory(name, workload)
      const values = times.get(name) ?? []
      const cell = { p50: median(values), p95: quantile(values, 0.95), size: sizes.get(name) ?? 0, peakMb }
      ;(results[workload.name] as Record<string, Cell>)[name] = cell
    }
    console.error(`  ${workload.name}: done`)
  }
  for (const child of peers.values()) (await child).kill()
  print(results)
  return results
}

function print(results: Readonly<Record<string, Record<string, Cell>>>): void {
  const names = Object.keys(mergePeers)
  const head = ['ms p50 (p95) / peak MB / KB out', ...names, 'against the fastest peer']
  const rows = Object.entries(results).map(([workload, cells]) => {
    const ours = cells['platen']?.p50 ?? Number.NaN
    const others = Object.entries(cells).filter(([name]) => name !== 'platen')
    const fastest = Math.min(...others.map(([, cell]) => cell.p50))
    const texts = names.map((name) => {
      const cell = cells[name]
      if (cell === undefined) return '–'
      return `${short(cell.p50)} (${short(cell.p95)}) / ${cell.peakMb.toFixed(0)} / ${(cell.size / 1024).toFixed(0)}`
    })
    return [workload, ...texts, `${short(fastest / ours)} ×`]
  })
  console.log(`\n## Merge\n\n${markdownTable(head, rows)}`)
}

async function peakMemory(name: string, workload: Workload): Promise<number> {
  const child = await start(name)
  const answer = await ask(child, workload.name, 3)
  child.kill()
  return (answer.peakKb ?? 0) / 1024
}

function start(name: string): Promise<ChildProcess> {
  const child = fork(new URL('./peer-process.ts', import.meta.url), [name], { serialization: 'advanced' })
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child))
    child.once('exit', (code) => reject(new Error(`Peer ${name} ended with ${code}`)))
  })
}

function ask(child: ChildProcess, workload: string, runs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const died = () => reject(new Error('A peer process died.'))
    child.once('exit', died)
    child.once('message', (answer: Answer) => {
      child.off('exit', died)
      resolve(answer)
    })
    child.send({ workload, runs })
  })
}
