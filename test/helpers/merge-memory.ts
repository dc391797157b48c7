/**
 * Run as a program: merges an invoice with as many rows as it is told and prints the most memory the process took, in
 * MB. Measured in a process of its own, because memory once taken is not given back.
 */
import { readFileSync } from 'node:fs'
import docx from '../../plugins/formats/docx/index.ts'
import { createMergeEngine } from '../../shared/template/merge.ts'
import { invoiceData, invoiceTemplate } from './bench-templates.ts'
import { codecNode } from './codec-node.ts'

const rows = Number(process.argv[2])
const engine = createMergeEngine({ codec: codecNode, formats: () => docx })
const { value } = await engine.merge({
  template: { hash: '', bytes: await invoiceTemplate(), format: 'docx' },
  data: { text: JSON.stringify(invoiceData(rows)) },
  options: { lang: 'en', timezone: 'UTC', now: 0, languageLevel: 5 },
})
// `getrusage` counts the memory of the process that forked this one, too, until the program was started.
const [, peakKb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
console.log(JSON.stringify({ size: value.document.size, peak: Number(peakKb) / 1024 }))
