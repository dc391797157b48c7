import { execFileSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { formats } from '../../../plugins/formats/index.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import { createMergeEngine } from '../../../shared/template/merge.ts'
import { codecNode } from '../../helpers/codec-node.ts'
import { convertFolder } from '../../helpers/libreoffice.ts'
import { defaultOptions } from '../../helpers/merge.ts'
import { fixtureUri } from '../../helpers/pictures.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** OpenDocument in one XML file. */
const registry = createRegistry(formats)
const engine = createMergeEngine({ codec: codecNode, formats: (id) => registry.format(id) })
const namespaces = ['office', 'text', 'table', 'style']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')
const more =
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"'
const flat = (kind: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${namespaces} ${more} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:styles/><office:automatic-styles/><office:body>${body}</office:body></office:document>`
const row = (text: string) =>
  `<table:table-row><table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell></table:table-row>`
const table = (...texts: readonly string[]) =>
  `<table:table table:name="T"><table:table-column/>${texts.map(row).join('')}</table:table>`
const picture =
  '<draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="1cm"><draw:image draw:mime-type="image/png"><office:binary-data>U2FtcGxl</office:binary-data></draw:image><svg:title>{d.x}</svg:title></draw:frame>'
const samples: Readonly<Record<string, string>> = {
  fodt: flat(
    'text',
    `<office:text><text:p>{d.na<text:span>me}</text:span>{d.c:color(p)}</text:p>${table('{d.l[i].n}', '{d.l[i+1].n}')}<text:p>${picture}</text:p><text:p>{d.h:html}</text:p></office:text>`,
  ),
  fods: flat(
    'spreadsheet',
    `<office:spreadsheet>${table('{d.name}', '{d.l[i].n:formatN}', '{d.l[i+1].n}')}</office:spreadsheet>`,
  ),
  fodp: flat(
    'presentation',
    '<office:presentation><draw:page draw:name="p1"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>{d.l[i].n}{d.name}</text:p></draw:text-box></draw:frame></draw:page><draw:page draw:name="p2"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>{d.l[i+1].n}</text:p></draw:text-box></draw:frame></draw:page></office:presentation>',
  ),
  fodg: flat(
    'graphics',
    '<office:drawing><draw:page draw:name="p1"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>{d.l[i].n}{d.name}</text:p><text:p>{d.l[i+1].n}</text:p></draw:text-box></draw:frame></draw:page></office:drawing>',
  ),
}
const data = {
  name: 'Zo & co',
  c: '#112233',
  l: [{ n: 11 }, { n: 22 }],
  x: fixtureUri('rgb.png'),
  h: '<p><b>bold</b></p>',
}

async function merged(format: string): Promise<string> {
  const bytes = new TextEncoder().encode(samples[format])
  expect((await registry.sniff(fromBytes(bytes), { name: 'a.xml' }))?.id).toBe(format)
  const { value } = await engine.merge({
    template: { hash: '', bytes, format },
    data: { value: data },
    options: defaultOptions,
  })
  expect(value.format).toBe(format)
  return new TextDecoder().decode(await value.document.arrayBuffer())
}

it('a text: values, rows, colours, pictures, HTML', async () => {
  const text = await merged('fodt')
  expect(text).toContain('Zo &amp; co')
  expect(text).toContain(`${row('11')}${row('22')}`)
  expect(text).toContain('fo:color="#112233"')
  expect(text).toContain(`<office:binary-data>${fixtureUri('rgb.png').split(',')[1]}</office:binary-data>`)
  expect(text).toMatch(/fo:font-weight="bold"/)
  expect(text).not.toMatch(/\{d\.|U2FtcGxl|xlink:href/)
})

it('a spreadsheet: numbers are numbers', async () => {
  expect(await merged('fods')).toContain('office:value="22"')
})

it('pages repeat', async () => {
  const text = await merged('fodp')
  expect(text.match(/<draw:page\b/g)).toHaveLength(2)
  expect(text).toContain('22Zo &amp; co')
})

it('LibreOffice shows them', async () => {
  const folder = temporaryFolder('platen-flat')
  try {
    for (const format of Object.keys(samples))
      await writeFile(join(folder, `${format}.${format}`), await merged(format))
    await convertFolder(folder, 'pdf', join(folder, 'profile'))
    for (const format of Object.keys(samples)) {
      await readFile(join(folder, `${format}.pdf`))
      const text = execFileSync('pdftotext', [join(folder, `${format}.pdf`), '-'], { encoding: 'utf8' })
      expect([format, ['11', '22', 'Zo & co'].filter((word) => !text.includes(word))]).toEqual([format, []])
    }
    const images = execFileSync('pdfimages', ['-list', join(folder, 'fodt.pdf')], { encoding: 'utf8' })
    expect(images.trim().split('\n').length).toBeGreaterThan(2)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
