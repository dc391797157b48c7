import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createScratch } from '../../../../origin/processes/scratch.ts'
import { useTemporary } from '../../../helpers/temporary.ts'

const temporary = useTemporary()

it('folders of a browser engine without a host go after a crash, and those of a living process stay', async () => {
  const place = join(temporary(), 'tmp')
  mkdirSync(place, { recursive: true })
  vi.stubEnv('TMPDIR', place)
  const own = new URL('../../../../plugins/engines/chromium/temporary.ts', import.meta.url).href
  const { temporaryFolder } = await import(own)
  const living: string = await temporaryFolder()
  const program = `const { temporaryFolder } = await import(${JSON.stringify(own)}); await temporaryFolder(); process.kill(process.pid, 'SIGKILL')`
  expect(() =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: place },
    }),
  ).toThrow()
  expect(readdirSync(place)).toHaveLength(2)
  await createScratch(join(place, 'data')).sweep()
  vi.unstubAllEnvs()
  expect(readdirSync(place).map((name) => join(place, name))).toEqual([living])
})
