/**
 * Times of the merge engine on templates made by code: `node test/bench/micro/merge.ts [name]`. Medians of warm runs
 * and, in brackets, the quickest one; memory is the growth of the process over all runs.
 */

import docx from '../../../plugins/formats/docx/index.ts'
import { createMergeEngine } from '../../../shared/template/merge.ts'
import { invoiceData, invoiceTemplate, letterData, letterTemplate } from '../../helpers/bench-templates.ts'
import { codecNode } from '../../helpers/codec-node.ts'

const only = process.argv[2]
const engine = createMergeEngine({ codec: codecNode, formats: (id) => (id === 'docx' ? docx : undefined) })
const options = { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5 }

async function time(name: string, bytes: Uint8Array, data: unknown, runs: number): Promise<void> {
  if (only !== undefined && !name.startsWith(only)) return
  const text = JSON.stringify(data)
  const job = { template: { hash: name, bytes, format: 'docx' }, data: { text }, options }
  const times: number[] = []
  let size = 0
  for (let n = 0; n < Math.ceil(runs / 4); n += 1) await engine.merge(job)
  const before = process.memoryUsage().rss
  let peak = before
  for (let n = 0; n < runs; n += 1) {
    const start = performance.now()
    size = (await engine.merge(job)).value.document.size
    times.push(performance.now() - start)
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  times.sort((a, b) => a - b)
  const median = times[times.length >> 1]!.toFixed(3)
  console.log(
    `${name.padEnd(20)} ${median} (${times[0]!.toFixed(3)}) ms  ${size} bytes  +${((peak - before) / 2 ** 20).toFixed(1)} MB, rss ${(peak / 2 ** 20).toFixed(0)} MB`,
  )
}

const letter = await letterTemplate()
const invoice = await invoiceTemplate()
console.log(`templates: letter ${letter.length} bytes, invoice ${invoice.length} bytes`)
await time('letter', letter, letterData, 1000)
await time('invoice 100', invoice, invoiceData(100), 400)
await time('invoice 1000', invoice, invoiceData(1000), 100)
await time('invoice 10000', invoice, invoiceData(10_000), 30)
