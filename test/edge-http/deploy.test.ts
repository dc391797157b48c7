import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bundleVariable } from '../helpers/edge-target.ts'

const root = new URL('../..', import.meta.url).pathname
/** What Cloudflare takes, compressed, without a paid plan. */
const largestWorker = 3 * 1024 * 1024

it('wrangler deploy --dry-run: everything is bound, nothing of Node is in it, and it is small enough', async () => {
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

it('wrangler.toml keeps the logs, sends lost renders again, sweeps every hour, runs one render an invocation', async () => {
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
