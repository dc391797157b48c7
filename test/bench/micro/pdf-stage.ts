/**
 * The PDF stage on files of 20 and 200 pages, and pdf-lib drawing the same watermark without encryption, which it does
 * not have: `node test/bench/micro/pdf-stage.ts`. The budget is 40 ms for watermark and encryption of 20 pages.
 */
import { randomBytes } from 'node:crypto'
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib'
import { nodeCodec } from '../../../origin/codec.ts'
import { splitPdfOptions } from '../../../shared/pdf/options.ts'
import { applyPdfStage } from '../../../shared/pdf/stage.ts'

const rounds = 15
const budgetMs = 40

async function pages(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.TimesRoman)
  for (let number = 1; number <= count; number++) {
    const page = document.addPage()
    for (let line = 0; line < 45; line++) {
      const text = `Page ${number}, line ${line}: the quarterly statement shows growth in all regions (${number * line}).`
      page.drawText(text, { x: 60, y: 780 - 16 * line, size: 11, font })
    }
  }
  return document.save()
}

async function median(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[rounds >> 1]!
}

function stage(bytes: Uint8Array, options: Readonly<Record<string, unknown>>): () => Promise<unknown> {
  const wanted = splitPdfOptions(options).stage!
  const { signal } = new AbortController()
  return () => applyPdfStage(bytes, wanted, { codec: nodeCodec, random: randomBytes, signal })
}

async function byPdfLib(bytes: Uint8Array): Promise<void> {
  const document = await PDFDocument.load(bytes)
  const font = await document.embedFont(StandardFonts.Helvetica)
  for (const page of document.getPages()) {
    page.drawText('DRAFT', { x: 150, y: 250, size: 160, font, opacity: 0.1, rotate: degrees(45) })
  }
  await document.save()
}

const mark = { Watermark: 'DRAFT' }
const lock = { EncryptFile: true, DocumentOpenPassword: 'open' }
for (const count of [20, 200]) {
  const bytes = await pages(count)
  const marked = await median(stage(bytes, mark))
  const both = await median(stage(bytes, { ...mark, ...lock }))
  const theirs = await median(() => byPdfLib(bytes))
  const ms = (time: number) => `${time.toFixed(1)} ms`
  console.log(`${count} pages: watermark ${ms(marked)}, with encryption ${ms(both)}; pdf-lib ${ms(theirs)}`)
  if (count === 20 && both > budgetMs) {
    console.error(`Over the budget of ${budgetMs} ms.`)
    process.exitCode = 1
  }
}
