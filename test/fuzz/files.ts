/**
 * Sends bent documents to an origin, over all engines: each must end in a document or in an error of the catalogue within its
 * deadline, the process must live, and its serving thread must not be held up:
 *
 *   node test/fuzz/files.ts [files] [seed]
 */

import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fuzzedFiles } from '../helpers/fuzzed-files.ts'
import { convertFolder } from '../helpers/libreoffice.ts'
import { startMeasuredOrigin } from '../helpers/measured-origin.ts'
import { sendFuzzed, wrongWith } from '../helpers/send-fuzzed.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const [count = 500, seed = 1] = process.argv.slice(2).map(Number)
const atOnce = 4
const maxTurnMs = 100
const timeoutMs = 20_000
/** What an answer may take beyond the deadline, on a machine that does other things too. */
const graceMs = 20_000

const folder = temporaryFolder('platen-fuzz')
const origin = await startMeasuredOrigin({ measureDelay: true, renderTimeout: timeoutMs, prewarm: true })
const ends = { made: 0, refused: 0, wrong: 0, late: 0 }
let slowestMs = 0
try {
  await writeOldOfficeFiles(folder)
  const files = fuzzedFiles(count, seed, [folder])
  const line = async () => {
    for (const { what, bytes, to, engine, merges } of files) {
      const body = JSON.stringify({
        ...(merges && { data: {} }),
        template: Buffer.from(bytes).toString('base64'),
        convertTo: to,
        ...(engine !== undefined && { converter: engine }),
      })
      const started = performance.now()
      const wrong = await sendFuzzed(origin.url, {
        what,
        method: 'POST',
        path: '/render/template?download=true',
        headers: { 'content-type': 'application/json' },
        body: new TextEncoder().encode(body),
        pieceBytes: 65_536,
      }).then(
        (answer) => {
          ends[answer.status === 200 ? 'made' : 'refused']++
          return wrongWith(answer)
        },
        (error: unknown) => String(error),
      )
      const tookMs = performance.now() - started
      slowestMs = Math.max(slowestMs, tookMs)
      const isLate = tookMs > timeoutMs + graceMs
      if (isLate) ends.late++
      if (wrong !== undefined) ends.wrong++
      if (wrong !== undefined || isLate) console.log(`${wrong ?? `${tookMs.toFixed(0)} ms`}\n  ${what}`)
    }
  }
  await origin.figures()
  await Promise.all(Array.from({ length: atOnce }, line))
  const { longestTurnMs, delayMs, rssMb } = await origin.figures()
  const isLong = longestTurnMs > maxTurnMs
  console.log(
    `${count} files, seed ${seed}: ${ends.made} made, ${ends.refused} refused, ${ends.wrong} wrong, ${ends.late} late; slowest ${(slowestMs / 1000).toFixed(1)} s, longest turn ${longestTurnMs.toFixed(0)} ms, delay ${delayMs.toFixed(0)} ms, RSS ${rssMb.toFixed(0)} MB`,
  )
  process.exitCode = ends.wrong + ends.late > 0 || isLong ? 1 : 0
} finally {
  await origin.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Binary files of Word, Excel and PowerPoint: the fixtures have encrypted ones only. */
async function writeOldOfficeFiles(into: string): Promise<void> {
  const profile = temporaryFolder('platen-profile')
  const examples = {
    doc: ['letter/template.docx', 'report/template.docx'],
    xls: ['inventory/template.xlsx', 'price-list/template.xlsx'],
    ppt: ['roadshow/template.pptx', 'slide-deck/template.pptx'],
  }
  try {
    for (const [to, files] of Object.entries(examples)) {
      const made = join(into, to)
      await mkdir(made)
      const copies = files.map((file) => join(made, file.replace('/', '-')))
      for (const [at, file] of files.entries())
        await copyFile(new URL(`../fixtures/templates/${file}`, import.meta.url), copies[at]!)
      await convertFolder(made, to, profile)
      await Promise.all(copies.map((copy) => rm(copy)))
    }
  } finally {
    await rm(profile, { recursive: true, force: true })
  }
}
