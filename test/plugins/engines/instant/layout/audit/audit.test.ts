import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import {
  type AuditRequest,
  auditLayout,
  auditWarning,
} from '../../../../../../plugins/engines/instant/layout/audit/audit.ts'
import { docxReader } from '../../../../../../plugins/formats/docx/reader/open.ts'
import type { Document } from '../../../../../../shared/document/document.ts'
import { defaultLimits } from '../../../../../../shared/limits.ts'
import { codecNode } from '../../../../../helpers/codec-node.ts'
import { paint, rasterise } from '../../../../../helpers/instant-fonts.ts'
import {
  cell,
  filler,
  lay,
  p,
  readWord,
  row,
  table,
  type WordParts,
} from '../../../../../helpers/laid-out.ts'

const findings = (document: Document, laid: Omit<AuditRequest, 'document'>) =>
  auditLayout({ document, ...laid })
function audit(parts: WordParts) {
  const document = readWord(parts)
  const laid = lay(document)
  return { pages: laid.pages, found: findings(document, laid) }
}
const kinds = (parts: WordParts): string[] => audit(parts).found.map(({ kind }) => kind)

/** How much ink the pages show: what an independent eye sees of black text. */
function ink(pages: AuditRequest['pages']): number {
  let dark = 0
  for (const page of pages) for (const grey of rasterise(paint([page]), 50).grey) dark += 255 - grey
  return dark
}

const long = 'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor '.repeat(4)
const framed = (frame: string, text = 'framed words'): string => p(text, `<w:framePr ${frame}/>`)
const at = (x: number, y: number): string =>
  `w:wrap="around" w:vAnchor="page" w:hAnchor="page" w:x="${x}" w:y="${y}"`
const floating = (text: string, x: number, y: number): string =>
  table(
    [row([cell(p(text))])],
    [3000],
    `<w:tblpPr w:horzAnchor="page" w:vertAnchor="page" w:tblpX="${x}" w:tblpY="${y}"/>`,
  )
const upwards = '<w:textDirection w:val="btLr"/>'
const atLeast = (height: number): string => `<w:trHeight w:val="${height}"/>`
const exactly = (height: number): string => `<w:trHeight w:val="${height}" w:hRule="exact"/>`

describe('pages that show all text', () => {
  for (const [name, body] of [
    ['paragraphs over pages', filler(130)],
    ['a table with rows that are cut', table([row([cell(filler(80))])], [4000])],
    ['hidden text', p('shown') + p('hidden', '', '<w:vanish/>')],
    ['small and raised letters on a line', p(long, '', '<w:vertAlign w:val="superscript"/>')],
    ['shadows and reliefs', p(long, '', '<w:shadow/>') + p(long, '', '<w:emboss/>')],
    ['lines of less than single spacing', p(long.repeat(3), '<w:spacing w:line="200"/>')],
    ['a frame beside the text', framed(`w:w="2000" ${at(7000, 1500)}`) + p(long)],
    ['tabs between two texts', '<w:p><w:r><w:t>a</w:t><w:tab/><w:tab/><w:t>b</w:t></w:r></w:p>'],
    [
      'vertical text in cells of its height',
      table(
        [
          row(
            [cell(p('turned words'), upwards), cell(p('others'), upwards), cell(p('level'))],
            atLeast(2000),
          ),
        ],
        [600, 600, 3000],
      ) + p(long),
    ],
    [
      'lines of vertical text',
      table([row([cell(p('turned words '.repeat(6)), upwards)], atLeast(2000))], [3000]),
    ],
    ['capitals', p('straße ſ ŉ', '', '<w:caps/>')],
    ['text white on white', p(long, '', '<w:color w:val="FFFFFF"/>')],
  ] as const)
    test(name, () => expect(audit({ body }).found).toEqual([]))

  test('a header that no page uses is not missed', () => {
    const section =
      '<w:headerReference w:type="even" r:id="header"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720"/>'
    expect(kinds({ body: p('text'), header: p('even pages'), section })).toEqual([])
  })
})

describe('what is found', () => {
  for (const [name, body, expected] of [
    ['a row too low for its text', table([row([cell(p(long))], exactly(20))], [4000]), 'clipped'],
    [
      'a row of height 1 between others',
      table([row([cell(p('a'))]), row([cell(p('b'))], exactly(1))], [4000]),
      'clipped',
    ],
    [
      'a frame too low for its text',
      framed(`w:w="2000" w:h="40" w:hRule="exact" ${at(5000, 3000)}`, long),
      'clipped',
    ],
    ['an indent that leaves the page', p(long, '<w:ind w:left="-20000" w:right="20000"/>'), 'clipped'],
    ['an indent that begins outside the page', p(long, '<w:ind w:left="-3000"/>'), 'clipped'],
    [
      'a table wider than the page',
      table(
        [row(Array.from({ length: 8 }, (_, i) => cell(p(`cell ${i}`))))],
        Array.from({ length: 8 }, () => 4000),
      ),
      'clipped',
    ],
    ['a frame far above the page', framed(`w:w="3000" ${at(3000, -20000)}`), 'clipped'],
    ['a floating table beside the page', floating('floats', 20000, 3000), 'clipped'],
    ['lines of height 1', p(long, '<w:spacing w:line="20" w:lineRule="exact"/>'), 'overlap'],
    [
      'lines much lower than their letters',
      p(long, '<w:spacing w:line="60" w:lineRule="exact"/>'),
      'overlap',
    ],
    ['lines at a third of their letters', p(long, '<w:spacing w:line="66" w:lineRule="exact"/>'), 'overlap'],
    [
      'vertical text that leaves a row of exact height',
      table([row([cell(p('turned words'), upwards), cell(p('level'))], exactly(200))], [600, 3000]),
      'overlap',
    ],
    [
      'lines of vertical text over each other',
      table(
        [
          row(
            [cell(p('turned words '.repeat(6), '<w:spacing w:line="60" w:lineRule="exact"/>'), upwards)],
            atLeast(2000),
          ),
        ],
        [3000],
      ),
      'overlap',
    ],
    [
      'vertical text that leaves the page',
      table([row([cell(p('level')), cell(p('turned words'), upwards)], atLeast(2000))], [10_600, 3000]),
      'clipped',
    ],
    [
      'frames over each other',
      framed(`w:w="3000" w:wrap="none" ${at(3000, 3000).slice(16)}`, 'first words') +
        framed(`w:w="3001" w:wrap="none" ${at(3040, 3020).slice(16)}`, 'other words') +
        p('text'),
      'overlap',
    ],
  ] as const)
    test(`${name}: ${expected}`, () => expect(kinds({ body })).toContain(expected))

  test('text that reaches no frame', () => {
    const document = readWord({ body: p('first') + p('second') })
    const laid = lay(document)
    const { frame } = laid.pages[0]!
    const items = frame.items.filter(({ item }) => item.kind !== 'glyphs' || item.run.text !== 'second')
    const found = findings(document, { ...laid, pages: [{ frame: { ...frame, items } }] })
    expect(found).toEqual([{ kind: 'lost', count: 1, page: 1 }])
  })
  test('part of a paragraph that reaches no frame', () => {
    const document = readWord({ body: p(long) })
    const laid = lay(document)
    const { frame } = laid.pages[0]!
    const last = frame.items.findLastIndex(({ item }) => item.kind === 'glyphs')
    const items = frame.items.filter((_, index) => index !== last)
    const found = findings(document, { ...laid, pages: [{ frame: { ...frame, items } }] })
    expect(found).toMatchObject([{ kind: 'lost', count: 1 }])
  })
  test('the warning counts and names the page, and holds no word of the document', () => {
    const { found } = audit({ body: filler(70) + p('secretword', '<w:ind w:left="-9000" w:right="9000"/>') })
    expect(found.map(auditWarning)).toEqual([
      {
        code: 'layout.clipped',
        message: '10 letters are outside the page or cut off by a box, first on page 2.',
      },
    ])
  })
  test('text that no reader found is reported with its part', () => {
    const wrapped = `<w:moveTo>${row([cell(p('secretword'))])}</w:moveTo>`
    const { found } = audit({ body: table([row([cell(p('stays'))]), wrapped], [3000]) })
    expect(found.map(auditWarning)).toEqual([
      { code: 'layout.lost', message: 'Text of 10 letters in word/document.xml is on no page.' },
    ])
  })
})

/** A text box; sizes and offsets from the page in points. */
const box = (
  width: number,
  height: number,
  x: number,
  y: number,
  wrap = '<wp:wrapSquare wrapText="bothSides"/>',
) =>
  `<w:p xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><w:r><w:drawing><wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="2" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="page"><wp:posOffset>${x * 12_700}</wp:posOffset></wp:positionH><wp:positionV relativeFrom="page"><wp:posOffset>${y * 12_700}</wp:posOffset></wp:positionV><wp:extent cx="${width * 12_700}" cy="${height * 12_700}"/>${wrap}<wp:docPr id="1" name="box"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width * 12_700}" cy="${height * 12_700}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>${p('words in a box that are to be seen')}</w:txbxContent></wps:txbx><wps:bodyPr lIns="0" tIns="0" rIns="0" bIns="0"/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>`
const inFront = '<wp:wrapNone/>'

describe('text boxes', () => {
  const inked = (body: string) => {
    const { pages, found } = audit({ body })
    return { dark: ink(pages), found: found.map(({ kind }) => kind) }
  }
  const whole = inked(box(200, 40, 100, 400) + p(long))
  for (const [name, body] of [
    ['of no size', box(0, 0, 100, 400) + p(long)],
    ['of no height', box(200, 0, 100, 400) + p(long)],
    ['of no width', box(0, 40, 100, 400) + p(long)],
    ['of no size over the text', box(0, 0, 100, 80, inFront) + p(long)],
    ['too low for the text, over other text', box(60, 5, 100, 72, inFront) + p(long)],
    ['far above the page', box(200, 40, 100, -10_000) + p(long)],
    ['far to the left of the page', box(200, 40, -10_000, 400) + p(long)],
    ['half off the page', box(200, 40, 500, 400) + p(long)],
    ['over one another', box(200, 40, 100, 400) + box(200, 40, 102, 402) + p(long)],
  ] as const)
    test(`${name}: the text is visible or reported`, () => {
      const { dark, found } = inked(body)
      if (found.length === 0) expect(dark / whole.dark).toBeGreaterThan(0.97)
    })
  test('in front of the text, as the document wants it', () =>
    expect(inked(box(200, 40, 100, 80, inFront) + p(long)).found).toEqual([]))
  test('beside the text', () => expect(whole.found).toEqual([]))
})

/** Puts one property into all paragraphs that have any, in place of its kind. */
function withProperties(xml: string, property: string): string {
  const name = /^<([\w:]+)/.exec(property)![1]!
  return xml.replace(new RegExp(`<${name}\\b[^>]*/>`, 'g'), '').replace(/<w:pPr>/g, `<w:pPr>${property}`)
}

/** Each changes every such element of a real document. */
const mutations: readonly (readonly [name: string, (xml: string) => string])[] = [
  ['no change', (xml) => xml],
  ...(
    [
      [
        'frames of size 1',
        '<w:framePr w:w="1" w:h="1" w:hRule="exact" w:wrap="around" w:vAnchor="text" w:hAnchor="text" w:x="1" w:y="1"/>',
      ],
      ['frames of size 0', '<w:framePr w:w="0" w:h="0" w:hRule="exact"/>'],
      ['frames far away', `<w:framePr w:w="3000" ${at(-10_000, -10_000)}/>`],
      ['lines of height 0', '<w:spacing w:line="0" w:lineRule="exact"/>'],
      ['lines of height 1', '<w:spacing w:line="20" w:lineRule="exact"/>'],
      ['indents off the page', '<w:ind w:left="-15000"/>'],
      ['indents that leave no room', '<w:ind w:left="9000" w:right="9000"/>'],
    ] as const
  ).map(([name, properties]) => [name, (xml: string) => withProperties(xml, properties)] as const),
  [
    'rows of height 1',
    (xml) =>
      xml
        .replace(/<w:trHeight\b[^>]*\/>/g, '')
        .replace(/<w:tr\b[^>]*>(?:<w:trPr>)?/g, (all) =>
          all.endsWith('<w:trPr>') ? `${all}${exactly(1)}` : `${all}<w:trPr>${exactly(1)}</w:trPr>`,
        ),
  ],
  [
    'tables moved off the page',
    (xml) => xml.replace(/<w:tblPr>/g, '<w:tblPr><w:tblInd w:w="12000" w:type="dxa"/>'),
  ],
  [
    'tables over each other',
    (xml) =>
      xml.replace(
        /<w:tblPr>/g,
        '<w:tblPr><w:tblpPr w:horzAnchor="page" w:vertAnchor="page" w:tblpX="1500" w:tblpY="1500"/>',
      ),
  ],
  [
    'text boxes of size 0',
    (xml) =>
      xml
        .replace(/<wp:extent\b[^>]*\/>/g, '<wp:extent cx="0" cy="0"/>')
        .replace(/<a:ext cx[^>]*\/>/g, '<a:ext cx="0" cy="0"/>'),
  ],
  ['drawings far away', (xml) => xml.replace(/<wp:posOffset>[^<]*/g, '<wp:posOffset>-127000000')],
]
const fixtures = new URL('../../../../../fixtures/corpus/', import.meta.url).pathname
const real = [
  'evotecit__word-business-delivery-summary.docx',
  'docling-project__word_tables.docx',
  'suffolklitlab__CompelDiscoveryWithInstructions.docx',
]

describe.each(real)('%s', (file) => {
  let whole = 0
  for (const [name, change] of mutations) {
    test(`${name}: all text is visible or reported`, async () => {
      const zip = await JSZip.loadAsync(readFileSync(join(fixtures, file)))
      zip.file('word/document.xml', change(await zip.file('word/document.xml')!.async('string')))
      const bytes = await zip.generateAsync({ type: 'uint8array' })
      const { value: document } = docxReader.read(bytes, { codec: codecNode, limits: defaultLimits })
      const laid = lay(document, { steps: 30_000_000 })
      const found = findings(document, laid)
      if (name === 'no change') {
        whole = ink(laid.pages)
        expect(found).toEqual([])
      } else if (found.length === 0) expect(ink(laid.pages) / whole).toBeGreaterThan(0.97)
    })
  }
})
