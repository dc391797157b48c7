import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The files of one case: their text by name, `undefined` where there is none. */
export interface CaseFolder {
  readonly name: string
  readonly names: readonly string[]
  text(file: string): string | undefined
  json<Value>(file: string): Value | undefined
}

type Made = Readonly<Record<string, string>>

/**
 * One test for each folder in `test/cases/<phase>`: `make` gives the expected files from the others. Drop a folder in and it
 * runs; `UPDATE=1` writes what is expected, `FILTER=table` runs some.
 */
export function caseFolders(phase: string, make: (folder: CaseFolder) => Made | Promise<Made>): void {
  const root = new URL(`../cases/${phase}/`, import.meta.url).pathname
  const filter = process.env['FILTER'] ?? ''
  const folders = readdirSync(root).filter((name) => name.includes(filter))
  describe(`cases of ${phase}`, () => {
    it('are there', () => expect(folders.length).toBeGreaterThan(0))
    for (const name of folders)
      it(name, async () => {
        const made = await make(caseFolder(join(root, name), name))
        for (const [file, text] of Object.entries(made)) {
          const expected = join(root, name, file)
          if (process.env['UPDATE'] === '1') writeFileSync(expected, text)
          expect(text).toBe(readFileSync(expected, 'utf8'))
        }
      })
  })
}

function caseFolder(path: string, name: string): CaseFolder {
  const text = (file: string) =>
    existsSync(join(path, file)) ? readFileSync(join(path, file), 'utf8').trimEnd() : undefined
  return {
    name,
    names: readdirSync(path),
    text,
    json: <Value>(file: string) => {
      const source = text(file)
      return source === undefined ? undefined : (JSON.parse(source) as Value)
    },
  }
}

/**
 * Plain data as lines, for people to read: a member a line, what is in it further in; members that are `undefined` or empty
 * are left away, and an object of a few scalars stays on one line.
 */
export function outline(value: unknown, depth = 0): string {
  const indent = '  '.repeat(depth)
  return membersOf(value)
    .map(([key, member]) => {
      const short = oneLine(member)
      return short !== undefined && short.length < 100
        ? `${indent}${key} ${short}\n`
        : `${indent}${key}\n${outline(member, depth + 1)}`
    })
    .join('')
}

function membersOf(value: unknown): [string, unknown][] {
  const members: [string, unknown][] =
    value instanceof Map
      ? [...value].map(([key, member]) => [String(key), member])
      : Array.isArray(value)
        ? value.map((member, at) => [`${at}:`, member])
        : Object.entries(value as object).map(([key, member]) => [`${key}:`, member])
  return members.filter(([, member]) => !isEmpty(member))
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true
  if (typeof value !== 'object' || value === null) return false
  return value instanceof Map
    ? value.size === 0
    : Object.values(value).every((member) => member === undefined)
}

function oneLine(value: unknown): string | undefined {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Uint8Array) return `${value.length} bytes`
  const members = membersOf(value).map(([key, member]) =>
    typeof member === 'object' && member !== null ? undefined : `${key} ${oneLine(member)}`,
  )
  return members.includes(undefined) ? undefined : `{ ${members.join(', ')} }`
}
