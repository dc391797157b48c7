/** `npm test`: set-up, check, then every suite in every runtime. Ends with one plain line over all of them. */
import { spawnSync } from 'node:child_process'
import { environment, projectNode, root, setUp } from '../../origin/setup/run.mjs'

if (!(await setUp(['service', 'test'], 'test/sdk/'))) fail('Set-up failed.')
const run = (args) =>
  spawnSync(projectNode(), args, { cwd: root, stdio: 'inherit', env: environment() }).status ?? 1

if (run(['test/run/check.mjs']) !== 0) fail('`npm run check` failed, so no suite was run.')
const filters = process.argv.slice(2)
process.exit(run(['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts', ...filters]))

function fail(why) {
  console.error(why)
  console.log('0 passed, 1 failed, 0 skipped')
  process.exit(1)
}
