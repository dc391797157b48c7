/**
 * How close the instant engine comes to engine L of this service, and to engine C for web pages and Markdown: `npm run fidelity`,
 * with the arguments that `usage` lists. Prints a line per document with what `auto` would choose for it, where its pages begin
 * to differ and by what, and the totals by size of document; writes side-by-side pictures of the worst pages to
 * .cache/fidelity/worst/. Both sides use the fonts of this machine.
 *
 * Three figures tell whether text is missing: `recall`, the words of LibreOffice's PDF as pdftotext parts them; `letters`,
 * the same words where neither side has white space, so that only letters count, and none is missing where each page has all
 * letters of the reference; `source`, the words of the document
 * itself (`source-text.ts`, `completeness.ts`). Of the last one the totals say LibreOffice's share, too. Of workbooks the totals
 * say how many texts of cells are printed alike (`cells.ts`).
 *
 * A document that a file of `departures/` names is measured without the rule of that file, and so is one that only this brings within
 * the bars (`departures.ts`).
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { unsupportedBy } from '../../plugins/engines/instant/limits.ts'
import { readScriptArguments } from '../helpers/command-line.ts'
import { compareCells } from './cells.ts'
import { findWords, hasAllLetters, textOf } from './completeness.ts'
import { deckReaders } from './decks.ts'
import { departureOf, possibleDepartures, withoutRules } from './departures.ts'
import { firstDifference } from './difference.ts'
import { createConverter, readers } from './engine.ts'
import { printReadings } from './pdf-text.ts'
import { rasterise, similarity, writeSideBySide } from './pictures.ts'
import { referencePdfs } from './reference.ts'
import { isRight, report } from './report.ts'
import type { Result } from './result.ts'
import { workbookReaders } from './sheets.ts'
import { sourceWords } from './source-text.ts'
import { webFormatOf, webFormats } from './web-pages.ts'
import { compareWords, joinTouching, textRecall, wordsOf } from './words.ts'

const root = new URL('../..', import.meta.url).pathname
if (process.argv[2] === 'pdf-text') {
  await printReadings(process.argv.slice(3))
  process.exit(0)
}
const usage = `fidelity [--dir <folder>]... [--filter <text>] [--pages] [--no-raster] [--pictures <number>] [--json <file>]
fidelity pdf-text [--filter <text>] [--save <folder>]

  --dir        a folder with documents (default: FIDELITY_DIR, or test/fixtures/corpus); may be repeated
  --filter     only the files whose path contains this text
  --pages      prints the share of words in place for each page
  --no-raster  does not compare pictures of the pages
  --pictures   how many documents to draw side by side, the worst first (default: 6)
  --json       writes all figures to a file
  pdf-text     measures how well the text of PDFs is read`
const { values: args } = readScriptArguments(usage, {
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

const comparedPages = 5
const cache = join(root, '.cache/fidelity')
const output = join(cache, 'ours')
const worst = join(cache, 'worst')

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return documentsIn(path)
    const extension = extname(entry.name).toLowerCase()
    const isRead = [readers, workbookReaders, deckReaders, webFormats].some(
      (known) => known[extension] !== undefined,
    )
    return isRead ? [path] : []
  })
}

async function measure(
  file: string,
  referencePdf: string,
  convert: ReturnType<typeof createConverter>,
  rules = departureOf(basename(file)),
): Promise<Result> {
  const name = basename(file)
  const reference = joinTouching(wordsOf(referencePdf))
  try {
    // The first conversion warms caches; the second is what a running service takes.
    await convert(file)
    const converted = await withoutRules(rules, () => convert(file))
    const pdf = join(output, `${name}.pdf`)
    writeFileSync(pdf, converted.pdf)
    const ours = joinTouching(wordsOf(pdf))
    const words = compareWords(reference, ours)
    const share = (count: number, of = words.words): number => (of === 0 ? 1 : count / of)
    const [text, referenceText] = [textOf(pdf), textOf(referencePdf)]
    // What the cells of a workbook show is not what is stored, and styles hide text of web pages, so their words are those
    // of the reference alone.
    const isWorkbook = workbookReaders[extname(file).toLowerCase()] !== undefined
    const hasWords = !isWorkbook && webFormatOf(file) === undefined
    const inSource = hasWords ? sourceWords(file) : []
    const [source, sourceReference, letters] = [
      findWords(inSource, text),
      findWords(inSource, referenceText),
      findWords(hasAllLetters(referenceText, text) ? [] : referenceText.split(/\s+/), text),
    ]
    const declines = converted.doubtful ?? unsupportedBy(converted.all, { ofMachine: true })
    const difference = firstDifference(reference, ours)
    return {
      name,
      file,
      rules,
      ...(declines !== undefined && { declines }),
      ...(difference !== undefined && { difference }),
      reference: reference.length,
      ours: ours.length,
      w2: share(words.within2),
      w3: share(words.within3),
      w5: share(words.within5),
      onPage: share(words.onPage),
      ssim: args['no-raster'] ? Number.NaN : pictureScore(referencePdf, pdf, reference.length),
      recall: textRecall(reference, ours),
      letters: share(letters.found, letters.words),
      source: share(source.found, source.words),
      sourceReference: share(sourceReference.found, sourceReference.words),
      missing: source.missing,
      ...(isWorkbook && { cells: compareCells(reference, ours) }),
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
      rules: [],
      reference: reference.length,
      ours: 0,
      w2: 0,
      w3: 0,
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

/** The share of texts from which on the cells of a workbook count as printed alike. */
const equalCells = 0.99

/**
 * What the comparison says of a document, without the rules that explain why LibreOffice prints something else, if any do. A workbook
 * is compared without those that leave most of its cells equal.
 */
async function measureOrExplain(
  file: string,
  referencePdf: string,
  convert: ReturnType<typeof createConverter>,
): Promise<Result> {
  const result = await measure(file, referencePdf, convert)
  const cellsOf = ({ cells }: Result): number => cells?.equal ?? 1
  const isEqual = (each: Result): boolean => isRight(each) && cellsOf(each) >= equalCells
  if (isEqual(result) || result.error !== undefined || result.rules.length > 0) return result
  let best = result
  for (const rules of possibleDepartures()) {
    const explained = await measure(file, referencePdf, convert, rules)
    if (isEqual(explained)) return explained
    if (cellsOf(explained) > cellsOf(best)) best = explained
  }
  return best
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
  else results.push(await measureOrExplain(file, reference, convert))
}
report(results, { pages: args.pages })
drawWorst(results, references)
if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(results, undefined, 2))
