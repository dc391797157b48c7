/**
 * `npm run dev:edge` starts an origin and, in front of it, the Worker in workerd with a local D1, R2 and
 * queue, on port 8787 (SERVICE_EDGE_PORT). They share a secret that is generated for this run. Both end when
 * one of them ends or on a signal.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const secret = randomBytes(32).toString('hex')
const originPort = process.env.SERVICE_PORT ?? (await freePort())
const edgePort = process.env.SERVICE_EDGE_PORT ?? '8787'
const children = []
let ending = false

start('origin', ['origin/server.ts'], {
  SERVICE_PORT: originPort,
  SERVICE_ORIGIN_SECRET: secret,
})
await untilReady(`http://127.0.0.1:${originPort}/status`, 'The origin')
const state = process.env.SERVICE_EDGE_STATE ?? '.wrangler/state'
start(
  'edge',
  [
    'node_modules/wrangler/bin/wrangler.js',
    'dev',
    ...[
      '--port',
      edgePort,
      '--ip',
      '127.0.0.1',
      '--persist-to',
      state,
      '--show-interactive-dev-session=false',
    ],
    ...[
      '--var',
      `SERVICE_ORIGIN_URL:http://127.0.0.1:${originPort}`,
      '--var',
      `SERVICE_ORIGIN_SECRET:${secret}`,
    ],
  ],
  // These turn off network requests of wrangler: for request metadata and for usage statistics.
  { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', CI: 'true' },
)
await untilReady(`http://127.0.0.1:${edgePort}/status`, 'The edge')
console.log(
  `platen edge on http://127.0.0.1:${edgePort}, with the origin on http://127.0.0.1:${originPort} behind it`,
)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0))

function start(name, args, env) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  children.push(child)
  child.on('exit', (code) => {
    if (!ending) console.error(`The ${name} ended with code ${code}.`)
    end(1)
  })
}

function end(code) {
  if (ending) return
  ending = true
  // Signal the process groups, because wrangler starts workerd and the origin starts its engines.
  for (const { pid } of children) {
    try {
      process.kill(-pid, 'SIGTERM')
    } catch {
      // It has ended already.
    }
  }
  Promise.all(
    children.map((child) => child.exitCode ?? new Promise((done) => child.once('exit', done))),
  ).then(() => process.exit(code))
}

/** Waits about a minute for a URL to answer with a success status, then ends everything. */
async function untilReady(url, name) {
  for (let tries = 0; tries < 600; tries++) {
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
    await new Promise((done) => setTimeout(done, 100))
  }
  console.error(`${name} did not start.`)
  end(1)
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(String(port)))
    })
  })
}
