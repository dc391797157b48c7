/**
 * Three figures tell whether text is missing: `recall`, the words of LibreOffice's PDF as pdftotext parts them; `letters`,
 * the same words where neither side has white space, so that only letters count; `source`, the words of the document
 * itself (`source-text.ts`, `completeness.ts`). Of the last one the totals say LibreOffice's share, too.
 *
 * How close the instant engine comes to LibreOffice: `node test/fidelity/run.ts [--dir folder] [--filter text]
 * [--pictures n] [--no-raster]`. Prints a line per document and the totals, writes side-by-side pictures of the worst
 * pages to .cache/fidelity/worst/. Both sides use the fonts of this machine.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findWords, textOf } from './completeness.ts'
import { createConverter, readers } from './engine.ts'
import { rasterise, similarity, writeSideBySide } from './pictures.ts'
import { referencePdfs } from './reference.ts'
import { sourceWords } from './source-text.ts'
import { compareWords, textRecall, wordsOf } from './words.ts'

const root = new URL('../..', import.meta.url).pathname
const { values: args } = parseArgs({
  options: {
    dir: {
      type: 'string',
      multiple: true,
      default: [process.env['FIDELITY_DIR'] ?? join(root, 'test/fixtures/corpus')],
    },
    filter: { type: 'string' },
    pictures: { type: 'string', default: '6' },
    'no-raster': { type: 'boolean', default: false },
    json: { type: 'string' },
    pages: { type: 'boolean', default: false },
  },
})

interface Result {
  readonly name: string
  readonly file: string
  readonly reference: number // pages
  readonly ours: number
  readonly w2: number
  readonly w5: number
  readonly onPage: number
  readonly ssim: number
  readonly recall: number
  readonly letters: number
  readonly source: number
  /** The same of LibreOffice. */
  readonly sourceReference: number
  readonly missing: readonly string[]
  readonly ms: number
  readonly perPage: readonly string[]
  readonly warnings: readonly string[]
  readonly error?: string
}

const comparedPages = 5
/** Share of the words from which a document counts as complete. */
const whole = 0.99
const cache = join(root, '.cache/fidelity')
const output = join(cache, 'ours')
const worst = join(cache, 'worst')

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return documentsIn(path)
    return readers[extname(entry.name).toLowerCase()] === undefined ? [] : [path]
  })
}

async function measure(
  file: string,
  referencePdf: string,
  convert: ReturnType<typeof createConverter>,
): Promise<Result> {
  const name = basename(file)
  const reference = wordsOf(referencePdf)
  try {
    // The first conversion warms caches; the second is what a running service takes.
    await convert(file)
    const converted = await convert(file)
    const pdf = join(output, `${name}.pdf`)
    writeFileSync(pdf, converted.pdf)
    const ours = wordsOf(pdf)
    const words = compareWords(reference, ours)
    const share = (count: number, of = words.words): number => (of === 0 ? 1 : count / of)
    const [text, referenceText] = [textOf(pdf), textOf(referencePdf)]
    const [source, sourceReference, letters] = [
      findWords(sourceWords(file), text),
      findWords(sourceWords(file), referenceText),
      findWords(referenceText.split(/\s+/), text),
    ]
    return {
      name,
      file,
      reference: reference.length,
      ours: ours.length,
      w2: share(words.within2),
      w5: share(words.within5),
      onPage: share(words.onPage),
      ssim: args['no-raster'] ? Number.NaN : pictureScore(referencePdf, pdf, reference.length),
      recall: textRecall(reference, ours),
      letters: share(letters.found, letters.words),
      source: share(source.found, source.words),
      sourceReference: share(sourceReference.found, sourceReference.words),
      missing: source.missing,
      ms: converted.ms,
      perPage: reference.map((page, index) => {
        const score = compareWords([page], [ours[index] ?? []])
        return `${Math.round((100 * score.within2) / Math.max(1, score.words))}`
      }),
      warnings: [...new Set(converted.all.map((warning) => warning.code))],
    }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return {
      name,
      file,
      reference: reference.length,
      ours: 0,
      w2: 0,
      w5: 0,
      onPage: 0,
      ssim: 0,
      recall: 0,
      letters: 0,
      source: 0,
      sourceReference: 0,
      missing: [],
      ms: 0,
      perPage: [],
      warnings: [],
      error: message,
    }
  }
}

function pictureScore(referencePdf: string, pdf: string, pages: number): number {
  const last = Math.min(comparedPages, pages)
  const reference = rasterise(referencePdf, { dpi: 96, last })
  const ours = rasterise(pdf, { dpi: 96, last })
  const scores = reference.map((page, index) =>
    ours[index] === undefined ? 0 : similarity(page, ours[index]),
  )
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted.length === 0 ? 0 : sorted[Math.floor(sorted.length / 2)]!
}
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length)
const percent = (share: number): string => (Number.isNaN(share) ? '-' : (share * 100).toFixed(1)).padStart(6)

function report(results: readonly Result[]): void {
  console.log('pages ref/our     W2     W5   page   SSIM recall lettrs source     ms  document')
  for (const r of [...results].sort((a, b) => a.w2 - b.w2)) {
    const pages = `${r.reference}/${r.ours}${r.reference === r.ours ? '' : ' !'}`.padEnd(13)
    const line = `${pages}${percent(r.w2)} ${percent(r.w5)} ${percent(r.onPage)} ${r.ssim.toFixed(3).padStart(6)} ${percent(r.recall)} ${percent(r.letters)} ${percent(r.source)} ${r.ms.toFixed(1).padStart(6)}  ${r.name}`
    if (args.pages) console.log(`    W2 by page: ${r.perPage.join(' ')}`)
    console.log(line + (r.warnings.length > 0 ? `  [${r.warnings.join(' ')}]` : ''))
    if (r.source < whole && r.error === undefined) {
      console.log(`    not found of the source: ${r.missing.slice(0, 12).join(' ').slice(0, 200)}`)
    }
    if (r.error !== undefined) console.log(`    ${r.error.split('\n').slice(0, 6).join('\n    ')}`)
  }
  const equal = results.filter((r) => r.reference === r.ours).length
  const short = results.filter((r) => r.reference <= 5)
  const shortEqual = short.filter((r) => r.reference === r.ours).length
  const full = (of: (r: Result) => number): string =>
    percent(results.filter((r) => of(r) >= whole).length / Math.max(1, results.length))
  const near = results.filter((r) => Math.abs(r.reference - r.ours) === 1).length
  console.log(
    [
      `documents ${results.length}`,
      `pages equal ${percent(equal / results.length)} %`,
      `(1-5 pages ${percent(shortEqual / Math.max(1, short.length))} %)`,
      `off by one ${percent(near / results.length)} %`,
      `W2 mean ${percent(mean(results.map((r) => r.w2)))} median ${percent(median(results.map((r) => r.w2)))}`,
      `SSIM median ${median(results.map((r) => r.ssim)).toFixed(3)}`,
      `recall mean ${percent(mean(results.map((r) => r.recall)))}`,
      `full text by source ${full((r) => r.source)} % (LibreOffice ${full((r) => r.sourceReference)} %)`,
      `by letters ${full((r) => r.letters)} %`,
      `by words of pdftotext ${full((r) => r.recall)} %`,
      `ms p50 (1-5 pages) ${median(short.map((r) => r.ms)).toFixed(1)}`,
    ].join('  '),
  )
}

function drawWorst(results: readonly Result[], references: ReadonlyMap<string, string>): void {
  rmSync(worst, { recursive: true, force: true })
  mkdirSync(worst, { recursive: true })
  const chosen = results
    .filter((r) => r.error === undefined)
    .sort((a, b) => a.w2 - b.w2)
    .slice(0, Number(args.pictures))
  for (const { name, file, reference } of chosen) {
    const last = Math.min(3, reference)
    const left = rasterise(references.get(file)!, { dpi: 60, last })
    const right = rasterise(join(output, `${name}.pdf`), { dpi: 60, last })
    left.forEach((page, index) => {
      writeSideBySide(join(worst, `${name}-${index + 1}.png`), page, right[index])
    })
  }
}

mkdirSync(output, { recursive: true })
const files = args.dir
  .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
  .flatMap(documentsIn)
  .filter((file) => args.filter === undefined || file.includes(args.filter))
const references = await referencePdfs(files, join(cache, 'reference'))
const convert = createConverter(cache)
const results: Result[] = []
for (const file of files) {
  const reference = references.get(file)
  if (reference === undefined) console.log(`no reference: ${file}`)
  else results.push(await measure(file, reference, convert))
}
report(results)
drawWorst(results, references)
if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(results, undefined, 2))
