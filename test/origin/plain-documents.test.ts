import JSZip from 'jszip'
import { afterAll, expect, it } from 'vitest'
import type { OriginConfig } from '../../origin/config.ts'
import { startServer } from '../../origin/server.ts'
import { base64 } from '../contract/http/client.ts'
import { docxOf, odtOf, paragraph } from '../helpers/docx.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../helpers/pptx.ts'
import { readCells, xlsxOf } from '../helpers/xlsx.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

async function origin(changes: Partial<OriginConfig> = {}): Promise<string> {
  const { config, remove } = await testConfig({ mergeWorkers: 1, ...changes })
  const server = await startServer(config)
  closing.push(remove, () => server.stop())
  return server.url
}

const vbaRelation =
  '<Relationship Id="rIdVba" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/>'

/** The file as one with macros, as the programs store it. */
async function withMacros(bytes: Uint8Array, main: string, folder: string): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(bytes)
  const part = Object.keys(zip.files).find((name) =>
    new RegExp(`^${folder}/_rels/(document|workbook|presentation).xml.rels$`).test(name),
  )
  const rels =
    part ?? `${folder}/_rels/${{ word: 'document', xl: 'workbook', ppt: 'presentation' }[folder]}.xml.rels`
  const before =
    (await zip.file(rels)?.async('text')) ??
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
  zip.file(
    rels,
    before
      .replace(/<\/Relationships>/, `${vbaRelation}</Relationships>`)
      .replace(/\/>$/, `>${vbaRelation}</Relationships>`),
  )
  const types = await zip.file('[Content_Types].xml')!.async('text')
  const marked = types
    .replace(
      /application\/vnd\.openxmlformats-officedocument\.(wordprocessingml\.document|spreadsheetml\.sheet|presentationml\.presentation)\.main\+xml/,
      main,
    )
    .replace(
      '</Types>',
      '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/><Override PartName="/word/vbaData.xml" ContentType="application/vnd.ms-word.vbaData+xml"/></Types>',
    )
  expect(marked).toContain('macroEnabled')
  zip.file('[Content_Types].xml', marked)
  zip.file(`${folder}/vbaProject.bin`, 'macros')
  if (folder === 'word') zip.file('word/vbaData.xml', '<x/>')
  return zip.generateAsync({ type: 'uint8array' })
}

const files = [
  [
    'docm',
    async () =>
      withMacros(
        await docxOf(paragraph('{d.a}')),
        'application/vnd.ms-word.document.macroEnabled.main+xml',
        'word',
      ),
  ],
  [
    'xlsm',
    async () =>
      withMacros(
        await xlsxOf({ sheets: [{ name: 'One', cells: { A1: '{d.a}' } }] }),
        'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
        'xl',
      ),
  ],
  [
    'pptm',
    async () =>
      withMacros(
        await pptxOf([pptxShape(2, pptxParagraph('{d.a}'))]),
        'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml',
        'ppt',
      ),
  ],
] as const

async function render(url: string, body: object) {
  const answer = await fetch(`${url}/render/template?download=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return {
    status: answer.status,
    name: answer.headers.get('content-disposition'),
    type: answer.headers.get('content-type'),
    bytes,
  }
}

it('macros are removed from every output, filled or unchanged', async () => {
  const url = await origin()
  for (const [extension, make] of files) {
    const template = base64(await make())
    const kind = extension.replace(/m$/, 'x')
    for (const data of [{ data: { a: 'filled' } }, {}]) {
      const { status, name, bytes } = await render(url, { template, ...data })
      expect([extension, status, name]).toEqual([extension, 200, `attachment; filename="report.${kind}"`])
      const zip = await JSZip.loadAsync(bytes)
      expect(Object.keys(zip.files).filter((each) => /vba/i.test(each))).toEqual([])
      for (const each of Object.values(zip.files))
        if (/rels$|Types/.test(each.name)) expect(await each.async('text')).not.toMatch(/vba|macro/i)
    }
  }
})

/** The file as a template of its program. */
async function retyped(bytes: Uint8Array, part: string, from: RegExp, to: string): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(bytes)
  for (const name of [part, 'META-INF/manifest.xml']) {
    const text = await zip.file(name)?.async('text')
    if (text !== undefined)
      zip.file(name, text.replace(from, to), { compression: name === 'mimetype' ? 'STORE' : 'DEFLATE' })
  }
  expect(await zip.file(part)!.async('text')).toContain(to)
  return zip.generateAsync({ type: 'uint8array' })
}

const wordTypes = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const showTypes = 'application/vnd.openxmlformats-officedocument.presentationml'
const odfText = 'application/vnd.oasis.opendocument.text'
const templates = [
  ['dotx', 'docx', '[Content_Types].xml', `${wordTypes}.document.main+xml`, `${wordTypes}.template.main+xml`],
  [
    'ppsx',
    'pptx',
    '[Content_Types].xml',
    `${showTypes}.presentation.main+xml`,
    `${showTypes}.slideshow.main+xml`,
  ],
  [
    'potx',
    'pptx',
    '[Content_Types].xml',
    `${showTypes}.presentation.main+xml`,
    `${showTypes}.template.main+xml`,
  ],
  ['ott', 'odt', 'mimetype', odfText, `${odfText}-template`],
] as const

it.each(templates)('%s is returned as the %s of its name', async (extension, kind, part, plain, special) => {
  const url = await origin()
  const document = {
    docx: () => docxOf(paragraph('{d.a}')),
    pptx: () => pptxOf([pptxShape(2, pptxParagraph('{d.a}'))]),
    odt: () => odtOf('<text:p>{d.a}</text:p>'),
  }[kind]
  const from = new RegExp(`${plain.replace(/[.+]/g, '\\$&')}(?=$|")`)
  const template = base64(await retyped(await document(), part, from, special))
  for (const data of [{ data: { a: 'filled' } }, {}]) {
    const { status, name, bytes } = await render(url, { template, ...data })
    expect([extension, status, name]).toEqual([extension, 200, `attachment; filename="report.${kind}"`])
    const zip = await JSZip.loadAsync(bytes)
    const reported = [part, 'META-INF/manifest.xml'].flatMap((each) => zip.file(each) ?? [])
    for (const file of reported) {
      expect(await file.async('text')).toContain(plain)
      expect(await file.async('text')).not.toContain(special)
    }
    // Programs look for the type at the beginning of the file.
    if (part === 'mimetype')
      expect(new TextDecoder().decode(bytes.slice(30, 38 + plain.length))).toBe(`mimetype${plain}`)
  }
})

it('xlsm is an output where it is enabled, without macros, and an XLSX elsewhere', async () => {
  const template = base64(await files[1][1]())
  const body = { template, data: { a: 'filled' }, convertTo: 'xlsm' }
  const usual = await render(await origin(), body)
  expect(usual.name).toBe('attachment; filename="report.xlsx"')
  const url = await origin({ xlsmEnabled: true })
  const { name, type, bytes } = await render(url, body)
  expect([name, type]).toEqual([
    'attachment; filename="report.xlsm"',
    'application/vnd.ms-excel.sheet.macroEnabled.12',
  ])
  const zip = await JSZip.loadAsync(bytes)
  expect(Object.keys(zip.files).filter((each) => /vba/i.test(each))).toEqual([])
  const types = await zip.file('[Content_Types].xml')!.async('text')
  expect(types).toContain('application/vnd.ms-excel.sheet.macroEnabled.main+xml')
  expect(types).not.toMatch(/vba/i)
  expect(Object.values(await readCells(bytes))).toContain("'filled'")
  const stored = await fetch(`${url}/render/template`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { renderId } = ((await stored.json()) as { data: { renderId: string } }).data
  expect(renderId).toMatch(/\.xlsm$/)
  const file = await fetch(`${url}/render/${renderId}`)
  expect(file.headers.get('content-disposition')).toBe('inline; filename="report.xlsm"')
})
