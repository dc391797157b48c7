/**
 * The rules of layout after LibreOffice and Word: each says why it is there and where it comes from, each is used, and the
 * case that it names is laid out differently without it.
 *
 * A case is `docx/<name>`, `features/<name>`, `odt/<name>` or `deck/<name>` for a sample of test/cases/reference, or `layout/<name>` for a
 * folder of test/cases/layout.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { libreOffice } from '../../../../../plugins/engines/instant/compat/libreoffice.ts'
import { word } from '../../../../../plugins/engines/instant/compat/word.ts'
import { dumpFrames } from '../../../../../plugins/engines/instant/paint/dump/dump-frames.ts'
import { docxReader } from '../../../../../plugins/formats/docx/reader/open.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import type { DocumentReader } from '../../../../../shared/plugin/contract.ts'
import { deckSamples } from '../../../../cases/reference/deck-samples.ts'
import { featureSamples } from '../../../../cases/reference/feature-samples.ts'
import { openFile } from '../../../../cases/reference/open.ts'
import { openSamples } from '../../../../cases/reference/open-samples.ts'
import { wordFile } from '../../../../cases/reference/word.ts'
import { wordSamples } from '../../../../cases/reference/word-samples.ts'
import { deckOf, layDeck } from '../../../../helpers/deck-layout.ts'
import { lay, layWord, type WordParts } from '../../../../helpers/laid-out.ts'
import { without } from './without.ts'

const root = new URL('../../../../../', import.meta.url).pathname
const engine = join(root, 'plugins/engines/instant')

interface DescribedRule {
  readonly name: string
  readonly why: string
  readonly source: string | undefined
  readonly case: string | undefined
}

/** The rules of a file as their comments describe them. */
function describedRules(file: string): DescribedRule[] {
  const text = readFileSync(join(engine, 'compat', file), 'utf8')
  return Array.from(
    text.matchAll(/^ {2}\/\*\*\n((?: {3}\* .*\n)+) {3}\*\/\n {2}(\w+):/gm),
    ([, comment = '', name = '']) => {
      const [why = '', ...tags] = comment.replaceAll(/^ {3}\* /gm, '').split(/^@/m)
      const tag = (key: string): string | undefined =>
        tags
          .find((each) => each.startsWith(`${key} `))
          ?.slice(key.length + 1)
          .replaceAll('\n', ' ')
          .trim()
      return { name, why: why.trim(), source: tag('source'), case: tag('case') }
    },
  )
}

/** All code of the engine but the rules themselves. */
const code = readdirSync(engine, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('compat/'))
  .map((file) => readFileSync(join(engine, file), 'utf8'))
  .join('\n')

const isUsed = (object: string, name: string): boolean =>
  new RegExp(`\\b${object}\\.${name}\\b|\\{[^}]*\\b${name}\\b[^}]*\\} = ${object}\\b`).test(code)

/** The pages of a case as text; undefined when there is no such case. */
async function layCase(path: string): Promise<string | undefined> {
  const [kind, name = ''] = path.split(/\/(.*)/s)
  switch (kind) {
    case 'docx':
      return wordSamples[name] && laySample(docxReader, await wordFile(wordSamples[name]))
    case 'features':
      return featureSamples[name] && laySample(docxReader, await wordFile(featureSamples[name]))
    case 'odt':
      return openSamples[name] && laySample(odtReader, await openFile(openSamples[name]))
    case 'deck':
      return deckSamples[name] && dumpFrames(layDeck(await deckOf(deckSamples[name])).pages)
    case 'layout':
      return layFolder(join(root, 'test/cases/layout', name))
    default:
      return undefined
  }
}

function laySample(reader: DocumentReader, bytes: Uint8Array): string {
  const { value } = reader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
  return dumpFrames(lay(value, { pictures: true }).pages)
}

function layFolder(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const more = join(folder, 'parts.json')
  const parts: Partial<WordParts> = existsSync(more) ? JSON.parse(readFileSync(more, 'utf8')) : {}
  return dumpFrames(layWord({ ...parts, body: readFileSync(join(folder, 'body.xml'), 'utf8') }).pages)
}

const files: readonly (readonly [object: string, file: string, rules: Record<string, unknown>])[] = [
  ['libreOffice', 'libreoffice.ts', libreOffice],
  ['word', 'word.ts', word],
]

for (const [object, file, rules] of files) {
  describe(file, () => {
    const described = describedRules(file)
    test('every rule has a comment', () => {
      expect(described.map(({ name }) => name)).toEqual(Object.keys(rules))
    })
    for (const rule of described) {
      test(rule.name, async () => {
        expect(rule.why).not.toBe('')
        expect(rule.source, 'source').toBeTruthy()
        expect(isUsed(object, rule.name), 'used').toBe(true)
        if (rule.case === undefined) return
        const expected = await layCase(rule.case)
        expect(expected, `there is no case ${rule.case}`).toBeDefined()
        const kept = rules[rule.name]
        try {
          rules[rule.name] = without(rule.name, kept)
          expect(await layCase(rule.case)).not.toBe(expected)
        } finally {
          rules[rule.name] = kept
        }
      })
    }
  })
}

test('no two rules have one name', () => {
  const names = files.flatMap(([, , rules]) => Object.keys(rules))
  expect(new Set(names).size).toBe(names.length)
})
