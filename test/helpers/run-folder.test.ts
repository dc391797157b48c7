import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname

/** Runs a program of tests in a temporary folder that is empty but for these folders, and returns what it says and what stays. */
function run(program: string, before: readonly string[] = []) {
  const place = temporaryFolder('run-folder')
  const [tests, temporary] = [join(place, 'tests'), join(place, 'tmp')]
  for (const each of [tests, temporary, ...before.map((name) => join(temporary, name))]) mkdirSync(each)
  symlinkSync(join(root, 'node_modules'), join(tests, 'node_modules'))
  writeFileSync(join(tests, 'some.test.ts'), program)
  const test = { globalSetup: join(root, 'test/helpers/run-folder.ts') }
  writeFileSync(join(tests, 'vitest.config.mjs'), `export default ${JSON.stringify({ test })}\n`)
  const { VITEST: _, PLATEN_TEST_FOLDER: __, PLATEN_TEST_RUN: ___, ...environment } = process.env
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run'],
    {
      cwd: tests,
      env: { ...environment, TMPDIR: temporary },
      encoding: 'utf8',
    },
  )
  return { printed: stdout + stderr, left: readdirSync(temporary) }
}

describe('the temporary folder of a run', () => {
  it('goes with what tests and their programs made in it, and so do those of runs that were killed', () => {
    const killed = `platen-run-${spawnSync('true').pid}-aaaaaa`
    const running = `platen-run-${process.pid}-bbbbbb`
    const { printed, left } = run(
      `
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '${root}test/helpers/temporary-folder.ts'
test('makes folders', () => {
  expect(dirname(temporaryFolder('mine'))).toBe(tmpdir())
  execFileSync('sh', ['-c', 'mkdir "$TMPDIR/by-a-program"'])
  expect(readdirSync(tmpdir()).length).toBeGreaterThanOrEqual(2)
  // Programs of other users enter it, as they do the folder of the system.
  expect(statSync(tmpdir()).mode & 0o7777).toBe(0o1777)
  console.log('folder of the run: ' + tmpdir())
})`,
      [killed, running],
    )
    expect(printed).toMatch(/folder of the run: \S+\/tmp\/platen-run-\d+-\w{6}$/m)
    expect(printed).toMatch(/Tests.*1 passed/)
    expect(left).toEqual([running])
  })
})

it('a program that is started by itself removes its folder when it ends', () => {
  const place = temporaryFolder('by-itself')
  const helper = JSON.stringify(`${root}test/helpers/temporary-folder.ts`)
  const program = `const { temporaryFolder } = await import(${helper}); console.log(temporaryFolder('mine'))`
  const { VITEST: _, ...environment } = process.env
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...environment, TMPDIR: place },
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/\/mine-\w{6}\n$/)
  expect(readdirSync(place)).toEqual([])
})
