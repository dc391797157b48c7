import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { docxOf, paragraph } from '../../helpers/docx.ts'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()

describe('platen verify', () => {
  let folder = ''
  const file = (name: string) => join(folder, name)

  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    await writeFile(file('a.docx'), await docxOf(paragraph('Dear {d.name}')))
    await writeFile(file('a.json'), '{\n  "name": "Ann",\n  "n": 1.0\n}')
    await writeFile(file('b.json'), '{"name":"Bob","n":1}')
    const options = ['--converter', 'I', '--provenance', '--salt', 'pepper']
    const rendered = await platen(
      folder,
      'render',
      file('a.docx'),
      file('a.json'),
      '-o',
      file('a.pdf'),
      ...options,
    )
    expect(rendered).toMatchObject({ code: 0, err: '' })
  })

  it('explains a PDF, and compares what it was made from: exit code 0', async () => {
    const given = ['--template', file('a.docx'), '--data', file('a.json'), '--salt', 'pepper']
    const { code, out } = await platen(folder, 'verify', file('a.pdf'), ...given)
    expect([code, out.split('\n').map((line) => line.replace(/[0-9a-f]{64}/, '<digest>'))]).toEqual([
      0,
      [
        'manifest    attached to the PDF',
        'document    unchanged',
        expect.stringMatching(/^made {8}20\d\d-.*Z by platen \d/),
        'template    docx, SHA-256 <digest>: the same file',
        'data        HMAC-SHA-256 <digest>: the same file',
        'options     convertTo pdf, formatOptions {}, converter I',
        'engines     Instant layout engine (I)',
        'producer    platen',
        expect.stringMatching(/^fonts {7}.+ \(Version .+\)$/),
      ],
    ])
  })

  it('prints what a manifest says as text: it moves no cursor, adds no line and turns no writing', async () => {
    const { out } = await platen(folder, 'verify', file('a.pdf'), '--json')
    const { manifest } = JSON.parse(out)
    const lying = {
      ...manifest,
      producer: 'x\u001b[2J\ndocument    unchanged\u202e',
      document: { ...manifest.document, sha256: '0'.repeat(64) },
    }
    await writeFile(file('lying.json'), JSON.stringify(lying))
    await writeFile(file('a.html'), '<p>no PDF')
    const told = await platen(folder, 'verify', file('a.html'), '--manifest', file('lying.json'))
    expect(told.code).toBe(1)
    expect(told.out).not.toMatch(/[\u001b\u202e]/)
    expect(told.out.split('\n').filter((line) => line.startsWith('document'))).toHaveLength(1)
  })

  it('other data: exit code 1', async () => {
    const { code, out } = await platen(
      folder,
      'verify',
      file('a.pdf'),
      '--data',
      file('b.json'),
      '--salt',
      'pepper',
    )
    expect([code, out]).toEqual([1, expect.stringMatching(/^data .*: NOT the file given$/m)])
  })

  it('a changed document: exit code 1, also with the manifest beside it', async () => {
    const bytes = await readFile(file('a.pdf'))
    bytes[700] = (bytes[700] ?? 0) ^ 1
    await writeFile(file('changed.pdf'), bytes)
    const { code, out } = await platen(
      folder,
      'verify',
      file('changed.pdf'),
      '--manifest',
      file('a.pdf.provenance.json'),
      '--json',
    )
    expect([code, JSON.parse(out)]).toMatchObject([1, { source: 'beside', document: 'changed' }])
  })

  it('a PDF that another program has appended to: exit code 1', async () => {
    const bytes = await readFile(file('a.pdf'))
    const page = Buffer.from('1 0 obj\n<</Type /Catalog>>\nendobj\n')
    await writeFile(file('appended.pdf'), Buffer.concat([bytes, page]))
    const { code, out } = await platen(folder, 'verify', file('appended.pdf'))
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^document {4}CHANGED: a program appended 34 bytes that no signature covers/m),
    ])
  })

  it('a document without a manifest, and data without a salt: exit code 2', async () => {
    const none = await platen(folder, 'verify', file('a.docx'))
    expect([none.code, none.err]).toEqual([2, expect.stringContaining('a.docx has no manifest.')])
    const saltless = await platen(folder, 'verify', file('a.pdf'), '--data', file('a.json'))
    expect([saltless.code, saltless.err]).toEqual([2, expect.stringContaining('need the --salt')])
  })
})
