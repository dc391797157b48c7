import type { QueuedJob } from '../shared/ports/queue.ts'
import type { Env } from './env.ts'

export default {
  fetch: async (_request: Request, _env: Env, _context: ExecutionContext) => new Response('x'),
  queue: async (_batch: MessageBatch<QueuedJob>, _env: Env, _context: ExecutionContext) => {},
  scheduled: async (_controller: ScheduledController, _env: Env, _context: ExecutionContext) => {},
} satisfies ExportedHandler<Env, QueuedJob>
