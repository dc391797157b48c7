import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { machineFontsNow } from '../../origin/fonts/index.ts'
import { formats } from '../../origin/formats.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { type ConvertPeer, unoLoopPeer } from './peers/convert.ts'
import { mergePeers } from './peers/merge.ts'
import { markdownTable, median, quantile, short } from './statistics.ts'
import { engineAlone } from './workerd/engine-alone.ts'
import { workerdEngine } from './workerd/process.ts'
import { workloads } from './workloads.ts'

/**
 * V8 compiles what a document needs step by step, until it has seen some 200 small ones. `warmUp` is the number of documents that
 * come before the measured ones. Their times at the `early` document are measured as well: those of a service just started.
 */
const documents = [
  { name: 'letter', warmUp: 200, rounds: 30, bar: 20 },
  { name: 'invoice 100 rows', warmUp: 100, rounds: 20, bar: 25 },
  { name: 'invoice 1,000 rows', warmUp: 30, rounds: 6, bar: 35 },
  { name: 'sheet 100 rows', warmUp: 200, rounds: 20, bar: 10 },
  { name: 'slides', warmUp: 200, rounds: 20, bar: 10 },
  { name: 'XLSX 10,000 × 8', warmUp: 30, rounds: 4, bar: 15 },
]
const early = 30
const mb = 1024 * 1024

/**
 * DOCX, XLSX and PPTX to PDF with engine I in this process, against the bare UNO loop in turn; merge and PDF of the letter together;
 * pages a second; the first document of a fresh process; and the same in workerd, with its memory.
 */
export async function instantSuite(only: string | undefined): Promise<object> {
  const folder = temporaryFolder('bench-instant')
  const chosen = documents.filter(({ name }) => only === undefined || name.includes(only))
  try {
    const paths = new Map<string, string>()
    for (const { name } of chosen) paths.set(name, await writeDocument(folder, name))
    const figures = {
      latency: await latencies(chosen, paths, folder),
      together: await together(),
      first: await firstDocument(paths.get('letter') ?? [...paths.values()][0]!),
      heap: await heapNeeded(chosen.at(-1)!.name, paths),
      workerd: await inWorkerd(chosen, paths),
      isolate: await isolateNeeded(chosen.at(-1)!.name, paths),
    }
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function enginePeer(dataDir: string): ConvertPeer & { pdf(bytes: Uint8Array): Promise<Uint8Array> } {
  const pdf = engineAlone({ formats, codec: nodeCodec, fonts: machineFontsNow({ dataDir })() })
  return { pdf, convert: async (path) => void (await pdf(readFileSync(path))), stop: async () => undefined }
}

/** Times of one document in ms: `early` and `own` of engine I, `loop` of LibreOffice. */
interface Latencies {
  readonly early: readonly number[]
  readonly own: readonly number[]
  readonly loop: readonly number[]
  readonly pages: number
}

async function latencies(
  chosen: typeof documents,
  paths: ReadonlyMap<string, string>,
  folder: string,
): Promise<object> {
  const mine = enginePeer(folder)
  const loop = await unoLoopPeer(1)
  const figures: Record<string, Latencies> = {}
  for (const { name, warmUp, rounds } of chosen) {
    const path = paths.get(name)!
    const times = { early: [] as number[], own: [] as number[], loop: [] as number[] }
    for (let round = -warmUp; round < rounds; round++) {
      const started = performance.now()
      await mine.convert(path)
      const between = performance.now()
      const seen = warmUp + round
      if (seen >= early - 10 && seen < early) times.early.push(between - started)
      if (round < -2) continue
      await loop.convert(path)
      if (round < 0) continue
      times.own.push(between - started)
      times.loop.push(performance.now() - between)
    }
    const pdf = await mine.pdf(readFileSync(path))
    const file = join(folder, 'pages.pdf')
    writeFileSync(file, pdf)
    const said = execFileSync('pdfinfo', [file], { encoding: 'utf8' })
    const pages = Number(/^Pages:\s+(\d+)/m.exec(said)?.[1])
    figures[name] = { ...times, pages }
  }
  await loop.stop()
  const rows = chosen.map(({ name, bar }) => {
    const { early: first, own, loop: other, pages } = figures[name]!
    return [
      name,
      short(median(first)),
      `${short(median(own))} (${short(quantile(own, 0.95))})`,
      `${short(median(other))} (${short(quantile(other, 0.95))})`,
      `${short(median(other) / median(own))} ×`,
      `${bar} ×`,
      short((pages * 1000) / median(own)),
    ]
  })
  const head = [
    'ms p50 (p95)',
    `documents ${early - 9} to ${early}`,
    'engine I',
    'bare UNO loop',
    'loop / I',
    'bar',
    'pages/s',
  ]
  console.log(`\n## DOCX and XLSX to PDF by the built-in engine\n\n${markdownTable(head, rows)}`)
  return figures
}

/** Merge and PDF of the letter, as one render does them. */
async function together(): Promise<object> {
  const workload = workloads.find(({ name }) => name === 'letter')!
  const peer = await mergePeers['platen']?.()
  const merge = await peer?.prepare(await workload.template('paths'), 'docx')
  const folder = temporaryFolder('bench-together')
  const mine = enginePeer(folder)
  const times: number[] = []
  for (let round = -10; round < 60; round++) {
    const started = performance.now()
    await mine.pdf((await merge?.(workload.data())) ?? new Uint8Array())
    if (round >= 0) times.push(performance.now() - started)
  }
  rmSync(folder, { recursive: true, force: true })
  console.log(
    `\nMerge and PDF of the letter: p50 ${short(median(times))} ms, p95 ${short(quantile(times, 0.95))} ms (bar 12).`,
  )
  return { times }
}

/** From the start of the work in a fresh process to the first PDF; fonts are indexed, nothing else is warm. */
async function firstDocument(path: string): Promise<object> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) times.push(Number(await own([], ['first', path])))
  console.log(`\nFirst document of a fresh process: p50 ${short(median(times))} ms (bar 300).`)
  return { times }
}

/**
 * What an isolate of 128 MB is left with: the smallest heap in which the longest document is laid out, and the bytes
 * beside the heap at the end. The resident size of workerd says little, since nothing presses it to collect.
 */
async function heapNeeded(name: string, paths: ReadonlyMap<string, string>): Promise<object> {
  for (const heap of [24, 32, 48, 64, 80, 96, 128]) {
    const limits = [`--max-old-space-size=${heap}`, '--max-semi-space-size=4']
    const said = await own(limits, ['memory', paths.get(name)!]).catch(() => undefined)
    if (said === undefined) continue
    const beside = Number(said) / mb
    console.log(
      `\n${name}: laid out in a heap of ${heap} MB, ${short(beside)} MB beside it (bar 96 together).`,
    )
    return { heap, beside }
  }
  console.log(`\n${name}: needs a heap of more than 128 MB (bar 96).`)
  return { heap: 'more than 128' }
}

/** Runs this file in a process of its own; what it prints. */
function own(flags: readonly string[], args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const file = new URL(import.meta.url).pathname
    const child = spawn(process.execPath, [...flags, file, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    child.once('exit', (code) => (code === 0 ? resolve(text) : reject(new Error('The process failed.'))))
  })
}

/**
 * The engine in workerd against the engine here, in turn. The clock of workerd stands still while it works, and a request
 * has costs of its own: what a request of many conversions takes longer than one of a single conversion is the engine's.
 */
async function inWorkerd(chosen: typeof documents, paths: ReadonlyMap<string, string>): Promise<object> {
  const folder = temporaryFolder('bench-workerd')
  const mine = enginePeer(folder)
  const here = async (bytes: Uint8Array, times: number) => {
    for (let n = 0; n < times; n++) await mine.pdf(bytes)
  }
  const edge = await workerdEngine()
  const figures: Record<string, object> = {}
  const rows: string[][] = []
  try {
    for (const { name } of chosen) {
      const bytes = readFileSync(paths.get(name)!)
      const more = name.includes(',000') ? 4 : 20
      const own: Spent[] = []
      const theirs: Spent[] = []
      for (let round = -warmRounds; round < measuredRounds; round++) {
        const node = await spent(nodeCpu, () => here(bytes, more))
        const one = await spent(edge.cpu, () => edge.convert(bytes, 1))
        const many = await spent(edge.cpu, () => edge.convert(bytes, 1 + more))
        if (round < 0) continue
        own.push({ wall: node.wall / more, cpu: node.cpu / more })
        theirs.push({ wall: (many.wall - one.wall) / more, cpu: (many.cpu - one.cpu) / more })
      }
      figures[name] = { own, theirs }
      const of = (list: readonly Spent[], what: keyof Spent) => median(list.map((one) => one[what]))
      rows.push([
        name,
        short(of(own, 'wall')),
        short(of(theirs, 'wall')),
        `${short(of(theirs, 'wall') / of(own, 'wall'))} ×`,
        `${short(of(theirs, 'cpu') / of(own, 'cpu'))} ×`,
      ])
    }
  } finally {
    await edge.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const head = [
    'ms p50',
    'engine in Node',
    'engine in workerd',
    'workerd / Node (bar 1.6)',
    'the same in CPU time',
  ]
  console.log(`\n## In workerd\n\n${markdownTable(head, rows)}`)
  return figures
}

/** The smallest heap of the isolate in which the longest document is laid out, three times over. */
async function isolateNeeded(name: string, paths: ReadonlyMap<string, string>): Promise<object> {
  const bytes = readFileSync(paths.get(name)!)
  for (const heap of [24, 32, 48, 64, 80, 96, 128]) {
    const edge = await workerdEngine({ heap }).catch(() => undefined)
    const resident = edge?.memory() ?? 0
    const done = await edge?.convert(bytes, 3).then(
      () => true,
      () => false,
    )
    const grown = done ? (edge!.memory() - resident) / mb : 0
    await edge?.stop()
    if (!done) continue
    console.log(
      `\n${name} in workerd: laid out three times in a heap of ${heap} MB (bar 96); the process grew by ${short(grown)} MB.`,
    )
    return { heap, grown }
  }
  console.log(`\n${name} in workerd: needs a heap of more than 128 MB (bar 96).`)
  return { heap: 'more than 128' }
}

const warmRounds = 4
const measuredRounds = 15

interface Spent {
  readonly wall: number // ms
  readonly cpu: number // ms, of all threads
}

async function spent(cpu: () => number, run: () => Promise<unknown>): Promise<Spent> {
  const started = performance.now()
  const before = cpu()
  await run()
  return { wall: performance.now() - started, cpu: cpu() - before }
}

function nodeCpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function writeDocument(folder: string, name: string): Promise<string> {
  const workload = workloads.find((one) => one.name === name)
  if (workload === undefined) throw new Error(`No such workload: ${name}`)
  const peer = await mergePeers['platen']?.()
  const run = await peer?.prepare(await workload.template('paths'), workload.extension)
  const path = join(folder, `${name.replace(/\W/g, '-')}.${workload.extension}`)
  writeFileSync(path, (await run?.(workload.data())) ?? new Uint8Array())
  return path
}

if (import.meta.main) {
  const [, , what, path = ''] = process.argv
  const bytes = readFileSync(path)
  const started = performance.now()
  const mine = enginePeer(temporaryFolder('bench-engine'))
  await mine.pdf(bytes)
  if (what === 'first') process.stdout.write(String(performance.now() - started))
  else {
    await mine.pdf(bytes)
    process.stdout.write(String(process.memoryUsage().arrayBuffers))
  }
}
