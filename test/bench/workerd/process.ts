import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../helpers/free-port.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const root = new URL('../../..', import.meta.url).pathname
/**
 * The program itself. `node_modules/.bin/workerd` may be a script that starts it as a child, which would outlive a kill of
 * the script and would not be measured.
 */
const { default: workerdProgram } = createRequire(import.meta.url)('workerd') as { readonly default: string }
const startTries = 200

export interface WorkerdEngine {
  /** Converts one after the other within one request; the last PDF. */
  convert(bytes: Uint8Array, times: number): Promise<Uint8Array>
  /** CPU time of the whole process so far, in ms. */
  cpu(): number
  /** Resident bytes. */
  memory(): number
  stop(): Promise<void>
}

export interface WorkerdLimits {
  /** A port to profile it at. */
  readonly inspector?: number
  /** MB that the heap of the isolate may have; what needs more ends the process. */
  readonly heap?: number
}

/**
 * The engine in a workerd of its own, bundled by wrangler with the settings of the Worker and asked over one connection:
 * no proxy, no database and no inspector share its time.
 */
export async function workerdEngine({ inspector, heap }: WorkerdLimits = {}): Promise<WorkerdEngine> {
  const folder = temporaryFolder('bench-workerd')
  try {
    await bundle(folder)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const port = await freePort()
  writeFileSync(join(folder, 'config.capnp'), configuration(folder, port, heap))
  const debug = inspector === undefined ? [] : [`--inspector-addr=127.0.0.1:${inspector}`]
  const child = spawn(workerdProgram, ['serve', join(folder, 'config.capnp'), ...debug], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-4000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const stop = async () => {
    agent.destroy()
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const convert = (bytes: Uint8Array, times: number) =>
    post(agent, `http://127.0.0.1:${port}/?times=${times}`, bytes)
  for (let tries = 0; tries < startTries && child.exitCode === null; tries++) {
    const ready = await convert(new Uint8Array(), 0).then(
      () => true,
      () => false,
    )
    if (ready) return { convert, cpu: () => cpuOf(child.pid!), memory: () => residentOf(child.pid!), stop }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await stop()
  throw new Error(`workerd did not start: ${said}`)
}

async function bundle(folder: string): Promise<void> {
  await promisify(execFile)(
    process.execPath,
    [
      `${root}node_modules/wrangler/bin/wrangler.js`,
      'deploy',
      new URL('entry.ts', import.meta.url).pathname,
      '--dry-run',
      '--outdir',
      folder,
    ],
    { cwd: root, env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false' }, maxBuffer: 10_000_000 },
  )
}

function configuration(folder: string, port: number, heap: number | undefined): string {
  const settings = readFileSync(`${root}wrangler.toml`, 'utf8')
  const date = /^compatibility_date = "([^"]+)"/m.exec(settings)?.[1]
  const fonts = `${root}${/^directory = "([^"]+)"/m.exec(settings)?.[1]}`
  const modules = readdirSync(folder)
    .filter((name) => /\.(?:js|wasm)$/.test(name))
    .sort((a) => (a.endsWith('.js') ? -1 : 1))
    .map((name) =>
      name.endsWith('.js')
        ? `(name = "${name}", esModule = embed "${name}")`
        : `(name = "./${name}", wasm = embed "${name}")`,
    )
  const flags =
    heap === undefined ? '' : `\n  v8Flags = ["--max-old-space-size=${heap}", "--max-semi-space-size=4"],`
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "engine", worker = (
      modules = [${modules.join(', ')}],
      compatibilityDate = "${date}",
      bindings = [(name = "FONTS", service = "fonts")],
    )),
    (name = "fonts", disk = (path = "${fonts}")),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "engine")],${flags}
);
`
}

function post(agent: Agent, address: string, bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': bytes.byteLength }
    const asked = request(address, { agent, method: 'POST', headers }, (answer) => {
      const chunks: Uint8Array[] = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.once('error', reject)
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve(Buffer.concat(chunks))
        else reject(new Error(`The engine in workerd answered ${answer.statusCode}.`))
      })
    })
    asked.once('error', reject)
    asked.end(bytes)
  })
}

/** Sums over the threads, in nanoseconds: the process itself counts in hundredths of a second only. */
function cpuOf(pid: number): number {
  let sum = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    sum += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  }
  return sum / 1e6
}

function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
}
