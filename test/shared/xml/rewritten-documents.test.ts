import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { docxReader } from '../../../plugins/formats/docx/reader/open.ts'
import { odtReader } from '../../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { rewritePackage, rewritings } from '../../helpers/rewrite-xml.ts'

const readers = { '.docx': docxReader, '.odt': odtReader }
const folders = ['real', 'corpus'].map((name) => new URL(`../../fixtures/${name}`, import.meta.url).pathname)

describe('a document that a producer wrote in another form of XML reads to the same model', () => {
  for (const [folder, file] of folders.flatMap((each) =>
    readdirSync(each).map((name) => [each, name] as const),
  )) {
    const reader = readers[extname(file) as keyof typeof readers]
    if (reader === undefined) continue
    test(file, async () => {
      const read = (bytes: Uint8Array) => reader.read(bytes, { codec: codecNode, limits: defaultLimits })
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
