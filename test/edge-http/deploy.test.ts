import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { createClient } from '../contract/http/client.ts'
import { bundleVariable } from '../helpers/edge-bundle.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname
/** What Cloudflare takes, compressed, without a paid plan. */
const largestWorker = 3 * 1024 * 1024

it('wrangler deploy --dry-run: everything is bound, the bundle has nothing of Node and is small enough', async () => {
  // What all files of this project run was made by that command.
  const folder = process.env[bundleVariable] ?? ''
  const stdout = await readFile(join(folder, 'said.txt'), 'utf8')
  for (const name of ['RECORDS', 'BLOBS', 'RENDERS', 'FONTS']) expect(stdout).toContain(`env.${name} `)
  const script = await readFile(join(folder, 'worker.js'))
  expect(script.toString()).not.toMatch(/(from|require\()\s*["']node:/)
  const others = (await readdir(folder)).filter((name) => /\.(wasm|sql|bin)$/.test(name))
  const bytes = await Promise.all(others.map((name) => readFile(join(folder, name))))
  expect(gzipSync(Buffer.concat([script, ...bytes])).byteLength).toBeLessThan(largestWorker)
})

it('wrangler.toml keeps logs, resends lost renders, cleans up every hour and runs one render per invocation', async () => {
  const text = await readFile(`${root}wrangler.toml`, 'utf8')
  for (const line of [
    /^\[observability\]\nenabled = true$/m,
    /^\[observability\.logs\]\nenabled = true\ninvocation_logs = true\nhead_sampling_rate = 1$/m,
    /^crons = \["\*\/10 \* \* \* \*", "\d+ \* \* \* \*"\]$/m,
    /^dead_letter_queue = "platen-renders-dead"$/m,
    /^cpu_ms = \d[\d_]*$/m,
    /^max_batch_size = 1$/m,
    /^migrations_table = "schema_migrations"$/m,
  ])
    expect(text).toMatch(line)
})

it('wrangler dev runs the Worker with its configuration, and keeps stored files between two starts', async () => {
  const state = temporaryFolder('edge-dev')
  try {
    const id = await withDev(state, async (url) => {
      const client = createClient(url)
      const id = await client.hashed('Dear {d.a}')
      expect((await client.post(`/render/${id}?download=true`, { data: { a: 'Ann' } })).text).toBe('Dear Ann')
      return id
    })
    expect((await withDev(state, (url) => createClient(url).get(`/template/${id}`))).text).toBe('Dear {d.a}')
  } finally {
    await rm(state, { recursive: true, force: true })
  }
})

/** Runs `wrangler dev` from the bundle of this run, since the command would make the same again. */
async function withDev<Result>(state: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const folder = process.env[bundleVariable] ?? ''
  const wrangler = [`${root}node_modules/wrangler/bin/wrangler.js`, 'dev', join(folder, 'worker.js')]
  const options = ['--no-bundle', '--config', join(folder, 'wrangler.toml'), '--persist-to', state]
  const address = ['--ip', '127.0.0.1', '--port', '0', '--inspector-port', '0']
  const child = spawn(
    process.execPath,
    [...wrangler, ...options, ...address, '--show-interactive-dev-session=false'],
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
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const gone = once(child, 'exit')
  // It says where it listens, so that no other process can answer in its place.
  const listening = () => /Ready on (http:\S+)/.exec(said)?.[1]
  try {
    while (listening() === undefined) {
      if (child.exitCode !== null) throw new Error(`wrangler dev did not start: ${said.slice(-4000)}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return await work(listening() ?? '')
  } finally {
    // wrangler and the workerd that it started.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await gone
  }
}
