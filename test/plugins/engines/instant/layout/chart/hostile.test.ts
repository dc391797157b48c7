import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import instant from '../../../../../../plugins/engines/instant/index.ts'
import docx from '../../../../../../plugins/formats/docx/index.ts'
import odt from '../../../../../../plugins/formats/odt/index.ts'
import { fromBytes } from '../../../../../../shared/plugin/byte-source.ts'
import { chartParagraph, docxWithCharts } from '../../../../../helpers/charts.ts'
import { testHost } from '../../../../../helpers/host.ts'
import { shippedSource } from '../../../../../helpers/instant-fonts.ts'
import { odfChartContent, odfFrame, odfWithCharts } from '../../../../../helpers/odf-charts.ts'

const ids = '<c:axId val="1"/><c:axId val="2"/>'
const axes = (kind = 'catAx') =>
  `<c:${kind}><c:axId val="1"/></c:${kind}><c:valAx><c:axId val="2"/></c:valAx>`
const numbers = (inside: string) => `<c:numRef><c:numCache>${inside}</c:numCache></c:numRef>`
const points = (count: number, value = (n: number): unknown => n) =>
  Array.from({ length: count }, (_, n) => `<c:pt idx="${n}"><c:v>${value(n)}</c:v></c:pt>`).join('')
const word = (plots: string, kind?: string) =>
  docxWithCharts(chartParagraph('rIdC1'), [
    {
      xml: `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea>${plots}${axes(kind)}</c:plotArea><c:legend/></c:chart></c:chartSpace>`,
    },
  ])
const writer = (change: (xml: string) => string) =>
  odfWithCharts('text', `<text:p>${odfFrame(1)}</text:p>`, [{}], {
    'Object 1/content.xml': change(
      odfChartContent({
        rows: [
          ['', 'a'],
          ['Jan', 1],
          ['Feb', 2],
        ],
      }),
    ),
  })
const empty = `<c:ser><c:val>${numbers('<c:ptCount val="20000"/>')}</c:val></c:ser>`
const days = (kind: string) =>
  `<c:${kind}><c:ser><c:cat>${numbers(`<c:formatCode>d/m</c:formatCode>${points(10_000, (n) => 40_000 + n)}`)}</c:cat><c:val>${numbers(points(10_000))}</c:val></c:ser>${ids}</c:${kind}>`
const huge = (n: number) => ['1.7e308', '-1.7e308', '1e-308'][n % 3]

/** Read and drawn before the deadline, with numbers that a PDF can hold. */
const documents: readonly (readonly [what: string, from: string, make: () => Promise<Uint8Array>])[] = [
  [
    'series that count what they do not have',
    'docx',
    () => word(`<c:lineChart>${empty.repeat(200)}${ids}</c:lineChart>`.repeat(10)),
  ],
  ['a line over ten thousand days', 'docx', () => word(days('lineChart'), 'dateAx')],
  ['columns over ten thousand days', 'docx', () => word(days('barChart'), 'dateAx')],
  [
    'values at the ends of what numbers can be',
    'docx',
    () =>
      word(
        ['barChart', 'lineChart', 'areaChart']
          .map(
            (kind) =>
              `<c:${kind}><c:grouping val="stacked"/>${`<c:ser><c:val>${numbers(points(3, huge))}</c:val></c:ser>`.repeat(3)}${ids}</c:${kind}>`,
          )
          .join(''),
      ),
  ],
  [
    'days that are none',
    'docx',
    () =>
      word(
        `<c:lineChart><c:ser><c:cat>${numbers(`<c:formatCode>d/m</c:formatCode>${points(3, huge)}`)}</c:cat><c:val>${numbers(points(3))}</c:val></c:ser>${ids}</c:lineChart>`,
        'dateAx',
      ),
  ],
  [
    'words that every object answers to',
    'docx',
    () =>
      word(
        `<c:lineChart><c:grouping val="toString"/><c:ser><c:spPr><a:ln xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:prstDash val="constructor"/></a:ln></c:spPr><c:marker><c:symbol val="constructor"/></c:marker><c:dLbls><c:dLblPos val="valueOf"/><c:showVal val="1"/></c:dLbls><c:trendline><c:trendlineType val="__proto__"/></c:trendline><c:val>${numbers(points(3))}</c:val></c:ser>${ids}</c:lineChart>`,
      ),
  ],
  [
    'ranges far beyond the table',
    'odt',
    () =>
      writer((xml) =>
        xml
          .replace(/(chart:values-cell-range-address)="[^"]*"/g, '$1="local-table.$A$1:.$ZZ$99999"')
          .replace(/<chart:series\b[\s\S]*?(?:\/>|<\/chart:series>)/, (series) => series.repeat(200))
          .replace('</table:table-rows>', `${'<table:table-row/>'.repeat(20_000)}</table:table-rows>`),
      ),
  ],
  [
    'points repeated without end',
    'odt',
    () =>
      writer((xml) =>
        xml.replace(
          /<chart:series\b([^>]*?)\/?>(?:[\s\S]*?<\/chart:series>)?/,
          (_, attributes: string) =>
            `<chart:series${attributes}>${`<chart:data-point chart:style-name="${/chart:style-name="([^"]*)"/.exec(attributes)?.[1]}" chart:repeated="1000"/>`.repeat(20_000)}</chart:series>`,
        ),
      ),
  ],
]

describe('charts that ask for more than they show', () => {
  for (const [what, from, make] of documents)
    it(what, async () => {
      const host = { ...testHost([docx, odt]), codec: nodeCodec, fonts: () => shippedSource }
      const source = fromBytes(await make())
      const begun = process.cpuUsage()
      const deadline = host.now() + 60_000
      const { value } = await instant
        .create({ fontCacheSize: 4, maxPagePixels: 1_000_000 }, host)
        .convert({ source, from, to: 'pdf', options: {}, deadline } as never, new AbortController().signal)
      expect(process.cpuUsage(begun).user / 1000, 'ms').toBeLessThan(20_000)
      expect(value.size).toBeGreaterThan(1000)
    })
})
