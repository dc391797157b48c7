import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { docxReader } from '../../../plugins/formats/docx/reader/open.ts'
import { odpReader } from '../../../plugins/formats/odp/reader/open.ts'
import { readOdp } from '../../../plugins/formats/odp/slides/open.ts'
import { readOds } from '../../../plugins/formats/ods/reader/open.ts'
import { odtReader } from '../../../plugins/formats/odt/reader/open.ts'
import { pptxReader } from '../../../plugins/formats/pptx/reader/open.ts'
import { readPptx } from '../../../plugins/formats/pptx/slides/open.ts'
import { readXlsx } from '../../../plugins/formats/xlsx/reader/open.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { rewritePackage, rewritings } from '../../helpers/rewrite-xml.ts'

const context = { codec: codecNode, limits: defaultLimits }
type Read = (bytes: Uint8Array) => unknown
/** What reads files of each kind: for engine I, and the text of slides. */
const readers: Readonly<Record<string, Read>> = {
  '.docx': (bytes) => docxReader.read(bytes, context),
  '.odt': (bytes) => odtReader.read(bytes, context),
  '.xlsx': (bytes) => readXlsx(bytes, context),
  '.ods': (bytes) => readOds(bytes, context),
  '.pptx': async (bytes) => [readPptx(bytes, context), await pptxReader.read(bytes, context)],
  '.odp': async (bytes) => [readOdp(bytes, context), await odpReader.read(bytes, context)],
}
const fixtures = new URL('../../fixtures', import.meta.url).pathname
const templates = readdirSync(join(fixtures, 'templates')).map((name) => join(fixtures, 'templates', name))
const folders = [
  ...['real', 'corpus'].map((name) => join(fixtures, name)),
  ...templates.filter((each) => statSync(each).isDirectory()),
]

describe('a document that a producer wrote in another form of XML reads to the same model', () => {
  for (const [folder, file] of folders.flatMap((each) =>
    readdirSync(each).map((name) => [each, name] as const),
  )) {
    const read = readers[extname(file)]
    if (read === undefined) continue
    test(`${basename(folder)}/${file}`, async () => {
      const document = new Uint8Array(readFileSync(join(folder, file)))
      const expected = plain(await read(document))
      for (const rewriting of rewritings)
        expect(difference(expected, plain(await read(rewritePackage(document, rewriting)))), rewriting).toBe(
          '',
        )
    })
  }
})

/** The model as text: maps as lists in the order of their keys, since attributes have none, bytes by their length. */
function plain(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Uint8Array) return `${each.length} bytes`
    // What a Buffer becomes before it gets here.
    if (isBuffer(each)) return `${each.data.length} bytes`
    if (each instanceof Map) return [...each].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    if (each instanceof Set) return [...each]
    return each
  })
}

function difference(expected: string, found: string): string {
  if (expected === found) return ''
  let at = 0
  while (expected[at] === found[at]) at += 1
  return `expected ${expected.slice(Math.max(0, at - 80), at + 80)}, found ${found.slice(Math.max(0, at - 80), at + 80)}`
}

const isBuffer = (value: unknown): value is { readonly data: readonly number[] } =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value
