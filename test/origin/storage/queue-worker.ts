/** A process that takes one job of the queue whose file it is given, says so, and never ends it. */
import { openSqlQueue } from '../../../origin/storage/queue-sqlite.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'

const queue = openSqlQueue({
  sql: openSqlite(process.argv[2]!),
  clock: { now: () => Date.now() },
  log: { debug() {}, info() {}, warn() {}, error() {} },
  leaseMs: 500,
})
queue.consume!(
  (job) => {
    console.log(`has ${job.id}, delivery ${job.delivery}`)
    return new Promise(() => {})
  },
  { concurrency: 1 },
)
