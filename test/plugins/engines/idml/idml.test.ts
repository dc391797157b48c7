import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inThreads } from '../../../../origin/layout-pool.ts'
import idml from '../../../../plugins/engines/idml/index.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { engineContract } from '../../../contract/engine.ts'
import { zipOf } from '../../../helpers/docx.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'
import {
  box,
  font,
  idmlOf,
  item,
  leaflet,
  outline,
  page,
  paragraph,
  range,
  styleOf,
  textFrame,
  text as words,
} from '../../../helpers/idml.ts'

const host = originHost(undefined, [])
const { convert } = engineUnder(idml, host)
const picture = new Uint8Array(readFileSync(new URL('../../../fixtures/images/rgb.png', import.meta.url)))
const sample = await leaflet(picture)
const large = await idmlOf({
  stories: { st: paragraph(range(`${words('Quince')}<Br/>`.repeat(150_000))) },
  spreads: [page('p1', 200, 300) + textFrame('f1', 'st', box(10, -140, 110, -40))],
})
const text = async (source: Uint8Array, to: string) =>
  new TextDecoder().decode((await convert(source, 'idml', to)).bytes)

engineContract({
  plugin: inThreads(idml),
  settings: { threads: 2 },
  host,
  sample: async () => sample,
  slow: { from: 'idml', to: 'paged', source: () => large },
})

/** One page of 200 x 300 points with these items; the frame `f1` shows the story `st`. */
const onePage = (
  items: string,
  story = paragraph(range(words('Text'))),
  more: Partial<Parameters<typeof idmlOf>[0]> = {},
) => idmlOf({ stories: { st: story }, spreads: [page('p1', 200, 300) + items], ...more })
const frame = (more = {}) => textFrame('f1', 'st', box(10, -140, 110, -40), more)
/** The drawings of a flat text, as SVG. */
const drawings = (odf: string) =>
  [...odf.matchAll(/mime-type="image\/svg\+xml"><office:binary-data>([^<]*)</g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  )

describe('the pages', () => {
  it('have their size, and frames their place on them', async () => {
    const odf = await text(await onePage(frame()), 'paged')
    expect(odf).toContain('fo:page-width="200pt" fo:page-height="300pt"')
    expect(odf).toMatch(/svg:x="10pt" svg:y="10pt" svg:width="100pt" svg:height="100pt"[^>]*draw:name="f1"/)
  })

  it('text continues from frame to frame', async () => {
    const odf = await text(sample, 'paged')
    expect(odf.match(/draw:chain-next-name/g)).toHaveLength(1)
    expect(odf).toMatch(/draw:name="f2"><draw:text-box draw:chain-next-name="f3"><text:p[^>]*>Quinces/)
    expect(odf).toMatch(/draw:name="f3"><draw:text-box><text:p text:style-name="Frame_20_contents"\/>/)
    expect(odf).toContain('fo:column-count="2" fo:column-gap="14pt"')
  })

  it('show their masters, with the number of the page', async () => {
    const odf = await text(sample, 'paged')
    expect(
      [
        ...odf
          .replaceAll('<text:s/>', ' ')
          .replace(/<\/?text:span[^>]*>/g, '')
          .matchAll(/>(Page \d)</g),
      ].map(([, shown]) => shown),
    ).toEqual(['Page 1', 'Page 2'])
  })

  it('hidden items and layers are left out', async () => {
    expect(await text(sample, 'paged')).not.toContain('Only for the printer')
    const layers = '<Layer Self="l1" Name="1" Visible="true"/><Layer Self="l2" Name="2" Visible="false"/>'
    const hidden = frame().replace('ItemLayer="l1"', 'ItemLayer="l2"')
    expect(await text(await onePage(hidden, undefined, { layers }), 'paged')).not.toContain('>Text<')
  })

  it('layers lie over each other in their order', async () => {
    const layers = '<Layer Self="l2" Name="back"/><Layer Self="l1" Name="front"/>'
    const colored = (id: string, color: string) =>
      item('Rectangle', id, box(0, 0, 9, 9), { attributes: `FillColor="Color/${color}"` })
    const items = colored('a', 'Leaf') + colored('b', 'Black').replace('ItemLayer="l1"', 'ItemLayer="l2"')
    const [svg = ''] = drawings(await text(await onePage(items, undefined, { layers }), 'paged'))
    expect(svg.indexOf('#000000')).toBeLessThan(svg.indexOf('#288c3c'))
    expect(svg.indexOf('#000000')).toBeGreaterThan(0)
  })

  it.each([
    [
      'a box',
      box(0, 0, 10, 20),
      'FillColor="Color/Leaf"',
      'd="M0 0L0 20L10 20L10 0L0 0Z" fill-rule="evenodd" fill="#288c3c"',
    ],
    ['a tint', box(0, 0, 10, 20), 'FillColor="Color/Black" FillTint="20"', 'fill="#cccccc"'],
    [
      'an open line',
      outline(
        [
          [0, 0],
          [9, 9],
        ],
        true,
      ),
      'StrokeColor="Color/Black" StrokeWeight="2" StrokeType="StrokeStyle/$ID/Canned Dashed 3x2"',
      'd="M0 0L9 9" fill="none" stroke="#000000" stroke-width="2" stroke-dasharray="6 4"',
    ],
    [
      'a curve',
      outline(
        [
          [
            [0, 0],
            [0, 0],
            [5, 0],
          ],
          [
            [9, 9],
            [9, 5],
            [9, 9],
          ],
        ],
        true,
      ),
      'StrokeColor="Color/Black" StrokeWeight="1"',
      'd="M0 0C5 0 9 5 9 9"',
    ],
    [
      'round corners',
      box(0, 0, 10, 20),
      'FillColor="Color/Leaf" TopLeftCornerOption="RoundedCorner" TopLeftCornerRadius="4"',
      'd="M4 0H6A4 4 0 0 1 10 4V16',
    ],
    [
      'a gradient',
      box(0, 0, 10, 20),
      'FillColor="Gradient/g"',
      '<linearGradient id="i1f" gradientUnits="userSpaceOnUse" x1="0" y1="10" x2="10" y2="10"><stop offset="0" stop-color="#000000"/>',
    ],
  ])('draw %s', async (_, shape, attributes, expected) => {
    const graphic =
      '<Gradient Self="Gradient/g" Type="Linear"><GradientStop StopColor="Color/Black" Location="0"/><GradientStop StopColor="Color/Paper" Location="100"/></Gradient>'
    const odf = await text(
      await onePage(item('Polygon', 'x', shape, { attributes }), undefined, { graphic }),
      'paged',
    )
    expect(drawings(odf).join('')).toContain(expected)
  })

  it('show pictures rotated and cropped as in their frames', async () => {
    const [, art = ''] = drawings(await text(sample, 'paged'))
    expect(art).toMatch(
      /<g clip-path="url\(#(i\d+)c\)"><image x="0" y="0" width="10" height="10" transform="matrix\(12 0 0 12 0 0\)"[^>]*href="data:image\/png;base64,/,
    )
  })

  it('say which pictures are missing', async () => {
    const link =
      '<Image ItemTransform="1 0 0 1 0 0"><Link LinkResourceURI="file:/Users/me/photo%20one.png"/></Image>'
    const items = item('Rectangle', 'i', box(0, 0, 9, 9), { inside: link })
    const missing = await convert(await onePage(items), 'idml', 'paged')
    expect(missing.warnings.map(({ code }) => code)).toEqual(['idml.pictures-missing'])
    const files = { 'Links/photo one.png': picture }
    const found = await convert(await onePage(items, undefined, { files }), 'idml', 'paged')
    expect(found.warnings).toEqual([])
  })

  it('turned text is a shape that is turned', async () => {
    expect(await text(sample, 'paged')).toMatch(
      /<draw:custom-shape[^>]*draw:transform="rotate \(0.349\) translate \(60pt 500pt\)"><text:p[^>]*>/,
    )
  })
})

describe('the text', () => {
  const odfOf = async (story: string, styles = '') => text(await onePage(frame(), story, { styles }), 'paged')
  it.each([
    ['PointSize="20"', 'fo:font-size="20pt"'],
    ['FontStyle="Bold Italic"', 'fo:font-weight="bold"'],
    ['FontStyle="Light Oblique"', 'fo:font-style="italic"'],
    ['FillColor="Color/Leaf"', 'fo:color="#288c3c"'],
    ['Capitalization="AllCaps"', 'fo:text-transform="uppercase"'],
    ['Position="Superscript"', 'style:text-position="33% 58%"'],
    ['Tracking="100"', 'fo:letter-spacing="1.2pt"'],
    ['Underline="true"', 'style:text-underline-style="solid"'],
    ['AppliedLanguage="$ID/German: Swiss"', 'fo:language="de" fo:country="CH"'],
  ])('letters: %s', async (attribute, expected) => {
    const odf = await odfOf(paragraph(range(words('x'), attribute)))
    const [, name] = /<text:span text:style-name="(\w+)">x</.exec(odf) ?? []
    expect(new RegExp(`style:name="${name}"[^>]*>.*?</style:style>`).exec(odf)?.[0]).toContain(expected)
  })
  it.each([
    ['Justification="RightAlign"', 'fo:text-align="end"'],
    ['Justification="FullyJustified"', 'fo:text-align-last="justify"'],
    [
      'LeftIndent="10" FirstLineIndent="-10"',
      'fo:margin-left="10pt" fo:margin-right="0pt" fo:text-indent="-10pt"',
    ],
    ['SpaceBefore="3" SpaceAfter="4"', 'fo:margin-top="3pt" fo:margin-bottom="4pt"'],
    ['DropCapLines="3" DropCapCharacters="1"', '<style:drop-cap style:lines="3" style:length="1"/>'],
    ['PointSize="10"', 'fo:line-height="12pt"'],
  ])('paragraphs: %s', async (attribute, expected) => {
    expect(await odfOf(paragraph(range(words('x')), '$ID/NormalParagraphStyle', attribute))).toContain(
      expected,
    )
  })
  it('styles build on each other', async () => {
    const styles =
      styleOf('One', 'PointSize="30"', font('Liberation Sans')) +
      styleOf('Two', 'SpaceAfter="7"', '<Leading type="unit">33</Leading>', 'One')
    const odf = await odfOf(paragraph(range(words('x')), 'Two'), styles)
    for (const expected of ['fo:font-size="30pt"', 'fo:margin-bottom="7pt"', 'fo:line-height="33pt"'])
      expect(odf).toContain(expected)
    expect(odf).toContain('fo:font-family="\'Liberation Sans\'"')
  })
  it('bullets and numbers', async () => {
    const listed = (type: string, ...lines: readonly string[]) =>
      paragraph(
        range(lines.map((line) => `${words(line)}<Br/>`).join('')),
        '$ID/NormalParagraphStyle',
        `BulletsAndNumberingListType="${type}"`,
      )
    const odf = await odfOf(
      listed('NumberedList', 'a', 'b') + listed('BulletList', 'c') + listed('NumberedList', 'd'),
    )
    expect(
      [...odf.matchAll(/>([^<>]+)<text:tab\/>(\w)</g)].map(([, label, line]) => `${label}${line}`),
    ).toEqual(['1.a', '2.b', '•c', '1.d'])
  })
  it('tables, with spans and fills', async () => {
    const odf = await text(sample, 'paged')
    expect(odf).toContain('table:number-columns-spanned="3"')
    expect(odf.match(/<table:covered-table-cell\/>/g)).toHaveLength(2)
    expect(odf).toMatch(/<table:table-header-rows><table:table-row.*?Sort.*?<\/table:table-header-rows>/s)
    expect(odf).toContain('fo:background-color="#a9d1b1"')
  })
})

describe('as text that flows', () => {
  it('stories in the order of the pages, as Markdown', async () => {
    const story =
      paragraph(range(`${words('Harvest')}<Br/>`), 'Title') +
      paragraph(
        range(`${words('One ')}`) +
          range(words('two'), 'FontStyle="Bold"') +
          range(`<HyperlinkTextSource Self="h1">${words(' three')}</HyperlinkTextSource>`) +
          range(
            `<Footnote>${paragraph(range(words('A note.')))}</Footnote><Change ChangeType="DeletedText">${words('gone')}</Change>`,
          ),
      )
    const styles = styleOf('Title', 'PointSize="30"')
    expect(await text(await onePage(frame(), story, { styles }), 'md')).toBe(
      '# Harvest\n\nOne **two** three[^1]\n\n[^1]: A note.\n',
    )
  })
  it('as OpenDocument and DocBook, for formats without frames', async () => {
    expect(await text(sample, 'fodt')).not.toContain('<draw:frame')
    for (const to of ['fodt', 'docbook'])
      expect(await text(sample, to), to).toMatch(/Quinces of the North[\s\S]*Champion[\s\S]*4711/)
  })
  it('notes are counted by notes, not by their paragraphs', async () => {
    const note = (first: string, second: string) =>
      `<Footnote>${paragraph(range(`${words(first)}<Br/>${words(second)}`))}</Footnote>`
    const story = paragraph(range(note('One.', 'More of it.') + note('Two.', 'And more.')))
    const odf = (await text(await onePage(frame(), story), 'paged')).replaceAll('<text:s/>', ' ')
    expect([...odf.matchAll(/Note_20_number">(\d+)</g)].map(([, number]) => number)).toEqual(['1', '2'])
    expect(odf).toMatch(/>1 One\.<[\s\S]*>More of it\.<[\s\S]*>2 Two\.<[\s\S]*>And more\.</)
  })
  it('does not repeat what masters show', async () => {
    const plain = await text(sample, 'txt')
    expect(plain).not.toMatch(/Page \d/)
    expect(plain.indexOf('Quinces of the North')).toBeLessThan(plain.indexOf('The last words'))
    expect(plain).toContain('4711')
  })
})

describe('bad files', () => {
  const mimetype = 'application/vnd.adobe.indesign-idml-package'
  it.each([
    ['no design map', () => zipOf({ mimetype })],
    ['no pages', () => zipOf({ mimetype, 'designmap.xml': '<Document/>' })],
    ['no XML', () => zipOf({ mimetype, 'designmap.xml': 'words' })],
    ['a cut archive', async () => sample.subarray(0, 900)],
    ['nothing', async () => new Uint8Array(0)],
  ])('%s', async (_, make) => {
    const failed = await convert(await make(), 'idml', 'paged').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(AppError)
    expect((failed as AppError).status).toBeGreaterThanOrEqual(400)
  })
  it('styles in a circle, groups in groups, numbers that are none', async () => {
    const styles = styleOf('A', '', '', 'B') + styleOf('B', '', '', 'A')
    const groups = '<Group Self="g" ItemTransform="1 0 0 1 x 0">'.repeat(60) + frame() + '</Group>'.repeat(60)
    const odf = await text(
      await onePage(
        groups + frame({ attributes: 'StrokeWeight="NaN"' }),
        paragraph(range(words('x'), 'PointSize="many"'), 'A'),
        { styles },
      ),
      'paged',
    )
    expect(odf).not.toMatch(/NaN|Infinity|undefined/)
  })
})
