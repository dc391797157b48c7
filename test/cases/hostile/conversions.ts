/** What is done to every engine that converts: which pair is asked of it, from which document. Bad files are made of these. */
import { readFileSync } from 'node:fs'
import { latin1, pdfOf, stream } from '../../helpers/pdf.ts'

export interface Asked {
  readonly engine: string
  readonly from: string
  readonly to: string
  readonly letter?: string
  readonly source: () => Uint8Array | string
}

export const fixture = (path: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/${path}`, import.meta.url)))

const letter = () => fixture('templates/letter/template.docx')
const text = () => fixture('corpus/docling-project__text_document_03.odt')
const sheet = () => fixture('real/aspose-cells__FinancialPlan.xlsx')
const file = () => fixture('pdf/letter-tagged.pdf')
const page =
  '<!doctype html><html><head><title>T</title></head><body><h1>One</h1><p>Some text of this page.</p><table><tr><td>1<td>2</table><style>h1{color:red}</style></body></html>'
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="150"><rect x="10" y="10" width="80" height="60"/><text x="20" y="120">Text</text></svg>'
const markdown = '# One\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- one\n- two\n'

/** Engines that have no suite of spoilt files of their own, by what a request can ask of them. */
export const asked: readonly Asked[] = [
  { engine: 'C', from: 'html', to: 'pdf', letter: 'C', source: () => page },
  { engine: 'C', from: 'xhtml', to: 'png', letter: 'C', source: () => page.replace('<!doctype html>', '') },
  { engine: 'C', from: 'svg', to: 'png', letter: 'C', source: () => drawing },
  { engine: 'C', from: 'md', to: 'pdf', letter: 'C', source: () => markdown },
  { engine: 'I', from: 'docx', to: 'pdf', letter: 'I', source: letter },
  { engine: 'I', from: 'odt', to: 'pdf', letter: 'I', source: text },
  { engine: 'Poppler', from: 'pdf', to: 'png', source: file },
  { engine: 'Poppler', from: 'pdf', to: 'docx', source: file },
  { engine: 'Poppler', from: 'pdf', to: 'pptx', source: file },
  { engine: 'Poppler', from: 'pdf', to: 'txt', source: file },
  { engine: 'Poppler', from: 'pdf', to: 'md', source: file },
  { engine: 'the PDF stage', from: 'pdf', to: 'pdf', source: file },
  { engine: 'Markup', from: 'md', to: 'docx', source: () => markdown },
  { engine: 'Markup', from: 'md', to: 'html', source: () => markdown },
  { engine: 'Markup', from: 'html', to: 'md', source: () => page },
  { engine: 'Markup', from: 'html', to: 'xlsx', source: () => page },
  { engine: 'Markup', from: 'docx', to: 'md', source: letter },
  { engine: 'Markup', from: 'odt', to: 'txt', source: text },
  { engine: 'TeX', from: 'docx', to: 'latex', source: letter },
  { engine: 'TeX', from: 'odt', to: 'bib', source: text },
  { engine: 'Tables', from: 'xlsx', to: 'parquet', source: sheet },
  { engine: 'Tables', from: 'xlsx', to: 'numbers', source: sheet },
  { engine: 'Pictures', from: 'bmp', to: 'ppm', source: () => fixture('images/rgb.bmp') },
]

/** Files that are not what their name says. Texts are taken for texts: there anything may be one. */
export const others: Readonly<Record<string, () => Uint8Array>> = {
  pdf: file,
  docx: letter,
  xlsx: sheet,
  png: () => fixture('images/rgb.png'),
  'OLE file': () => fixture('office/sealed.doc'),
}

export const sealed: Readonly<Record<string, string>> = {
  docx: 'office/sealed.docx',
  odt: 'office/sealed.odt',
  xlsx: 'office/sealed.xlsx',
  pdf: 'office/sealed.pdf',
}

const paragraph = (at: number) => `A line of text with number ${at} that goes on for a while. `

/** Documents that need long, and how long they get: ms. */
export const endless: readonly (readonly [Asked, deadlineMs: number])[] = [
  [
    {
      engine: 'C',
      from: 'html',
      to: 'pdf',
      letter: 'C',
      source: () => `<table>${'<tr><td>a<td>b</tr>'.repeat(300_000)}</table>`,
    },
    1500,
  ],
  [
    {
      engine: 'Poppler',
      from: 'pdf',
      to: 'webp',
      source: () =>
        pdfOf([
          '<</Type/Catalog/Pages 2 0 R>>',
          `<</Type/Pages/Count 600/Kids[${Array.from({ length: 600 }, (_, at) => `${at + 4} 0 R`).join(' ')}]>>`,
          stream('1 0 0 rg 0 0 500 500 re f'),
          ...Array.from(
            { length: 600 },
            () => '<</Type/Page/Parent 2 0 R/MediaBox[0 0 842 842]/Contents 3 0 R>>',
          ),
        ]),
    },
    1000,
  ],
  [
    {
      engine: 'Markup',
      from: 'md',
      to: 'odt',
      source: () => `${Array.from({ length: 60_000 }, (_, at) => `*${paragraph(at)}* [x](y)`).join('\n\n')}\n`,
    },
    800,
  ],
  [
    {
      engine: 'Markup',
      from: 'html',
      to: 'md',
      source: () => `<ul>${Array.from({ length: 90_000 }, (_, at) => `<li><b>${paragraph(at)}</b>`).join('')}</ul>`,
    },
    400,
  ],
]

/** A picture of 500 megapixels as a PDF draws it. */
export const hugePicturePdf = (): Uint8Array =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>',
    stream('200 0 0 200 0 0 cm /I Do'),
    stream(
      'x',
      '/Type/XObject/Subtype/Image/Width 25000/Height 20000/ColorSpace/DeviceGray/BitsPerComponent 8',
    ),
  ])

export const rubbish = latin1('\x00\x01\x02 nothing of any kind \xff'.repeat(200))
