import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../../contract/http/client.ts'
import { createClient } from '../../contract/http/client.ts'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { originTarget } from '../../helpers/origin-target.ts'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const request = { data: { name: 'Ann' }, convertTo: 'pdf', converter: 'I' }

describe('platen test', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)
  const test = (...args: readonly string[]) => platen(folder, 'test', ...args)
  const cases = (list: readonly object[], name = 'letter.checks.json') =>
    writeFile(file(name), JSON.stringify({ cases: list }))

  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    await writeFile(file('letter.docx'), await docxOf(paragraph('Dear {d.name}')))
  })

  it('cases beside the template pass: exit code 0', async () => {
    await cases([{ name: 'Ann', request, expect: { contains: ['Dear Ann'], pages: 1 } }])
    const { code, out } = await test(file('letter.docx'))
    expect([code, out.split('\n')]).toEqual([0, ['ok   Ann', '1 passed, 0 failed']])
  })
  it('cases fail: exit code 1, with an excerpt of the document', async () => {
    const expected = { contains: ['Dear Bob'], pages: 2 }
    await cases(
      [
        { name: 'Ann', request, expect: expected },
        { name: 'all', request },
      ],
      'other.json',
    )
    const { code, out } = await test(file('letter.docx'), '--cases', file('other.json'))
    expect([code, out.split('\n')]).toEqual([
      1,
      [
        'FAIL Ann',
        '     The document lacks "Dear Bob".',
        '     It has: Dear Ann',
        '     The document has 1 page instead of 2.',
        'ok   all',
        '1 passed, 1 failed',
      ],
    ])
    const named = await test(file('letter.docx'), '--cases', file('other.json'), '--name', 'all', '--json')
    expect([named.code, JSON.parse(named.out)]).toMatchObject([0, { passed: true, cases: [{ name: 'all' }] }])
  })
  it('--update writes pictures, which then pass until the template changes', async () => {
    const pictures = [{ page: 1, file: 'letter.ann.png' }]
    await cases([{ name: 'Ann', request, expect: { pictures } }], 'looks.json')
    const run = (...args: readonly string[]) =>
      test(file('letter.docx'), '--cases', file('looks.json'), ...args)
    expect((await run()).code).toBe(1)
    const updated = await run('--update')
    expect([updated.code, updated.out.split('\n')]).toEqual([
      0,
      ['ok   Ann', `wrote ${file('letter.ann.png')}`, '1 passed, 0 failed'],
    ])
    expect((await readFile(file('letter.ann.png'))).subarray(1, 4).toString()).toBe('PNG')
    expect((await run()).code).toBe(0)
    await writeFile(file('letter.docx'), await docxOf(paragraph('Dear {d.name}, how do you do?')))
    const changed = await run()
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('Page 1 looks different: ')])
  })
  it.each([
    ['no template', [], 'test takes one template.'],
    ['no cases', ['missing.docx'], 'Cannot read missing.checks.json: there is no such file.'],
  ])('%s: exit code 2', async (_, args, message) => {
    const { code, err } = await test(...args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  describe('templates of a service', () => {
    let target: Target
    beforeAll(async () => {
      target = await originTarget()
    })
    afterAll(() => target?.stop())

    it('with their own cases, or those of a file', async () => {
      const client = createClient(target.url)
      const { id } = await client.version('Dear {d.name}')
      const own = { name: 'own', request: { data: { name: 'Ann' } }, expect: { contains: ['Dear Ann'] } }
      await client.put(`/template/${id}/checks`, { cases: [own] })
      const { code, out } = await test(id, '--url', target.url)
      expect([code, out.split('\n')]).toEqual([0, ['ok   own', '1 passed, 0 failed']])
      await cases([{ name: 'sent', expect: { contains: ['Hello'] } }], 'sent.json')
      expect((await test(id, '--url', target.url, '--cases', file('sent.json'))).code).toBe(1)
      const missing = await test('1', '--url', target.url)
      expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('Template not found')])
    })
  })
})
