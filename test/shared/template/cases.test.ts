import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, odtOf } from '../../helpers/docx.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { problemsOf } from '../../helpers/structure.ts'

/**
 * One folder a case under test/cases/merge: `part.xml` (the body of a document) or `template.<format>`, `data.json`,
 * perhaps `options.json`, and `expected.<format>`. `UPDATE=1` writes what is expected anew, `FILTER=loop` runs some.
 */
const root = new URL('../../cases/merge/', import.meta.url).pathname
const filter = process.env['FILTER'] ?? ''
const read = (path: string) => readFileSync(path, 'utf8')
const json = (path: string) => (existsSync(path) ? (JSON.parse(read(path)) as Record<string, unknown>) : {})

describe('cases of merging', () => {
  const names = readdirSync(root).filter((name) => name.includes(filter))
  it('are there', () => expect(names.length).toBeGreaterThan(0))
  for (const name of names) {
    it(name, async () => {
      const folder = join(root, name)
      const { format: wanted, ...options } = json(join(folder, 'options.json'))
      const file = readdirSync(folder).find((entry) => entry.startsWith('template.') || entry === 'part.xml')!
      const isPart = file === 'part.xml'
      const format = isPart ? String(wanted ?? 'docx') : file.slice('template.'.length)
      const source = read(join(folder, file))
      const wrap = format === 'odt' ? odtOf : docxOf
      const bytes = isPart ? await wrap(source.trimEnd()) : new TextEncoder().encode(source)
      const { value } = await mergeBytes(bytes, format, json(join(folder, 'data.json')), options)
      const out = new Uint8Array(await value.document.arrayBuffer())
      if (isPart) expect(await problemsOf(out)).toEqual([])
      const text = isPart ? await bodyOf(out) : new TextDecoder().decode(out)
      const expected = join(folder, isPart ? 'expected.xml' : `expected.${format}`)
      if (process.env['UPDATE'] === '1') writeFileSync(expected, text)
      expect(text).toBe(read(expected))
    })
  }
})
