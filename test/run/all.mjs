/**
 * `npm test`: set-up, check, then every suite in every runtime. Ends with one plain line over all of them.
 *
 * `npm test -- scan` runs the tests of one phase, without the check: those in folders of that name, or else in files of that
 * name, or else whose path holds the word. `xlsx/template` names a folder within another. Options go to Vitest.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { environment, projectNode, root, setUp } from '../../origin/setup/run.mjs'

const words = process.argv.slice(2).filter((arg) => !arg.startsWith('-'))
const options = process.argv.slice(2).filter((arg) => arg.startsWith('-'))
const run = (args) =>
  spawnSync(projectNode(), args, { cwd: root, stdio: 'inherit', env: environment() }).status ?? 1

if (!(await setUp(['service', 'office-alt', 'test'], 'test/sdk/'))) fail('Set-up failed.')
if (words.length === 0) {
  if (run(['test/run/check.mjs']) !== 0) fail('`npm run check` failed, so no suite was run.')
  process.exit(run(['test/run/side-by-side.ts', ...options]))
}
const files = [...new Set(words.flatMap(filesOf))]
if (files.length === 0) fail(`No test is in a folder or a file called ${words.join(' or ')}.`)
console.log(`${files.length} test files, without \`npm run check\`.`)
// To start workerd takes longer than the tests of a phase.
const onNode = files.every((file) => !file.startsWith('test/edge/'))
// Each worker imports the modules of a phase for itself, which takes as long as most of its files.
const workers = options.some((option) => option.startsWith('--maxWorkers')) ? [] : workersFor(files.length)
process.exit(vitest(onNode ? 'test/vitest.node.config.ts' : 'test/vitest.config.ts', [...workers, ...files]))

function workersFor(count) {
  return count < 25 ? ['--maxWorkers=2'] : []
}

function vitest(config, files) {
  return run(['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...options, ...files])
}

function filesOf(word) {
  const all = readdirSync(`${root}test`, { recursive: true })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  const folder = `/${word.replace(/^test\//, '').replace(/\/$/, '')}/`
  const choices = [
    all.filter((path) => path === word || path.startsWith(`${word.replace(/\/$/, '')}/`)),
    all.filter((path) => path.includes(folder)),
    all.filter((path) => path.endsWith(`${folder.slice(0, -1)}.test.ts`)),
    all.filter((path) => path.includes(word)),
  ]
  return choices.find((found) => found.length > 0) ?? []
}

function fail(why) {
  console.error(why)
  console.log('0 passed, 1 failed, 0 skipped')
  process.exit(1)
}
