import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from '../contract/http/client.ts'

const root = new URL('../..', import.meta.url).pathname
const startTries = 600

/** Names the folder of the script of the Worker and its modules, where one was made for the whole run. */
export const bundleVariable = 'PLATEN_EDGE_BUNDLE'

export interface EdgeTarget extends Target {
  /** Where its database and bucket are kept. */
  readonly state: string
}

/** The Worker in workerd, as `wrangler dev` runs it, with a database and a bucket of its own. */
export async function edgeTarget(variables: Readonly<Record<string, string>> = {}): Promise<EdgeTarget> {
  const state = mkdtempSync(join(tmpdir(), 'edge-state-'))
  const port = await freePort()
  const bundle = process.env[bundleVariable]
  const vars = Object.entries({ SERVICE_LOG_LEVEL: 'error', ...variables }).flatMap(([name, value]) => [
    '--var',
    `${name}:${value}`,
  ])
  const address = [
    '--port',
    String(port),
    '--inspector-port',
    '0',
    '--ip',
    '127.0.0.1',
    '--persist-to',
    state,
  ]
  const child = spawn(
    process.execPath,
    [
      `${root}node_modules/wrangler/bin/wrangler.js`,
      'dev',
      ...(bundle === undefined
        ? []
        : [join(bundle, 'worker.js'), '--no-bundle', '--config', join(bundle, 'wrangler.toml')]),
      ...address,
      '--show-interactive-dev-session=false',
      ...vars,
    ],
    {
      cwd: root,
      env: {
        ...process.env,
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        WRANGLER_SEND_METRICS: 'false',
        CI: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  )
  let said = ''
  child.stdout.on('data', (chunk) => (said = `${said}${chunk}`.slice(-4000)))
  child.stderr.on('data', (chunk) => (said = `${said}${chunk}`.slice(-4000)))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    try {
      // wrangler and the workerd it started.
      process.kill(-child.pid!, 'SIGTERM')
    } catch {
      // It has ended already.
    }
    await ended
    rmSync(state, { recursive: true, force: true })
  }
  for (let tries = 0; tries < startTries && child.exitCode === null; tries++) {
    const ok = await fetch(`${url}/status`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return { url, state, stop }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await stop()
  throw new Error(`wrangler dev did not start: ${said}`)
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
