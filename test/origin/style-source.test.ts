import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Target } from '../contract/http/client.ts'
import { entryText } from '../helpers/docx.ts'
import { originTarget } from '../helpers/origin-target.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const folder = temporaryFolder('style-source')
let target: Target
beforeAll(async () => {
  target = await originTarget({})
})
afterAll(async () => {
  await target.stop()
  rmSync(folder, { recursive: true, force: true })
})

const headers = { 'content-type': 'application/json' }
const templateOf = (name: string) => readFileSync(new URL(`../fixtures/templates/${name}`, import.meta.url))
async function stored(bytes: Uint8Array): Promise<string> {
  const body = JSON.stringify({ template: Buffer.from(bytes).toString('base64'), versioning: true })
  const answer = await fetch(`${target.url}/template`, { method: 'POST', headers, body })
  return ((await answer.json()) as { data: { id: string } }).data.id
}

const markdown = (id: string) => `{o.styleSource=${id}}# Goods of {d.company}

Some *text*.

| Name | Price |
| --- | --- |
| {d.goods[i].name} | {d.goods[i].price} |
| {d.goods[i+1].name} | |

- one
  1. inner

> A quote.
`
const data = {
  company: 'Vale & Sons',
  employer: { name: 'Vale & Sons', street: 'Mill Lane 3', city: 'Dover' },
  goods: [
    { name: 'Tea', price: 4 },
    { name: 'Jam', price: 6 },
  ],
}
async function rendered(template: string | Uint8Array, convertTo: string) {
  const body = JSON.stringify({ data, convertTo, template: Buffer.from(template).toString('base64') })
  const answer = await fetch(`${target.url}/render/template?download=true`, { method: 'POST', headers, body })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { status: answer.status, warning: answer.headers.get('service-warning'), bytes }
}
const textOf = (pdf: Uint8Array): string => {
  const file = join(folder, 'made.pdf')
  writeFileSync(file, pdf)
  return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
}

describe.each([
  ['DOCX', 'catalogue/template.docx', 'Vale & Sons', { docx: 'Heading1', odt: 'Heading_20_1' }],
  ['ODT', 'payslip/template.odt', 'Mill Lane 3', { docx: 'Normal', odt: 'Standard' }],
])('Markdown in the styles of a %s', (_kind, file, header, names) => {
  it('has its pages and headers, filled with the same data, in a PDF', async () => {
    const { status, warning, bytes } = await rendered(markdown(await stored(templateOf(file))), 'pdf')
    expect([status, warning]).toEqual([200, null])
    const text = textOf(bytes)
    expect(text.slice(0, text.indexOf('Goods of Vale & Sons'))).toContain(header)
    for (const part of ['Some text.', 'Tea', 'Jam', 'inner', 'A quote.']) expect(text).toContain(part)
    expect(text).not.toContain('{')
  })

  it.each(['docx', 'odt'] as const)('has its styles in %s', async (to) => {
    const { status, bytes } = await rendered(markdown(await stored(templateOf(file))), to)
    expect(status).toBe(200)
    const styles = await entryText(bytes, to === 'docx' ? 'word/styles.xml' : 'styles.xml')
    const plain = await rendered(markdown('').replace('{o.styleSource=}', ''), to)
    const usual = await entryText(plain.bytes, to === 'docx' ? 'word/styles.xml' : 'styles.xml')
    const style = (all: string): string =>
      new RegExp(`<(w|style):style [^>]*(?:w:styleId|style:name)="${names[to]}".*?</\\1:style>`, 's').exec(
        all,
      )?.[0] ?? ''
    expect(style(usual)).not.toBe('')
    expect(style(styles)).not.toBe(style(usual))
  })
})

describe('a style source', () => {
  it('keeps colours', async () => {
    const { bytes } = await rendered(markdown(await stored(templateOf('catalogue/template.docx'))), 'docx')
    expect(await entryText(bytes, 'word/styles.xml')).toMatch(
      /w:styleId="Heading1".*?<w:color w:val="1D4E89"\/>/s,
    )
  })

  it.each([
    ['of no template', async () => '123456789', 'there is no stored template with that ID'],
    ['of a workbook', () => stored(templateOf('inventory/template.xlsx')), 'it is of type xlsx'],
  ])('%s is refused', async (_name, id, because) => {
    const { status, bytes } = await rendered(markdown(await id()), 'pdf')
    const { error } = JSON.parse(new TextDecoder().decode(bytes)) as { error: string }
    expect([status, error]).toEqual([500, expect.stringContaining(because)])
  })

  it('is refused by an engine without pages of documents', async () => {
    const id = await stored(templateOf('catalogue/template.docx'))
    const { status, bytes } = await rendered(`{o.converter=C}${markdown(id)}`, 'pdf')
    expect([status, new TextDecoder().decode(bytes)]).toEqual([
      500,
      expect.stringContaining('engine C would leave'),
    ])
  })

  it.each([
    ['for what is no Markdown', '<p>{o.styleSource=1}x</p>', 'pdf'],
    ['for what has no styles', '{o.styleSource=1}x', 'txt'],
  ])('%s is ignored with a warning', async (_name, template, to) => {
    const { status, warning } = await rendered(template, to)
    expect([status, warning]).toEqual([200, 'template.style-source'])
  })
})
