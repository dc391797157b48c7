/**
 * Kills, stops and freezes the parts of a service among renders and counts what is lost: `npm run faults`. The cases of
 * test/faults at their full length, each bounded in time; `npm test` runs them in a short form.
 */
import { spawnSync } from 'node:child_process'

const root = new URL('../..', import.meta.url).pathname
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'test/vitest.node.config.ts',
  'test/faults',
]
const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, FAULTS: 'long' },
})
process.exit(status ?? 1)
