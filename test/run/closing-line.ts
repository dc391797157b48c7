import { readdirSync, readFileSync, writeSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** A longer title hides the rest of a report. */
const maxTitle = 200

/** Vitest waits for programs that hold the output of a test worker: without a limit one of them would hold up the run. */
const defaultGraceMs = 30_000

/** Set for the workers of this run, and so for what they start, which loses its parent when its worker ends. */
const runVariable = 'PLATEN_TEST_RUN'

/** Set for one of several runs: the file descriptor to which it writes its counts, since they are printed for all runs together. */
export const countsVariable = 'PLATEN_TEST_COUNTS'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What failed, with what was wrong at last: tests, files that could not be run, and programs left running. */
  readonly failures: readonly string[]
  /** The tests that passed only at the second try, with what was wrong at the first. */
  readonly secondTry: readonly string[]
}

/**
 * The end of what is printed about runs: the tests that passed only at the second try, what failed, and one plain line. What
 * a run prints about a failure may stand a thousand lines above its end, and a log that is cut keeps the end alone.
 */
export function closingText(runs: readonly Counts[]): string {
  const secondTry = runs.flatMap((run) => run.secondTry)
  const failures = runs.flatMap((run) => run.failures)
  const sum = (name: 'passed' | 'failed' | 'skipped') => runs.reduce((total, run) => total + run[name], 0)
  return [
    ...(secondTry.length > 0 ? ['Passed only at the second try, so each of these has a race to mend:'] : []),
    ...secondTry.map((test) => `  ${test}`),
    ...(failures.length > 0 ? ['Failed:'] : []),
    ...failures.map((failure) => `  ${failure}`),
    `${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`,
  ].join('\n')
}

/**
 * Ends the run with the tests that passed only at the second try, and one plain line over all suites and runtimes. A test
 * with an overlong title counts as failed, and so does a program that a test leaves running and that keeps the run from ending.
 */
export default class ClosingLine implements Reporter {
  readonly #graceMs: number
  readonly #descriptor: string | undefined

  constructor({ graceMs = defaultGraceMs }: { readonly graceMs?: number } = {}) {
    this.#graceMs = graceMs
    process.env[runVariable] = String(process.pid)
    this.#descriptor = process.env[countsVariable]
    delete process.env[countsVariable] // Tests of this run start runs, too.
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0 }
    const secondTry: string[] = []
    const failures: string[] = []
    const fail = (where: string, why: string) => {
      count.failed++
      failures.push(`${where}\n    ${why}`)
    }
    for (const module of modules) {
      const broken = module.state() === 'failed' && module.errors().length > 0
      if (broken) fail(module.relativeModuleId, lastLine(module.errors()))
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        const name = `${module.relativeModuleId}: ${test.fullName.slice(0, maxTitle)}`
        if (test.diagnostic()?.flaky === true) secondTry.push(`${name}\n    ${firstLine(errors)}`)
        if (test.name.length > maxTitle) {
          fail(name, `The title has ${test.name.length} letters.`)
          process.exitCode = 1
        } else if (state === 'passed') count.passed++
        else if (state === 'failed') fail(name, lastLine(errors))
        else count.skipped++
      }
    }
    for (const error of errors) fail('Outside of the tests', lastLine([error as Error]))
    setTimeout(() => {
      const left = startedPrograms()
      fail('Left running by a test', left.map(({ command }) => command).join(', ') || 'unknown')
      for (const { pid } of left) killIfRunning(pid)
      process.exit(1)
    }, this.#graceMs).unref()
    process.on('exit', () => {
      const counts = { ...count, secondTry, failures }
      if (this.#descriptor === undefined) console.log(closingText([counts]))
      else writeSync(Number(this.#descriptor), JSON.stringify(counts))
    })
  }
}

type Errors = readonly { readonly message: string }[] | undefined

function firstLine(errors: Errors): string {
  return errors?.[0]?.message.split('\n')[0] ?? ''
}

function lastLine(errors: Errors): string {
  return firstLine(errors?.slice(-1))
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

interface StartedProgram {
  readonly pid: number
  readonly command: string
}

/** The processes that tests of this run have started and that still run, with their command lines. */
function startedPrograms(): readonly StartedProgram[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid)
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
        if (!environment.includes(`${runVariable}=${process.pid}`)) return []
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid, command: command.slice(0, maxTitle) }]
      } catch {
        return [] // It has ended meanwhile, or belongs to somebody else.
      }
    })
}
