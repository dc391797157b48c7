/** Pages that are painted while they are laid out have the fonts of pages that are all laid out before. */
import { expect, test } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { createFontBook } from '../../../../../../plugins/engines/instant/fonts/font-book.ts'
import type { Page } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { paintPdf, paintPdfAsDrawn } from '../../../../../../plugins/engines/instant/paint/pdf/paint-pdf.ts'
import { fontFixture, inspect, pageOf, textAt } from '../../../../../helpers/instant-fonts.ts'

const faceOf = (file: string, family: string) =>
  createFontBook(fontFixture(file)).forDocument().face(family, false, false)

const cff = faceOf('cantarell-few.otf', 'Cantarell')
const documents: readonly (readonly [string, readonly Page[]])[] = [
  [
    'Latin text',
    [
      pageOf([textAt(20, 30, 'First page'), textAt(20, 50, 'of two')]),
      pageOf([textAt(20, 30, 'Second page')]),
    ],
  ],
  [
    'characters that the second page has first',
    [pageOf([textAt(20, 30, 'Plain')]), pageOf([textAt(20, 30, 'Привет, Ωμέγα'), textAt(20, 50, 'Plain')])],
  ],
  [
    'glyphs of a CFF font',
    [pageOf([textAt(20, 30, 'ba', { face: cff })]), pageOf([textAt(20, 30, 'abc', { face: cff })])],
  ],
]

test.each(documents)('%s', (_, pages) => {
  const together = paintPdf(pages, { codec: nodeCodec })
  const asDrawn = paintPdfAsDrawn(pages[Symbol.iterator](), { codec: nodeCodec })
  for (const pdf of [together, asDrawn])
    expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
  expect(inspect(asDrawn, 'pdftotext', ['-bbox', '{}', '-'])).toBe(
    inspect(together, 'pdftotext', ['-bbox', '{}', '-']),
  )
  // Both pages on the standard output, since no name for files is given.
  const pixels = (pdf: Uint8Array): string => inspect(pdf, 'pdftoppm', ['-r', '60', '{}'])
  expect(pixels(together).match(/P6\n/g)).toHaveLength(pages.length)
  expect(pixels(asDrawn)).toBe(pixels(together))
})

test('a page is taken when the one before it is painted', () => {
  const order: string[] = []
  function* laidOut(): Generator<Page> {
    for (const name of ['one', 'two']) {
      order.push(name)
      yield pageOf([textAt(20, 30, name)])
    }
  }
  paintPdfAsDrawn(laidOut(), {
    codec: {
      ...nodeCodec,
      zlib: undefined,
      deflateRaw: (...args) => {
        order.push('deflated')
        return nodeCodec.deflateRaw(...args)
      },
    },
  })
  expect(order.slice(0, 4)).toEqual(['one', 'deflated', 'two', 'deflated'])
})

test('Latin text is embedded as if all pages were known', () => {
  const pages = documents[0]![1]
  const [together, asDrawn] = [
    paintPdf(pages, { codec: nodeCodec }),
    paintPdfAsDrawn(pages, { codec: nodeCodec }),
  ]
  expect(asDrawn.length).toBeGreaterThan(0)
  expect(Math.abs(asDrawn.length - together.length)).toBeLessThan(20)
})
