import type { Hono } from 'hono'
import manifest from '../package.json' with { type: 'json' }
import { commonHeaders } from '../shared/api/cors.ts'
import { toAppError } from '../shared/errors/problem.ts'
import type { QueuedJob } from '../shared/ports/queue.ts'
import { runRenderJob } from '../shared/services/jobs.ts'
import type { Services } from '../shared/services/services.ts'
import { sweep, sweepOrphans } from '../shared/services/sweep.ts'
import { createApp } from './app.ts'
import type { Env } from './env.ts'
import { createServices } from './services.ts'
import { runBatch } from './storage/queue-cloudflare.ts'

interface Host {
  readonly services: Services
  readonly app: Hono
}

/** One an isolate. Only the finished thing is kept: what one request waits for must not hang on another's. */
const hosts = new WeakMap<object, Host>()

async function hostOf(env: Env): Promise<Host> {
  const known = hosts.get(env)
  if (known !== undefined) return known
  const services = await createServices(env)
  const host = hosts.get(env) ?? { services, app: createApp(services) }
  hosts.set(env, host)
  return host
}

/** Nothing of ours is there yet to answer: the database is out of reach. In the words and with the headers of all answers. */
function outOfReach(request: Request, env: Env, error: unknown): Response {
  const { message, status } = toAppError(error)
  const headers = {
    ...commonHeaders({ allowOrigin: env.SERVICE_ALLOW_ORIGIN ?? '*', aliases: [] }),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  }
  const body = /^\/+(status\/*)?$/.test(new URL(request.url).pathname)
    ? { success: false, code: status, message: 'Database not available', version: manifest.version }
    : { success: false, error: message }
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(body), { status, headers })
}

/** The Cloudflare Worker: requests, queued renders, the hourly sweep. */
export default {
  async fetch(request, env, context) {
    try {
      const { app } = await hostOf(env)
      return await app.fetch(request, env, context)
    } catch (error) {
      console.error(JSON.stringify({ level: 'error', event: 'worker.failed', message: String(error) }))
      return outOfReach(request, env, error)
    }
  },
  async queue(batch, env) {
    const { services } = await hostOf(env)
    await runBatch(batch, (job, signal) => runRenderJob(services, job, signal), { log: services.log })
  },
  async scheduled(_controller, env) {
    const { services } = await hostOf(env)
    services.log.info('sweep.done', { ...(await sweep(services)) })
    services.log.info('sweep.orphans', { blobs: await sweepOrphans(services) })
  },
} satisfies ExportedHandler<Env, QueuedJob>
