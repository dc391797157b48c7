import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../../shared/errors/catalogue.ts'
import type { CatalogueEntry } from '../../shared/errors/entry.ts'
import { nodesOf, readPage, root } from '../helpers/markdown-pages.ts'
import { errorAdvice } from '../run/error-advice.ts'

/** docs/errors.md: its tables of errors are generated from the catalogue, that of warnings is written by hand. */

const entries = Object.entries<CatalogueEntry>(catalogue)
const namesOn = (...paths: readonly string[]) =>
  new Set(paths.flatMap((path) => nodesOf(readPage(path).tree, 'inlineCode').map(({ value }) => value)))

describe('every error', () => {
  const sharesRow = /^hook\.refused\.(?!400)/
  it('is on the page', () => {
    const names = namesOn('docs/errors.md')
    const codes = entries.map(([code]) => code).filter((code) => !code.startsWith('hook.refused.'))
    expect(codes.filter((code) => !names.has(code))).toEqual([])
  })
  it('says what to do, by the hint of the catalogue or the advice of the page', () => {
    const silent = entries.filter(
      ([code, { hint }]) => (hint === undefined || hint === '{advice}') && errorAdvice[code] === undefined,
    )
    expect(silent.map(([code]) => code).filter((code) => !sharesRow.test(code))).toEqual([])
  })
  it('has its advice in one place', () => {
    const hints = new Map(entries.map(([code, { hint }]) => [code, hint ?? '{advice}']))
    expect(Object.keys(errorAdvice).filter((code) => hints.get(code) !== '{advice}')).toEqual([])
  })
})

describe('every warning', () => {
  /** Literals of the source that have the form of a code. Names of files look the same. */
  const code =
    /'((?:convert|flow|font|idml|image|layout|office|pdf|picture|provenance|read|request|template|web)\.[a-z][a-z-]*(?:\.[a-z-]+)?)'/g
  /** Events of the log and attributes of spans. */
  const otherNames = new Set([
    'office.not-isolated',
    'office.slow',
    'request.failed',
    'request.id',
    'request.refused',
  ])
  const isFile = /\.(?:docx|html|json|p12|pdf|pem|txt|xml)$/
  const warnings = new Set(
    ['shared', 'plugins', 'origin', 'edge']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
          .map((name) => readFileSync(join(root, folder, name), 'utf8')),
      )
      .flatMap((text) => [...text.matchAll(code)].map(([, name = '']) => name))
      .filter((name) => !Object.hasOwn(catalogue, name) && !isFile.test(name) && !otherNames.has(name)),
  )
  it('is on the page, or in the table of what engine I draws differently', () => {
    const names = namesOn('docs/errors.md', 'docs/limits.md')
    expect(warnings.size).toBeGreaterThan(100)
    expect([...warnings].filter((name) => !names.has(name))).toEqual([])
  })
  it('that the page lists is one that the source can give', () => {
    const table = nodesOf(readPage('docs/errors.md').tree, 'table').at(-1)!
    const listed = table.children
      .slice(1)
      .flatMap(({ children }) => nodesOf(children[0]!, 'inlineCode').map(({ value }) => value))
    const withoutDot = ['version', 'late-field', 'hard-refresh']
    expect(listed.filter((name) => !warnings.has(name) && !withoutDot.includes(name))).toEqual([])
  })
})
