import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { machineFonts } from '../../origin/fonts/index.ts'
import { formats } from '../../origin/formats.ts'
import instant from '../../plugins/engines/instant/index.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { edgeTarget } from '../helpers/edge-target.ts'
import { type ConvertPeer, unoLoopPeer } from './peers/convert.ts'
import { mergePeers } from './peers/merge.ts'
import { markdownTable, median, quantile, short } from './statistics.ts'
import { workloads } from './workloads.ts'

const documents = [
  { name: 'letter', rounds: 30, bar: 10 },
  { name: 'invoice 100 rows', rounds: 20, bar: 10 },
  { name: 'invoice 1,000 rows', rounds: 6, bar: 20 },
]
const mb = 1024 * 1024

/**
 * DOCX to PDF with engine I in this process, against the bare UNO loop in turn; merge and PDF of the letter together;
 * pages a second; the first document of a fresh process; and the same in workerd, with its memory.
 */
export async function instantSuite(only: string | undefined): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-instant-'))
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
    }
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function enginePeer(dataDir: string): ConvertPeer & { pdf(bytes: Uint8Array): Promise<Uint8Array> } {
  const fonts = machineFonts({ dataDir })
  const quiet = () => {}
  const engine = instant.create(
    { fontCacheSize: 24 },
    {
      format: (id) => formats.find((format) => format.id === id),
      asset: async () => undefined,
      fonts: () => fonts,
      codec: nodeCodec,
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      now: Date.now,
    },
  )
  const pdf = async (bytes: Uint8Array) => {
    const job = {
      source: fromBytes(bytes),
      from: 'docx',
      to: 'pdf',
      options: {},
      deadline: Date.now() + 60_000,
    }
    return bytesOf((await engine.convert(job, new AbortController().signal)).value)
  }
  return {
    pdf,
    convert: async (path) => void (await pdf(readFileSync(path))),
    stop: async () => void (await engine.stop?.()),
  }
}

async function latencies(
  chosen: typeof documents,
  paths: ReadonlyMap<string, string>,
  folder: string,
): Promise<object> {
  const mine = enginePeer(folder)
  const loop = await unoLoopPeer(1)
  const figures: Record<string, { readonly own: number[]; readonly loop: number[]; readonly pages: number }> =
    {}
  for (const { name, rounds } of chosen) {
    const path = paths.get(name)!
    const times = { own: [] as number[], loop: [] as number[] }
    for (let round = -30; round < rounds; round++) {
      const started = performance.now()
      await mine.convert(path)
      const between = performance.now()
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
    const { own, loop: other, pages } = figures[name]!
    return [
      name,
      `${short(median(own))} (${short(quantile(own, 0.95))})`,
      `${short(median(other))} (${short(quantile(other, 0.95))})`,
      `${short(median(other) / median(own))} ×`,
      `${bar} ×`,
      short((pages * 1000) / median(own)),
    ]
  })
  const head = ['ms p50 (p95)', 'engine I', 'bare UNO loop', 'loop / I', 'bar', 'pages/s']
  console.log(`\n## DOCX to PDF by the built-in engine\n\n${markdownTable(head, rows)}`)
  return figures
}

/** Merge and PDF of the letter, as one render does them. */
async function together(): Promise<object> {
  const workload = workloads.find(({ name }) => name === 'letter')!
  const peer = await mergePeers['platen']?.()
  const merge = await peer?.prepare(await workload.template('paths'), 'docx')
  const folder = mkdtempSync(join(tmpdir(), 'bench-together-'))
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

/** The Worker with a DOCX in the body, against the engine here; and the memory of workerd at the longest document. */
async function inWorkerd(chosen: typeof documents, paths: ReadonlyMap<string, string>): Promise<object> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-workerd-'))
  const mine = enginePeer(folder)
  const edge = await edgeTarget()
  const figures: Record<string, object> = {}
  const rows: string[][] = []
  try {
    for (const { name, rounds } of chosen) {
      const bytes = readFileSync(paths.get(name)!)
      const ask = async (more: object) => {
        const template = bytes.toString('base64')
        const started = performance.now()
        const answer = await fetch(`${edge.url}/render/template?download=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ template, data: {}, ...more }),
        })
        const made = await answer.arrayBuffer()
        if (answer.status !== 200 || made.byteLength < 500)
          throw new Error(`The Worker answered ${answer.status}.`)
        return performance.now() - started
      }
      const [here, there, plain]: [number[], number[], number[]] = [[], [], []]
      for (let round = -30; round < rounds; round++) {
        const started = performance.now()
        await mine.pdf(bytes)
        const own = performance.now() - started
        const whole = await ask({ convertTo: 'pdf', converter: 'I' })
        const without = await ask({})
        if (round < 0) continue
        here.push(own)
        there.push(whole)
        plain.push(without)
      }
      const memory = largestWorkerd()
      // What a request costs that merges and does not convert is not the engine's.
      const engine = median(there) - median(plain)
      figures[name] = { here, there, plain, memory }
      rows.push([
        name,
        short(median(here)),
        short(median(there)),
        short(median(plain)),
        `${short(engine / median(here))} ×`,
        short(memory / mb),
      ])
    }
  } finally {
    await edge.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const head = [
    'ms p50',
    'engine in Node',
    'workerd, whole request',
    'the same, no PDF',
    'engine in workerd / Node (bar 1.6)',
    'workerd, MB resident',
  ]
  console.log(`\n## In workerd\n\n${markdownTable(head, rows)}`)
  return figures
}

/** Resident bytes of the largest workerd that runs; the process itself takes about 60 MB before any request. */
function largestWorkerd(): number {
  let largest = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('workerd')) continue
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      largest = Math.max(largest, 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    } catch {
      // It has ended meanwhile.
    }
  }
  return largest
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

if (import.meta.main) {
  const [, , what, path = ''] = process.argv
  const bytes = readFileSync(path)
  const started = performance.now()
  const mine = enginePeer(tmpdir())
  await mine.pdf(bytes)
  if (what === 'first') process.stdout.write(String(performance.now() - started))
  else {
    await mine.pdf(bytes)
    process.stdout.write(String(process.memoryUsage().arrayBuffers))
  }
}
