/** Small files whose objects lead to each other along many ways, or ask for endless work: every operation ends soon. */
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { createPdfOperations } from '../../../shared/pdf/operations.ts'
import { conformOptions, splitPdfOptions } from '../../../shared/pdf/stage/options.ts'
import { pdfOf, repeatableRandom, stream, textOf } from '../../helpers/pdf.ts'
import { processorTime } from '../../helpers/processor-time.ts'

const operations = createPdfOperations({ codec: nodeCodec, random: repeatableRandom() })
const { signal } = new AbortController()
const embeds = { embedsFonts: true }

const run = {
  text: (file: Uint8Array) => operations.readText(file, { signal }),
  archive: (file: Uint8Array) =>
    operations.applyStage(file, conformOptions({ SelectPdfVersion: 2 }, embeds), { signal }),
  accessible: (file: Uint8Array) =>
    operations.applyStage(file, conformOptions({ SelectPdfVersion: 2, PDFUACompliance: true }, embeds), {
      signal,
    }),
  secondPage: (file: Uint8Array) =>
    operations.applyStage(file, splitPdfOptions({ PageRange: '2' }).stage!, { signal }),
}

const packed = (content: string, dict = '') =>
  stream(textOf(deflateSync(Buffer.from(content, 'latin1'))), `/Filter/FlateDecode${dict}`)
/** Two pages; object 4 is their content, 5 their font, 6 their forms; others follow from 7 on. */
const file = (changes: Readonly<Record<number, string>>, others: readonly string[] = []) =>
  pdfOf([
    ...[
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 3 0 R]/Count 2/MediaBox[0 0 200 200]/Resources<</Font<</F 5 0 R>>/XObject 6 0 R>>>>',
      '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
      stream('BT /F 12 Tf (kept) Tj ET'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<<>>',
    ].map((object, index) => changes[index + 1] ?? object),
    ...others,
  ])
/** Objects from number 7 on, each of which names the next one twice. */
const doubled = (count: number, object: (next: string) => string, last: string) => [
  ...Array.from({ length: count }, (_, at) => object(`${at + 8} 0 R`)),
  last,
]
const composite = (more: string) => `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H${more}>>`
const shown = stream('BT /F 12 Tf <00010002> Tj ET')
const formNames = Array.from({ length: 400 }, (_, at) => `/X${at} ${at + 7} 0 R`).join('')

const rows: readonly (readonly [string, keyof typeof run, () => Uint8Array])[] = [
  [
    'an order of layers that lists itself',
    'archive',
    () =>
      file({ 1: '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[8 0 R]/D<</Order 7 0 R>>>>>>' }, [
        '[7 0 R [7 0 R] 7 0 R 8 0 R]',
        '<</Type/OCG/Name(x)>>',
      ]),
  ],
  [
    'a structure whose elements have the same children, of which a page is taken away',
    'secondPage',
    () =>
      file(
        {
          1: '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot<</Type/StructTreeRoot/K 7 0 R>>>>',
          2: '<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2/MediaBox[0 0 200 200]>>',
          6: '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
        },
        doubled(
          40,
          (next) => `<</Type/StructElem/S/Div/K[${next} ${next}]>>`,
          '<</Type/StructElem/S/P/Pg 6 0 R/K 0>>',
        ),
      ),
  ],
  [
    'forms each of which may draw all',
    'accessible',
    () =>
      file(
        { 4: stream('0 0 9 9 re f /X0 Do'), 6: `<<${formNames}>>` },
        Array.from({ length: 400 }, () =>
          stream('q Q', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject 6 0 R>>'),
        ),
      ),
  ],
  [
    'spaces between letters',
    'text',
    () => file({ 4: packed(`BT /F 1 Tf ${'0 0 Td (a) Tj '.repeat(150_000)}ET`) }),
  ],
  [
    'a font that maps all codes again and again',
    'text',
    () =>
      file({ 4: shown, 5: composite('/ToUnicode 7 0 R') }, [
        packed('100 beginbfrange <0000> <ffff> <0041> endbfrange '.repeat(20_000)),
      ]),
  ],
  [
    'a font that maps codes beyond all numbers',
    'text',
    () =>
      file({ 4: shown, 5: composite('/ToUnicode 7 0 R') }, [
        packed(`1 beginbfrange <${'f'.repeat(40)}> <${'f'.repeat(40)}> <0041> endbfrange`),
      ]),
  ],
  [
    'a font with widths beyond all numbers, and widths again and again',
    'text',
    () =>
      file({
        4: shown,
        5: composite(
          `/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/W[1e300 1e300 5 -1e300 1e300 5 ${'0 65535 500 '.repeat(20_000)}]>>]`,
        ),
      }),
  ],
  [
    'a code that stands for a book',
    'text',
    () =>
      file(
        {
          4: packed(`BT /F 1 Tf (${'A'.repeat(2_000_000)}) Tj ET`),
          5: '<</Type/Font/Subtype/Type1/ToUnicode 7 0 R>>',
        },
        [packed(`1 beginbfchar <41> <${'0041'.repeat(500_000)}> endbfchar`)],
      ),
  ],
  [
    'letters of ASCII85 that stand for zeros',
    'text',
    () => file({ 4: stream(`${'z'.repeat(17_000_000)}~>`, '/Filter/ASCII85Decode') }),
  ],
]

it.each(rows)('%s', async (_, operation, make) => {
  const bytes = make()
  const begun = process.cpuUsage()
  const outcome = await run[operation](bytes).catch((error: unknown) => error)
  expect(processorTime(begun)).toBeLessThan(5_000)
  if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
})
