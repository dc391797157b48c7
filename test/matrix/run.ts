/**
 * Every pair of `GET /conversions`, once, through the HTTP API of an origin that is started for it, with small documents
 * that people made: `npm run matrix`. Each answer must be of its kind, not empty, open in another program (LibreOffice,
 * poppler) and show the text that went in; archives of pages are looked at entry by entry. Some 20 minutes.
 *
 *   matrix [--keep <folder>] [--from xls,odt] [--to uos,png] [--json <file>]
 *   --keep   the answers stay in this folder
 *   --from, --to   only these pairs
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import JSZip from 'jszip'
import { formats } from '../../plugins/formats/index.ts'
import type { FormatId } from '../../shared/plugin/values.ts'
import { notOfKind } from '../helpers/content-kind.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { openAgain, print, squeezed } from './open-again.ts'
import { madeFrom, outputs, type Sample, seeds } from './samples.ts'

interface Pair {
  readonly from: FormatId
  readonly to: FormatId
}
interface Answer extends Pair {
  readonly status: number
  readonly milliseconds: number
  readonly type: string
  readonly converter: string
  readonly bytes: Uint8Array
}
interface Row extends Pair {
  readonly milliseconds: number
  readonly converter: string
  readonly files: number
  /** Of the words that it must show. */
  readonly shown?: number
  readonly problems: readonly string[]
}

const { values: args } = parseArgs({
  options: {
    keep: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    json: { type: 'string' },
  },
})
const atOnce = 2
const work = mkdtempSync(join(tmpdir(), 'platen-matrix-'))
const folder = args.keep ?? join(work, 'answers')
mkdirSync(folder, { recursive: true })

const byId = new Map(formats.map((format) => [format.id, format]))
const extensionOf = (id: FormatId) => byId.get(id)?.extensions[0] ?? id
const familyOf = (id: FormatId) => byId.get(id)?.family ?? ''
const tabular = (id: FormatId) => familyOf(id) === 'spreadsheet' || id === 'csv'

const target = await originTarget({ prewarm: true, instanceQueueSize: 1000 })
const samples = new Map<FormatId, Promise<Sample>>()
const rows: Row[] = []
try {
  const chosen = (list: string | undefined, id: FormatId) =>
    list === undefined || list.split(',').includes(id)
  const listed = (await (await fetch(`${target.url}/conversions`)).json()) as { data: readonly Pair[] }
  const pairs = listed.data.filter(({ from, to }) => chosen(args.from, from) && chosen(args.to, to))
  const kept: { answer: Answer; paths: readonly string[]; problems: string[] }[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let pair = pairs[next++]; pair !== undefined; pair = pairs[next++]) {
        const answer = await ask(pair, await sampleOf(pair.from))
        const problems: string[] = []
        const paths = await keep(answer, problems)
        kept.push({ answer: { ...answer, bytes: new Uint8Array(0) }, paths, problems })
        if (kept.length % 100 === 0) console.error(`${kept.length} of ${pairs.length}`)
      }
    }),
  )
  console.error('opening them again')
  const files = kept.flatMap(({ answer, paths }) => paths.map((path) => ({ path, format: answer.to })))
  await print(files, join(work, 'printed'))
  for (const { answer, paths, problems } of kept) rows.push(await judge(answer, paths, problems))
} finally {
  await target.stop()
}
tell()
rmSync(work, { recursive: true, force: true })
process.exit(rows.length > 0 && rows.every(({ problems }) => problems.length === 0) ? 0 : 1)

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

async function ask({ from, to }: Pair, sample: Sample): Promise<Answer> {
  const form = new FormData()
  const name = `source.${extensionOf(from)}`
  form.set('template', new Blob([sample.bytes.slice()]), name)
  const uploaded = (await (await fetch(`${target.url}/template`, { method: 'POST', body: form })).json()) as {
    data?: { templateId: string; templateExtension: string }
  }
  const id = uploaded.data?.templateId ?? 'template'
  // What carries no tags is no template: it goes with the request.
  const inline = uploaded.data === undefined ? { template: Buffer.from(sample.bytes).toString('base64') } : {}
  const started = performance.now()
  const response = await fetch(`${target.url}/render/${id}?download=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ convertTo: to, ...inline }),
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    from,
    to,
    status: response.status,
    milliseconds: performance.now() - started,
    type: response.headers.get('content-type') ?? '',
    converter: response.headers.get('service-converter') ?? '',
    bytes,
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

function tell(): void {
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
