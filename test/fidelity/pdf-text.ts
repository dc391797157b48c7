/**
 * How well the text of PDFs is read: `npm run fidelity -- pdf-text [--filter text] [--save folder]`. Prints a line for each PDF
 * of test/fixtures/pdf/reading: the order of its phrases, texts in one piece and cells of tables, of our text and HTML,
 * beside pdftotext, pdftotext -layout and pdftohtml of Poppler.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import poppler from '../../plugins/engines/poppler/index.ts'
import { readScriptArguments } from '../helpers/command-line.ts'
import { engineUnder, originHost } from '../helpers/engines.ts'
import {
  parseExpected,
  type ReadingScore,
  rowsOfHtml,
  rowsOfLines,
  scoreReading,
  textOfHtml,
} from './reading-order.ts'

export const readingFolder = new URL('../fixtures/pdf/reading', import.meta.url).pathname

export const readingNames = (): readonly string[] =>
  readdirSync(readingFolder)
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => name.slice(0, -4))
    .toSorted()

const expectedOf = (name: string) => parseExpected(readFileSync(join(readingFolder, `${name}.txt`), 'utf8'))

/** Reads one PDF as this product does. `save`: a folder for what it made. */
export function createReading(): (
  name: string,
  save?: string,
) => Promise<ReadingScore & { readonly ms: number }> {
  const { convert } = engineUnder(poppler, originHost())
  return async (name, save) => {
    const bytes = new Uint8Array(readFileSync(join(readingFolder, `${name}.pdf`)))
    const started = performance.now()
    const text = new TextDecoder().decode((await convert(bytes, 'pdf', 'txt')).bytes)
    const ms = performance.now() - started
    const html = new TextDecoder().decode((await convert(bytes, 'pdf', 'html')).bytes)
    if (save !== undefined) {
      writeFileSync(join(save, `${name}.txt`), text)
      writeFileSync(join(save, `${name}.html`), html)
    }
    const body = html.replace(/[\s\S]*<body[^>]*>/, '')
    return { ...scoreReading(expectedOf(name), textOfHtml(body), rowsOfHtml(html)), ms }
  }
}

/** The same of a program of Poppler. */
export function readingOfPoppler(name: string, tool: 'text' | 'layout' | 'html'): ReadingScore {
  const file = join(readingFolder, `${name}.pdf`)
  const run = (program: string, args: readonly string[]) =>
    execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
  if (tool !== 'html') {
    const text = run('pdftotext', [...(tool === 'layout' ? ['-layout'] : []), file, '-'])
    return scoreReading(expectedOf(name), text, rowsOfLines(text))
  }
  const xml = run('pdftohtml', ['-xml', '-i', '-stdout', file])
  const rows = new Map<string, string[]>()
  let page = 0
  for (const [, top, text = ''] of xml.matchAll(/<page\b|<text top="(\d+)"[^>]*>(.*)<\/text>/g)) {
    if (top === undefined) page++
    else rows.set(`${page} ${top}`, [...(rows.get(`${page} ${top}`) ?? []), textOfHtml(text)])
  }
  return scoreReading(expectedOf(name), textOfHtml(xml), [...rows.values()])
}

const percent = (value: number | undefined) =>
  value === undefined ? '   -' : `${Math.round(value * 100)}`.padStart(4)
const meanOf = (values: readonly (number | undefined)[]) => {
  const known = values.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0) / known.length
}

const usage = `fidelity pdf-text [--filter <text>] [--save <folder>]

  --filter  only the PDFs whose name contains this text
  --save    writes the text that was read into a folder`

/** Prints the table. `args`: those of the command line. */
export async function printReadings(args: readonly string[]): Promise<void> {
  const { values } = readScriptArguments(usage, {
    args: [...args],
    options: { filter: { type: 'string' }, save: { type: 'string' } },
  })
  const read = createReading()
  const tools = ['ours', 'text', 'layout', 'html'] as const
  const measures = ['pairs', 'adjacent', 'whole', 'cells', 'absent'] as const
  const all: Record<(typeof tools)[number], ReadingScore[]> = { ours: [], text: [], layout: [], html: [] }
  console.log(`${''.padEnd(28)}${tools.map((tool) => `| ${tool.padEnd(24)} `).join('')}|   ms`)
  const heads = 'pair  adj whol cell abs '
  console.log(`${'PDF'.padEnd(28)}${tools.map(() => `| ${heads.padEnd(24)} `).join('')}|`)
  for (const name of readingNames().filter((one) => one.includes(values.filter ?? ''))) {
    const ours = await read(name, values.save)
    const scores = tools.map((tool) => (tool === 'ours' ? ours : readingOfPoppler(name, tool)))
    for (const [at, tool] of tools.entries()) all[tool].push(scores[at] as ReadingScore)
    const columns = scores.map((score) => `|${measures.map((one) => percent(score[one])).join(' ')}  `)
    console.log(`${name.padEnd(28)}${columns.join('')}|${`${Math.round(ours.ms)}`.padStart(5)}`)
  }
  const totals = tools.map(
    (tool) => `|${measures.map((one) => percent(meanOf(all[tool].map((score) => score[one])))).join(' ')}  `,
  )
  console.log(`${'mean'.padEnd(28)}${totals.join('')}|`)
}
