/**
 * `npm run dev:edge`: an origin and, in front of it, the Worker in workerd with local D1, R2 and queue, on 8787
 * (SERVICE_EDGE_PORT). Both get one secret for this run. Ends both when one ends or a signal comes.
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
await answers(`http://127.0.0.1:${originPort}/status`, 'The origin')
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
  // What it would ask the network for: request metadata and a count of its users.
  { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', CI: 'true' },
)
await answers(`http://127.0.0.1:${edgePort}/status`, 'The edge')
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
  // Each with the processes it started: wrangler runs workerd, the origin its engines.
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

async function answers(url, who) {
  for (let tries = 0; tries < 600; tries++) {
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
    await new Promise((done) => setTimeout(done, 100))
  }
  console.error(`${who} did not start.`)
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
