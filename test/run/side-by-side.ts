/**
 * Runs every suite: `node side-by-side.ts [options of Vitest]`. Tests that mostly wait, for programs, and tests that compute are
 * two runs at the same time, so that the processors are busy while programs start and end.
 */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { waitingProjects } from '../projects.ts'
import { type Counts, closingText, countsVariable } from './closing-line.ts'

const root = new URL('../..', import.meta.url).pathname

/** For output that is still on its way when a run has ended. */
const graceMs = 5_000

export interface Runs {
  /** Arguments of Vitest for the tests that wait. What they print is shown at once. */
  readonly waiting: readonly string[]
  /** Those for the tests that compute. What they print is shown after the others. */
  readonly computing: readonly string[]
  /** The folder in which both run. */
  readonly cwd: string
}

/** Resolves to the status of both runs, and ends what is printed with one plain line over them. */
export async function runSideBySide({ waiting, computing, cwd }: Runs): Promise<number> {
  const first = startRun(waiting, { cwd, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  const second = startRun(computing, { cwd, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const stop = (signal: NodeJS.Signals) => {
    for (const { child } of [first, second]) child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  const held: Buffer[] = []
  let show = (chunk: Buffer) => {
    held.push(chunk)
  }
  for (const output of [second.child.stdout, second.child.stderr]) output?.on('data', (chunk) => show(chunk))
  const firstEnd = await first.end
  show = (chunk) => {
    process.stdout.write(chunk)
  }
  held.forEach(show)
  const ends = [firstEnd, await second.end]
  console.log(closingText(ends.map(({ counts }) => counts)))
  return Math.max(...ends.map(({ status }) => status))
}

interface RunEnd {
  readonly status: number
  readonly counts: Counts
}

function startRun(
  args: readonly string[],
  options: SpawnOptions,
): { readonly child: ChildProcess; readonly end: Promise<RunEnd> } {
  const child = spawn(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, 'run', ...args], {
    ...options,
    env: { ...process.env, [countsVariable]: '3' },
  })
  // A program that a test has left running may hold the output of its run.
  child.once('exit', () => {
    setTimeout(() => {
      for (const stream of child.stdio) stream?.destroy()
    }, graceMs).unref()
  })
  let written = ''
  ;(child.stdio[3] as Readable).on('data', (chunk) => {
    written += chunk
  })
  const end = new Promise<RunEnd>((resolve) => {
    child.once('close', (code) => {
      // A run that breaks down writes nothing.
      const failures = [`A run of Vitest\n    It ended with ${code} before it told what it ran.`]
      const broken: Counts = { passed: 0, failed: 1, skipped: 0, secondTry: [], failures }
      resolve({ status: code ?? 1, counts: written === '' ? broken : (JSON.parse(written) as Counts) })
    })
  })
  return { child, end }
}

if (import.meta.main) {
  const options = ['--config', 'test/vitest.config.ts', ...process.argv.slice(2)]
  const projects = (prefix: string) => waitingProjects.map((name) => `--project=${prefix}${name}`)
  process.exitCode = await runSideBySide({
    waiting: [...options, ...projects('')],
    computing: [...options, ...projects('!')],
    cwd: root,
  })
}
