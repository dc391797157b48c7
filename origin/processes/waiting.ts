import { AppError } from '../../shared/errors/app-error.ts'

/** The maximum delay of a timer of Node, in ms. A longer one would fire at once. */
export const maxTimerMs = 2 ** 31 - 1

/**
 * How long a job may wait when `remainingMs` are left until its deadline, in ms. A job that waits longer is refused a
 * little before the deadline, because at the deadline the caller may end it first, and the caller does not know
 * whether it waited or worked.
 */
export function waitingMs(remainingMs: number): number {
  return Math.min(Math.max(remainingMs - Math.min(50, remainingMs / 10), 0), maxTimerMs)
}

/** Whether a job is late because of its wait rather than because of its document. Times are in ms. */
export function mostlyWaited(waited: number, worked: number): boolean {
  return waited >= worked
}

/** The error of a job that began too late to be finished in time. Times are in ms. */
export function waitedError(engine: string, waited: number, worked: number): AppError {
  const seconds = (ms: number) => Math.round(ms / 100) / 10
  return new AppError('convert.waited', { engine, waited: seconds(waited), left: seconds(worked) })
}

/** A job that takes a turn. */
export interface SlotJob {
  readonly title: string // what the job waits for, for messages: 'Poppler'
  readonly signal: AbortSignal
  readonly deadline?: number // ms since the epoch; absent: only the signal ends it
}

export interface Slots {
  /**
   * Runs `work` when a place is free, in order of arrival. A job that waits rejects with the reason of its signal, or with
   * 'convert.busy' shortly before its deadline or when its signal fires because of that. The signal of `work` also aborts
   * when a job that mostly waited is about to miss its deadline, with 'convert.waited'.
   */
  run<T>(job: SlotJob, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  waiting(): number
}

/** Lets a number of jobs work at a time; others wait. `now` is in ms since the epoch. */
export function createSlots(slots: number, now: () => number): Slots {
  let usedSlots = 0
  const line: (() => void)[] = []

  function enter({ signal, deadline, title }: SlotJob): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const busy = () => new AppError('convert.busy', { engine: title })
      const leave = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
      }
      const admit = () => {
        leave()
        resolve()
      }
      const end = (reason: unknown) => {
        leave()
        const index = line.indexOf(admit)
        if (index >= 0) line.splice(index, 1)
        reject(reason)
      }
      const giveUp = () => end(isTimeout(signal.reason) ? busy() : signal.reason)
      const timer =
        deadline === undefined ? undefined : setTimeout(() => end(busy()), waitingMs(deadline - now()))
      line.push(admit)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  return {
    async run(job, work) {
      const { signal, deadline, title } = job
      signal.throwIfAborted()
      const arrived = now()
      if (usedSlots >= slots) await enter(job)
      else usedSlots++
      const began = now()
      const control = new AbortController()
      const end = () => control.abort(signal.reason)
      const timeOut = () => {
        const worked = now() - began
        if (began > arrived && mostlyWaited(began - arrived, worked))
          control.abort(waitedError(title, began - arrived, worked))
      }
      const timer = deadline === undefined ? undefined : setTimeout(timeOut, waitingMs(deadline - began))
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
      try {
        return await work(control.signal)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        // The first in the line takes the place over, so that a job that arrives at this moment does not.
        const admitNext = line.shift()
        if (admitNext === undefined) usedSlots--
        else admitNext()
      }
    },
    waiting: () => line.length,
  }
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof AppError && reason.code === 'api.render.timeout'
}
