import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import docx from '../../../plugins/formats/docx/index.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { compile } from '../../../shared/template/compile.ts'
import { createMergeEngine } from '../../../shared/template/merge.ts'
import { manyTags } from '../../helpers/bench-templates.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { defaultOptions } from '../../helpers/merge.ts'

/** Milliseconds that this thread worked. The quickest of some runs counts. */
function worked(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  return process.threadCpuUsage(before).user / 1_000
}

describe('what merging costs', () => {
  // About 30 ms on an idle machine. Where others use the same core, processor time doubles, too.
  it('2,000 distinct tags compile within 100 ms, when warm', async () => {
    const bytes = await manyTags(2_000)
    let quickest = Number.POSITIVE_INFINITY
    for (let n = 0; n < 25; n += 1) {
      const opened = await docx.template!.open(bytes, { codec: codecNode, limits: defaultLimits })
      const once = worked(() =>
        compile(opened, { limits: defaultLimits, languageLevel: 5, variables: undefined }),
      )
      quickest = Math.min(quickest, once)
    }
    expect(quickest).toBeLessThan(100)
  })

  // Linear work costs ten times as much and quadratic work a hundred times: the bound is halfway between on a scale of
  // factors, because the collector of garbage adds to the larger run.
  it('ten times the rows cost less than thirty times the work', async () => {
    const script = fileURLToPath(new URL('../../helpers/merge-work.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      script,
      '10000',
      '100000',
    ])
    const [small, large] = JSON.parse(stdout) as [number, number]
    expect(large / small).toBeLessThan(30)
  })

  it('100,000 rows stay below 250 MB, all in all', async () => {
    const script = fileURLToPath(new URL('../../helpers/merge-memory.ts', import.meta.url))
    // The collector of garbage falls behind where others use the same cores, so the leanest of some runs counts.
    let peak = Number.POSITIVE_INFINITY
    for (let run = 0; run < 4 && peak >= 250; run += 1) {
      const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script, '100000'])
      const made = JSON.parse(stdout) as { size: number; peak: number }
      expect(made.size).toBeGreaterThan(2_000_000)
      peak = Math.min(peak, made.peak)
    }
    expect(peak).toBeLessThan(250)
  })

  it('a second render of a template skips scanning, parsing and analysis', async () => {
    const engine = createMergeEngine({ codec: codecNode, formats: () => docx })
    const job = {
      template: { hash: 'same', bytes: await manyTags(10), format: 'docx' },
      data: { value: {} },
      options: defaultOptions,
    }
    expect((await engine.merge(job)).value.planReused).toBe(false)
    expect((await engine.merge(job)).value.planReused).toBe(true)
  })
})
