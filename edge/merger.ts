import { formats } from '../plugins/formats/index.ts'
import { defaultLimits } from '../shared/limits.ts'
import type { Merger } from '../shared/ports/index.ts'
import { createMergeEngine, mergerOf } from '../shared/template/merge.ts'
import { pureCodec } from './codec.ts'

/** An isolate has 128 MB of memory in total, so these limits are lower than those of the origin. */
const cacheBytes = 24 * 1024 * 1024
const inflatedBytes = 64 * 1024 * 1024
const outputBytes = 48 * 1024 * 1024
const markupItems = 300_000

/** Creates a merger that runs in the isolate itself. */
export function createMerger(maxTemplateBytes: number): Merger {
  return mergerOf(
    createMergeEngine({
      codec: pureCodec,
      formats: (id) => formats.find((format) => format.id === id),
      limits: { ...defaultLimits, templateBytes: maxTemplateBytes, inflatedBytes, outputBytes, markupItems },
      cacheBytes,
    }),
  )
}
