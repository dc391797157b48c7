import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createCalm, reconcileJobs, reconcileLostJobs } from '../shared/jobs/reconcile-jobs.ts'
import { runRenderJob } from '../shared/jobs/run-job.ts'
import type { QueuedJob } from '../shared/ports/index.ts'
import { refundLostCharges } from '../shared/services/accounts.ts'
import { createConcurrencyLimit } from '../shared/services/concurrency-limit.ts'
import type { Services } from '../shared/services/services.ts'
import { sweepAsLeader } from '../shared/services/sweep.ts'
import { createApp } from './app.ts'
import { warnOfClockSkew } from './clock-skew.ts'
import { type OriginConfig, optionsHelp, readConfig } from './config.ts'
import { guardProcess } from './hooks/call-hook.ts'
import { withExchange } from './hooks/exchange.ts'
import { createInternal } from './internal.ts'
import { registerInternalConvert } from './internal-convert.ts'
import { registerInternalRender } from './internal-render.ts'
import { createServices } from './services.ts'
import { explainStart } from './start-error.ts'

/** How often expired renders, templates and files without a row are removed, by one of the origins. */
const sweepEveryMs = 600_000
/** How often jobs that no worker has begun for a long time are queued again. */
const reconcileEveryMs = 60_000
/** How often the number of jobs in the queue is compared with the number of jobs that exist. */
const reconcileLostEveryMs = 10_000
/** The process exits this long after a signal even if renders are still running. */
const hardStopMs = 300_000
/**
 * Additional jobs that the queue may deliver beyond those that render, so that webhooks that respond slowly
 * do not block other renders. With more slow webhooks than this, renders wait for them.
 */
const slowWebhooks = 16

export interface RunningServer {
  readonly url: string
  /** One line that describes how engines are isolated. Resolves when the isolation has been tried out. */
  isolation(): Promise<string>
  /** Refuses new renders, waits for running ones and releases all resources. */
  stop(): Promise<void>
}

/**
 * Listens, runs the periodic cleanups at once and at their intervals, and starts the engines in the
 * background.
 */
export async function startServer(config: OriginConfig): Promise<RunningServer> {
  const services = await createServices(config, { withHooks: true })
  const { hooked } = services
  const stopGuarding = hooked === undefined ? undefined : guardProcess()
  const app = createApp(services, {
    requestTimeoutMs: config.requestTimeout,
    hooks: hooked,
    routes: services.routes,
  })
  if (config.originSecret !== '') {
    const { converter, clock, log, claimOnce, tracing } = services
    const internal = createInternal({
      ...{ clock, log, claimOnce, tracing },
      secret: config.originSecret,
      bodyTimeoutMs: config.requestTimeout,
    })
    registerInternalConvert(app, { internal, converter, clock })
    registerInternalRender(app, services, internal)
  }
  const silent = silentConnections(app.server)
  const address = await app.listen({ port: config.port, host: config.bind })
  const repeat = (work: (services: Services) => Promise<unknown>, everyMs: number) => {
    const runWork = () =>
      void work(services).catch((error: unknown) => services.log.warn('sweep.failed', { error }))
    runWork()
    return setInterval(runWork, everyMs).unref()
  }
  const whenCalm = createCalm(services)
  const timers = [
    repeat(sweepAsLeader, sweepEveryMs),
    ...(config.databaseUrl === '' || config.stateless ? [] : [repeat(warnOfClockSkew, sweepEveryMs)]),
    repeat((services) => whenCalm(() => reconcileJobs(services)), reconcileEveryMs),
    repeat((services) => whenCalm(() => refundLostCharges(services)), reconcileEveryMs),
    repeat((services) => whenCalm(() => reconcileLostJobs(services)), reconcileLostEveryMs),
  ]
  if (config.prewarm) void services.warm().then(() => warnAboutUnavailableEngines(services))
  const renderLimit = createConcurrencyLimit(config.mergeWorkers)
  // The queue may deliver a job in the asynchronous context of an unrelated request, so the job leaves that
  // context.
  const run = (job: QueuedJob, signal: AbortSignal) =>
    withExchange(undefined, () => runRenderJob(services, job, signal, renderLimit))
  const stopDelivery = services.queue?.consume?.(run, { concurrency: config.mergeWorkers + slowWebhooks })
  let stopped: Promise<void> | undefined

  return {
    url: address.replace('[::1]', '127.0.0.1'),
    isolation: services.isolation.line,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }

  async function stop(): Promise<void> {
    timers.forEach(clearInterval)
    services.beginStop()
    if (config.stopDelay > 0) await new Promise((resolve) => setTimeout(resolve, config.stopDelay))
    // Connections become idle as their last requests end. They are closed repeatedly, since keep-alive would
    // hold them open.
    const idle = setInterval(() => {
      app.server.closeIdleConnections()
      silent.close()
    }, 50)
    await Promise.all([app.close(), stopDelivery?.()]).finally(() => clearInterval(idle))
    await services.stop()
    stopGuarding?.()
  }
}

/**
 * Logs each engine that is not installed or was not found at its configured path: its conversions will fail.
 */
async function warnAboutUnavailableEngines({ converter, log }: Services): Promise<void> {
  for (const { title, ok, optional, because } of await converter.health()) {
    if (!ok && optional !== true) log.warn('engine.off', { engine: title, because })
  }
}

/**
 * Tracks connections so that those without a single received byte can be closed: browsers open connections
 * ahead of requests, and Node counts them as busy until the timeout for headers.
 */
function silentConnections(server: HttpServer) {
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  return {
    close() {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

if (import.meta.main) await serve(process.argv.slice(2))

/**
 * Runs the service as this process: prints where it listens and stops on SIGTERM or SIGINT, at once on the
 * second.
 */
export async function serve(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return console.log(optionsHelp())
  // Files that the service writes are readable by its own user only.
  process.umask(0o077)
  // Defaults for an error that occurs before the configuration has been read.
  let settings: StartSettings = {
    port: 0,
    bind: '',
    databaseUrl: '',
    authentication: false,
    hosted: false,
    studio: false,
  }
  const server = await start(args, (config) => (settings = config)).catch((error: unknown) => {
    console.error(`platen did not start. ${explainStart(error, settings)}`)
    process.exit(1)
  })
  console.log(`platen listens on ${server.url}`)
  console.log(
    settings.studio
      ? `Template studio: ${server.url}/`
      : `Template studio: off. With --studio it opens at ${server.url}/`,
  )
  void server.isolation().then((line) => console.log(line))
  if (!settings.authentication && !settings.hosted) console.log(firstRender(server.url))
  let signals = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (++signals > 1) process.exit(1)
      setTimeout(() => process.exit(1), hardStopMs).unref()
      server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}

type StartSettings = Pick<
  OriginConfig,
  'port' | 'bind' | 'databaseUrl' | 'authentication' | 'hosted' | 'studio'
>

/** A shell command that renders an example and works in any folder. */
function firstRender(url: string): string {
  const file = (name: string) =>
    fileURLToPath(new URL(`../test/fixtures/templates/letter/${name}`, import.meta.url))
  const body = String.raw`{\"convertTo\":\"pdf\",\"data\":$(cat '${file('data.json')}'),\"template\":\"$(base64 < '${file('template.docx')}' | tr -d '\n')\"}`
  return `Try it: curl -s '${url}/render/template?download=true' -H 'content-type: application/json' -o letter.pdf -d "${body}"`
}

async function start(
  args: readonly string[],
  onConfig: (config: OriginConfig) => void,
): Promise<RunningServer> {
  const { config, warnings } = readConfig(args, process.env)
  onConfig(config)
  for (const warning of warnings) console.error(warning)
  return startServer(config)
}
