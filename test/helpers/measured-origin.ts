import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { OriginConfig } from '../../origin/config.ts'
import { serverFlags } from '../../origin/setup/run.mjs'

/** What the serving thread of an origin did since it was last asked. */
export interface OriginFigures {
  readonly cpuMs: number // of the serving thread alone
  readonly delayMs: number // the longest that its event loop stood still; 0 where that is not measured
  /** CPU time of its longest turn, which is the delay on a machine that does nothing else; 0 where that is not measured. */
  readonly longestTurnMs: number
  readonly rssMb: number // of the process, now
}

export interface MeasuredOptions extends Partial<OriginConfig> {
  /** The monitor of the event loop takes CPU time itself: off unless set. */
  readonly measureDelay?: boolean
}

export interface MeasuredOrigin {
  readonly url: string
  readonly pid: number
  /** Resets the figures by reading them. */
  figures(): Promise<OriginFigures>
  stop(): Promise<void>
}

/** Starts an origin in a process of its own, whose serving thread can be measured. */
export async function startMeasuredOrigin(
  changes: MeasuredOptions = {},
  environment: Readonly<NodeJS.ProcessEnv> = {},
): Promise<MeasuredOrigin> {
  const entry = fileURLToPath(new URL('./measured-origin-process.ts', import.meta.url))
  const child = fork(entry, [JSON.stringify(changes)], {
    env: { ...process.env, ...environment },
    execArgv: [...process.execArgv, ...serverFlags],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { url } = await answered<{ url: string }>(child)
  return {
    url,
    pid: child.pid ?? 0,
    async figures() {
      const answer = answered<{ figures: OriginFigures }>(child)
      child.send('figures')
      return (await answer).figures
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.send('stop')
      await gone
    },
  }
}

function answered<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (code: number | null) => reject(new Error(`The origin ended with ${code}.`))
    child.once('exit', over)
    child.once('message', (message) => {
      child.off('exit', over)
      resolve(message as T)
    })
  })
}
