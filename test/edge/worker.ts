/** The Worker under test, whose queue may be lent to a test: both run in one isolate. */

import type { Env } from '../../edge/env.ts'
import { runBatch } from '../../edge/storage/queue-cloudflare.ts'
import worker from '../../edge/worker.ts'
import type { QueuedJob } from '../../shared/ports/queue.ts'

type Run = (job: QueuedJob, signal: AbortSignal) => Promise<void>
let lent: Run | undefined

export function lendQueue(run: Run | undefined): void {
  lent = run
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

export default {
  ...worker,
  queue: (batch, env) =>
    lent === undefined ? worker.queue(batch, env) : runBatch(batch, lent, { log: silent, retrySeconds: 0 }),
} satisfies ExportedHandler<Env, QueuedJob>
