import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DropCase, dropCases } from '../../cases/office/drops.ts'
import { bodyOf, docxOf, odtOf } from '../../helpers/docx.ts'
import { convertFolder } from '../../helpers/libreoffice.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { odfBody, odpOf, odsOf } from '../../helpers/ods.ts'
import { problemsOf } from '../../helpers/structure.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const wrap = { docx: docxOf, odt: odtOf, odp: odpOf, ods: odsOf }

async function merged({ format, body }: DropCase): Promise<Uint8Array> {
  const { value } = await mergeBytes(await wrap[format](body), format, {})
  return new Uint8Array(await value.document.arrayBuffer())
}

describe('elements that are dropped leave nothing behind', () => {
  it.each(dropCases.map((each) => [each.format, each.name, each] as const))(
    '%s: %s',
    async (format, _, each) => {
      const bytes = await merged(each)
      expect(await problemsOf(bytes)).toEqual([])
      expect(await (format === 'docx' || format === 'odt' ? bodyOf(bytes) : odfBody(bytes))).toBe(
        each.expected,
      )
    },
  )
  it('and LibreOffice opens what is left', async () => {
    const folder = temporaryFolder('platen-drops')
    try {
      for (const [at, each] of dropCases.entries())
        await writeFile(join(folder, `${at}.${each.format}`), await merged(each))
      await convertFolder(folder, 'pdf', join(folder, 'profile'))
      const made = (await readdir(folder)).filter((name) => name.endsWith('.pdf'))
      for (const name of made)
        expect((await readFile(join(folder, name))).subarray(0, 4).toString()).toBe('%PDF')
      expect(made.length).toBe(dropCases.length)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
