import { readFileSync } from 'node:fs'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { pptxReader } from '../../../../../plugins/formats/pptx/reader/open.ts'
import { writeMarkdown } from '../../../../../shared/flow/write-markdown.ts'
import { writeText } from '../../../../../shared/flow/write-text.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { entryText, zipOf } from '../../../../helpers/docx.ts'
import { pptxOf, pptxParagraph, pptxShape, pptxTable } from '../../../../helpers/pptx.ts'
import { processorTime } from '../../../../helpers/processor-time.ts'

const read = async (bytes: Uint8Array) => pptxReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
const markdown = async (...given: Parameters<typeof pptxOf>) =>
  writeMarkdown((await read(await pptxOf(...given))).value)

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** Adds parts to a presentation, and relationships to its first slide. */
async function pptxWith(
  slides: readonly string[],
  parts: Readonly<Record<string, string | Uint8Array>>,
  links: readonly (readonly [id: string, type: string, target: string, external?: true])[],
): Promise<Uint8Array> {
  const zip = await JSZip.loadAsync(await pptxOf(slides))
  const entries: Record<string, string | Uint8Array> = {}
  for (const [name, file] of Object.entries(zip.files))
    if (!file.dir) entries[name] = await file.async('uint8array')
  const path = 'ppt/slides/_rels/slide1.xml.rels'
  const added = links.map(
    ([id, type, target, external]) =>
      `<Relationship Id="${id}" Type="${relation}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
  )
  const rels = new TextDecoder().decode(entries[path] as Uint8Array)
  return zipOf({
    ...entries,
    ...parts,
    [path]: rels.replace('</Relationships>', `${added.join('')}</Relationships>`),
  })
}

interface BoxedShape {
  readonly at?: readonly [x: number, y: number, width: number, height: number] // in points
  readonly placeholder?: string
  readonly attributes?: string
}
const xfrm = ([x, y, width, height]: readonly number[], tag = 'a:xfrm') =>
  `<${tag}><a:off x="${x! * 12700}" y="${y! * 12700}"/><a:ext cx="${width! * 12700}" cy="${height! * 12700}"/></${tag}>`
const shape = (text: string, { at, placeholder = '', attributes = '' }: BoxedShape = {}) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="9" name="n" ${attributes}/><p:cNvSpPr/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${at ? xfrm(at) : ''}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${text.startsWith('<') ? text : pptxParagraph(text)}</p:txBody></p:sp>`
const title = (text: string, type = 'title') => shape(text, { placeholder: `<p:ph type="${type}"/>` })
const body = (text: string) => shape(text, { placeholder: '<p:ph idx="1"/>' })
const line = (text: string, properties = '') =>
  `<a:p><a:pPr ${properties.startsWith('<') ? `>${properties}</a:pPr>` : `${properties}/>`}<a:r><a:t>${text}</a:t></a:r></a:p>`
/** A layout whose body has bullets at two levels, as those of PowerPoint. */
const layout =
  '<p:sp><p:nvSpPr><p:cNvPr id="2" name="b"/><p:cNvSpPr/><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:lstStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr></a:lstStyle></p:txBody></p:sp>'

describe('slides to Markdown', () => {
  test.each([
    ['a title is the heading', [title('Goals')], '## Goals\n'],
    ['an opening slide is one level higher', [title('Deck', 'ctrTitle')], '# Deck\n'],
    ['two lines of a title are one heading', [title(line('One') + line('Two'))], '## One Two\n'],
    [
      'a slide without a title has its number',
      [title('A'), pptxShape(2, pptxParagraph('x'))],
      '## A\n\n## Slide 2\n\nx\n',
    ],
    [
      'the largest text stands in for a title',
      [
        shape('<a:p><a:r><a:rPr sz="3200"/><a:t>Big</a:t></a:r></a:p>', { at: [0, 9, 90, 20] }) +
          shape('<a:p><a:r><a:rPr sz="1200"/><a:t>small</a:t></a:r></a:p>', { at: [0, 50, 90, 20] }),
      ],
      '## Big\n\nsmall\n',
    ],
    [
      'marks and levels are those of the layout',
      [
        title('T') +
          body(
            line('a') +
              line('b', 'lvl="1"') +
              line('c', '<a:buNone/>') +
              line('d', '<a:buAutoNum type="arabicPeriod" startAt="3"/>'),
          ),
      ],
      '## T\n\n- a\n  - b\n\nc\n\n3. d\n',
    ],
    [
      'footers, dates and numbers are left out',
      [
        title('T') +
          ['ftr', 'dt', 'sldNum']
            .map((type) => shape('x', { placeholder: `<p:ph type="${type}"/>` }))
            .join(''),
      ],
      '## T\n',
    ],
    ['hidden shapes are left out', [title('T') + shape('x', { attributes: 'hidden="1"' })], '## T\n'],
    [
      'shapes are read by their place, columns one after the other',
      [
        title('T') +
          shape('right', { at: [400, 100, 300, 300] }) +
          shape('left below', { at: [20, 220, 300, 180] }) +
          shape('left', { at: [20, 100, 300, 110] }),
      ],
      '## T\n\nleft\n\nleft below\n\nright\n',
    ],
    [
      'a group stays together',
      [
        title('T') +
          shape('under', { at: [0, 300, 600, 50] }) +
          `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name="g"/></p:nvGrpSpPr><p:grpSpPr>${xfrm([0, 100, 600, 150])}</p:grpSpPr>${shape('2', { at: [0, 900, 50, 50] })}${shape('1', { at: [0, 700, 50, 50] })}</p:grpSp>`,
      ],
      '## T\n\n1\n\n2\n\nunder\n',
    ],
    [
      'emphasis, code and line breaks',
      [
        title('T') +
          shape(
            '<a:p><a:r><a:rPr b="1"/><a:t>bold</a:t></a:r><a:r><a:t> </a:t></a:r><a:r><a:rPr i="1" strike="sngStrike"/><a:t>it</a:t></a:r><a:br/><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r></a:p>',
          ),
      ],
      '## T\n\n**bold** *~~it~~*\\\n<sup>2</sup>\n',
    ],
    [
      'lines in the font of a listing are one',
      [
        title('T') +
          shape(
            ['if (a) {', '  b()', '}']
              .map(
                (text) =>
                  `<a:p><a:r><a:rPr><a:latin typeface="Courier New"/></a:rPr><a:t>${text}</a:t></a:r></a:p>`,
              )
              .join(''),
          ),
      ],
      '## T\n\n```\nif (a) {\n  b()\n}\n```\n',
    ],
    [
      'tables',
      [title('T') + pptxTable(3, ['a', 'b'], ['1', '2'])],
      '## T\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
    ],
    [
      'equations',
      [
        title('T') +
          shape(
            '<a:p xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"><mc:AlternateContent><mc:Choice Requires="a14"><a14:m><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m></mc:Choice><mc:Fallback><a:r><a:t>picture</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p>',
          ),
      ],
      '## T\n\n$x^{2}$\n',
    ],
  ])('%s', async (_, slides, expected) => {
    expect(await markdown(slides, { layout })).toBe(expected)
  })

  test('notes are a quote below their slide', async () => {
    const notes = {
      1:
        shape('Say this', { placeholder: '<p:ph type="body" idx="1"/>' }) +
        shape('3', { placeholder: '<p:ph type="sldNum"/>' }),
    }
    expect(await markdown([title('T'), title('U')], { notes })).toBe(
      '## T\n\n> **Notes**\n>\n> Say this\n\n## U\n',
    )
  })

  test('comments are left out and reported', async () => {
    const bytes = await pptxWith([title('A')], { 'ppt/comments/comment1.xml': '<p:cmLst/>' }, [
      ['rId9', 'comments', '../comments/comment1.xml'],
    ])
    const { value, warnings } = await read(bytes)
    expect([writeMarkdown(value), warnings.map(({ code }) => code)]).toEqual(['## A\n', ['flow.left-out']])
  })

  test('hidden slides are left out and reported', async () => {
    const bytes = await pptxOf([title('A'), title('B')])
    const slide = (await entryText(bytes, 'ppt/slides/slide1.xml')).replace('<p:sld ', '<p:sld show="0" ')
    const { value, warnings } = await read(
      await pptxWith([title('A'), title('B')], { 'ppt/slides/slide1.xml': slide }, []),
    )
    expect([writeMarkdown(value), warnings.map(({ code }) => code)]).toEqual([
      '## B\n',
      ['flow.hidden-slides'],
    ])
  })

  test('links lead to addresses and to slides, and nowhere else', async () => {
    const linked = (id: string) =>
      `<a:p><a:r><a:rPr><a:hlinkClick r:id="${id}"/></a:rPr><a:t>${id}</a:t></a:r></a:p>`
    const slides = [
      title('A') + shape(['rIdA', 'rIdB', 'rIdC', 'rIdD', 'rIdE'].map(linked).join('')),
      title('To be seen'),
    ]
    const bytes = await pptxWith(slides, {}, [
      ['rIdA', 'hyperlink', 'https://example.org/', true],
      ['rIdB', 'slide', 'slide2.xml'],
      ['rIdC', 'hyperlink', 'javascript:alert(1)', true],
      ['rIdD', 'hyperlink', 'file:///a.pdf', true],
      ['rIdE', 'hyperlink', 'sub/b.pdf', true],
    ])
    expect(writeMarkdown((await read(bytes)).value)).toBe(
      '## A\n\n[rIdA](https://example.org/)\n\n[rIdB](#to-be-seen)\n\nrIdC\n\n[rIdD](file:///a.pdf)\n\n[rIdE](sub/b.pdf)\n\n## To be seen\n',
    )
  })

  const chart =
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:barChart><c:ser><c:idx val="0"/><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Sales</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strLit><c:ptCount val="2"/><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:ptCount val="2"/><c:pt idx="0"><c:v>1.5</c:v></c:pt><c:pt idx="1"><c:v>2</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>'
  const frame = (content: string, description = '') =>
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="f" descr="${description}"/></p:nvGraphicFramePr>${xfrm([0, 0, 9, 9], 'p:xfrm')}<a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`
  const chartFrame = frame(
    '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rIdX"/>',
    'Sales by quarter',
  )

  test('a chart is a table of its data', async () => {
    const bytes = await pptxWith([title('T') + chartFrame], { 'ppt/charts/chart1.xml': chart }, [
      ['rIdX', 'chart', '../charts/chart1.xml'],
    ])
    expect(writeMarkdown((await read(bytes)).value)).toBe(
      '## T\n\n**Sales by quarter**\n\n| | Sales |\n| - | -: |\n| Q1 | 1.5 |\n| Q2 | 2 |\n',
    )
  })

  test('a chart that is missing or broken is its description and a warning', async () => {
    for (const part of ['', '<c:chartSpace a="']) {
      const bytes = await pptxWith([title('T') + chartFrame], { 'ppt/charts/chart1.xml': part }, [
        ['rIdX', 'chart', '../charts/chart1.xml'],
      ])
      const { value, warnings } = await read(bytes)
      expect([writeMarkdown(value), warnings.length]).toEqual(['## T\n\n\\[Sales by quarter]\n', 1])
    }
  })

  test('SmartArt is a list of the texts of its drawing', async () => {
    const point = (text: string) =>
      `<dsp:sp><dsp:txBody><a:bodyPr/><a:lstStyle/>${pptxParagraph(text)}</dsp:txBody></dsp:sp>`
    const drawing = `<dsp:drawing xmlns:dsp="http://schemas.microsoft.com/office/drawing/2008/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dsp:spTree>${point('Plan')}${point('Do')}</dsp:spTree></dsp:drawing>`
    const diagram = frame(
      '<dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="rIdD"/>',
    )
    const bytes = await pptxWith([title('T') + diagram], { 'ppt/diagrams/drawing1.xml': drawing }, [
      ['rIdD', 'diagramData', '../diagrams/data1.xml'],
      ['rIdE', 'diagramDrawing', '../diagrams/drawing1.xml'],
    ])
    expect(writeMarkdown((await read(bytes)).value)).toBe('## T\n\n- Plan\n- Do\n')
  })

  const png = new Uint8Array(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  )
  const picture = (description: string, extension = '') =>
    `<p:pic><p:nvPicPr><p:cNvPr id="5" name="p" descr="${description}">${extension}</p:cNvPr><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rIdP"/></p:blipFill><p:spPr>${xfrm([0, 0, 9, 9])}</p:spPr></p:pic>`
  test('pictures have their alternative text; decoration is left out; what cannot be shown is its text', async () => {
    const decorative =
      '<a:extLst><a:ext uri="{C183D7F6-B498-43B3-948B-1728B52AA6E4}"><adec:decorative xmlns:adec="http://schemas.microsoft.com/office/drawing/2017/decorative" val="1"/></a:ext></a:extLst>'
    const result = async (shapes: string, bytes: Uint8Array) =>
      read(
        await pptxWith([title('T') + shapes], { 'ppt/media/i.png': bytes }, [
          ['rIdP', 'image', '../media/i.png'],
        ]),
      )
    expect(writeMarkdown((await result(picture('A map'), png)).value)).toMatch(
      /^## T\n\n!\[A map\]\(data:image\/png;base64,/,
    )
    expect(writeMarkdown((await result(picture('', decorative), png)).value)).toBe('## T\n')
    const lost = await result(picture('A map'), new Uint8Array([1, 2, 3]))
    expect([writeMarkdown(lost.value), lost.warnings.map(({ code }) => code)]).toEqual([
      '## T\n\n\\[A map]\n',
      ['flow.left-out'],
    ])
  })

  test('other writers take the same model', async () => {
    const { value } = await read(
      await pptxOf([title('T') + body(line('a') + line('b', 'lvl="1"'))], { layout }),
    )
    expect(writeText(value)).toMatch(/^T\n[\s\S]*[-•*] a\n\s+[-•*] b\n/)
  })
})

describe('hostile presentations', () => {
  test('thousands of slides are read in a time that grows with them', async () => {
    const time = async (count: number) => {
      const slides = Array.from({ length: count }, (_, at) => `${title(`T${at}`)}${body(line('x'))}`)
      const many = await pptxOf(slides)
      const context = { codec: nodeCodec, limits: { ...defaultLimits, zipEntries: 30_000 } }
      const begun = process.cpuUsage()
      const { value } = await pptxReader.read(many, context)
      return { blocks: value.blocks.length, spent: processorTime(begun) }
    }
    const few = await time(250)
    const many = await time(2_500)
    expect([few.blocks, many.blocks]).toEqual([500, 5_000])
    expect(many.spent).toBeLessThan(Math.max(few.spent, 20) * 60)
  }, 120_000)

  test('groups within groups, and a table of huge spans', async () => {
    const deep = '<p:grpSp><p:grpSpPr/>'.repeat(5_000) + shape('x') + '</p:grpSp>'.repeat(5_000)
    const spans = pptxTable(3, ['a', 'b'], ['1', '2']).replaceAll(
      '<a:tc>',
      '<a:tc gridSpan="2000000000" rowSpan="2000000000">',
    )
    const { value } = await read(await pptxOf([title('T') + deep + spans]))
    expect(writeMarkdown(value).length).toBeLessThan(100_000)
  })

  test('a layout that is its own master, and a slide that is its own notes', async () => {
    const bytes = await pptxWith(
      [title('T') + body(line('x'))],
      {
        'ppt/slideLayouts/_rels/slideLayout1.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/slideMaster" Target="slideLayout1.xml"/></Relationships>`,
      },
      [['rIdN', 'notesSlide', 'slide1.xml']],
    )
    expect(writeMarkdown((await read(bytes)).value)).toMatch(/^## T\n\nx\n/)
  })

  test('one picture on a thousand slides is written until the budget is used', async () => {
    const large = new Uint8Array(2 ** 20)
    large.set(Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64'))
    const one =
      '<p:pic><p:nvPicPr><p:cNvPr id="5" name="p"/></p:nvPicPr><p:blipFill><a:blip r:embed="rIdP"/></p:blipFill></p:pic>'
    const bytes = await pptxWith([one.repeat(1_000)], { 'ppt/media/i.png': large }, [
      ['rIdP', 'image', '../media/i.png'],
    ])
    const { value, warnings } = await read(bytes)
    expect(value.blocks).toHaveLength(65)
    expect(warnings[0]?.message).toBe('Omitted from the presentation: pictures (936).')
  })

  test.each(['unstructured-io__sample-presentation.pptx'])('%s', async (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(`../../../../fixtures/real/${name}`, import.meta.url)))
    expect(writeMarkdown((await read(bytes)).value)).toMatch(/^# Title Slide\n\nWith a subtitle\n\n## /)
  })
})
