import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { attachedFiles } from '../../helpers/look.ts'
import { platen as run } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const temporary = useTemporary()
const example = (file: string) =>
  new URL(`../../fixtures/templates/electronic-invoice/${file}`, import.meta.url).pathname
const fixture = (file: string) => new URL(`../../fixtures/invoices/${file}`, import.meta.url).pathname

describe('platen invoice', () => {
  let folder = ''
  const platen = (...args: readonly string[]) => run(folder, ...args)
  const path = (name: string) => join(folder, name)
  const flags = ['--invoice', example('factur-x.xml')]

  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    const made = await platen(
      'render',
      example('template.html'),
      example('data.json'),
      '-o',
      path('a.pdf'),
      ...flags,
    )
    expect(made).toEqual({ code: 0, out: '', err: '' })
  })

  it('accepts the invoice of a PDF that the service made, and extracts its XML', async () => {
    expect(await platen('invoice', path('a.pdf'), '--extract', path('a.xml'))).toEqual({
      code: 0,
      out: 'factur-x.xml: EN 16931, CII\n0 errors, 0 warnings',
      err: '',
    })
    const [attached] = await attachedFiles(await readFile(path('a.pdf')))
    expect(await readFile(path('a.xml'), 'utf8')).toBe(attached?.text)
  })

  it.each([
    ['the profile in the metadata', 'EN 16931</fx:Conf', 'EXTENDED</fx:Conf', 'fx:ConformanceLevel EN 16931'],
    [
      'the name in the metadata',
      'factur-x.xml</fx:',
      'factur-y.xml</fx:',
      'fx:DocumentFileName factur-x.xml',
    ],
    ['the kind of document', 'INVOICE</fx:', 'INVOIRE</fx:', 'fx:DocumentType INVOICE'],
    ['the part of PDF/A', '<pdfaid:part>3', '<pdfaid:part>2', 'must be PDF/A-3'],
    [
      'the relationship',
      '/AFRelationship/Alternative',
      '/AFRelationship/Supplement_',
      'must be Alternative or Data',
    ],
  ])('reports a PDF that is wrong about %s', async (_name, from, to, message) => {
    const text = (await readFile(path('a.pdf'))).toString('latin1')
    expect(text).toContain(from)
    await writeFile(path('wrong.pdf'), Buffer.from(text.replaceAll(from, to), 'latin1'))
    const { code, out } = await platen('invoice', path('wrong.pdf'))
    expect([code, out]).toEqual([1, expect.stringContaining(message)])
  })

  it('prints rule, field and path of an XML file, or JSON', async () => {
    const text = await readFile(fixture('xrechnung-ubl.xml'), 'utf8')
    await writeFile(path('b.xml'), text.replace('>04011000-12345-34<', '><'))
    const { code, out } = await platen('invoice', path('b.xml'))
    expect([code, out.split('\n')]).toEqual([
      1,
      [
        'XML: XRECHNUNG, UBL',
        'error: BR-DE-15 (BT-10): The buyer reference (Leitweg-ID) (BT-10) is missing. Add it.',
        '  at /ubl:Invoice/cbc:BuyerReference',
        '1 error, 0 warnings',
      ],
    ])
    const json = await platen('invoice', path('b.xml'), '--json')
    expect(JSON.parse(json.out)).toMatchObject({ profile: 'XRECHNUNG', problems: [{ rule: 'BR-DE-15' }] })
  })

  it('refuses a file that is not an invoice, and an unknown profile', async () => {
    await copyFile(fixture('README.md'), path('c.md'))
    expect((await platen('invoice', path('c.md'))).out).toContain('error: XML')
    expect(await platen('invoice', path('a.pdf'), '--profile', 'COMFORT')).toMatchObject({ code: 2 })
  })
})
