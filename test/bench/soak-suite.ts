import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../origin/config.ts'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { flatDrawing, flatSheet, flatSlides } from '../plugins/engines/libreoffice/samples.ts'
import { markdownTable, median, short } from './statistics.ts'

const total = 500
const warm = 100
const maxGrowth = 1.2
const megabyte = 2 ** 20

interface Job {
  readonly from: string
  readonly to: string
  readonly bytes: Uint8Array
}

const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/${path}`, import.meta.url)))
const text = (content: string) => new TextEncoder().encode(content)

function mixedJobs(): readonly Job[] {
  const letter = fixture('templates/letter/template.docx')
  const sheet = fixture('real/aspose-cells__FinancialPlan.xlsx')
  const slides = fixture('real/unstructured-io__sample-presentation.pptx')
  return [
    { from: 'docx', to: 'pdf', bytes: letter },
    { from: 'docx', to: 'pdf', bytes: fixture('corpus/suffolklitlab__CompelDiscoveryWithInstructions.docx') },
    { from: 'docx', to: 'odt', bytes: letter },
    { from: 'docx', to: 'png', bytes: letter },
    { from: 'odt', to: 'html', bytes: fixture('corpus/docling-project__text_document_03.odt') },
    { from: 'xlsx', to: 'pdf', bytes: sheet },
    { from: 'xlsx', to: 'csv', bytes: sheet },
    { from: 'xlsx', to: 'parquet', bytes: sheet },
    { from: 'pptx', to: 'pdf', bytes: slides },
    { from: 'pptx', to: 'svg', bytes: slides },
    { from: 'fodg', to: 'pdf', bytes: text(flatDrawing) },
    { from: 'fodp', to: 'sxi', bytes: text(flatSlides) },
    { from: 'fods', to: 'xls95', bytes: text(flatSheet) },
  ]
}

/** 500 mixed conversions in a row: memory after the first 100 and at the end, zombies, files left behind. */
export async function soakSuite(): Promise<object> {
  const folder = temporaryFolder('bench-soak')
  const before = leftovers()
  const { config } = readConfig([], { SERVICE_LOG_LEVEL: 'error' })
  const services = await createServices({ ...config, dataDir: folder, stateless: true })
  const figures: Record<string, unknown> = {}
  try {
    await services.converter.warm()
    const jobs = mixedJobs()
    const samples: number[] = []
    const own: number[] = [] // of this process alone
    const started = performance.now()
    for (let done = 0; done < total; done++) {
      await run(services, jobs[done % jobs.length] as Job)
      samples.push(residentOfTree(process.pid))
      own.push(process.memoryUsage().rss)
    }
    const seconds = (performance.now() - started) / 1000
    // A process may be replaced at any moment, so the median of an interval says more than one sample.
    const early = median(samples.slice(warm - 25, warm + 25))
    const late = median(samples.slice(-50))
    const zombies = processes().filter(({ state, parent }) => state === 'Z' && parent === process.pid).length
    const inScratch = entries(folder)
    Object.assign(figures, { seconds, early, late, growth: late / early, zombies, inScratch, samples, own })
  } finally {
    await services.stop()
  }
  const left = {
    children: childrenOf(process.pid).length,
    files: entries(folder),
    elsewhere: leftovers() - before,
  }
  rmSync(folder, { recursive: true, force: true })
  const growth = Number(figures['growth'])
  const row = [
    String(total),
    short(Number(figures['seconds'])),
    short(Number(figures['early']) / megabyte),
    short(Number(figures['late']) / megabyte),
    `${short(growth)} ×`,
    String(figures['zombies']),
    `${left.children} / ${left.files.length} / ${left.elsewhere}`,
  ]
  const head = [
    'conversions',
    's',
    `MB after ${warm}`,
    'MB at the end',
    'growth',
    'zombies',
    'left: processes / files / in the temp folder',
  ]
  console.log(`\n## Soak\n\n${markdownTable(head, [row])}`)
  const clean =
    left.children === 0 &&
    left.files.every((name) => /\/(blobs|cache)\/|sqlite/.test(name)) &&
    left.elsewhere === 0
  if (growth > maxGrowth || figures['zombies'] !== 0 || !clean) process.exitCode = 1
  return { ...figures, left }
}

async function run({ converter }: OriginServices, { from, to, bytes }: Job): Promise<void> {
  const made = await converter.convert({
    source: fromBytes(bytes),
    from,
    to,
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
  })
  if ((await bytesOf(made.value)).length === 0) throw new Error(`${from} to ${to} made nothing`)
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly state: string
}

function processes(): readonly Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ pid: Number(name), parent: Number(parent), state }]
    } catch {
      return [] // gone meanwhile
    }
  })
}

function childrenOf(pid: number, all = processes()): readonly number[] {
  return all.filter(({ parent }) => parent === pid).flatMap((one) => [one.pid, ...childrenOf(one.pid, all)])
}

/** Resident memory of this process and all below it, in bytes. */
function residentOfTree(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => {
    try {
      const status = readFileSync(`/proc/${one}/status`, 'utf8')
      return sum + 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    } catch {
      return sum
    }
  }, 0)
}

function entries(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** What offices of this process may leave in the folder of their sockets, whose names carry its number. */
function leftovers(): number {
  return readdirSync('/tmp').filter((name) => name.includes(`platen-${process.pid}`)).length
}
