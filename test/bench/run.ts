/**
 * `npm run bench [-- suite [filter]]`: interleaved runs of this project and its peers. Prints Markdown tables with
 * medians and ratios and writes all figures to test/bench/results/<suite>.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

const suites: Readonly<Record<string, (only: string | undefined) => Promise<object>>> = {
  merge: async (only) => (await import('./merge-suite.ts')).mergeSuite(only),
  convert: async (only) => (await import('./convert-suite.ts')).convertSuite(only),
  web: async () => (await import('./web-suite.ts')).webSuite(),
  instant: async (only) => (await import('./instant-suite.ts')).instantSuite(only),
  pdf: async () => (await import('./pdf-suite.ts')).pdfSuite(),
  http: async () => (await import('./http-suite.ts')).httpSuite(),
  batch: async (only) => (await import('./batch-suite.ts')).batchSuite(only),
  soak: async () => (await import('./soak-suite.ts')).soakSuite(),
  lists: async () => (await import('./lists-suite.ts')).listsSuite(),
  start: async () => (await import('./start-suite.ts')).startSuite(),
}

const [wanted, only] = process.argv.slice(2)
const names = wanted === undefined ? Object.keys(suites) : [wanted]
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
const folder = new URL('./results/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const name of names) {
  const suite = suites[name]
  if (suite === undefined) {
    console.error(`No such suite: ${name}. Known: ${Object.keys(suites).join(', ')}.`)
    process.exit(2)
  }
  const figures = await suite(only)
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(figures, null, 2)}\n`)
}
