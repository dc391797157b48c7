/**
 * Run as a program: merges an invoice with each number of rows it is told and prints, for each, the milliseconds of
 * processor time that the quickest of some runs took. It has a process of its own, because the garbage that other tests
 * left is collected at the cost of whoever allocates next.
 */
import docx from '../../plugins/formats/docx/index.ts'
import { createMergeEngine } from '../../shared/template/merge.ts'
import { invoiceData, invoiceTemplate } from './bench-templates.ts'
import { codecNode } from './codec-node.ts'

const engine = createMergeEngine({ codec: codecNode, formats: () => docx })
const bytes = await invoiceTemplate()
const quickest: number[] = []
for (const rows of process.argv.slice(2).map(Number)) {
  const data = { value: invoiceData(rows) }
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 5; run += 1) {
    const before = process.threadCpuUsage()
    await engine.merge({
      template: { hash: 'invoice', bytes, format: 'docx' },
      data,
      options: { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5 },
    })
    least = Math.min(least, process.threadCpuUsage(before).user / 1_000)
  }
  quickest.push(least)
}
console.log(JSON.stringify(quickest))
