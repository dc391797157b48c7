import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const root = new URL('../..', import.meta.url).pathname

/** What a reader of one render has to follow; lower these when the walk becomes shorter. */
const maxFiles = 45
const maxReturns = 11

it('a warm render with the built-in layout enters few files and returns to few folders', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/run/walk.ts', 'I'], { cwd: root })
  const summary = /^Engine I: (\d+) files, \d+ rooms, (\d+) returns/m.exec(stdout)
  expect(summary, stdout).not.toBeNull()
  // A debugger that saw nothing would otherwise look like a perfect walk.
  expect(stdout).toContain('shared/render/pipeline.ts')
  expect(stdout).toContain('origin/layout-pool.ts')
  expect(Number(summary?.[1]), stdout).toBeLessThanOrEqual(maxFiles)
  expect(Number(summary?.[2]), stdout).toBeLessThanOrEqual(maxReturns)
})
