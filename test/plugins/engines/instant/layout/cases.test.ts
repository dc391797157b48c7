/**
 * Case folders of layout: `body.xml`, perhaps `parts.json` with the other texts of a word document, and what the pages
 * hold, `expected.txt`. `UPDATE=1` writes what is expected anew, `FILTER=tab` runs some.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dumpFrames } from '../../../../../plugins/engines/instant/paint/dump/dump-frames.ts'
import { layWord, type WordParts } from '../../../../helpers/laid-out.ts'

const root = new URL('../../../../cases/layout/', import.meta.url).pathname
const filter = process.env['FILTER'] ?? ''

describe('layout cases', () => {
  for (const name of readdirSync(root).filter((folder) => folder.includes(filter))) {
    test(name, () => {
      const folder = join(root, name)
      const more = join(folder, 'parts.json')
      const parts: Partial<WordParts> = existsSync(more) ? JSON.parse(readFileSync(more, 'utf8')) : {}
      const body = readFileSync(join(folder, 'body.xml'), 'utf8')
      const dump = dumpFrames(layWord({ ...parts, body }).pages)
      const expected = join(folder, 'expected.txt')
      if (process.env['UPDATE'] === '1') writeFileSync(expected, dump)
      expect(dump).toBe(readFileSync(expected, 'utf8'))
    })
  }
})
