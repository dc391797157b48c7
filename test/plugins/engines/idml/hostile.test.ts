import { describe, expect, it } from 'vitest'
import idml from '../../../../plugins/engines/idml/index.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import {
  box,
  type IdmlParts,
  idmlOf,
  item,
  page,
  paragraph,
  range,
  textFrame,
  text as words,
} from '../../../helpers/idml.ts'

const { convert } = engineUnder(idml, originHost(undefined, []))
const frame = (story = 'st', more = {}) => textFrame('f1', story, box(10, -140, 110, -40), more)
const plain = paragraph(range(words('Text')))
const inline = (story: string) => range(textFrame(`in ${story}`, story, box(0, 0, 10, 10)))
const list = (attributes: string) =>
  `<ParagraphStyleRange ${attributes}>${range(words('Item'))}</ParagraphStyleRange>`
const square = (attributes: string) => item('Rectangle', 'r', box(0, 0, 5, 5), { attributes })
const pages = (count: number) =>
  Array.from({ length: count }, (_, at) => page(`p${at}`, 200, 300, 'AppliedMaster="m"')).join('')

const documents: readonly (readonly [what: string, Partial<IdmlParts>])[] = [
  [
    'tints of each other',
    {
      graphic: '<Tint Self="Tint/a" BaseColor="Tint/b"/><Tint Self="Tint/b" BaseColor="Tint/a"/>',
      stories: { st: paragraph(range(words('x'), 'FillColor="Tint/a"')) },
    },
  ],
  ['a frame in its own text', { stories: { st: paragraph(inline('st')) } }],
  [
    'each story twice in the one before',
    {
      stories: Object.fromEntries([
        ['st', paragraph(inline('s1') + inline('s1'))],
        ...Array.from({ length: 40 }, (_, at) => [
          `s${at + 1}`,
          paragraph(inline(`s${at + 2}`) + inline(`s${at + 2}`)),
        ]),
      ]),
    },
  ],
  [
    'a table of a milliard cells',
    {
      stories: {
        st: `<ParagraphStyleRange><Table>${'<Row SingleRowHeight="1"/>'.repeat(30_000)}${'<Column SingleColumnWidth="1"/>'.repeat(30_000)}<Cell Name="0:0" ColumnSpan="1e9" RowSpan="1e9"/></Table></ParagraphStyleRange>`,
      },
    },
  ],
  [
    'letters far behind z',
    {
      stories: {
        st: ['1e12', '-1000', '3.5']
          .map((from) =>
            list(
              `BulletsAndNumberingListType="NumberedList" NumberingFormat="A, B" NumberingStartAt="${from}"`,
            ),
          )
          .join(''),
      },
    },
  ],
  [
    'bullets that are no characters',
    {
      stories: {
        st: ['65.5', '-1', '1', '1e9', 'x']
          .map((code) => list(`BulletsAndNumberingListType="BulletList" BulletChar="${code}"`))
          .join(''),
      },
    },
  ],
  [
    'tab stops as an attribute',
    { stories: { st: list('TabList="none"') + list('TabList="7"') + list('TabList="[null]"') } },
  ],
  ['characters that XML cannot hold', { stories: { st: list('AppliedFont="A&#1;B&#xFFFE;"') } }],
  [
    'numbers without end',
    {
      spreads: [
        page('p1', 200, 300) +
          frame('st', { at: [1e300, 0, 0, 1e300, 1e300, 1e300] }) +
          item('Oval', 'o', box(-1e300, -1e300, 1e300, 1e300), {
            at: [1e300, 1e300, 1e300, 1e300, 1e300, 1e300],
            attributes: 'FillColor="Color/Black" StrokeWeight="1e308" StrokeColor="Color/Black"',
          }),
      ],
    },
  ],
  [
    'two thousand things on two thousand pages',
    {
      masters: { m: page('mp', 200, 300) + square('FillColor="Color/Black"').repeat(2000) },
      spreads: [pages(2000) + frame()],
    },
  ],
  [
    'a long text on every page',
    {
      stories: { st: paragraph(range(words('y'.repeat(500_000)))) },
      masters: { m: page('mp', 200, 300) + frame() },
      spreads: [pages(2000)],
    },
  ],
  [
    'styles on styles on styles',
    {
      stories: {
        st: Array.from({ length: 3000 }, (_, at) => paragraph(range(words('x')), `s${at}`)).join(''),
      },
      styles: Array.from(
        { length: 3000 },
        (_, at) =>
          `<ParagraphStyle Self="ParagraphStyle/s${at}" a${at}="1"><Properties><BasedOn>s${at - 1}</BasedOn></Properties></ParagraphStyle>`,
      ).join(''),
    },
  ],
]

describe('ends soon, in a document or in an error of the catalogue', () => {
  it.each(documents)('%s', async (_, parts) => {
    const source = await idmlOf({
      stories: { st: plain },
      spreads: [page('p1', 200, 300) + frame()],
      ...parts,
    })
    for (const to of ['paged', 'html']) {
      const begun = process.cpuUsage()
      const made = await convert(source, 'idml', to).then(
        ({ bytes }) => new TextDecoder().decode(bytes),
        (error: unknown) => error,
      )
      const { user, system } = process.cpuUsage(begun)
      expect((user + system) / 1000, `${to}, ms`).toBeLessThan(20_000)
      if (typeof made !== 'string') {
        expect(made, to).toBeInstanceOf(AppError)
        expect((made as AppError).code, to).toBe('convert.document')
      } else {
        expect(made, to).not.toMatch(/NaN|Infinity|undefined|[\u0000-\u0008\ufffe]/)
      }
    }
  })
})
