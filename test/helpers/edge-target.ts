import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare'
import type { Target } from '../contract/http/client.ts'
import bundleEdge, { bundleVariable, optionsFile } from './edge-bundle.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface EdgeTarget extends Target {
  /** Where its database and bucket are kept, as `wrangler --persist-to` finds them. */
  readonly state: string
}

const flagsVariable = 'MINIFLARE_WORKERD_V8_FLAGS'

/**
 * The Worker in workerd with a database, a bucket and queues of its own, as `wrangler dev` runs it, but without that
 * command: to start it takes three times as long, and a second workerd of it stands in front of the one with the Worker.
 * workerd dies when an isolate needs a larger heap than `heapMegabytes`; the platform allows an isolate 128 MB.
 */
export async function edgeTarget(
  variables: Readonly<Record<string, string>> = {},
  { heapMegabytes }: { readonly heapMegabytes?: number } = {},
): Promise<EdgeTarget> {
  const worker = workerOptions()
  const state = temporaryFolder('edge-state')
  // Miniflare has no option for it.
  if (heapMegabytes === undefined) delete process.env[flagsVariable]
  else process.env[flagsVariable] = `--max-heap-size=${heapMegabytes}`
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      cf: false,
      logRequests: false,
      // What the Worker logs is no part of what the tests print.
      handleStructuredLogs: () => undefined,
      // Schedules are run by a request, as the tests need them.
      unsafeTriggerHandlers: true,
      telemetry: { enabled: false },
      resourcePersistencePath: join(state, 'v3'),
      workers: [{ ...worker, bindings: { ...worker.bindings, SERVICE_LOG_LEVEL: 'error', ...variables } }],
    }),
  )
  const stop = async () => {
    await miniflare.dispose()
    rmSync(state, { recursive: true, force: true })
  }
  try {
    const { origin } = await miniflare.ready
    // The first request makes the tables.
    const status = await fetch(`${origin}/status`)
    if (!status.ok) throw new Error(`The Worker does not start: ${status.status} ${await status.text()}`)
    return { url: origin, state, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The SQLite file of its database. */
export function databaseFile({ state }: EdgeTarget): string {
  const folder = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  const name = readdirSync(folder).find((each) => /^[0-9a-f]{64}\.sqlite$/.test(each))
  if (name === undefined) throw new Error('The Worker has no database.')
  return join(folder, name)
}

function workerOptions(): V4WorkerOptions {
  if (process.env[bundleVariable] === undefined) process.once('exit', bundleEdge())
  return JSON.parse(readFileSync(join(process.env[bundleVariable] ?? '', optionsFile), 'utf8'))
}
