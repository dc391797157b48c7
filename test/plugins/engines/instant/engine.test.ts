import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../origin/codec.ts'
import instant from '../../../../plugins/engines/instant/index.ts'
import docx from '../../../../plugins/formats/docx/index.ts'
import odt from '../../../../plugins/formats/odt/index.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { Host } from '../../../../shared/plugin/contract.ts'
import type { Outcome } from '../../../../shared/plugin/values.ts'
import { docxOf } from '../../../helpers/docx.ts'
import { testHost } from '../../../helpers/host.ts'
import { inspect, pdfText, shippedSource } from '../../../helpers/instant-fonts.ts'

const host = (more: Partial<Host> = {}): Host => ({
  ...testHost([docx, odt]),
  codec: nodeCodec,
  fonts: () => shippedSource,
  ...more,
})

async function convert(
  bytes: Uint8Array,
  from: string,
  more: Partial<Host> = {},
  deadline = Date.now() + 200_000,
): Promise<Outcome<Uint8Array>> {
  const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host(more))
  const job = { source: fromBytes(bytes), from, to: 'pdf', options: {}, deadline }
  const { value, warnings } = await engine.convert(job, new AbortController().signal)
  return { value: await bytesOf(value), warnings }
}

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../fixtures/corpus/${name}`, import.meta.url)))
const real = [
  'docling-project__word_tables.docx',
  'gyselroth__policy_with_bullets.docx',
  'sidea-sk__PageOrientation.docx',
  'evotecit__word-business-delivery-summary.docx',
  'jdum__dormeur.odt',
  'docling-project__text_document_03.odt',
]

describe('every conversion it lists', () => {
  for (const name of real) {
    test(name, async () => {
      const from = name.slice(name.lastIndexOf('.') + 1)
      const { value } = await convert(fixture(name), from)
      expect(inspect(value, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
      const again = await convert(fixture(name), from)
      expect(Buffer.compare(again.value, value)).toBe(0)
    })
  }
  test('leaves out blank pages before sections on odd pages when asked', async () => {
    const ending = (type: string): string =>
      `<w:p><w:pPr><w:sectPr><w:type w:val="${type}"/></w:sectPr></w:pPr></w:p>`
    const body = `${ending('nextPage')}${ending('oddPage')}<w:p><w:r><w:t>end</w:t></w:r></w:p>`
    const pagesWith = async (options: Readonly<Record<string, unknown>>): Promise<string | undefined> => {
      const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host())
      const job = {
        source: fromBytes(await docxOf(body)),
        from: 'docx',
        to: 'pdf',
        options,
        deadline: Date.now() + 200_000,
      }
      const { value } = await engine.convert(job, new AbortController().signal)
      return /Pages: +(\d+)/.exec(inspect(await bytesOf(value), 'pdfinfo', ['{}']))?.[1]
    }
    expect(await pagesWith({})).toBe('4')
    expect(await pagesWith({ IsSkipEmptyPages: true })).toBe('3')
  })
  test('reports the options that it does not support', async () => {
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
    const figures = `<w:p>${mark('begin')}<w:r><w:instrText>TOC \\c "Figure"</w:instrText></w:r>${mark('separate')}<w:r><w:t>One 1</w:t></w:r>${mark('end')}</w:p>`
    const warned = async (body: string, options: Readonly<Record<string, unknown>>) => {
      const source = fromBytes(await docxOf(body))
      const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host())
      const job = { source, from: 'docx', to: 'pdf', options, deadline: Date.now() + 200_000 }
      const { warnings } = await engine.convert(job, new AbortController().signal)
      return warnings.map(({ code }) => code).filter((code) => /option|contents/.test(code))
    }
    expect(await warned(figures, { hardRefresh: true })).toEqual(['layout.contents-kept'])
    expect(await warned(figures, {})).toEqual([])
    expect(await warned('<w:p/>', { hardRefresh: true })).toEqual([])
    expect(await warned('<w:p/>', { Landscape: true, PaperSize: 'A5', UseTaggedPDF: true })).toEqual([
      'convert.option-ignored',
      'convert.option-ignored',
    ])
  })
  test('a strict job is declined when something would be drawn differently', async () => {
    const inserted = '<w:p><w:r><w:t>b</w:t></w:r></w:p><w:altChunk/>'
    const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host())
    const convertWith = async (body: string, strict: boolean, options = {}) => {
      const source = fromBytes(await docxOf(body))
      const job = { source, from: 'docx', to: 'pdf', options, deadline: Date.now() + 200_000, strict }
      return engine.convert(job, new AbortController().signal)
    }
    await expect(convertWith(inserted, true)).rejects.toMatchObject({
      code: 'convert.beyond',
      message:
        'The instant engine cannot draw all of this document: an inserted document (w:altChunk or w:subDoc) is missing or cannot be read, so it is not drawn.',
    })
    expect((await convertWith(inserted, false)).warnings).toMatchObject([{ code: 'read.embedded-document' }])
    // What the office draws no better is drawn here, with a warning.
    const fitted = '<w:p><w:r><w:rPr><w:fitText w:val="2000"/></w:rPr><w:t>b</w:t></w:r></w:p>'
    expect((await convertWith(fitted, true)).warnings).toMatchObject([{ code: 'read.text-fit' }])
    await expect(convertWith(fitted + inserted, true)).rejects.toMatchObject({ code: 'convert.beyond' })
    const clipped =
      '<w:p><w:pPr><w:ind w:left="-20000" w:right="20000"/></w:pPr><w:r><w:t>b</w:t></w:r></w:p>'
    await expect(convertWith(clipped, true)).rejects.toMatchObject({ code: 'convert.beyond' })
    expect((await convertWith(clipped, false)).warnings).toMatchObject([{ code: 'layout.clipped' }])
    // A character that no font has may not stand in PDF/A: another engine may know one.
    const unknown = '<w:p><w:r><w:t>&#x12000;</w:t></w:r></w:p>'
    const archive = { SelectPdfVersion: 2 }
    await expect(convertWith(unknown, true, archive)).rejects.toMatchObject({ code: 'convert.beyond' })
    await expect(convertWith(unknown, false, archive)).rejects.toMatchObject({ code: 'pdf.promise' })
    // Nor is one on a page drawn here, unless the fonts are all that the machine has: then no engine draws it better.
    await expect(convertWith(unknown, true)).rejects.toMatchObject({ code: 'convert.beyond' })
    const ofMachine = { ...shippedSource, ofMachine: true }
    const complete = instant.create(
      { fontCacheSize: 24, maxPagePixels: 1_000_000 },
      host({ fonts: () => ofMachine }),
    )
    const source = fromBytes(await docxOf(unknown))
    const job = { source, from: 'docx', to: 'pdf', options: {}, deadline: Date.now() + 200_000, strict: true }
    const drawn = await complete.convert(job, new AbortController().signal)
    expect(drawn.warnings).toMatchObject([{ code: 'font.missing-glyphs' }])
    const plain = await convertWith('<w:p><w:r><w:t>plain</w:t></w:r></w:p>', true)
    expect(plain.warnings).toEqual([])
    expect(plain.fonts).toMatchObject({ requested: [{ bold: false }], missing: [] })
  })
  test('a web page that is too long is left to another engine, or refused', async () => {
    const source = fromBytes(new TextEncoder().encode(`<!DOCTYPE html><p>${'a'.repeat(8_000_000)}`))
    const job = { source, from: 'html', to: 'pdf', options: {}, deadline: Date.now() + 200_000 }
    const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host({}))
    const { signal } = new AbortController()
    await expect(engine.convert({ ...job, strict: true }, signal)).rejects.toMatchObject({
      code: 'convert.beyond',
    })
    await expect(engine.convert(job, signal)).rejects.toMatchObject({ code: 'convert.document' })
  })
  test('the vector form of a picture is drawn, not its fallback image', async () => {
    const office = 'http://schemas.openxmlformats.org'
    const blip = `<a:blip r:embed="rIdP"><a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="rIdV"/></a:ext></a:extLst></a:blip>`
    const body = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="914400"/><wp:docPr id="1" name="a"/><a:graphic xmlns:a="${office}/drawingml/2006/main"><a:graphicData uri="${office}/drawingml/2006/picture"><pic:pic xmlns:pic="${office}/drawingml/2006/picture"><pic:blipFill>${blip}</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    const image = `${office}/officeDocument/2006/relationships/image`
    const bytes = await docxOf(body, {
      'word/_rels/document.xml.rels': `<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rIdP" Type="${image}" Target="media/a.png"/><Relationship Id="rIdV" Type="${image}" Target="media/a.svg"/></Relationships>`,
      'word/media/a.png': 'no picture at all',
      'word/media/a.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><text y="50">drawn</text></svg>',
    })
    const { value, warnings } = await convert(bytes, 'docx')
    expect([pdfText(value), warnings]).toEqual(['drawn', []])
  })
  test('warns about characters that no font has', async () => {
    const { warnings } = await convert(await docxOf('<w:p><w:r><w:t>a\u{10FFFD}b</w:t></w:r></w:p>'), 'docx')
    expect(warnings).toEqual([
      {
        code: 'font.missing-glyphs',
        message: 'Characters that no font has are drawn as boxes: U+10FFFD.',
      },
    ])
  })
  test('the text can be copied out again', async () => {
    const { value } = await convert(
      await docxOf('<w:p><w:r><w:t>Grüße, Ελλάδα, Привет – 1 234 €</w:t></w:r></w:p>'),
      'docx',
    )
    expect(pdfText(value)).toBe('Grüße, Ελλάδα, Привет – 1 234 €')
  })
})

describe('what it declines', () => {
  test('a job past its deadline', async () => {
    const body = '<w:p><w:r><w:t>text</w:t></w:r></w:p>'.repeat(2000)
    await expect(convert(await docxOf(body), 'docx', {}, Date.now() - 1)).rejects.toMatchObject({
      code: 'convert.timeout',
    })
  })
  test('a format without a reader', async () => {
    await expect(convert(new Uint8Array(4), 'xlsx')).rejects.toMatchObject({ code: 'convert.pair' })
  })
  test('bytes that are not a package', async () => {
    await expect(convert(new TextEncoder().encode('hello'), 'docx')).rejects.toMatchObject({
      code: 'package.not-a-zip',
    })
  })
  test('settings that make no sense', () => {
    expect(instant.settings.parse({ fontCacheSize: 0 }).ok).toBe(false)
    expect(instant.settings.parse({ maxPagePixels: 1.5 }).ok).toBe(false)
    expect(instant.settings.parse(undefined)).toEqual({
      ok: true,
      value: { fontCacheSize: 24, maxPagePixels: 32_000_000 },
    })
  })
})

describe('what it cannot draw is reported', () => {
  test('a missing picture leaves a warning and an outline', async () => {
    const drawing =
      '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="914400" cy="914400"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    const { warnings } = await convert(await docxOf(drawing), 'docx')
    expect(warnings.map((warning) => warning.code)).toEqual(['read.picture-missing'])
  })
})

describe('fonts that come over the network', () => {
  test('are fetched before the text is laid out', async () => {
    const asked: string[] = []
    const later = {
      entries: shippedSource.entries,
      read: () => undefined,
      fetch: async (entry: (typeof shippedSource.entries)[number]) => {
        asked.push(entry.key)
        return shippedSource.read(entry)
      },
    }
    const { value } = await convert(await docxOf('<w:p><w:r><w:t>text</w:t></w:r></w:p>'), 'docx', {
      fonts: () => later,
    })
    expect(pdfText(value)).toBe('text')
    expect(asked.length).toBeGreaterThan(0)
  })
})
