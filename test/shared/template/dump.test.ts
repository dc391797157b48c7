import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dumpPart, stageNames } from '../../../shared/template/dump.ts'
import { docxOf, odtOf } from '../../helpers/docx.ts'
import { engine } from '../../helpers/merge.ts'

/**
 * One folder a case under test/cases/plan: a `part.<format>`, and in `plan.txt` what each pass of the compiler makes of it.
 * `options.json` names a format whose body the part is: `docx` or `odt`. Drop a folder in and it runs; `UPDATE=1` rewrites
 * what is expected, `FILTER=loop` runs some.
 */
const root = new URL('../../cases/plan/', import.meta.url).pathname
const filter = process.env['FILTER'] ?? ''
const bodies: Readonly<Record<string, (body: string) => Promise<Uint8Array>>> = { docx: docxOf, odt: odtOf }

async function templateOf(folder: string): Promise<{ readonly format: string; readonly bytes: Uint8Array }> {
  const file = readdirSync(folder).find((name) => name.startsWith('part.')) ?? ''
  const source = readFileSync(join(folder, file), 'utf8')
  const options = join(folder, 'options.json')
  const { format } = existsSync(options)
    ? (JSON.parse(readFileSync(options, 'utf8')) as { format: string })
    : { format: file.slice('part.'.length) }
  const body = bodies[format]
  return {
    format,
    bytes: body === undefined ? new TextEncoder().encode(source) : await body(source.trimEnd()),
  }
}

describe('cases of plans', () => {
  const names = readdirSync(root).filter((name) => name.includes(filter))
  it('are there', () => expect(names.length).toBeGreaterThan(0))
  for (const name of names) {
    it(name, async () => {
      const folder = join(root, name)
      const parts = await engine.stages({ hash: '', ...(await templateOf(folder)) })
      const text = `${parts.map((part) => dumpPart(part, stageNames)).join('\n\n')}\n`
      const expected = join(folder, 'plan.txt')
      if (process.env['UPDATE'] === '1') writeFileSync(expected, text)
      expect(text).toBe(readFileSync(expected, 'utf8'))
    })
  }
})

describe('a plan', () => {
  it('is plain data: a copy of it is equal to it', async () => {
    for (const name of readdirSync(root)) {
      const parts = await engine.stages({ hash: '', ...(await templateOf(join(root, name))) })
      for (const { compiled } of parts) {
        const { statics, ...plan } = compiled.plan
        expect(structuredClone(plan), name).toEqual(plan)
      }
    }
  })
})
