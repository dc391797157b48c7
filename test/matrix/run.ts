/**
 * Every pair of `GET /conversions`, once, through the HTTP API of the hosts that are started for it, with small documents
 * that people made: `npm run matrix`. Each answer of the origin must be of its kind, not empty, open in another program
 * (LibreOffice, poppler) and show the text that went in; archives of pages are looked at entry by entry. The edges must
 * answer as the origin does (`hosts.ts`). Then each option, once for each engine and output. Some 60 minutes.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import JSZip from 'jszip'
import { formats } from '../../plugins/formats/index.ts'
import type { FormatPair } from '../../shared/convert/matrix.ts'
import type { FormatId } from '../../shared/plugin/values.ts'
import { readScriptArguments } from '../helpers/command-line.ts'
import { notOfKind } from '../helpers/content-kind.ts'
import { nonDefault } from '../helpers/option-values.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { conversionsOf, differences, render, startHosts } from './hosts.ts'
import { openAgain, print, squeezed } from './open-again.ts'
import { madeFrom, outputs, type Sample, seeds } from './samples.ts'

type Pair = Pick<FormatPair, 'from' | 'to'>
interface Answer extends Pair {
  readonly status: number
  readonly milliseconds: number
  readonly type: string
  readonly converter: string
  readonly bytes: Uint8Array
  /** How the edges answered in another way. */
  readonly elsewhere: readonly string[]
}
interface Row extends Pair {
  readonly milliseconds: number
  readonly converter: string
  readonly files: number
  /** Of the words that it must show. */
  readonly shown?: number
  readonly problems: readonly string[]
}

const usage = `matrix [pairs] [options] [--keep <folder>] [--from xls,odt] [--to uos,png] [--json <file>]

  --keep       the answers stay in this folder
  --from, --to only these pairs
  --json       writes all figures to a file`
const { values: args, positionals } = readScriptArguments(usage, {
  allowPositionals: true,
  options: {
    keep: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    json: { type: 'string' },
  },
})
const atOnce = 2
const work = temporaryFolder('platen-matrix')
const folder = args.keep ?? join(work, 'answers')
mkdirSync(folder, { recursive: true })

const byId = new Map(formats.map((format) => [format.id, format]))
const extensionOf = (id: FormatId) => byId.get(id)?.extensions[0] ?? id
const familyOf = (id: FormatId) => byId.get(id)?.family ?? ''
const tabular = (id: FormatId) => familyOf(id) === 'spreadsheet' || id === 'csv'

const isAsked = (phase: string) => positionals.length === 0 || positionals.includes(phase)

const hosts = await startHosts()
const samples = new Map<FormatId, Promise<Sample>>()
const rows: Row[] = []
const differing: string[] = []
try {
  const chosen = (list: string | undefined, id: FormatId) =>
    list === undefined || list.split(',').includes(id)
  const listed = await conversionsOf(hosts.origin)
  const pairs = listed.filter(({ from, to }) => chosen(args.from, from) && chosen(args.to, to))
  if (isAsked('pairs')) await runPairs(pairs)
  if (isAsked('options')) await runOptions(pairs)
} finally {
  await hosts.stop()
}
report()
rmSync(work, { recursive: true, force: true })
const isGood = rows.every(({ problems }) => problems.length === 0) && differing.length === 0
process.exit(rows.length + differing.length > 0 && isGood ? 0 : 1)

async function runPairs(pairs: readonly Pair[]): Promise<void> {
  const kept: { answer: Answer; paths: readonly string[]; problems: string[] }[] = []
  // What the edges make themselves comes first: there they differ, if anywhere.
  const isElsewhere = ({ from, to }: Pair) => hosts.offered.has(`${from} ${to}`)
  const sorted = [...pairs.filter(isElsewhere), ...pairs.filter((pair) => !isElsewhere(pair))]
  await each(sorted, async (pair) => {
    const answer = await ask(pair, await sampleOf(pair.from))
    for (const problem of answer.elsewhere) console.error(`${pair.from} to ${pair.to}: ${problem}`)
    const problems = [...answer.elsewhere]
    const paths = await keep(answer, problems)
    kept.push({ answer: { ...answer, bytes: new Uint8Array(0) }, paths, problems })
  })
  console.error('opening them again')
  const files = kept.flatMap(({ answer, paths }) => paths.map((path) => ({ path, format: answer.to })))
  await print(files, join(work, 'printed'))
  for (const { answer, paths, problems } of kept) rows.push(await judge(answer, paths, problems))
}

/** Each option, once for each engine and output, from the first seed that has it. */
async function runOptions(pairs: readonly FormatPair[]): Promise<void> {
  const cases = new Map<
    string,
    { readonly pair: FormatPair; readonly letter: string; readonly option: string }
  >()
  for (const pair of pairs.filter(({ from }) => Object.hasOwn(seeds, from)))
    for (const letter of pair.converters)
      for (const option of pair.options) {
        const key = `${letter} ${pair.to} ${option}`
        if (!cases.has(key)) cases.set(key, { pair, letter, option })
      }
  await each([...cases.values()], async ({ pair, letter, option }) => {
    const { from, to } = pair
    const convertTo = { formatName: to, formatOptions: { [option]: nonDefault(option) } }
    const { elsewhere } = await ask(pair, await sampleOf(from), { convertTo, converter: letter })
    const lines = elsewhere.map((problem) => `${from} to ${to} by ${letter} with ${option}: ${problem}`)
    for (const line of lines) console.error(line)
    differing.push(...lines)
  })
}

/** Runs a task for each item, some at once. */
async function each<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  let count = 0
  const worker = async () => {
    for (const item of queue) {
      await run(item)
      if (++count % 100 === 0) console.error(`${count} of ${items.length}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** A seed, or what the service makes of the seed of its family. */
function sampleOf(format: FormatId): Promise<Sample> {
  const known = samples.get(format)
  if (known !== undefined) return known
  const made = (async () => {
    const seed = seeds[format]
    if (seed !== undefined) return seed
    const from = madeFrom[familyOf(format)]
    const base = from === undefined ? undefined : seeds[from]
    if (from === undefined || base === undefined) throw new Error(`No sample of ${format}`)
    const { status, bytes } = await ask({ from, to: outputs[format] ?? format }, base)
    if (status !== 200)
      throw new Error(`No ${format} is made from ${from}: ${new TextDecoder().decode(bytes)}`)
    return { ...base, bytes }
  })()
  samples.set(format, made)
  return made
}

/** Asks each host for the same, the origin first. */
async function ask(
  { from, to }: Pair,
  sample: Sample,
  more: { readonly convertTo?: object; readonly converter?: string } = {},
): Promise<Answer> {
  const template = Buffer.from(sample.bytes).toString('base64')
  const request = { template, extension: from, ...more }
  const started = performance.now()
  const { seen: origin, bytes } = await render(hosts.origin, to, request)
  const milliseconds = performance.now() - started
  const [{ seen: edge }, { seen: alone }] = await Promise.all([
    render(hosts.edge, to, request),
    render(hosts.alone, to, request),
  ])
  const asked = { from, to, letter: more.converter }
  return {
    from,
    to,
    status: origin.status,
    milliseconds,
    type: origin.type ?? '',
    converter: origin.converter ?? '',
    bytes,
    elsewhere: differences({ origin, edge, alone }, hosts.offered, asked),
  }
}

/** Writes the file, or the files of an archive, and checks of what kind each is. */
async function keep(answer: Answer, problems: string[]): Promise<readonly string[]> {
  const { from, to, status, bytes, type } = answer
  if (status !== 200) {
    problems.push(`${status} ${new TextDecoder().decode(bytes).slice(0, 300)}`)
    return []
  }
  const files = type.startsWith('application/zip') ? await filesOf(bytes, to) : [bytes]
  if (files.length === 0) problems.push('an archive without files')
  const paths: string[] = []
  for (const [index, file] of files.entries()) {
    const wrong = await notOfKind(to, file)
    if (wrong !== undefined) problems.push(`file ${index + 1}: ${wrong}`)
    const path = join(folder, `${from}-to-${to}-${index + 1}.${extensionOf(to)}`)
    writeFileSync(path, file)
    paths.push(path)
  }
  return paths
}

/** Of a document with pictures, as LaTeX has them, only the document. */
async function filesOf(bytes: Uint8Array, to: FormatId): Promise<readonly Uint8Array[]> {
  const zip = await JSZip.loadAsync(bytes)
  const entries = Object.values(zip.files).filter(
    ({ dir, name }) => !dir && (to !== 'latex' || name.endsWith('.tex')),
  )
  return Promise.all(entries.map((entry) => entry.async('uint8array')))
}

async function judge(answer: Answer, paths: readonly string[], problems: string[]): Promise<Row> {
  const { from, to, milliseconds, converter } = answer
  const row = { from, to, milliseconds, converter, files: paths.length, problems }
  const sample = await sampleOf(from)
  const texts: string[] = []
  for (const path of paths) {
    const { text, problem } = await openAgain(path, to, join(work, 'printed'))
    if (problem !== undefined) problems.push(`${path.split('/').at(-1)}: ${problem}`)
    if (text !== undefined) texts.push(text)
  }
  // A bibliography holds the quoted works of a document, of which these have none.
  if (texts.length === 0 || to === 'bib') return row
  const expected = tabular(to) && !tabular(from) ? sample.inTables : sample.words
  if (expected.length === 0) return row
  const whole = texts.join('')
  const missing = expected.filter((word) => !whole.includes(squeezed(word)))
  if (missing.length > 0) problems.push(`does not show ${missing.join(', ')}`)
  return { ...row, shown: 1 - missing.length / expected.length }
}

function report(): void {
  for (const line of differing) console.log(line)
  const bad = rows.filter(({ problems }) => problems.length > 0)
  for (const { from, to, problems } of bad)
    console.log(`${from} to ${to}: ${problems.slice(0, 3).join('; ')}`)
  console.log('\nfrom | pairs | as they should be | files')
  for (const [from, of] of Map.groupBy(rows, (row) => row.from)) {
    const good = of.filter(({ problems }) => problems.length === 0).length
    console.log(`${from} | ${of.length} | ${good} | ${of.reduce((sum, { files }) => sum + files, 0)}`)
  }
  const withText = rows.filter(({ shown }) => shown !== undefined).length
  console.log(
    `\n${rows.length} pairs, ${rows.length - bad.length} as they should be, ${withText} of them read for their text`,
  )
  if (args.json !== undefined) writeFileSync(args.json, JSON.stringify(rows))
}
