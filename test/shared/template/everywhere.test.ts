import JSZip from 'jszip'
import { describe, expect, it } from 'vitest'
import { docxOf, odtOf, paragraph } from '../../helpers/docx.ts'
import { mergeBytes } from '../../helpers/merge.ts'
import { odpOf } from '../../helpers/ods.ts'
import { pptxOf, pptxParagraph, pptxShape } from '../../helpers/pptx.ts'
import { problemsOf } from '../../helpers/structure.ts'

/** Tags are honoured in every text of a package. Source: template language 2.4, 24.2, 24.5, 24.6. */

const data = { v: 'Zoë & co', l: [{ n: 'a' }, { n: 'b' }] }
const shown = 'Zoë &amp; co'
const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const word = (kind: string) => `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`
const run = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`

interface Part {
  readonly path: string
  readonly text: string
  readonly type: string
  readonly relation: string // 'document' or 'package', and the kind
}
const wordParts: Readonly<Record<string, Part>> = {
  header: {
    path: 'word/header1.xml',
    text: `<w:hdr ${w}>${run('{d.v}')}</w:hdr>`,
    type: word('header'),
    relation: `${office}/header`,
  },
  footer: {
    path: 'word/footer1.xml',
    text: `<w:ftr ${w}>${run('{d.v}')}</w:ftr>`,
    type: word('footer'),
    relation: `${office}/footer`,
  },
  footnotes: {
    path: 'word/footnotes.xml',
    text: `<w:footnotes ${w}><w:footnote w:id="2">${run('{d.v}')}</w:footnote></w:footnotes>`,
    type: word('footnotes'),
    relation: `${office}/footnotes`,
  },
  endnotes: {
    path: 'word/endnotes.xml',
    text: `<w:endnotes ${w}><w:endnote w:id="2">${run('{d.v}')}</w:endnote></w:endnotes>`,
    type: word('endnotes'),
    relation: `${office}/endnotes`,
  },
  comments: {
    path: 'word/comments.xml',
    text: `<w:comments ${w}><w:comment w:id="0" w:author="{d.v}">${run('{d.v}')}</w:comment></w:comments>`,
    type: word('comments'),
    relation: `${office}/comments`,
  },
  'core properties': {
    path: 'docProps/core.xml',
    text: '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{d.v}</dc:title><cp:keywords>{d.l[i].n}, {d.l[i+1].n}</cp:keywords></cp:coreProperties>',
    type: 'application/vnd.openxmlformats-package.core-properties+xml',
    relation: 'package',
  },
  'application properties': {
    path: 'docProps/app.xml',
    text: '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Company>{d.v}</Company></Properties>',
    type: 'application/vnd.openxmlformats-officedocument.extended-properties+xml',
    relation: 'package',
  },
  'custom properties': {
    path: 'docProps/custom.xml',
    text: '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="p"><vt:lpwstr>{d.v}</vt:lpwstr></property></Properties>',
    type: 'application/vnd.openxmlformats-officedocument.custom-properties+xml',
    relation: 'package',
  },
}

async function partsOf(template: Uint8Array, format: string): Promise<(path: string) => Promise<string>> {
  const { value, warnings } = await mergeBytes(template, format, data)
  const bytes = new Uint8Array(await value.document.arrayBuffer())
  expect(await problemsOf(bytes)).toEqual([])
  expect(warnings).toEqual([])
  const zip = await JSZip.loadAsync(bytes)
  return (path) => zip.file(path)!.async('string')
}

describe('DOCX', () => {
  it.each(Object.entries(wordParts))('%s', async (_, { path, text, type, relation }) => {
    const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    const template = await docxOf(run('body'), {
      [path]: declaration + text,
      '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${word('document.main')}"/><Override PartName="/${path}" ContentType="${type}"/></Types>`,
      ...(relation === 'package'
        ? {}
        : {
            'word/_rels/document.xml.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}" Target="${path.slice(5)}"/></Relationships>`,
          }),
    })
    const written = await (await partsOf(template, 'docx'))(path)
    expect(written).toContain(shown)
    expect(written).not.toContain('{d.')
    if (path === 'docProps/core.xml') expect(written).toContain('<cp:keywords>a, b, </cp:keywords>')
    if (path === 'docProps/custom.xml') expect(written).toContain('{D5CDD505-2E9C-101B-9397-08002B2CF9AE}')
  })

  it('a text box: both forms of it say the same', async () => {
    const box = (holder: string, inside: string) =>
      `<${holder}><w:txbxContent>${inside}</w:txbxContent></${holder}>`
    const inside = `${run('{d.v}')}${run('{d.l[i].n}')}${run('{d.l[i+1].n}')}`
    const body = `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:drawing><wp:anchor><wp:docPr id="1" name="Text Box 1"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape">${box('wps:txbx', inside)}</wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape id="s1">${box('v:textbox', inside)}</v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
    const written = await (await partsOf(await docxOf(body), 'docx'))('word/document.xml')
    const forms = [...written.matchAll(/<w:txbxContent>(.*?)<\/w:txbxContent>/gs)].map(([, form = '']) =>
      form.replace(/<[^>]*>/g, '|'),
    )
    expect(forms.length).toBe(2)
    expect(forms[0]).toBe(forms[1])
    expect(forms[0]!.replace(/\|+/g, '|')).toBe(`|${shown}|a|b|`)
  })

  it('a text box in a loop', async () => {
    const box = (text: string) =>
      `<w:p><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps"><w:drawing><wp:anchor><wp:docPr id="1" name="b"/><w:txbxContent>${run(text)}</w:txbxContent></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape id="s1"><v:textbox><w:txbxContent>${run(text)}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
    const body = paragraph('{d.l[i].n}') + box('{d.l[i].n}') + paragraph('{d.l[i+1].n}')
    const written = await (await partsOf(await docxOf(body), 'docx'))('word/document.xml')
    expect(written.replace(/<[^>]*>/g, '|').replace(/\|+/g, '|')).toMatch(/\|a\|a\|a\|b\|b\|b\|$/)
    const ids = (pattern: RegExp) => [...written.matchAll(pattern)].map(([, id]) => id)
    expect(new Set(ids(/<wp:docPr id="(\d+)"/g)).size).toBe(2)
    expect(new Set(ids(/<v:shape id="([^"]*)"/g)).size).toBe(2)
  })
})

describe('PPTX', () => {
  it.each([
    ['slide', 'ppt/slides/slide1.xml'],
    ['notes', 'ppt/notesSlides/notesSlide1.xml'],
    ['layout', 'ppt/slideLayouts/slideLayout1.xml'],
  ])('%s', async (_, path) => {
    const template = await pptxOf([pptxShape(2, pptxParagraph('{d.v}'))], {
      layout: pptxShape(2, pptxParagraph('{d.v}')),
      notes: { 1: pptxShape(2, pptxParagraph('{d.v}')) },
    })
    expect(await (await partsOf(template, 'pptx'))(path)).toContain(shown)
  })
  it('properties, comments, alternative texts', async () => {
    const zip = await JSZip.loadAsync(
      await pptxOf([pptxShape(2, pptxParagraph('x')).replace('descr=""', 'descr="{d.v}"')]),
    )
    const types = await zip.file('[Content_Types].xml')!.async('string')
    const parts = {
      'docProps/app.xml':
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Company>{d.v}</Company></Properties>',
      'ppt/comments/comment1.xml':
        '<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cm authorId="0" idx="1"><p:text>{d.v}</p:text></p:cm></p:cmLst>',
    }
    for (const [path, text] of Object.entries(parts)) zip.file(path, text, { createFolders: false })
    zip.file(
      '[Content_Types].xml',
      types.replace(
        '</Types>',
        `${Object.keys(parts)
          .map((path) => `<Override PartName="/${path}" ContentType="application/xml"/>`)
          .join('')}</Types>`,
      ),
      { createFolders: false },
    )
    const part = await partsOf(await zip.generateAsync({ type: 'uint8array' }), 'pptx')
    for (const path of Object.keys(parts)) expect(await part(path)).toContain(shown)
    expect(await part('ppt/slides/slide1.xml')).toContain(`descr="${shown}"`)
  })
})

describe('OpenDocument', () => {
  const meta = `<?xml version="1.0" encoding="UTF-8"?>\n<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0"><office:meta><dc:title>{d.v}</dc:title><meta:user-defined meta:name="x">{d.v}</meta:user-defined></office:meta></office:document-meta>`
  const styles = `<?xml version="1.0" encoding="UTF-8"?>\n<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:master-styles><style:master-page style:name="S" style:page-layout-name="P"><style:header><text:p>{d.v}</text:p></style:header><style:footer><text:p>{d.l[i].n}</text:p><text:p>{d.l[i+1].n}</text:p></style:footer></style:master-page></office:master-styles></office:document-styles>`
  it('ODT: properties, header, footer', async () => {
    const part = await partsOf(
      await odtOf('<text:p>x</text:p>', { 'meta.xml': meta, 'styles.xml': styles }),
      'odt',
    )
    expect((await part('meta.xml')).split(shown).length).toBe(3)
    expect(await part('styles.xml')).toContain(
      `<style:header><text:p>${shown}</text:p></style:header><style:footer><text:p>a</text:p><text:p>b</text:p></style:footer>`,
    )
  })
  it.each([
    [
      'footnote',
      '<text:p>x<text:note text:id="f1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>{d.v}</text:p></text:note-body></text:note></text:p>',
    ],
    ['comment', '<text:p>x<office:annotation><text:p>{d.v}</text:p></office:annotation></text:p>'],
    [
      'text box',
      '<text:p><draw:frame draw:name="F"><draw:text-box><text:p>{d.v}</text:p></draw:text-box></draw:frame></text:p>',
    ],
    [
      'alternative text',
      '<text:p><draw:frame draw:name="F"><draw:text-box><text:p>x</text:p></draw:text-box><svg:desc>{d.v}</svg:desc></draw:frame></text:p>',
    ],
  ])('ODT: %s', async (_, body) => {
    expect(await (await partsOf(await odtOf(body), 'odt'))('content.xml')).toContain(`>${shown}<`)
  })
  it('ODP: speaker notes', async () => {
    const page =
      '<draw:page draw:name="p1" draw:master-page-name="M"><draw:frame><draw:text-box><text:p>{d.v}</text:p></draw:text-box></draw:frame><presentation:notes><draw:frame><draw:text-box><text:p>{d.v}</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>'
    expect(
      (await (await partsOf(await odpOf(page), 'odp'))('content.xml')).split(`<text:p>${shown}</text:p>`)
        .length,
    ).toBe(3)
  })
})
