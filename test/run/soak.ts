/**
 * Many renders of all kinds against one origin, a twentieth of them bad: `npm run soak -- [renders] [seed]`. Each good
 * one must be right, each bad one a typed error; memory must not grow after the warm-up, and in each class the slowest
 * renders must stay near the usual ones. Ctrl-C ends the run early, with the report of what was done until then.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../../origin/setup/run.mjs'
import { AppError } from '../../shared/errors/app-error.ts'
import { spoilers } from '../helpers/bad-files.ts'
import { freePort } from '../helpers/free-port.ts'
import { kill } from '../helpers/kill.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname
const [count = 10_000, seed = 1] = process.argv.slice(2).map(Number)
const concurrency = 8
const unforeseen = new AppError('api.internal').message
const badFraction = 1 / 20
/** The fraction of the renders after which the origin counts as warm. */
const warmFraction = 0.2
const maxGrowth = 0.15
const maxSpread = 10 // p99 over p50
/** Below this many renders of a class, its 99th percentile is its slowest render, which says little. */
const minForSpread = 100

interface RenderClass {
  readonly name: string
  readonly weight: number
  readonly folder: string
  readonly extension: string
  readonly request: Readonly<Record<string, unknown>>
}

const classes: readonly RenderClass[] = [
  { name: 'merge DOCX', weight: 8, folder: 'letter', extension: 'docx', request: {} },
  { name: 'merge XLSX', weight: 4, folder: 'inventory', extension: 'xlsx', request: {} },
  { name: 'merge PPTX', weight: 2, folder: 'roadshow', extension: 'pptx', request: {} },
  { name: 'merge ODT', weight: 2, folder: 'payslip', extension: 'odt', request: {} },
  { name: 'merge HTML', weight: 4, folder: 'quote', extension: 'html', request: {} },
  {
    name: 'DOCX to PDF, engine I',
    weight: 6,
    folder: 'letter',
    extension: 'docx',
    request: { convertTo: 'pdf', converter: 'I' },
  },
  {
    name: 'ODT to PDF, engine I',
    weight: 3,
    folder: 'leaflet',
    extension: 'odt',
    request: { convertTo: 'pdf', converter: 'I' },
  },
  {
    name: 'DOCX to PDF, engine L',
    weight: 3,
    folder: 'letter',
    extension: 'docx',
    request: { convertTo: 'pdf', converter: 'L' },
  },
  {
    name: 'XLSX to PDF, engine L',
    weight: 2,
    folder: 'price-list',
    extension: 'xlsx',
    request: { convertTo: 'pdf', converter: 'L' },
  },
  {
    name: 'HTML to PDF, engine C',
    weight: 3,
    folder: 'quote',
    extension: 'html',
    request: { convertTo: 'pdf', converter: 'C' },
  },
  { name: 'MD to HTML', weight: 2, folder: 'minutes', extension: 'md', request: { convertTo: 'html' } },
]

/** A random sequence of numbers from 0 to 1 that depends on the seed only (mulberry32). */
function randomOf(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = randomOf(seed)

const templates = new Map(
  classes.map(({ name, folder, extension }) => {
    const path = join(root, 'test/fixtures/templates', folder)
    return [
      name,
      {
        bytes: new Uint8Array(readFileSync(join(path, `template.${extension}`))),
        data: JSON.parse(readFileSync(join(path, 'data.json'), 'utf8')) as unknown,
        options: optionsOf(path),
      },
    ] as const
  }),
)

function optionsOf(path: string): Readonly<Record<string, unknown>> {
  if (!readdirSync(path).includes('options.json')) return {}
  return JSON.parse(readFileSync(join(path, 'options.json'), 'utf8')) as Record<string, unknown>
}

const bodyOf = ({ name, request }: RenderClass, template?: Uint8Array): string => {
  const { bytes, data, options } = templates.get(name)!
  const file = Buffer.from(template ?? bytes).toString('base64')
  return JSON.stringify({ ...options, ...request, data, template: file })
}

/** Mistakes of callers, each with its expected statuses. */
const mistakes: readonly ((one: RenderClass) => string)[] = [
  ...spoilers.map(
    ([, spoil]) =>
      (one: RenderClass) =>
        bodyOf(one, spoil(templates.get(one.name)!.bytes)),
  ),
  (one) => bodyOf(one).slice(0, -20),
  (one) => bodyOf({ ...one, request: { ...one.request, convertTo: 'nothing-like-this' } }),
  (one) => bodyOf(one, new TextEncoder().encode('{d.a:noSuchFormatter()}')),
  () => JSON.stringify({ data: {} }),
]

const port = await freePort()
const folder = temporaryFolder('platen-soak')
const child = spawn(process.execPath, [`${root}origin/server.ts`], {
  env: {
    ...environment(),
    SERVICE_PORT: String(port),
    SERVICE_WORKDIR: folder,
    SERVICE_LOG_LEVEL: 'error',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
})
const gone = once(child, 'exit')
const url = `http://127.0.0.1:${port}`
const problems: string[] = []
const times = new Map<string, number[]>()
const resident: { readonly done: number; readonly megabytes: number }[] = []
let done = 0
let isInterrupted = false
process.once('SIGINT', () => {
  isInterrupted = true
})

try {
  while (
    !(await fetch(`${url}/status?ready=1`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error('The origin ended before it was ready.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const expected = new Map<string, string>()
  for (const one of classes) {
    const { status, bytes } = await post(bodyOf(one))
    if (status !== 200)
      throw new Error(`${one.name}: ${status} ${new TextDecoder().decode(bytes).slice(0, 300)}`)
    expected.set(one.name, await contentOf(bytes))
  }
  const drawn = classes.flatMap((one) => Array<RenderClass>(one.weight).fill(one))
  const line = async () => {
    while (done < count && !isInterrupted) {
      done++
      const one = drawn[Math.floor(random() * drawn.length)]!
      if (random() < badFraction) await sendBad(one)
      else await sendGood(one, expected.get(one.name) ?? '')
    }
  }
  const sampling = setInterval(() => resident.push({ done, megabytes: residentMegabytes(child.pid) }), 1000)
  const progress = setInterval(() => {
    const { megabytes = 0 } = resident.at(-1) ?? {}
    console.log(`${done} of ${count} renders, ${megabytes.toFixed(0)} MB, ${problems.length} problems`)
  }, 60_000)
  await Promise.all(Array.from({ length: concurrency }, line))
  clearInterval(sampling)
  clearInterval(progress)
} finally {
  if (child.exitCode === null) kill(child.pid, 'SIGTERM')
  await gone
  rmSync(folder, { recursive: true, force: true })
}
report()

async function sendGood(one: RenderClass, expected: string): Promise<void> {
  const started = performance.now()
  const { status, bytes } = await post(bodyOf(one))
  const ms = performance.now() - started
  const known = times.get(one.name) ?? []
  times.set(one.name, known)
  known.push(ms)
  if (status !== 200) problems.push(`${one.name}: ${status} ${new TextDecoder().decode(bytes).slice(0, 200)}`)
  else if ((await contentOf(bytes)) !== expected)
    problems.push(`${one.name}: another document than the first`)
}

/**
 * Some spoilt texts are still texts, so a document is an answer, too. What must not be is an error that says nothing:
 * one of the service itself, of which a client is told that it was unforeseen, or none at all.
 */
async function sendBad(one: RenderClass): Promise<void> {
  const mistake = mistakes[Math.floor(random() * mistakes.length)]!
  const { status, bytes } = await post(mistake(one))
  if (status === 200) return
  const text = new TextDecoder().decode(bytes)
  const body = parsed(text)
  const isTyped =
    body?.['success'] === false && typeof body['error'] === 'string' && body['error'] !== unforeseen
  if (!isTyped || (status >= 500 && typeof body['code'] !== 'string'))
    problems.push(`${one.name}, bad: ${status} ${text.slice(0, 200)}`)
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

async function post(body: string): Promise<{ readonly status: number; readonly bytes: Uint8Array }> {
  try {
    const response = await fetch(`${url}/render/template?download=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
  } catch (error) {
    return { status: 0, bytes: new TextEncoder().encode(String(error)) }
  }
}

/** What two documents of the same data have in common: the text of a PDF, the bytes of all others. */
async function contentOf(bytes: Uint8Array): Promise<string> {
  const isPdf = Buffer.from(bytes.buffer, bytes.byteOffset, 5).toString('latin1') === '%PDF-'
  if (!isPdf) return createHash('sha256').update(bytes).digest('hex')
  return new Promise((resolve, reject) => {
    const reader = execFile('pdftotext', ['-layout', '-', '-'], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    )
    reader.stdin?.end(bytes)
  })
}

function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}

function report(): void {
  console.log(`${done} renders, seed ${seed}, ${concurrency} at once.`)
  for (const { name } of classes) {
    const sorted = (times.get(name) ?? []).toSorted((a, b) => a - b)
    const at = (fraction: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0
    const [p50, p99] = [at(0.5), at(0.99)]
    console.log(
      `${name}: ${sorted.length}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${(p99 / p50).toFixed(1)}x`,
    )
    if (sorted.length >= minForSpread && p99 > maxSpread * p50)
      problems.push(`${name}: p99 is ${(p99 / p50).toFixed(1)} times p50, more than ${maxSpread}`)
  }
  const warm = resident.filter((sample) => sample.done > done * warmFraction && sample.done <= done * 0.4)
  const late = resident.filter((sample) => sample.done > done * 0.8)
  const [before, after] = [warm, late].map((samples) => median(samples.map(({ megabytes }) => megabytes)))
  const growth = after! / before! - 1
  console.log(
    `Resident memory of the origin: ${before!.toFixed(0)} MB after the warm-up, ${after!.toFixed(0)} MB at the end, ${(growth * 100).toFixed(1)} % more.`,
  )
  if (!(growth <= maxGrowth)) problems.push(`memory grew by more than ${maxGrowth * 100} %`)
  for (const problem of problems.slice(0, 30)) console.log(`wrong: ${problem}`)
  console.log(
    problems.length === 0
      ? 'All good renders were right, all bad ones typed errors.'
      : `${problems.length} problems.`,
  )
  process.exit(problems.length === 0 ? 0 : 1)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
