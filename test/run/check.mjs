/**
 * `npm run check`: types of each folder, lint and formatting, dependency boundaries, and the words of the glossary. Results
 * for unchanged files are kept in `.cache/check`, so that only the first run pays for all of them.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const node = `${root}node_modules/.bin/node`
const tsc = `${root}node_modules/typescript-native/bin/tsc`
const cache = `${root}.cache/check/`
mkdirSync(cache, { recursive: true })
const folders = ['shared', 'shared/studio', 'plugins', 'edge', 'origin', 'test', 'test/edge']

const checks = [
  ...folders
    .filter((folder) => existsSync(`${root}${folder}/tsconfig.json`))
    .map((folder) => [`types ${folder}`, typesOf(folder)]),
  ['words', [`${root}test/run/words.mjs`]],
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
      'shared',
      'plugins',
      'edge',
      'origin',
    ],
  ],
]

function typesOf(folder) {
  const known = `${cache}${folder.replaceAll('/', '-')}.tsbuildinfo`
  return [tsc, '--pretty', 'false', '-p', folder, '--incremental', '--tsBuildInfoFile', known]
}

let failed = 0
for (const [name, args] of checks) {
  const started = Date.now()
  const { code, output } = await run(args)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${Date.now() - started} ms)`)
  if (code !== 0) {
    failed++
    console.log(output)
  }
}
process.exit(failed > 0 ? 1 : 0)

function run(args) {
  return new Promise((resolve) => {
    const child = spawn(node, args, { cwd: root })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('close', (code) => resolve({ code, output }))
  })
}
