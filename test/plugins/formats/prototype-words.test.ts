/**
 * A document may contain the words that every object answers to, `constructor` among them, wherever it has a name. A reader
 * that looks them up in a table must not find what the prototype of the table has. So each document is read twice: with such a
 * word in place of a name, and with a word of the same length that means nothing. Both must give the same model.
 */
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { formats } from '../../../origin/formats.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import type { FormatPlugin, OpenContext } from '../../../shared/plugin/contract.ts'
import { oneOf, type Random, randomNumbers } from '../../helpers/random-json.ts'

const fixtures = new URL('../../fixtures/', import.meta.url).pathname
const documents = [
  'real/telemark__yff-bekreftelse.docx',
  'corpus/docling-project__word_tables.docx',
  'corpus/evotecit__word-business-delivery-summary.docx',
  'real/tdf__FruitDepot-SeasonalFruits4.odt',
  'corpus/docling-project__text_document_03.odt',
  'real/docling-project__xlsx_01.xlsx',
  'real/closedxml__InsertingTables.xlsx',
  'real/phpoffice__32readwriteComboChart1.xlsx',
  'real/unstructured-io__sample-presentation.pptx',
  'templates/statement/template.ods',
]
/** Each word of the prototype, and one of its length that no table and no prototype has. */
const words: readonly (readonly [prototype: string, neutral: string])[] = [
  ['constructor', 'constructoq'],
  ['__proto__', '__protq__'],
  ['toString', 'toStrinq'],
  ['hasOwnProperty', 'hasOwnPropertq'],
]
const rounds = 12
/** How many of the names of a part are replaced in one round. */
const share = 0.25

const context: OpenContext = { codec: nodeCodec, limits: defaultLimits }

describe('names in documents', () => {
  for (const path of documents)
    test(path, async () => {
      const format = formats.find(({ extensions }) => extensions.includes(extname(path).slice(1)))!
      const bytes = new Uint8Array(readFileSync(join(fixtures, path)))
      for (let seed = 1; seed <= rounds; seed += 1) {
        const [prototype, neutral] = words[seed % words.length]!
        const [withPrototype, withNeutral] = [prototype, neutral].map((word) =>
          bent(bytes, word, randomNumbers(seed)),
        )
        const expected = await outcome(format, withNeutral!)
        const actual = await outcome(format, withPrototype!)
        expect(firstDifference(lowered(actual, prototype), lowered(expected, neutral)), `seed ${seed}`).toBe(
          '',
        )
      }
    })
})

/** The package with a word in place of some values of attributes that look like names, in each part of XML. */
function bent(bytes: Uint8Array, word: string, random: Random): Uint8Array {
  const entries: Zippable = {}
  for (const [name, content] of Object.entries(unzipSync(bytes))) {
    const isPart = /\.xml$/.test(name) && !/^(?:\[Content_Types\]|META-INF\/)/.test(name)
    entries[name] = [isPart ? strToU8(bentXml(strFromU8(content), word, random)) : content, { level: 0 }]
  }
  return zipSync(entries)
}

const nameValue = /(?<=[\s:]\w+=")[A-Za-z][A-Za-z-]*(?=")/g

function bentXml(xml: string, word: string, random: Random): string {
  const kinds = new Set([...xml.matchAll(nameValue)].map(([value]) => value))
  const replaced = new Set([...kinds].filter(() => random(1000) < share * 1000))
  if (kinds.size > 0) replaced.add(oneOf(random, [...kinds]))
  return xml.replace(nameValue, (value) => (replaced.has(value) ? word : value))
}

/** The text without the word. Readers write names in lower case where case does not count. */
const lowered = (text: string, word: string): string =>
  text.toLowerCase().replaceAll(word.toLowerCase(), '(word)')

/** Models are long, so only the surroundings of the first difference are shown. */
function firstDifference(actual: string, expected: string): string {
  if (actual === expected) return ''
  let at = 0
  while (actual[at] === expected[at]) at += 1
  const [shown, missing] = [actual, expected].map((text) => text.slice(Math.max(0, at - 200), at + 80))
  return `${shown}\n  instead of\n${missing}`
}

/** All that the readers of a format make of a document, as text: the models, warnings and errors. */
async function outcome(format: FormatPlugin, bytes: Uint8Array): Promise<string> {
  const results: unknown[] = []
  for (const reader of [format.reader, format.workbookReader, format.deckReader, format.flow])
    results.push(await settled(async () => reader?.read(bytes, context)))
  results.push(await settled(async () => (await format.template?.open(bytes, context))?.parts.length))
  return JSON.stringify(results, printable)
}

async function settled(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return String(error)
  }
}

/** A function in a model comes from a prototype, so it is shown; pictures are shown by their length. */
function printable(_key: string, value: unknown): unknown {
  if (typeof value === 'function') return `function ${value.name}`
  if (value instanceof Map) return [...value]
  if (value instanceof Set) return [...value]
  if (ArrayBuffer.isView(value)) return value.byteLength
  return value
}
