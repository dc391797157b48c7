import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { formatters } from '../../../shared/template/formatters/registry.ts'
import { parseTag } from '../../../shared/template/parse/tag.ts'
import { features } from '../../cases/coverage.ts'
import { sentences } from '../../cases/language/all.ts'
import { readFormatterDocs } from '../../helpers/formatter-docs.ts'

const root = new URL('../../../', import.meta.url)

describe('every feature of the language has a case', () => {
  it.each(features.map((feature) => [feature.feature, feature] as const))(
    '%s',
    (_, { clauses = [], tests = {} }) => {
      expect(clauses.length + Object.keys(tests).length).toBeGreaterThan(0)
      expect(clauses.filter((clause) => (sentences[clause]?.length ?? 0) === 0)).toEqual([])
      for (const [path, titles] of Object.entries(tests)) {
        const file = new URL(path, root)
        expect(existsSync(file), path).toBe(true)
        const source = readFileSync(file, 'utf8')
        expect(
          titles.filter((title) => !source.includes(title)),
          path,
        ).toEqual([])
      }
    },
  )
  it('and every clause belongs to a feature or is a formatter', () => {
    const reported = new Set(features.flatMap(({ clauses = [] }) => clauses))
    const strays = Object.keys(sentences).filter(
      (name) => !reported.has(name) && !formatters.has(name) && name !== 'mixed',
    )
    expect(strays).toEqual([])
  })
})

const docs = readFormatterDocs()

/** For each formatter the numbers of arguments that its rows and the examples of its comment give it. */
function argumentsGiven(name: string): number[] {
  const templates = [
    ...(sentences[name] ?? []).map(([template]) => template),
    ...(docs.get(name)?.examples ?? []).map(({ template }) => template),
  ]
  return templates.flatMap((template) =>
    [...template.replaceAll('&gt;', '>').matchAll(/\{(d(?:'(?:[^']|'')*'|[^{}'])*)\}/g)].flatMap(
      ([, tag = '']) => {
        try {
          const read = parseTag(withoutBlanks(tag))
          return read.kind === 'value'
            ? read.calls.filter((call) => call.name === name).map(({ args }) => args.length)
            : []
        } catch {
          return []
        }
      },
    ),
  )
}

const withoutBlanks = (tag: string): string =>
  tag.replace(/'(?:[^']|'')*'|\s+/g, (piece) => (piece.startsWith("'") ? piece : ''))

describe('every formatter has cases of its own', () => {
  test.each([...formatters.values()].map((formatter) => [formatter.name, formatter] as const))(
    '%s',
    (name, { parameters }) => {
      const given = argumentsGiven(name)
      expect(given.length, 'rows that use it').toBeGreaterThan(0)
      // With all that it can be given, and with as little as it needs.
      expect(Math.max(...given), 'all parameters').toBeGreaterThanOrEqual(parameters.length)
      const needed = parameters.filter(({ optional }) => optional !== true).length
      expect(Math.min(...given), 'defaults').toBeLessThanOrEqual(needed)
    },
  )
})
