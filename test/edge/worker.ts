/** The Worker under test, whose queue may be lent to a test: both run in one isolate. */

import type { Env } from '../../edge/env.ts'
import { runBatch } from '../../edge/storage/queue-cloudflare.ts'
import worker from '../../edge/worker.ts'
import type { RunJob, SentJob } from '../../shared/ports/queue.ts'

let lent: RunJob | undefined

export function lendQueue(run: RunJob | undefined): void {
  lent = run
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

export default {
  ...worker,
  queue: (batch, env) =>
    lent === undefined
      ? worker.queue(batch, env)
      : runBatch(batch, lent, { log: silent, queue: env.RENDERS, retrySeconds: 0 }),
} satisfies ExportedHandler<Env, SentJob>
