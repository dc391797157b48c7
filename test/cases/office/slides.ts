import { odgOf, odpOf } from '../../helpers/ods.ts'
import { pptxOf, pptxParagraph, pptxShape, pptxTable } from '../../helpers/pptx.ts'

/** Presentations and drawings, data, and the text of each part that has some: one line a paragraph. */
export interface SlideCase {
  readonly name: string
  readonly format: 'pptx' | 'odp' | 'odg'
  readonly template: () => Promise<Uint8Array>
  readonly data: unknown
  readonly texts: Readonly<Record<string, readonly string[]>>
  readonly holds?: Readonly<Record<string, readonly string[]>>
  readonly lacks?: Readonly<Record<string, readonly string[]>>
}

const data = { t: 'Deck & co', l: [{ n: 'a', v: 1 }, { n: 'b', v: 2 }, { n: 'c', v: 3 }], none: [] }
const page = (name: string, text: string) =>
  `<draw:page draw:name="${name}" draw:master-page-name="M"><draw:frame draw:name="F" svg:x="1cm" svg:y="1cm" svg:width="10cm" svg:height="3cm"><draw:text-box>${text}</draw:text-box></draw:frame></draw:page>`
const slide1 = 'ppt/slides/slide1.xml'
const groupData = { t: 'T', g: [{ h: 'A', k: [{ v: 1 }, { v: 2 }] }, { h: 'B', k: [{ v: 3 }] }, { h: 'C', k: [] }] }

export const slideCases: readonly SlideCase[] = [
  {
    name: 'values on slides, layouts and notes, bullets repeat',
    format: 'pptx',
    template: () =>
      pptxOf(
        [pptxShape(2, pptxParagraph('{d.t}'), pptxParagraph('{d.l[i].n}'), pptxParagraph('{d.l[i+1].n}'), pptxParagraph('end')), pptxShape(2, pptxParagraph('two {d.l[1].n}'))],
        { layout: pptxShape(2, pptxParagraph('Layout {d.t}')), notes: { 1: pptxShape(2, pptxParagraph('Note {d.l[0].v}')) } },
      ),
    data,
    texts: { [slide1]: ['Deck &amp; co', 'a', 'b', 'c', 'end'], 'ppt/slides/slide2.xml': ['two b'], 'ppt/slideLayouts/slideLayout1.xml': ['Layout Deck &amp; co'], 'ppt/notesSlides/notesSlide1.xml': ['Note 1'] },
  },
  {
    name: 'rows of tables, columns with their grid',
    format: 'pptx',
    template: () => pptxOf([pptxTable(2, ['N', 'V'], ['{d.l[i].n}', '{d.l[i].v}'], ['{d.l[i+1].n}', '']) + pptxTable(3, ['x', '{d.l[i].n}', '{d.l[i+1].n}'], ['y', '{d.l[i].v}', '{d.l[i+1].v}'])]),
    data,
    texts: { [slide1]: ['N', 'V', 'a', '1', 'b', '2', 'c', '3', 'x', 'a', 'b', 'c', 'y', '1', '2', '3'] },
  },
  {
    name: 'shapes repeat with ids of their own',
    format: 'pptx',
    template: () => pptxOf([pptxShape(2, pptxParagraph('{d.l[i].n}')) + pptxShape(3, pptxParagraph('{d.l[i+1].n}')) + pptxShape(4, pptxParagraph('end'))]),
    data,
    texts: { [slide1]: ['a', 'b', 'c', 'end'] },
    holds: { [slide1]: ['<p:cNvPr id="2" name="Text 2"', '<p:cNvPr id="4" name="Text 4"'] },
  },
  {
    name: 'rows, shapes and paragraphs are dropped; a text body keeps a paragraph',
    format: 'pptx',
    template: () =>
      pptxOf([
        pptxTable(2, ['a'], ['b{d.none:ifEM:drop(row)}']) +
          pptxShape(3, pptxParagraph('gone{d.none:ifEM:drop(shape)}')) +
          pptxShape(4, pptxParagraph('gone{d.none:ifEM:drop(p)}')) +
          pptxTable(5, ['gone{d.none:ifEM:drop(table)}']),
      ]),
    data,
    texts: { [slide1]: ['a', ''] },
  },
  {
    name: 'tables without rows go with their frame, text without paragraphs keeps one',
    format: 'pptx',
    template: () =>
      pptxOf([
        pptxTable(2, ['{d.none[i].n}'], ['{d.none[i+1].n}']) +
          pptxShape(3, pptxParagraph('{d.none[i].n}'), pptxParagraph('{d.none[i+1].n}')) +
          pptxTable(4, ['H'], ['{d.none[i].n}'], ['{d.none[i+1].n}']),
      ]),
    data,
    texts: { [slide1]: ['', 'H'] },
    lacks: { [slide1]: ['name="Table 2"'] },
  },
  {
    name: 'slides repeat between the slides of [i] and [i+1], with notes and nested rows',
    format: 'pptx',
    template: () =>
      pptxOf(
        [
          pptxShape(2, pptxParagraph('{d.t}')),
          pptxShape(2, pptxParagraph('{d.g[i].h}')) + pptxTable(3, ['{d.g[i].k[i].v}', '{d.t}'], ['{d.g[i].k[i+1].v}', '']),
          pptxShape(2, pptxParagraph('between {d.g[i].h}')),
          pptxShape(2, pptxParagraph('{d.g[i+1].h}')),
          pptxShape(2, pptxParagraph('end')),
        ],
        { notes: { 2: pptxShape(2, pptxParagraph('Note {d.g[i].h}')), 4: pptxShape(2, pptxParagraph('marker')) } },
      ),
    data: groupData,
    texts: {
      [slide1]: ['T'],
      'ppt/slides/slide2.xml': ['A', '1', 'T', '2', 'T'],
      'ppt/slides/slide3.xml': ['between A'],
      'ppt/slides/slide6.xml': ['B', '3', 'T'],
      'ppt/slides/slide7.xml': ['between B'],
      'ppt/slides/slide8.xml': ['C'],
      'ppt/slides/slide9.xml': ['between C'],
      'ppt/slides/slide5.xml': ['end'],
      'ppt/notesSlides/notesSlide2.xml': ['Note A'],
      'ppt/notesSlides/notesSlide5.xml': ['Note B'],
      'ppt/notesSlides/notesSlide6.xml': ['Note C'],
    },
    holds: {
      'ppt/presentation.xml': ['<p:sldIdLst><p:sldId id="256" r:id="rId3"/><p:sldId id="257" r:id="rId4"/><p:sldId id="258" r:id="rId5"/><p:sldId id="261" r:id="rIdc1"/><p:sldId id="262" r:id="rIdc2"/><p:sldId id="263" r:id="rIdc3"/><p:sldId id="264" r:id="rIdc4"/><p:sldId id="260" r:id="rId7"/></p:sldIdLst>'],
      'ppt/slides/_rels/slide6.xml.rels': ['/ppt/notesSlides/notesSlide5.xml', '../slideLayouts/slideLayout1.xml'],
      'ppt/notesSlides/_rels/notesSlide5.xml.rels': ['/ppt/slides/slide6.xml'],
    },
    lacks: { '[Content_Types].xml': ['slide4.xml', 'notesSlide4.xml'], 'ppt/_rels/presentation.xml.rels': ['slide4.xml'] },
  },
  {
    name: 'slides of an empty list are gone, with their notes',
    format: 'pptx',
    template: () =>
      pptxOf(
        [pptxShape(2, pptxParagraph('{d.t}')), pptxShape(2, pptxParagraph('{d.none[i].h}')), pptxShape(2, pptxParagraph('{d.none[i+1].h}'))],
        { notes: { 2: pptxShape(2, pptxParagraph('n')) } },
      ),
    data,
    texts: { [slide1]: ['Deck &amp; co'] },
    holds: { 'ppt/presentation.xml': ['<p:sldIdLst><p:sldId id="256" r:id="rId3"/></p:sldIdLst>'] },
    lacks: { '[Content_Types].xml': ['slide2.xml', 'slide3.xml', 'notesSlide2.xml'] },
  },
  {
    name: 'slides are dropped and kept, alone and as copies',
    format: 'pptx',
    template: () =>
      pptxOf([
        pptxShape(2, pptxParagraph('{d.t:ifEQ(x):keep(slide)}gone')),
        pptxShape(2, pptxParagraph('{d.g[i].h}{d.g[i].h:ifEQ(B):drop(slide)}')),
        pptxShape(2, pptxParagraph('{d.g[i+1].h}')),
        pptxShape(2, pptxParagraph('{d.t:ifEQ(T):keep(slide)}end')),
      ]),
    data: groupData,
    texts: { 'ppt/slides/slide2.xml': ['A'], 'ppt/slides/slide5.xml': ['C'], 'ppt/slides/slide4.xml': ['end'] },
    lacks: { '[Content_Types].xml': ['slide1.xml', 'slide3.xml'] },
  },
  {
    name: 'slides of a presentation repeat and are dropped, soft page breaks go',
    format: 'odp',
    template: () => odpOf(page('P1', '<text:p>{d.l[i].n}<text:soft-page-break/> {d.t}</text:p>') + page('P2', '<text:p>{d.l[i+1].n}</text:p>') + page('P3', '<text:p>{d.none:ifEM:drop(slide)}</text:p>') + page('P4', '<text:p>end</text:p>')),
    data,
    texts: { 'content.xml': ['a Deck &amp; co', 'b Deck &amp; co', 'c Deck &amp; co', 'end'] },
    holds: { 'content.xml': ['draw:name="P1_2"', 'draw:name="P1_3"', 'draw:name="P4"'] },
  },
  {
    name: 'bullets of a slide',
    format: 'odp',
    template: () => odpOf(page('P1', '<text:list><text:list-item><text:p>{d.l[i].n}</text:p></text:list-item><text:list-item><text:p>{d.l[i+1].n}</text:p></text:list-item><text:list-item><text:p>x{d.none:ifEM:drop(item)}</text:p></text:list-item></text:list>')),
    data,
    texts: { 'content.xml': ['a', 'b', 'c'] },
  },
  {
    name: 'pages of a drawing',
    format: 'odg',
    template: () => odgOf(page('P1', '<text:p>{d.l[i].n}</text:p>') + page('P2', '<text:p>{d.l[i+1].n}</text:p>')),
    data,
    texts: { 'content.xml': ['a', 'b', 'c'] },
  },
]
