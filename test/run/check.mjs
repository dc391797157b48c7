/**
 * `npm run check`: types of each folder, lint and formatting, dependency boundaries, circles of imports, look-ups by key, generated
 * files, and the words of the glossary. Results for unchanged files are kept in `.cache/check`, so that only the first run pays for all of them.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const node = `${root}node_modules/.bin/node`
const tsc = `${root}node_modules/typescript-native/bin/tsc`
const cache = `${root}.cache/check/`
mkdirSync(cache, { recursive: true })
const folders = ['test', 'test/edge', 'origin', 'edge', 'plugins', 'shared', 'shared/studio', 'client']

/** The longest come first, so that the last ones to end are short. */
const checks = [
  ['lint and format', [`${root}node_modules/.bin/biome`, 'check', '--error-on-warnings', '.']],
  [
    'boundaries',
    [
      `${root}node_modules/.bin/depcruise`,
      '--config',
      'test/boundaries.mjs',
      '--cache',
      `${cache}boundaries`,
      '--cache-strategy',
      'content',
      'client/src',
      'shared',
      'plugins',
      'edge',
      'origin',
    ],
  ],
  ['generated files', [`${root}test/run/generate.ts`, '--check']],
  ...folders
    .filter((folder) => existsSync(`${root}${folder}/tsconfig.json`))
    .map((folder) => [`types ${folder}`, typesOf(folder)]),
  ['words', [`${root}test/run/words.mjs`]],
  ['patterns on markup', [`${root}test/run/markup-patterns.mjs`]],
  ['circles of imports', [`${root}test/run/import-circles.ts`]],
  ['look-ups by key', [`${root}test/run/table-lookups.ts`]],
]

function typesOf(folder) {
  const known = `${cache}${folder.replaceAll('/', '-')}.tsbuildinfo`
  return [tsc, '--pretty', 'false', '-p', folder, '--incremental', '--tsBuildInfoFile', known]
}

let failed = 0
const waiting = [...checks]
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runWaiting))
process.exit(failed > 0 ? 1 : 0)

async function runWaiting() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [name, args] = next
    const started = Date.now()
    const { code, output } = await run(args)
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${Date.now() - started} ms)`)
    if (code !== 0) {
      failed++
      console.log(output)
    }
  }
}

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(node, args, { cwd: root })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ code, output }))
  })
}
