/**
 * Lists what the code makes of every fixture as digests, so that a change of structure can be shown to change no byte:
 * one line per output, `<sha256> <kind> <name>`, where the kind is `merged` (an example template with its data) or `pdf`
 * (a document laid out by the instant engine). Dates are those of one fixed moment; fonts are those of this machine, so
 * only lists made on one machine compare.
 *
 *   output-digests [folder ...] > before.txt    the folders hold more documents; default: the fixtures alone
 *   output-digests [folder ...] | diff before.txt -
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { nodeCodec } from '../../origin/codec.ts'
import { formats } from '../../origin/formats.ts'
import type { MergeOptions } from '../../shared/ports/merger.ts'
import { createMergeEngine } from '../../shared/template/merge.ts'
import { createConverter, readers } from '../fidelity/engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const root = new URL('../..', import.meta.url).pathname
const moment = Date.UTC(2024, 0, 2, 3, 4, 5)
const mergeOptions: MergeOptions = {
  lang: 'en-us',
  timezone: 'Europe/Paris',
  now: moment,
  languageLevel: 5,
  currencySource: 'EUR',
  currencyTarget: 'EUR',
}

const work = temporaryFolder('platen-digests')
const convert = createConverter(join(root, '.cache/fidelity'), () => moment)
try {
  await digestTemplates(join(root, 'test/fixtures/templates'))
  const folders = [join(root, 'test/fixtures/corpus'), join(root, 'test/fixtures/real')]
  for (const folder of [...folders, ...process.argv.slice(2)]) await digestDocuments(folder)
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** Each folder holds `template.*`, `data.json` and, where the template needs them, `options.json`. */
async function digestTemplates(folder: string): Promise<void> {
  const engine = createMergeEngine({
    codec: nodeCodec,
    formats: (id) => formats.find((one) => one.id === id),
  })
  for (const name of readdirSync(folder).sort()) {
    const data = join(folder, name, 'data.json')
    if (!existsSync(data)) continue
    const file = readdirSync(join(folder, name)).find((each) => each.startsWith('template.'))!
    const own = join(folder, name, 'options.json')
    const { value } = await engine.merge({
      template: {
        hash: '',
        bytes: new Uint8Array(readFileSync(join(folder, name, file))),
        format: extname(file).slice(1),
      },
      data: { value: JSON.parse(readFileSync(data, 'utf8')) as unknown },
      options: {
        ...mergeOptions,
        ...(existsSync(own) && (JSON.parse(readFileSync(own, 'utf8')) as Partial<MergeOptions>)),
      },
    })
    const merged = new Uint8Array(await value.document.arrayBuffer())
    print('merged', name + extname(file), merged)
    const path = join(work, name + extname(file))
    writeFileSync(path, merged)
    await digestPdf(path)
  }
}

async function digestDocuments(folder: string): Promise<void> {
  for (const name of readdirSync(folder).sort()) await digestPdf(join(folder, name))
}

/** Does nothing for a document that the instant engine does not read. */
async function digestPdf(file: string): Promise<void> {
  if (readers[extname(file).toLowerCase()] === undefined) return
  print('pdf', basename(file), (await convert(file)).pdf)
}

function print(kind: 'merged' | 'pdf', name: string, bytes: Uint8Array): void {
  console.log(`${createHash('sha256').update(bytes).digest('hex')} ${kind} ${name}`)
}
