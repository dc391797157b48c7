import { describe, expect, test } from 'vitest'
import poppler from '../../../../plugins/engines/poppler/index.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import { latin1, pdfOf, stream, textOf } from '../../../helpers/pdf.ts'

const { convert } = engineUnder(poppler, originHost())

/** A text at a place of the page, marked with a number, as an artifact, or with nothing. */
type Text = readonly [x: number, y: number, text: string, mark?: number | 'artifact', size?: number]

const contentOf = (texts: readonly Text[]): string =>
  texts
    .map(([x, y, text, mark, size = 11]) => {
      const shown = `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`
      if (mark === undefined) return shown
      return mark === 'artifact' ? `/Artifact BMC ${shown} EMC` : `/P <</MCID ${mark}>> BDC ${shown} EMC`
    })
    .join('\n')

/** A structure element: its type, and its children or the numbers of its content. */
type Tag = readonly [type: string, kids: readonly (Tag | number)[], more?: string]

/** The number of the object with the first element. */
const firstElement = 7

/** A tagged PDF of one page. `information`: the entries of its MarkInfo dictionary. */
function taggedPdf(texts: readonly Text[], tags: readonly Tag[], information = '/Marked true'): Uint8Array {
  const elements: string[] = []
  const write = ([type, kids, more = '']: Tag): string => {
    const at = elements.push('') - 1
    const inner = kids.map((kid) => (typeof kid === 'number' ? String(kid) : write(kid))).join(' ')
    elements[at] = `<</Type /StructElem /S /${type} /Pg 3 0 R /K [${inner}] ${more}>>`
    return `${at + firstElement} 0 R`
  }
  const top = tags.map(write).join(' ')
  return pdfOf([
    `<</Type /Catalog /Pages 2 0 R /MarkInfo <<${information}>> /StructTreeRoot 6 0 R>>`,
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>',
    stream(contentOf(texts)),
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
    `<</Type /StructTreeRoot /K [${top}] /RoleMap <</Chapter /H2 /Body /P>>>>`,
    ...elements,
  ])
}

const read = async (bytes: Uint8Array, to = 'md') => {
  const { bytes: made, warnings } = await convert(bytes, 'pdf', to)
  const byTags = warnings.some(({ message }) => message.includes('follow the structure tags'))
  return { text: new TextDecoder().decode(made).trim(), byTags }
}

const boxes: readonly Text[] = [
  [40, 500, 'Left one', 0],
  [220, 500, 'Right one', 3],
  [40, 480, 'Left two', 1],
  [220, 480, 'Right two', 4],
  [40, 460, 'Left three', 2],
  [220, 460, 'Right three', 5],
]

describe('a tagged PDF is read by its tags', () => {
  test('in the order of the tags, whatever is side by side', async () => {
    const bytes = taggedPdf(boxes, [
      [
        'Sect',
        [
          ['P', [0]],
          ['P', [1]],
          ['P', [2]],
        ],
      ],
      [
        'Sect',
        [
          ['P', [3]],
          ['P', [4]],
          ['P', [5]],
        ],
      ],
    ])
    const lines = ['Left one', 'Left two', 'Left three', 'Right one', 'Right two', 'Right three']
    expect(await read(bytes)).toEqual({ text: lines.join('\n\n'), byTags: true })
    expect((await read(bytes, 'txt')).text).toBe(lines.join('\n\n'))
    expect((await read(bytes, 'html')).text).toContain('<p>Left three</p>\n<p>Right one</p>')
    expect((await read(bytes, 'fodt')).text).toMatch(/Left three<[\s\S]*Right one</)
  })

  test('headings by their type, also by the role map; artifacts are left out', async () => {
    const texts: readonly Text[] = [
      [40, 580, 'Confidential', 'artifact'],
      [40, 540, 'Plain but first', 0],
      [40, 520, 'A chapter of its own', 1],
      [40, 500, 'Large but text', 2, 20],
    ]
    const bytes = taggedPdf(texts, [
      ['H1', [0]],
      ['Chapter', [1]],
      ['Body', [2]],
    ])
    expect((await read(bytes)).text).toBe('# Plain but first\n\n## A chapter of its own\n\nLarge but text')
  })

  test('lists with and without labels, within each other', async () => {
    const texts: readonly Text[] = [
      [40, 540, '3.', 0],
      [60, 540, 'Third', 1],
      [60, 520, '\\267 inner', 2],
      [40, 500, '4.', 3],
      [60, 500, 'Fourth', 4],
    ]
    const inner: Tag = ['L', [['LI', [['LBody', [2]]]]]]
    const items: readonly Tag[] = [
      [
        'LI',
        [
          ['Lbl', [0]],
          ['LBody', [['P', [1]], inner]],
        ],
      ],
      [
        'LI',
        [
          ['Lbl', [3]],
          ['LBody', [4]],
        ],
      ],
    ]
    expect((await read(taggedPdf(texts, [['L', items]]))).text).toMatch(
      /^3\. Third\n+ {3}- inner\n+4\. Fourth$/,
    )
  })

  test('tables with heads and spans, whose columns are close together', async () => {
    const texts: readonly Text[] = [
      [40, 540, 'Both of them', 0],
      [40, 520, 'One', 1],
      [62, 520, 'Two', 2],
      [40, 500, 'Three', 3],
      [72, 500, 'Four', 4],
    ]
    const wide = '/A <</O /Table /ColSpan 2>>'
    const rows: readonly Tag[] = [
      ['TR', [['TH', [0], wide]]],
      [
        'TR',
        [
          ['TD', [1]],
          ['TD', [2]],
        ],
      ],
      [
        'TR',
        [
          ['TD', [['P', [3]]]],
          ['TD', [['P', [4]]]],
        ],
      ],
    ]
    const { text } = await read(taggedPdf(texts, [['Table', rows]]), 'html')
    expect(text.replace(/\s*\n\s*/g, '')).toMatch(
      /<th colspan="2">Both of them<\/th>.*<td>One<\/td><td>Two<\/td>.*<td>Three<\/td><td>Four<\/td>/,
    )
  })

  test('ActualText and the description of a drawing replace what is shown', async () => {
    const texts: readonly Text[] = [
      [40, 540, 'Up', 0],
      [60, 540, '->', 1],
      [90, 540, 'and away', 2],
    ]
    const bytes = taggedPdf(texts, [
      ['P', [0, ['Span', [1], '/ActualText (leads to)'], 2]],
      ['Figure', [], '/Alt (A map of the harbour)'],
    ])
    expect((await read(bytes)).text).toBe('Up leads to and away\n\n\\[A map of the harbour]')
  })
})

describe('tags are not followed', () => {
  const all: readonly Tag[] = [0, 3, 1, 4, 2, 5].map((mark): Tag => ['P', [mark]])
  test.each([
    ['that are suspect', taggedPdf(boxes, all, '/Marked true /Suspects true')],
    ['of a file that is not said to be tagged', taggedPdf(boxes, all, '/Marked false')],
    ['that do not name all text', taggedPdf(boxes, all.slice(1))],
    ['beside text without any', taggedPdf([...boxes, [40, 300, 'Text that nobody marked']], all)],
    [
      'of tables that leave out empty cells',
      taggedPdf(
        [
          [40, 540, 'a', 0],
          [200, 540, 'c', 1],
          [120, 540, 'b', 2],
        ],
        [['Table', [['TR', [0, 1, 2].map((mark): Tag => ['TD', [mark]])]]]],
      ),
    ],
    [
      'that make a paragraph of each line',
      taggedPdf(
        [0, 1, 2, 3, 4].map(
          (at): Text => [40, 540 - at * 14, 'and so the story of the harbour goes on and on and', at],
        ),
        [0, 1, 2, 3, 4].map((at): Tag => ['P', [at]]),
      ),
    ],
  ])('%s', async (_, bytes) => {
    const { text, byTags } = await read(bytes)
    expect(byTags).toBe(false)
    expect(text.length).toBeGreaterThan(0)
  })

  test('that contain themselves', async () => {
    const text = textOf(taggedPdf(boxes, [['Sect', all]]))
    const cyclic = latin1(text.replace('/K [8 0 R', '/K [7 0 R'))
    expect(cyclic).not.toEqual(latin1(text))
    expect((await read(cyclic)).byTags).toBe(false)
  })
})
