/**
 * Time of compiling a template with 2,000 distinct tags: `node test/bench/micro/compile.ts`. Warm runs; of a busy
 * machine the quickest one says most.
 */
import docx from '../../../plugins/formats/docx/index.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { compile } from '../../../shared/template/compile.ts'
import { manyTags } from '../../helpers/bench-templates.ts'
import { codecNode } from '../../helpers/codec-node.ts'

const bytes = await manyTags(2_000)
const times: number[] = []
for (let n = 0; n < 60; n += 1) {
  const opened = await docx.template!.open(bytes, { codec: codecNode, limits: defaultLimits })
  const start = performance.now()
  compile(opened, { limits: defaultLimits, languageLevel: 5, variables: undefined })
  times.push(performance.now() - start)
}
times.sort((a, b) => a - b)
console.log(`2,000 distinct tags: median ${times[30]!.toFixed(1)} ms, quickest ${times[0]!.toFixed(1)} ms`)
