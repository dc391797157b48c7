import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()

describe('platen diff', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)

  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    await writeFile(file('old.docx'), await docxOf(paragraph('Dear {d.name}, one')))
    await writeFile(file('new.docx'), await docxOf(paragraph('Dear {d.name:upperCase}, two {d.date}')))
  })

  it('lists tags, words and pages: exit code 1', async () => {
    const { code, out } = await platen(folder, 'diff', file('old.docx'), file('new.docx'))
    expect([code, out.split('\n')]).toEqual([
      1,
      [
        '+ tag {d.date}',
        '~ tag {d.name} is now {d.name:upperCase}',
        '- text "{d.name}"',
        '+ text "{d.name:upperCase}"',
        '- text "one"',
        '+ text "two {d.date}"',
        'pages that look different: 1',
      ],
    ])
  })
  it('the same file: exit code 0', async () => {
    const { code, out } = await platen(folder, 'diff', file('old.docx'), file('old.docx'))
    expect([code, out]).toEqual([0, 'The files are the same.'])
  })
  it('--json for programs', async () => {
    const { out } = await platen(folder, 'diff', file('old.docx'), file('new.docx'), '--json')
    expect(JSON.parse(out)).toMatchObject({
      same: false,
      tags: { added: ['{d.date}'] },
      pages: { from: 1, to: 1 },
    })
  })
  it('one template is too few', async () => {
    const { code, err } = await platen(folder, 'diff', file('old.docx'))
    expect([code, err]).toEqual([2, expect.stringContaining('diff takes two templates.')])
  })
})
