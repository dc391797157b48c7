import type { Hono } from 'hono'
import manifest from '../package.json' with { type: 'json' }
import { commonHeaders } from '../shared/api/cors.ts'
import { errorBody, toAppError } from '../shared/errors/problem.ts'
import { reconcileJobs } from '../shared/jobs/reconcile-jobs.ts'
import { runRenderJob, setJobAside } from '../shared/jobs/run-job.ts'
import type { SentJob } from '../shared/ports/index.ts'
import { refundLostCharges } from '../shared/services/accounts.ts'
import type { Services } from '../shared/services/services.ts'
import { sweepAsLeader } from '../shared/services/sweep.ts'
import { createApp } from './app.ts'
import type { Env } from './env.ts'
import { createServices } from './services.ts'
import { runBatch } from './storage/queue-cloudflare.ts'

/** How the name of the dead letter queue ends, in wrangler.toml. */
const deadLetters = '-dead'
/** The trigger in wrangler.toml that is too frequent for the sweep. Any other one sweeps, whatever its schedule is. */
const reconcileOnlyCron = '*/10 * * * *'
/** A message that is only late has been delivered by then. */
const graceSeconds = 600

interface RunningApp {
  readonly services: Services
  readonly app: Hono
}

/**
 * The host of this isolate. Promises are not shared: a Worker cancels the I/O of a request that ends, and
 * another request that waited for it would never settle. Requests that arrive first may therefore each create
 * one, and the first is kept.
 */
const hosts = new WeakMap<object, RunningApp>()

async function hostOf(env: Env): Promise<RunningApp> {
  const cached = hosts.get(env)
  if (cached !== undefined) return cached
  const services = await createServices(env)
  const host = hosts.get(env) ?? { services, app: createApp(services) }
  hosts.set(env, host)
  return host
}

/**
 * The response when the services could not be created, usually because D1 is unreachable. It has the same
 * body and headers as any other error.
 */
function unavailableResponse(request: Request, env: Env, error: unknown): Response {
  const failure = toAppError(error)
  const { status } = failure
  const headers = {
    ...commonHeaders({ allowOrigin: env.SERVICE_ALLOW_ORIGIN ?? '*', aliases: [] }),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(status === 503 && { 'retry-after': '1' }),
  }
  const body = /^\/+(status\/*)?$/.test(new URL(request.url).pathname)
    ? { success: false, code: status, message: 'Database not available', version: manifest.version }
    : errorBody(failure)
  return new Response(request.method === 'HEAD' ? null : JSON.stringify(body), { status, headers })
}

/** The Cloudflare Worker: requests, queued renders and scheduled tasks. */
export default {
  async fetch(request, env, context) {
    try {
      const { app } = await hostOf(env)
      return await app.fetch(request, env, context)
    } catch (error) {
      console.error(JSON.stringify({ level: 'error', event: 'worker.failed', message: String(error) }))
      return unavailableResponse(request, env, error)
    }
  },
  async queue(batch, env) {
    const { services } = await hostOf(env)
    // The platform gave up on messages in the dead letter queue, so their renders fail and webhooks are notified.
    const dead = batch.queue.endsWith(deadLetters)
    await runBatch(batch, (job, signal) => (dead ? setJobAside : runRenderJob)(services, job, signal), {
      log: services.log,
      queue: env.RENDERS,
    })
  },
  async scheduled(controller, env) {
    const { services } = await hostOf(env)
    await reconcileJobs(services, graceSeconds)
    await refundLostCharges(services)
    if (controller.cron === reconcileOnlyCron) return
    services.log.info('sweep.done', { ...(await sweepAsLeader(services)) })
  },
} satisfies ExportedHandler<Env, SentJob>
