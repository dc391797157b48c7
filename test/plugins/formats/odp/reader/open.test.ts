import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { odpReader } from '../../../../../plugins/formats/odp/reader/open.ts'
import { writeMarkdown } from '../../../../../shared/flow/write-markdown.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { zipOf } from '../../../../helpers/docx.ts'
import { odfChartContent } from '../../../../helpers/odf-charts.ts'

const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
const namespaces = `xmlns:office="${urn}office:1.0" xmlns:style="${urn}style:1.0" xmlns:text="${urn}text:1.0" xmlns:table="${urn}table:1.0" xmlns:draw="${urn}drawing:1.0" xmlns:fo="${urn}xsl-fo-compatible:1.0" xmlns:svg="${urn}svg-compatible:1.0" xmlns:presentation="${urn}presentation:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"`
const styles = `<style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style><style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="plain" style:family="paragraph"><style:paragraph-properties text:enable-numbering="false"/></style:style><text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-format="1" text:start-value="4"/></text:list-style><text:list-style style:name="none"><text:list-level-style-number text:level="1" style:num-format=""/></text:list-style>`

async function read(pages: string, more: Readonly<Record<string, string | Uint8Array>> = {}) {
  const bytes = await zipOf({
    mimetype: 'application/vnd.oasis.opendocument.presentation',
    'content.xml': `<office:document-content ${namespaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:presentation>${pages}</office:presentation></office:body></office:document-content>`,
    ...more,
  })
  return odpReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
}
const page = (content: string, attributes = '') =>
  `<draw:page draw:name="page" ${attributes}>${content}</draw:page>`
const frame = (
  content: string,
  { kind = '', at = [0, 0, 10, 10] }: { kind?: string; at?: readonly number[] } = {},
) =>
  `<draw:frame ${kind === '' ? '' : `presentation:class="${kind}" `}svg:x="${at[0]}cm" svg:y="${at[1]}cm" svg:width="${at[2]}cm" svg:height="${at[3]}cm">${content}</draw:frame>`
const box = (content: string) =>
  `<draw:text-box>${content.startsWith('<') ? content : `<text:p>${content}</text:p>`}</draw:text-box>`
const title = (text: string) => frame(box(text), { kind: 'title' })
const list = (style: string, ...items: readonly string[]) =>
  `<text:list text:style-name="${style}">${items.map((item) => `<text:list-item>${item.startsWith('<') ? item : `<text:p>${item}</text:p>`}</text:list-item>`).join('')}</text:list>`

describe('pages of ODP to Markdown', () => {
  test.each([
    ['a title is the heading', page(title('Goals')), '## Goals\n'],
    [
      'a slide with a subtitle is one level higher',
      page(title('Deck') + frame(box('by us'), { kind: 'subtitle' })),
      '# Deck\n\nby us\n',
    ],
    ['a slide without a title has its number', page(frame(box('x'))), '## Slide 1\n\nx\n'],
    [
      'lists within lists',
      page(title('T') + frame(box(list('', 'a', `<text:p>b</text:p>${list('', 'c')}`)), { kind: 'outline' })),
      '## T\n\n- a\n- b\n  - c\n',
    ],
    [
      'numbers and their first value',
      page(title('T') + frame(box(list('N', 'a', 'b')))),
      '## T\n\n4. a\n5. b\n',
    ],
    [
      'a list without marks is text',
      page(title('T') + frame(box(list('none', 'a', 'b')))),
      '## T\n\na\n\nb\n',
    ],
    [
      'a paragraph without its mark',
      page(title('T') + frame(box(list('', '<text:p text:style-name="plain">a</text:p>')))),
      '## T\n\na\n',
    ],
    [
      'spans, spaces and breaks',
      page(
        title('T') +
          frame(
            box(
              '<text:p>a <text:span text:style-name="B">b<text:s text:c="2"/>c</text:span><text:line-break/>d</text:p>',
            ),
          ),
      ),
      '## T\n\na **b  c**\\\nd\n',
    ],
    [
      'footers are left out',
      page(title('T') + frame(box('x'), { kind: 'footer' }) + frame(box('1'), { kind: 'page-number' })),
      '## T\n',
    ],
    [
      'shapes are read by their place',
      page(
        title('T') +
          frame(box('right'), { at: [15, 4, 10, 10] }) +
          frame(box('left'), { at: [1, 5, 10, 10] }),
      ),
      '## T\n\nleft\n\nright\n',
    ],
    [
      'text of shapes in groups',
      page(`${title('T')}<draw:g><draw:custom-shape><text:p>in</text:p></draw:custom-shape></draw:g>`),
      '## T\n\nin\n',
    ],
    [
      'links',
      page(
        title('T') +
          frame(
            box(
              '<text:p><text:a xlink:href="https://example.org/">e</text:a> <text:a xlink:href="javascript:x">j</text:a> <text:a xlink:href="#page">p</text:a> <text:a xlink:href="sub/b.pdf">b</text:a></text:p>',
            ),
          ),
      ),
      '## T\n\n[e](https://example.org/) j [p](#t) [b](sub/b.pdf)\n',
    ],
    [
      'notes',
      page(
        `${title('T')}<presentation:notes>${frame(box('Say this'), { kind: 'notes' })}</presentation:notes>`,
      ),
      '## T\n\n> **Notes**\n>\n> Say this\n',
    ],
    [
      'tables with spans',
      page(
        title('T') +
          frame(
            '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>c</text:p></table:table-cell><table:covered-table-cell/></table:table-row></table:table>',
          ),
      ),
      '## T\n\n| a | b |\n| - | - |\n| c | |\n',
    ],
  ])('%s', async (_, pages, expected) => {
    expect(writeMarkdown((await read(pages)).value)).toBe(expected)
  })

  test('charts are tables and formulas equations', async () => {
    const object = (number: number) =>
      frame(`<draw:object xlink:href="./Object ${number}"/><draw:image xlink:href="./r"/>`, {
        at: [0, number * 11, 10, 10],
      })
    const { value } = await read(page(title('T') + object(1) + object(2)), {
      'Object 1/content.xml': odfChartContent({
        rows: [
          ['', 'Sales'],
          ['Q1', 3],
        ],
      }),
      'Object 2/content.xml':
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><msqrt><mi>x</mi></msqrt></math>',
    })
    expect(writeMarkdown(value)).toBe('## T\n\n| | Sales |\n| - | -: |\n| Q1 | 3 |\n\n$$\\sqrt{x}$$\n')
  })

  test('hidden slides are left out and reported', async () => {
    const { value, warnings } = await read(page(title('A'), 'draw:style-name="hidden"') + page(title('B')))
    expect([writeMarkdown(value), warnings.map(({ code }) => code)]).toEqual([
      '## B\n',
      ['flow.hidden-slides'],
    ])
  })

  test('styles in a circle, huge repetitions and deep lists end', async () => {
    const circle =
      '<style:style style:name="a" style:family="paragraph" style:parent-style-name="b"/><style:style style:name="b" style:family="paragraph" style:parent-style-name="a"/>'
    const row =
      '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="1000000"><text:p text:style-name="a">x</text:p></table:table-cell></table:table-row>'
    const deep = '<text:list><text:list-item>'.repeat(2_000) + '</text:list-item></text:list>'.repeat(2_000)
    const { value, warnings } = await read(
      page(title('T') + frame(`<table:table>${row}</table:table>`) + frame(box(deep))),
      {
        'styles.xml': `<office:document-styles ${namespaces}><office:styles>${circle}</office:styles></office:document-styles>`,
      },
    )
    const cells = value.blocks.flatMap((block) =>
      block.kind === 'table' ? block.rows.flatMap((one) => one.cells) : [],
    )
    expect(cells.length).toBeLessThan(400_001)
    expect(warnings.map(({ code }) => code)).toEqual(['flow.left-out'])
  })

  test('an encrypted presentation is an error', async () => {
    await expect(
      read('', {
        'META-INF/manifest.xml':
          '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
      }),
    ).rejects.toMatchObject({ code: 'package.encrypted' })
  })

  test('comments are left out and reported', async () => {
    const { value, warnings } = await read(
      page(`${title('A')}<office:annotation><text:p>no</text:p></office:annotation>`),
    )
    expect([writeMarkdown(value), warnings.map(({ code }) => code)]).toEqual(['## A\n', ['flow.left-out']])
  })
})
