import type { CellTexts } from './cells.ts'
import type { Result } from './result.ts'

/** Share of the words from which a document counts as complete. */
const whole = 0.99
/** A document is within the bars when its pages are equal and this share of its words is in place. */
const inPlace = 0.95
/** The classes of documents by their number of pages. */
const classes: readonly (readonly [name: string, first: number, last: number])[] = [
  ['1-5', 1, 5],
  ['6-20', 6, 20],
  ['21+', 21, Infinity],
]

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length)
const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted.length === 0 ? 0 : sorted[Math.floor(sorted.length / 2)]!
}
const percent = (share: number): string => (Number.isNaN(share) ? '-' : (share * 100).toFixed(1)).padStart(6)
const samePages = (result: Result): boolean => result.reference === result.ours
/** Whether a document is within the bars. */
export const isRight = (result: Result): boolean => samePages(result) && result.w2 >= inPlace

/** The share of the results of which `test` is true. */
const shareOf = (results: readonly Result[], test: (result: Result) => boolean): number =>
  results.length === 0 ? Number.NaN : results.filter(test).length / results.length

/** Prints a line per document, the worst first, and the totals. */
export function report(results: readonly Result[], { pages }: { readonly pages: boolean }): void {
  console.log('pages ref/our     W2     W3     W5   page   SSIM recall lettrs source     ms auto  document')
  for (const result of [...results].sort((a, b) => a.w2 - b.w2)) printDocument(result, pages)
  printTotals(results)
  for (const [name, first, last] of classes) {
    printClass(
      name,
      results.filter(({ reference }) => reference >= first && reference <= last),
    )
  }
  const [taken, declined] = [
    results.filter((r) => r.declines === undefined),
    results.filter((r) => r.declines !== undefined),
  ]
  console.log(
    `auto: ${taken.length} to engine I, of them within the bars ${percent(shareOf(taken, isRight))} %; ` +
      `${declined.length} to another engine, of them within the bars of engine I ${percent(shareOf(declined, isRight))} %`,
  )
}

function printDocument(r: Result, pages: boolean): void {
  const counts = `${r.reference}/${r.ours}${samePages(r) ? '' : ' !'}`.padEnd(13)
  const shares = [r.w2, r.w3, r.w5, r.onPage].map(percent).join(' ')
  const text = [r.recall, r.letters, r.source].map(percent).join(' ')
  const codes = r.warnings.length > 0 ? `  [${r.warnings.join(' ')}]` : ''
  if (pages) console.log(`    W2 by page: ${r.perPage.join(' ')}`)
  console.log(
    `${counts}${shares} ${r.ssim.toFixed(3).padStart(6)} ${text} ${r.ms.toFixed(1).padStart(6)}  ${r.declines === undefined ? 'I' : '-'}   ${r.name}${codes}`,
  )
  if (r.difference !== undefined) console.log(`    ${r.difference}`)
  if (r.rules.length > 0) console.log(`    without ${r.rules.join(', ')}`)
  if (r.source < whole && r.error === undefined)
    console.log(`    not found of the source: ${r.missing.slice(0, 12).join(' ').slice(0, 200)}`)
  if (r.cells !== undefined && r.cells.equal < whole) printCells(r.cells)
  if (r.error !== undefined) console.log(`    ${r.error.split('\n').slice(0, 6).join('\n    ')}`)
}

function printCells({ equal, onlyInReference, onlyInOurs }: CellTexts): void {
  const some = (texts: readonly string[]): string => texts.slice(0, 8).join(' | ').slice(0, 160)
  console.log(`    cells equal ${percent(equal)} %: ${some(onlyInReference)}  <>  ${some(onlyInOurs)}`)
}

function printTotals(results: readonly Result[]): void {
  const full = (of: (r: Result) => number): string => percent(shareOf(results, (r) => of(r) >= whole))
  const short = results.filter((r) => r.reference <= 5)
  console.log(
    [
      `documents ${results.length}`,
      `off by one page ${percent(shareOf(results, (r) => Math.abs(r.reference - r.ours) === 1))} %`,
      `recall mean ${percent(mean(results.map((r) => r.recall)))}`,
      `full text by source ${full((r) => r.source)} % (LibreOffice ${full((r) => r.sourceReference)} %)`,
      `by letters ${full((r) => r.letters)} %`,
      `by words of pdftotext ${full((r) => r.recall)} %`,
      `ms p50 (1-5 pages) ${median(short.map((r) => r.ms)).toFixed(1)}`,
    ].join('  '),
  )
  const cells = results.flatMap((r) => (r.cells === undefined ? [] : [r.cells.equal]))
  if (cells.length > 0) {
    const alike = cells.filter((share) => share >= whole).length / cells.length
    console.log(
      `cells equal as printed ${percent(mean(cells))} %, in ${percent(alike)} % of the workbooks nearly all`,
    )
  }
  printClass('all', results)
}

function printClass(name: string, results: readonly Result[]): void {
  if (results.length === 0) return
  const w2 = results.map((r) => r.w2)
  console.log(
    [
      `${name} pages`.padEnd(11),
      `documents ${String(results.length).padStart(3)}`,
      `pages equal ${percent(shareOf(results, samePages))} %`,
      `W2 mean ${percent(mean(w2))} median ${percent(median(w2))}`,
      `W3 mean ${percent(mean(results.map((r) => r.w3)))}`,
      `SSIM median ${median(results.map((r) => r.ssim)).toFixed(3)}`,
    ].join('  '),
  )
}
