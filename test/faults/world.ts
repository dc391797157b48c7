import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect } from 'vitest'
import { createClient } from '../contract/http/client.ts'
import { freePort } from '../helpers/free-port.ts'
import { kill } from '../helpers/kill.ts'
import { processesBelow } from '../helpers/processes.ts'
import type { RedisServer } from '../helpers/redis.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { spawnTied } from '../helpers/tied-process.ts'

/** Another checkout of the service may be tested with the same cases. */
const server = process.env['FAULTS_SERVER'] || new URL('../../origin/server.ts', import.meta.url).pathname

/** `npm run faults` runs the cases at their full length, `npm test` a short form of each. */
export const long = process.env['FAULTS'] === 'long'

export interface Origin {
  readonly url: string
  readonly pid: number
  said(): string
  /** Ends the process at once, as a power cut would. */
  kill(): Promise<void>
  /** Asks the process to stop. */
  stop(): Promise<void>
  /** Resolves with the process. */
  readonly gone: Promise<unknown>
}

/** One origin as a process of its own, with its data in `folder`. Resolves once it listens. */
export async function startOrigin(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  { waits = true } = {},
): Promise<Origin> {
  const port = await freePort()
  const child = spawnTied(process.execPath, [server], {
    env: {
      ...process.env,
      SERVICE_WORKDIR: folder,
      SERVICE_PORT: String(port),
      SERVICE_PREWARM: 'false',
      SERVICE_MERGE_WORKERS: '1',
      SERVICE_EGRESS_ALLOW_PRIVATE: 'true',
      SERVICE_LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(child, 'exit')
  let said = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (said += chunk))
  if (waits)
    await expect
      .poll(() => (child.exitCode === null ? said : `ended: ${said}`), { timeout: 120_000 })
      .toContain('platen listens on')
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) kill(child.pid, signal)
    await gone
  }
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    said: () => said,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    gone,
  }
}

export interface Notice {
  readonly id: string | undefined // of the header `webhook-id`
  readonly success: boolean
  readonly renderId: string
  readonly code: string | undefined
}

/** A receiver of webhooks: the calls of each path, in order. */
export async function startReceiver() {
  const reported = new Map<string, Notice[]>()
  const listening = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { success, data, code } = JSON.parse(body)
    // A proxy is asked for whole addresses (RFC 9112 3.2.2).
    const path = new URL(request.url ?? '', 'http://receiver').pathname.slice(1)
    const id = request.headers['webhook-id']?.toString()
    reported.set(path, [...(reported.get(path) ?? []), { id, success, renderId: data?.renderId ?? '', code }])
    response.end()
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    reported,
    stop: () => {
      listening.closeAllConnections()
      listening.close()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Renders that are small on their way and take much longer to make, so that most still wait when something fails. */
export function rendersOf(times: number): (name: string) => object {
  const list = Array.from({ length: 1_000 }, (_, at) => `text ${at}`)
  const template = btoa(`{d.name} ${`{d.list:arrayJoin(', '):len}`.repeat(times)}`)
  return (name) => ({ template, data: { name: `${name};`, list } })
}

/** Each takes about ten times as long to make as to send, and more at full length. */
export const slowRender = rendersOf(long ? 8_000 : 3_000)

export interface Accepted {
  readonly name: string
  readonly job: string // its id
}

/** Sends a render to an origin for each name; those that were accepted. What is refused was not accepted, and is no loss. */
export async function send(
  url: string,
  receiver: Receiver,
  names: readonly string[],
  body: (name: string) => object,
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly Accepted[]> {
  const accepted: Accepted[] = []
  for (const name of names) accepted.push(...(await sendOne(url, receiver, name, body, headers)))
  return accepted
}

/** As `send`, all at the same time. */
export async function sendAtOnce(...[url, receiver, names, body]: Parameters<typeof send>) {
  return (await Promise.all(names.map((name) => sendOne(url, receiver, name, body)))).flat()
}

async function sendOne(
  url: string,
  receiver: Receiver,
  name: string,
  body: (name: string) => object,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly Accepted[]> {
  const response = await fetch(`${url}/render/template`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-webhook-url': `${receiver.url}/${name}`,
      ...more,
    },
    body: JSON.stringify(body(name)),
  }).catch(() => undefined)
  await response?.arrayBuffer()
  return response?.status === 200 ? [{ name, job: response.headers.get('service-job-id') ?? '' }] : []
}

/**
 * Waits until every accepted render has come to its end: one notice each, or more with the same id and the same words;
 * what was made can be fetched once; the job says the same. It waits as long as notices come, because a queue of slow renders
 * is not a lost one, and fails with the state of each render that has none.
 */
export async function expectEnded(
  url: string,
  receiver: Receiver,
  accepted: readonly Accepted[],
  {
    /** How long no notice may come before the renders without one count as lost. */
    idleMs = 240_000,
    /** Headers of the calls that ask for jobs. */
    headers = {} as Readonly<Record<string, string>>,
    /** Whether the text of a document is that of the render with this name. */
    isWhole = (text: string, name: string) => text.includes(name),
  } = {},
): Promise<{ readonly done: number; readonly failed: number; readonly twice: number }> {
  const missing = () => accepted.filter(({ name }) => !receiver.reported.has(name))
  let [left, changedAt] = [missing().length, performance.now()]
  while (left > 0 && performance.now() - changedAt < idleMs) {
    await pause(200)
    const { length } = missing()
    if (length < left) [left, changedAt] = [length, performance.now()]
  }
  const stuck = missing().map(async ({ name, job }) => {
    const answer = await createClient(url, headers).get(`/jobs/${job}`)
    return { name, job, status: answer.status, state: answer.body.data?.state }
  })
  expect(await Promise.all(stuck)).toEqual([])
  const client = createClient(url, headers)
  let [done, failed, twice] = [0, 0, 0]
  for (const { name, job } of accepted) {
    const notices = receiver.reported.get(name)!
    const words = new Set(notices.map((notice) => JSON.stringify(notice)))
    expect([name, words.size]).toEqual([name, 1])
    if (notices.length > 1) twice++
    const [{ id, success, renderId }] = notices as [Notice]
    expect(id).toBe(`msg_${job}`)
    const state = async () => (await client.get(`/jobs/${job}`)).body.data?.state
    await expect.poll(state, { timeout: 60_000 }).toBe(success ? 'done' : 'failed')
    if (!success) {
      failed++
      continue
    }
    done++
    const files = [await client.get(`/render/${renderId}`), await client.get(`/render/${renderId}`)]
    expect([name, ...files.map(({ status }) => status)]).toEqual([name, 200, 404])
    expect([name, isWhole(files[0]!.text, name)]).toEqual([name, true])
  }
  return { done, failed, twice }
}

/** Renders that were reported although their call was refused. */
export function unacknowledged(receiver: Receiver, accepted: readonly Accepted[]): readonly string[] {
  const names = new Set(accepted.map(({ name }) => name))
  return [...receiver.reported.keys()].filter((name) => !names.has(name))
}

/**
 * Fetches what was made for calls that were refused. Where a store dies between the commit of a job and its answer, the call is
 * refused and the job runs all the same; a caller repeats such a call with its idempotency key.
 */
export async function fetchUnacknowledged(
  url: string,
  receiver: Receiver,
  accepted: readonly Accepted[],
): Promise<void> {
  const client = createClient(url)
  for (const name of unacknowledged(receiver, accepted)) {
    const renderId = receiver.reported.get(name)?.[0]?.renderId
    if (renderId !== undefined) await client.get(`/render/${renderId}`)
  }
}

/** The stores that origins of a test share. */
export interface SharedStores {
  readonly database: string // its URL
  readonly redis?: RedisServer | undefined // absent where the queue is a table of the database
  readonly files: () => readonly string[] // keys of its files
  /** Files that may be left: a file store that hangs writes what it was sent when it goes on, after the request was refused. */
  readonly maxFiles?: number
  /** Called before each look at the stores. */
  readonly beforeLook?: () => Promise<void>
}

/** No row, file or queue entry is left of renders that have ended and were fetched. */
export async function expectNothingLeft({
  database,
  redis,
  files,
  maxFiles = 0,
  beforeLook,
}: SharedStores): Promise<void> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const count = async (from: string) =>
    Number((await client.query(`SELECT COUNT(*) AS n FROM ${from}`)).rows[0].n)
  // As text, so that the message of a failure has all of it.
  const left = async () => {
    await beforeLook?.()
    return JSON.stringify({
      openJobs: await count('jobs WHERE ended_at IS NULL'),
      requests: await count("jobs WHERE blob <> '' OR key <> ''"),
      renders: await count('renders'),
      queued: redis === undefined ? await count('queue_jobs') : await redis.entries('platen'),
      files: files().length <= maxFiles ? [] : files(),
    })
  }
  try {
    await expect
      .poll(left, { timeout: 60_000, interval: 200 })
      .toBe(JSON.stringify({ openJobs: 0, requests: 0, renders: 0, queued: 0, files: [] }))
  } finally {
    await client.end()
  }
}

/** Stops an origin: no process of it is left, nor a temporary folder. */
export async function expectGone(origin: Origin, folder: string): Promise<void> {
  const children = processesBelow(origin.pid)
  await origin.stop()
  const left = () => {
    const running = processesBelow(1)
    const isChild = ({ pid, args }: (typeof children)[number]) =>
      children.some((child) => child.pid === pid && child.args === args)
    return running.filter((each) => isChild(each) || each.args.includes(folder))
  }
  await expect.poll(left, { timeout: 60_000 }).toEqual([])
  const entries = await readdir(join(folder, '.data'))
  expect(entries.filter((name) => name.startsWith('tmp'))).toEqual([])
}

/** Keys of the files that an origin keeps below its data folder. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const root = join(folder, '.data', 'blobs')
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

/** Rows of one table in the database of an origin without servers. */
export function rowsIn(folder: string, table: string, where = '1 = 1'): number {
  const database = new DatabaseSync(join(folder, '.data', 'service.sqlite'), { readOnly: true })
  const row = database.prepare(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`).get() as { n: number }
  database.close()
  return row.n
}

export async function temporary(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = temporaryFolder('platen-faults')
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
export const namesOf = (count: number, prefix = 'n') =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`)

/** A sequence of numbers from 0 to 1, the same each time (Park and Miller). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** The milliseconds until an origin says that it is well. */
export async function untilHealthy(url: string): Promise<number> {
  const started = performance.now()
  const isWell = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isWell, { interval: 50 }).toBe(true)
  return performance.now() - started
}
