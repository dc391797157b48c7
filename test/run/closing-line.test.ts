import { execFile } from 'node:child_process'
import { rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { nodeProjects } from '../projects.ts'

const root = new URL('../..', import.meta.url).pathname

/** A test that fails the given number of times. */
const failing = (name: string, times: number) => `
let ${name} = 0
test('${name}', () => expect(${name}++ < ${times} ? 'too early' : 'ready').toBe('ready'))`

/** Runs tests as a project with these options does, and returns what is printed. */
async function closingLines(retry: number, tests: readonly string[], graceMs?: number): Promise<string> {
  const folder = temporaryFolder('platen-closing-line')
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(
      join(folder, 'some.test.ts'),
      `import { expect, test } from 'vitest'\n${tests.join('\n')}\n`,
    )
    const reporter = join(root, 'test/run/closing-line.ts')
    await writeFile(
      join(folder, 'vitest.config.mjs'),
      `export default ${JSON.stringify({ test: { retry, reporters: [[reporter, { graceMs }]] } })}\n`,
    )
    const run = promisify(execFile)(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], {
      cwd: folder,
      env: { ...process.env, VITEST: undefined, PLATEN_TEST_RUN: undefined },
    })
    type Printed = { readonly stdout: string; readonly stderr: string }
    const { stdout, stderr } = await run.catch((failure: Printed) => failure)
    return [stderr.trim(), stdout.trim()].filter((each) => each !== '').join('\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const secondTries = [
  'Passed only at the second try, so each of these has a race to mend:',
  '  some.test.ts: once',
  "    expected 'too early' to be 'ready' // Object.is equality",
]

const failed = (where: string) => [
  `  ${where}`,
  "    expected 'too early' to be 'ready' // Object.is equality",
]

describe('the end of a run', () => {
  it('names the tests that passed at the second try, and fails what failed twice', async () => {
    expect(await closingLines(1, [failing('never', 0), failing('once', 1), failing('twice', 2)])).toBe(
      [...secondTries, 'Failed:', ...failed('some.test.ts: twice'), '2 passed, 1 failed, 0 skipped'].join(
        '\n',
      ),
    )
  })

  it('fails at once where there is no second try', async () => {
    expect(await closingLines(0, [failing('never', 0), failing('once', 1)])).toBe(
      ['Failed:', ...failed('some.test.ts: once'), '1 passed, 1 failed, 0 skipped'].join('\n'),
    )
  })

  it('names a file that cannot be run', async () => {
    expect(await closingLines(0, [failing('never', 0), "throw new Error('not today')"])).toBe(
      ['Failed:', '  some.test.ts', '    not today', '0 passed, 1 failed, 0 skipped'].join('\n'),
    )
  })
})

it('a program that a test leaves running does not hold up the run, and fails it', async () => {
  const leaving = `
import { spawn } from 'node:child_process'
test('leaves', () => {
  spawn('sleep', ['4711'], { stdio: 'inherit', detached: true })
})`
  const printed = await closingLines(0, [failing('never', 0), leaving], 2_000)
  expect(printed).toMatch(/^Failed:\n {2}Left running by a test\n {4}.*sleep 4711/m)
  expect(printed).toMatch(/\n2 passed, 1 failed, 0 skipped$/)
})

it('two runs at the same time end with one line over both, and fail where one of them fails', async () => {
  const folder = temporaryFolder('platen-closing-line')
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, times] of Object.entries({ waiting: 1, computing: 2 })) {
    const tests = [failing('never', 0), failing(name, times)].join('\n')
    await writeFile(join(folder, `${name}.test.ts`), `import { expect, test } from 'vitest'\n${tests}\n`)
  }
  const reporters = ['default', join(root, 'test/run/closing-line.ts')]
  await writeFile(
    join(folder, 'vitest.config.mjs'),
    `export default ${JSON.stringify({ test: { retry: 1, reporters } })}\n`,
  )
  const runs = { waiting: ['waiting.test.ts'], computing: ['computing.test.ts'], cwd: folder }
  const program = `const { runSideBySide } = await import(${JSON.stringify(join(root, 'test/run/side-by-side.ts'))})
process.exitCode = await runSideBySide(${JSON.stringify(runs)})`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, VITEST: undefined, PLATEN_TEST_RUN: undefined },
  })
  const { code, stdout } = (await run.catch((failure: unknown) => failure)) as {
    code?: number
    stdout: string
  }
  expect(code).toBe(1)
  expect(stdout).toMatch(/waiting\.test\.ts[\s\S]*computing\.test\.ts/)
  expect(stdout.trimEnd().split('\n').slice(-7)).toEqual([
    secondTries[0],
    secondTries[1]!.replace('some.test.ts: once', 'waiting.test.ts: waiting'),
    secondTries[2],
    'Failed:',
    ...failed('computing.test.ts: computing'),
    '3 passed, 1 failed, 0 skipped',
  ])
})

it('every suite on Node gives a test one second try, and no more', () => {
  const tries = nodeProjects.map(({ test }) => [test?.name, test?.retry])
  expect(tries).toEqual([
    ['unit', 1],
    ['services', 1],
    ['node', 1],
    ['edge-http', 1],
  ])
})
