/**
 * Run as a program: merges so many templates of a size, each with other bytes, in a busy thread, and prints by how many
 * megabytes the process has grown since it was warm. Measured in a process of its own, because memory once taken is not
 * given back.
 */
import { createMergePool } from '../../origin/merge-pool.ts'

const [count = 0, size = 0] = process.argv.slice(2).map(Number)
const pool = createMergePool({
  workers: 1,
  keepsOne: true,
  memoryMb: 2048,
  plugins: [],
  folder: '.',
  cacheBytes: 1_000_000,
  templateBytes: 20_971_520,
})
const never = new AbortController().signal
let merged = 0

async function mergeMany(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    const bytes = new TextEncoder().encode(`${++merged} {d.a} `.padEnd(size, 'x'))
    const template = { hash: `template ${merged}`, bytes, format: 'txt' }
    const options = { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5_999_999 }
    await pool.merge({ template, data: { text: '{"a":1}' }, options }, never)
  }
}

await mergeMany(count / 4)
const before = process.memoryUsage.rss()
await mergeMany(count)
const grownMb = (process.memoryUsage.rss() - before) / 2 ** 20
console.log(JSON.stringify({ grownMb, replaced: pool.figures().replaced }))
await pool.stop()
