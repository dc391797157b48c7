import type { Server as HttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { QueuedJob } from '../shared/ports/index.ts'
import { reconcileJobs } from '../shared/services/reconcile-jobs.ts'
import { runRenderJob } from '../shared/services/run-job.ts'
import type { Services } from '../shared/services/services.ts'
import { sweep, sweepOrphans } from '../shared/services/sweep.ts'
import { createTurns } from '../shared/services/turns.ts'
import { createApp } from './app.ts'
import { type Config, optionsHelp, readConfig } from './config.ts'
import { guardProcess } from './hooks/call-hook.ts'
import { withExchange } from './hooks/exchange.ts'
import { createInternal } from './internal.ts'
import { registerInternalConvert } from './internal-convert.ts'
import { registerInternalRender } from './internal-render.ts'
import { createServices } from './services.ts'
import { explainStart } from './start-error.ts'

const sweepEveryMs = 600_000
const orphansEveryMs = 3_600_000
const reconcileEveryMs = 60_000
const hardStopMs = 300_000
/** So many webhooks may let us wait while the others' renders go on. */
const slowWebhooks = 16

export interface RunningServer {
  readonly url: string
  /** How engines are isolated, in a line, after it was tried. */
  isolation(): Promise<string>
  /** Refuses new renders, lets running ones finish, frees everything. */
  stop(): Promise<void>
}

/** Listens, and sweeps at the start and every ten minutes. Engines wake in the background. */
export async function startServer(config: Config): Promise<RunningServer> {
  const services = await createServices(config, { withHooks: true })
  const { hooked } = services
  const unguard = hooked === undefined ? undefined : guardProcess()
  const app = createApp(services, { requestTimeoutMs: config.requestTimeout, hooks: hooked })
  if (config.originSecret !== '') {
    const { converter, clock, log, once } = services
    const internal = createInternal({ clock, log, once, secret: config.originSecret })
    registerInternalConvert(app, { internal, converter, clock })
    registerInternalRender(app, services, internal)
  }
  const silent = silentConnections(app.server)
  const address = await app.listen({ port: config.port, host: config.bind })
  const repeat = (work: (services: Services) => Promise<unknown>, everyMs: number) => {
    const once = () =>
      void work(services).catch((error: unknown) => services.log.warn('sweep.failed', { error }))
    once()
    return setInterval(once, everyMs).unref()
  }
  const timers = [
    repeat(sweep, sweepEveryMs),
    repeat(sweepOrphans, orphansEveryMs),
    repeat((services) => reconcileJobs(services), reconcileEveryMs),
  ]
  if (config.prewarm) void services.warm().then(() => tellWhatIsOff(services))
  // A queue may wake in the middle of a request, to which its jobs do not belong.
  const inTurn = createTurns(config.mergeWorkers)
  const run = (job: QueuedJob, signal: AbortSignal) =>
    withExchange(undefined, () => runRenderJob(services, job, signal, inTurn))
  const work = services.queue?.consume?.(run, { concurrency: config.mergeWorkers + slowWebhooks })
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
    // A connection whose request ends from here on would be kept for the next one, which never comes.
    const idle = setInterval(() => {
      app.server.closeIdleConnections()
      silent.close()
    }, 50)
    await Promise.all([app.close(), work?.()]).finally(() => clearInterval(idle))
    await services.stop()
    unguard?.()
  }
}

/** An engine that this machine lacks, or that was looked for in a wrong place: conversions by it will fail. */
async function tellWhatIsOff({ converter, log }: Services): Promise<void> {
  for (const { title, ok, optional, because } of await converter.health()) {
    if (!ok && optional !== true) log.warn('engine.off', { engine: title, because })
  }
}

/**
 * Connections on which nothing was ever sent, as browsers open them ahead of a request. Node takes those for busy ones
 * until the time for their headers is over.
 */
function silentConnections(server: HttpServer) {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    close() {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

if (import.meta.main) await serve(process.argv.slice(2))

/** The service as a process of its own: says where it listens, and ends by signals. */
export async function serve(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return console.log(optionsHelp())
  // What it writes is for nobody else to read.
  process.umask(0o077)
  let place: ToldConfig = {
    port: 0,
    bind: '',
    databaseUrl: '',
    authentication: false,
    hosted: false,
    studio: false,
  }
  const server = await start(args, (config) => (place = config)).catch((error: unknown) => {
    console.error(`platen did not start. ${explainStart(error, place)}`)
    process.exit(1)
  })
  console.log(`platen listens on ${server.url}`)
  console.log(
    place.studio
      ? `Template studio: ${server.url}/`
      : `Template studio: off. With --studio it opens at ${server.url}/`,
  )
  void server.isolation().then((line) => console.log(line))
  if (!place.authentication && !place.hosted) console.log(firstRender(server.url))
  let asked = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (++asked > 1) process.exit(1)
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

type ToldConfig = Pick<Config, 'port' | 'bind' | 'databaseUrl' | 'authentication' | 'hosted' | 'studio'>

/** A line to try it with, from any folder. */
function firstRender(url: string): string {
  const file = (name: string) =>
    fileURLToPath(new URL(`../test/fixtures/templates/letter/${name}`, import.meta.url))
  const body = String.raw`{\"convertTo\":\"pdf\",\"data\":$(cat '${file('data.json')}'),\"template\":\"$(base64 < '${file('template.docx')}' | tr -d '\n')\"}`
  return `Try it: curl -s '${url}/render/template?download=true' -H 'content-type: application/json' -o letter.pdf -d "${body}"`
}

async function start(args: readonly string[], told: (config: Config) => void): Promise<RunningServer> {
  const { config, warnings } = readConfig(args, process.env)
  told(config)
  for (const warning of warnings) console.error(warning)
  return startServer(config)
}
