/**
 * The PDF stage on files of 20 and 200 pages, and pdf-lib drawing the same watermark without encryption, which it does
 * not have. The budget is 40 ms for watermark and encryption of 20 pages, and ten times that for ten times the pages.
 */
import { randomBytes } from 'node:crypto'
import { degrees, PDFDocument, StandardFonts } from 'pdf-lib'
import { nodeCodec } from '../../origin/codec.ts'
import { splitPdfOptions } from '../../shared/pdf/stage/options.ts'
import { applyPdfStage } from '../../shared/pdf/stage/stage.ts'
import { markdownTable, median, short } from './statistics.ts'

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

async function times(run: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = []
  for (let round = -2; round < rounds; round++) {
    const start = performance.now()
    await run()
    if (round >= 0) measured.push(performance.now() - start)
  }
  return measured
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

export async function pdfSuite(): Promise<object> {
  const figures: Record<string, Record<string, number[]>> = {}
  for (const count of [20, 200]) {
    const bytes = await pages(count)
    figures[`${count} pages`] = {
      watermark: await times(stage(bytes, mark)),
      'and encryption': await times(stage(bytes, { ...mark, ...lock })),
      'pdf-lib, watermark': await times(() => byPdfLib(bytes)),
    }
  }
  const names = Object.keys(figures['20 pages'] ?? {})
  const rows = Object.entries(figures).map(([name, measured]) => [
    name,
    ...names.map((one) => short(median(measured[one] ?? []))),
  ])
  const both = (name: string) => median(figures[name]?.['and encryption'] ?? [])
  console.log(`\n## PDF stage, ms p50\n\n${markdownTable(['', ...names], rows)}`)
  console.log(
    `\n20 pages: ${short(both('20 pages'))} of ${budgetMs} ms; 200 pages: ${short(both('200 pages') / both('20 pages'))} × that`,
  )
  if (both('20 pages') > budgetMs) process.exitCode = 1
  return figures
}
