import { describe, expect, test } from 'vitest'
import { readDocx } from '../../../../plugins/formats/docx/reader/index.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { cell, filler, layWord, p, row, table, type WordParts, wordParts } from '../../../helpers/laid-out.ts'

const style = (id: string, basedOn: string, more = ''): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${basedOn}"/>${more}</w:style>`
const nested = (depth: number): string =>
  `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${p('deep')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`
const word = 'x'.repeat(20_000)
const tall = (pages: number): string => filler(pages * 60)

const floating = (width: number): string =>
  `<w:tbl><w:tblPr><w:tblpPr w:vertAnchor="text" w:tblpX="1" w:tblpY="1"/><w:tblOverlap w:val="never"/></w:tblPr><w:tblGrid><w:gridCol w:w="${width}"/></w:tblGrid>${row([cell(p('f'))])}</w:tbl>`
const ending = (type: string, more = ''): string =>
  `<w:p><w:pPr><w:sectPr><w:type w:val="${type}"/><w:pgSz w:w="11906" w:h="16838"/>${more}</w:sectPr></w:pPr><w:r><w:t>line</w:t></w:r></w:p>`

/** Each ends with pages, within the budget of steps that `layWord` gives. */
const documents: Readonly<Record<string, WordParts>> = {
  'styles based on each other': {
    body: p('text', '<w:pStyle w:val="a"/>'),
    styles: style('a', 'b') + style('b', 'a'),
  },
  'a style based on itself': { body: p('text', '<w:pStyle w:val="a"/>'), styles: style('a', 'a') },
  'a style that is missing': { body: p('text', '<w:pStyle w:val="nowhere"/>') },
  'list styles that point at each other': {
    body: p('text', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'),
    styles:
      '<w:style w:type="numbering" w:styleId="A"><w:name w:val="A"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
    numbering:
      '<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="A"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
  },
  'a list without levels': {
    body: p('text', '<w:numPr><w:ilvl w:val="8"/><w:numId w:val="1"/></w:numPr>'),
    numbering: '<w:num w:numId="1"><w:abstractNumId w:val="9"/></w:num>',
  },
  'a table without columns': { body: `${p('text')}<w:tbl><w:tblGrid/><w:tr><w:trPr/></w:tr></w:tbl>` },
  'a table of a thousand columns': {
    body: p('text') + table([row(Array.from({ length: 1000 }, () => cell(p('c'))))], []),
  },
  'a cell that spans a million columns': {
    body: p('text') + table([row([cell(p('c'), '<w:gridSpan w:val="1000000"/>')])], [100]),
  },
  'negative widths and heights': {
    body:
      p(
        'text',
        '<w:ind w:left="-99999" w:right="-99999" w:hanging="99999"/><w:spacing w:before="-500" w:line="-1"/>',
      ) +
      table(
        [
          row(
            [cell(p('c'), '<w:tcW w:w="-500" w:type="dxa"/>')],
            '<w:trHeight w:val="-200" w:hRule="exact"/>',
          ),
        ],
        [-100, -200],
      ),
  },
  'margins wider than the page': {
    body: p('text'),
    section:
      '<w:pgSz w:w="2000" w:h="2000"/><w:pgMar w:top="9000" w:right="9000" w:bottom="9000" w:left="9000" w:header="9000" w:footer="9000"/>',
  },
  'a page of no size': { body: p('text'), section: '<w:pgSz w:w="0" w:h="0"/>' },
  'a word wider than the page': { body: p(word) },
  'floating tables without end that keep apart': {
    body: Array.from({ length: 3000 }, () => floating(3000)).join(p('text')) + p('text'),
  },
  'floating tables of negative and of vast size': {
    body: [-9_999_999, 0, 9_999_999].map((width) => floating(width) + p('text')).join(''),
  },
  'a thousand sections of one line on odd and even pages': {
    body:
      Array.from({ length: 1000 }, (_, i) => ending(i % 9 === 0 ? 'evenPage' : 'continuous')).join('') +
      p('text'),
  },
  'numbers of pages beyond all numbers': {
    body:
      ending('oddPage', '<w:pgNumType w:start="2147483647"/>') +
      ending('evenPage', '<w:pgNumType w:start="-5"/>') +
      p('text'),
  },
  'letters that join over runs without end': {
    body: `<w:p><w:pPr><w:bidi/></w:pPr>${Array.from({ length: 20_000 }, (_, i) => `<w:r><w:rPr><w:rtl/><w:color w:val="${i % 2 === 0 ? '000000' : 'FF0000'}"/></w:rPr><w:t>\u0633</w:t></w:r>`).join('')}</w:p>`,
  },
  'a row taller than a page that may not break': {
    body: p('text') + table([row([cell(tall(3))], '<w:cantSplit/>')], [4000]),
  },
  'a row of exact height taller than a page': {
    body: p('text') + table([row([cell(p('c'))], '<w:trHeight w:val="40000" w:hRule="exact"/>')], [4000]),
  },
  'header rows taller than a page': {
    body: p('text') + table([row([cell(tall(2))], '<w:tblHeader/>'), row([cell(p('c'))])], [4000]),
  },
  'every paragraph kept with the next': {
    body: Array.from({ length: 400 }, () => p('text', '<w:keepNext/><w:keepLines/>')).join(''),
  },
  'a header taller than the page': {
    body: p('text'),
    header: tall(2),
    section: '<w:headerReference w:type="default" r:id="header"/>',
  },
  'a note longer than a page': {
    body: `<w:p><w:r><w:t>text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
    footnotes: `<w:footnote w:id="2">${tall(2)}</w:footnote>`,
  },
  'a note that refers to itself': {
    body: `<w:p><w:r><w:t>text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
    footnotes: `<w:footnote w:id="2"><w:p><w:r><w:t>note</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p></w:footnote>`,
  },
  'forty-five columns on a small page': {
    body: p('text '.repeat(500)),
    section: '<w:pgSz w:w="3000" w:h="3000"/><w:cols w:num="45" w:space="9000"/>',
  },
  'tables inside tables': { body: p('text') + nested(23) },
  'five thousand nested tables': { body: p('text') + nested(5000) },
  'fields that never end': {
    body: `<w:p>${'<w:r><w:fldChar w:fldCharType="begin"/></w:r>'.repeat(5000)}<w:r><w:t>text</w:t></w:r></w:p>`,
  },
  'merged cells that start nowhere': {
    body: p('text') + table([row([cell(p('a'), '<w:vMerge/>')]), row([cell(p('b'), '<w:vMerge/>')])], [2000]),
  },
  'an equation of more parts than a call may have arguments': {
    body: `<w:p><m:oMath><m:d>${'<m:e><m:r><m:t>x</m:t></m:r></m:e>'.repeat(150_000)}</m:d></m:oMath></w:p>`,
  },
  'a size of a million points': { body: p('text', '', '<w:sz w:val="2000000"/>') },
}

describe('hostile documents end in pages', () => {
  for (const [name, parts] of Object.entries(documents)) {
    test(name, () => {
      const laid = layWord(parts)
      expect(laid.pages.length).toBeGreaterThan(0)
      for (const { frame } of laid.pages) expect(frame.width * frame.height).toBeGreaterThan(0)
    })
  }
})

describe('hostile documents end in typed errors', () => {
  test('more pages than the budget', () => {
    const run = () => layWord({ body: p('text', '<w:pageBreakBefore/>').repeat(60) }, { pages: 50 })
    expect(run).toThrow(expect.objectContaining({ code: 'layout.too-many-pages' }))
  })

  const broken: Readonly<Record<string, string>> = {
    'a document type declaration': '<!DOCTYPE x [<!ENTITY a "b">]><w:document/>',
    'an attribute that never ends': '<w:document a="',
    'no element at all': 'text',
    nothing: '',
  }
  for (const [name, xml] of Object.entries(broken)) {
    test(`a body with ${name}`, () => {
      const files = wordParts({ body: '' })
      files.set('word/document.xml', new TextEncoder().encode(xml))
      expect(() => readDocx((part) => files.get(part))).toThrow(AppError)
    })
  }

  test('a broken side part costs a warning, not the document', () => {
    const files = wordParts({ body: p('text') })
    files.set('word/styles.xml', new TextEncoder().encode('<!DOCTYPE x [<!ENTITY y "z">]><w:styles/>'))
    const read = readDocx((part) => files.get(part))
    expect(read.value.sections[0]!.blocks).toHaveLength(1)
    expect(read.warnings.map((warning) => warning.code)).toEqual(['read.part-broken'])
  })
})
