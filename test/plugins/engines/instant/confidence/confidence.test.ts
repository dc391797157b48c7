import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  confidenceAfter,
  confidenceIn,
  doubtfulBy,
  doubts,
  layoutDoubts,
} from '../../../../../plugins/engines/instant/confidence/confidence.ts'
import instant from '../../../../../plugins/engines/instant/index.ts'
import docx from '../../../../../plugins/formats/docx/index.ts'
import { fromBytes } from '../../../../../shared/plugin/byte-source.ts'
import { docxOf } from '../../../../helpers/docx.ts'
import { testHost } from '../../../../helpers/host.ts'
import { shippedSource } from '../../../../helpers/instant-fonts.ts'
import { cell, p, readWord, row, table, type WordParts } from '../../../../helpers/laid-out.ts'

const reasonsOf = (parts: WordParts): string[] =>
  confidenceIn(readWord(parts)).doubts.map(({ reason }) => reason)

const words = 'some words that stand in a place of their own'
const prose = p('lorem ipsum dolor sit amet consectetur '.repeat(20))
const drawn = (content: string): string => `<w:p><w:r>${content}</w:r></w:p>`
const box = (words: string, style = ''): string =>
  drawn(
    `<w:pict><v:rect xmlns:v="urn:schemas-microsoft-com:vml" style="width:90pt;height:40pt"><v:textbox style="${style}"><w:txbxContent>${p(words)}</w:txbxContent></v:textbox></v:rect></w:pict>`,
  )
/** A box of DrawingML; `more` is inside wp:anchor, `inner` in a:graphicData. */
const anchored = (inner: string, more = ''): string =>
  drawn(
    `<w:drawing><wp:anchor xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" behindDoc="0"><wp:positionH relativeFrom="page"><wp:posOffset>9</wp:posOffset></wp:positionH><wp:positionV relativeFrom="page"><wp:posOffset>9</wp:posOffset></wp:positionV><wp:extent cx="1270000" cy="1270000"/><wp:wrapNone/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData>${inner}</a:graphicData></a:graphic>${more}</wp:anchor></w:drawing>`,
  )
const shape = `<wps:wsp xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="1270000"/></a:xfrm><a:prstGeom prst="rect"/></wps:spPr><wps:txbx><w:txbxContent>${p(words)}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>`
const group = `<wpg:wgp xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup"><wpg:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="1270000"/><a:chOff x="0" y="0"/><a:chExt cx="1270000" cy="1270000"/></a:xfrm></wpg:grpSpPr>${shape}</wpg:wgp>`
/** The same shape in the middle of a group that is larger. */
const looseGroup = group
  .replace('<a:chExt cx="1270000" cy="1270000"/>', '<a:chExt cx="3810000" cy="3810000"/>')
  .replace('<a:chOff x="0" y="0"/>', '<a:chOff x="-1270000" y="-1270000"/>')
const relative =
  '<wp14:sizeRelH xmlns:wp14="http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing" relativeFrom="page"><wp14:pctWidth>50000</wp14:pctWidth></wp14:sizeRelH>'
const one = (properties: string, text = words): string => table([row([cell(p(text))])], [3000], properties)
const equation = (text: string): string =>
  `<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>${text}</m:t></m:r></m:oMath></w:p>`

/** A document whose text is mostly of the kind, for each reason that a small DOCX can have. */
const kinds: Readonly<Record<string, string>> = {
  'bordered-paragraph': p(words, '<w:pBdr><w:top w:val="single" w:sz="4"/></w:pBdr>'),
  'cell-spacing': one('<w:tblCellSpacing w:w="40" w:type="dxa"/>'),
  'drop-cap': p('L', '<w:framePr w:dropCap="drop" w:lines="3"/>'),
  equation: equation(words),
  'floating-table': one('<w:tblpPr w:horzAnchor="page" w:vertAnchor="page" w:tblpX="900" w:tblpY="900"/>'),
  'justified-arabic': p('مرحبا بالعالم '.repeat(10), '<w:jc w:val="both"/>'),
  'nested-table': table([row([cell(one('') + p(''))])], [4000]),
  'raised-text': p(words, '', '<w:position w:val="12"/>'),
  ruby: `<w:p><w:ruby><w:rt><w:r><w:t>above</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>base</w:t></w:r></w:rubyBase></w:ruby></w:p>`,
  'skipped-columns': `<w:tbl><w:tblGrid><w:gridCol w:w="500"/><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr><w:tc>${p(words)}</w:tc></w:tr></w:tbl>`,
  'text-box': box(words),
  'vertical-text': `<w:tbl><w:tr><w:tc><w:tcPr><w:textDirection w:val="btLr"/></w:tcPr>${p(words)}</w:tc></w:tr></w:tbl>`,
}

describe('confidence', () => {
  test.each(Object.entries(kinds))('%s is a doubt', (reason, body) => {
    expect(reasonsOf({ body })).toEqual([reason])
  })
  test.each([
    ['in a group of its size', anchored(group), ['text-box']],
    ['in a group that is larger', anchored(looseGroup), ['loose-group', 'text-box']],
    [
      'in another one, placed by the page',
      anchored(shape.replace(p(words), anchored(shape))),
      ['nested-drawing', 'text-box'],
    ],
    [
      'in another one, placed by its paragraph',
      anchored(
        shape.replace(
          p(words),
          anchored(shape).replaceAll('relativeFrom="page"', 'relativeFrom="paragraph"'),
        ),
      ),
      ['text-box'],
    ],
    ['of a size that depends on the page', anchored(shape, relative), ['relative-text-box', 'text-box']],
    ['on its own', anchored(shape), ['text-box']],
    [
      'that is turned, with text around it',
      anchored(shape.replace('<a:xfrm>', '<a:xfrm rot="900000">')).replace(
        '<wp:wrapNone/>',
        '<wp:wrapSquare wrapText="bothSides"/>',
      ),
      ['turned-drawing', 'text-box'],
    ],
  ])('a text box %s', (_, body, reasons) => expect(reasonsOf({ body })).toEqual(reasons))
  test.each([
    ['an equation', 'Equation.3', ['equation-picture']],
    ['an equation of another editor', 'Equation.DSMT4', ['equation-picture']],
    ['a sheet', 'Excel.Sheet.8', []],
  ])('the picture of an object that is %s', (_, program, reasons) => {
    const picture = `<w:object><v:shape xmlns:v="urn:schemas-microsoft-com:vml" style="width:90pt;height:40pt"><v:imagedata xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId9"/></v:shape><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="${program}"/></w:object>`
    expect(reasonsOf({ body: drawn(picture) + p('a') })).toEqual(reasons)
  })
  test.each(Object.entries(kinds).filter(([reason]) => doubts.find((d) => d.reason === reason)?.from !== 0))(
    'a little of it in much prose is none: %s',
    (_, body) => {
      const { value, doubts: found } = confidenceIn(readWord({ body: body + prose.repeat(3) }))
      expect([value, found]).toEqual([1, []])
    },
  )
  test('prose, lists, tables, notes and hidden text are none', () => {
    const body = `${prose}${one('')}${p('a', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')}${p('b', '', '<w:vanish/>')}`
    const footnotes = `<w:footnote w:id="2">${p('note')}</w:footnote>`
    expect(confidenceIn(readWord({ body, footnotes }))).toEqual({ value: 1, doubts: [] })
  })
  test.each([
    ['raises its text', '<w:position w:val="-24"/>', ['raised-text']],
    ['is based on one that raises its text', '', ['raised-text']],
    ['takes back what it is based on', '<w:position w:val="0"/>', []],
  ])('a character style that %s', (_, position, reasons) => {
    const styles = `<w:style w:type="character" w:styleId="Low"><w:name w:val="Low"/><w:rPr><w:position w:val="-24"/></w:rPr></w:style><w:style w:type="character" w:styleId="Used"><w:name w:val="Used"/><w:basedOn w:val="Low"/><w:rPr>${position}</w:rPr></w:style>`
    expect(reasonsOf({ body: p(words, '', '<w:rStyle w:val="Used"/>'), styles })).toEqual(reasons)
  })
  test('an empty document has none', () => expect(reasonsOf({ body: p('') })).toEqual([]))
  test('doubts multiply, and the gravest is named first', () => {
    const confidence = confidenceIn(readWord({ body: kinds['bordered-paragraph']! + equation(words) }))
    expect(confidence.value).toBeCloseTo(0.32)
    expect(doubtfulBy(confidence)).toBe(
      'the places of its words are uncertain (confidence 0.32) because of equations, paragraphs with borders',
    )
  })
  test('a small doubt alone leaves a document to the engine', () => {
    const confidence = confidenceIn(readWord({ body: kinds['bordered-paragraph']! }))
    expect([confidence.value, doubtfulBy(confidence)]).toEqual([0.8, undefined])
  })
  test('what layout had to decide is added to the features', () => {
    const before = confidenceIn(readWord({ body: kinds['bordered-paragraph']! }))
    const decided = { linesBelowObstacles: 0, splitRows: 2, splitRowsAmongNotes: 0 }
    const after = confidenceAfter(before, decided)
    expect(after.value).toBeCloseTo(0.8 * 0.9)
    expect(after.doubts.map(({ reason }) => reason)).toEqual(['bordered-paragraph', 'splitRows'])
    expect(doubtfulBy(after)).toBeUndefined()
    expect(confidenceAfter(before, { ...decided, splitRows: 0 })).toEqual(before)
  })
  test('rows that are split among notes count once more, and decide alone', () => {
    const decided = { linesBelowObstacles: 0, splitRows: 1, splitRowsAmongNotes: 1 }
    const plain = confidenceIn(readWord({ body: prose }))
    expect(doubtfulBy(confidenceAfter(plain, { ...decided, splitRowsAmongNotes: 0 }))).toBeUndefined()
    expect(doubtfulBy(confidenceAfter(plain, decided))).toContain('beside notes')
  })
  test('notes below columns are a doubt, and below a single column none', () => {
    const body = `${prose}<w:p><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`
    const footnotes = `<w:footnote w:id="2">${p('note')}</w:footnote>`
    expect(reasonsOf({ body, footnotes })).toEqual([])
    expect(reasonsOf({ body, footnotes, section: '<w:cols w:num="2" w:space="300"/>' })).toEqual([
      'columns',
      'noted-columns',
    ])
  })
  test('every risk is a fraction, and every reason is listed once', () => {
    const all = [...doubts, ...layoutDoubts]
    expect(new Set(all.map(({ reason }) => reason)).size).toBe(all.length)
    for (const { risk } of layoutDoubts) expect(risk > 0 && risk < 1).toBe(true)
    for (const { risk, from } of doubts) expect([risk > 0 && risk < 1, from < 0.5]).toEqual([true, true])
  })
})

test('the documentation has every doubt with its share and its risk', () => {
  const docs = readFileSync(new URL('../../../../../docs/conversions.md', import.meta.url), 'utf8')
  const rows = docs.split('\n').filter((line) => line.startsWith('| '))
  const ofLayout = layoutDoubts.map(({ name, risk }) => ({ name, ending: ` | ${risk} |` }))
  const ofFeatures = doubts.map(({ name, from, risk }) => ({
    name,
    ending: ` | ${from === 0 ? 'any' : `${100 * from} %`} | ${risk} |`,
  }))
  for (const { name, ending } of [...ofFeatures, ...ofLayout]) {
    const lists = (line: string): boolean =>
      line.endsWith(ending) && line.slice(2, -ending.length).split(', ').includes(name)
    expect([name, rows.some(lists)]).toEqual([name, true])
  }
})

describe('the engine', () => {
  const convert = async (body: string, strict: boolean) => {
    const host = { ...testHost([docx]), fonts: () => shippedSource }
    const engine = instant.create({ fontCacheSize: 24, maxPagePixels: 1_000_000 }, host)
    const source = fromBytes(await docxOf(body))
    const job = { source, from: 'docx', to: 'pdf', options: {}, deadline: Date.now() + 200_000, strict }
    return engine.convert(job, new AbortController().signal)
  }
  test('declines a doubtful document where another engine may be chosen, and draws it where it is', async () => {
    const doubtful = kinds['nested-table']!
    await expect(convert(doubtful, true)).rejects.toMatchObject({ code: 'convert.beyond' })
    expect((await convert(doubtful, false)).warnings).toEqual([])
    expect((await convert(doubtful + prose.repeat(3), true)).warnings).toEqual([])
  })
  test('declines a document after layout where a row goes on over the page beside another doubt', async () => {
    const boxes = (box(words) + p('', '<w:spacing w:before="3000"/>')).repeat(12)
    const rowOf = (count: number): string => table([row([cell(p(words).repeat(count))])], [9000])
    await expect(convert(rowOf(60) + boxes, true)).rejects.toMatchObject({
      code: 'convert.beyond',
      details: { what: expect.stringContaining('rows that go on over the page') },
    })
    expect((await convert(rowOf(60) + boxes, false)).warnings).toEqual([])
    expect((await convert(rowOf(3) + boxes, true)).warnings).toEqual([])
    expect((await convert(rowOf(60), true)).warnings).toEqual([])
  })
})
