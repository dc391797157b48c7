import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { odtReader } from '../../../../../plugins/formats/odt/reader/open.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import type { Picture, Shape } from '../../../../../shared/document/drawing.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import type { Warning } from '../../../../../shared/plugin/values.ts'
import { openFile, paper, par, parStyle } from '../../../../cases/reference/open.ts'
import { lay } from '../../../../helpers/laid-out.ts'

type Sample = Parameters<typeof openFile>[0]

async function read(sample: Sample): Promise<{ document: Document; warnings: readonly Warning[] }> {
  const { value, warnings } = odtReader.read(await openFile(sample), {
    codec: nodeCodec,
    limits: defaultLimits,
  })
  return { document: value, warnings }
}

/** What the only drawing of a paragraph holds. */
async function drawn(markup: string, attributes = '') {
  const automatic = `<style:style style:name="g" style:family="graphic"><style:graphic-properties ${attributes}/></style:style>`
  const { document, warnings } = await read({ automatic, body: `<text:p>${markup}</text:p>` })
  const [block] = document.sections[0]!.blocks
  const inline =
    block?.kind === 'paragraph' ? block.inlines.find(({ kind }) => kind === 'drawing') : undefined
  return { content: inline?.kind === 'drawing' ? inline.drawing.content : undefined, warnings }
}
const box = 'draw:style-name="g" text:anchor-type="as-char" svg:width="100pt" svg:height="50pt"'
const picture = `<draw:frame ${box}><draw:image xlink:href="Pictures/img1.png"/></draw:frame>`

describe('what a frame does to its picture', () => {
  const none = { brightness: 0, contrast: 0 }
  test.each<[string, Partial<Picture>]>([
    ['draw:color-mode="greyscale"', { adjust: { ...none, kind: 'grey' } }],
    ['draw:color-mode="mono"', { adjust: { ...none, kind: 'two-tone', threshold: 0.5 } }],
    ['draw:color-mode="watermark"', { adjust: { brightness: 0.5, contrast: -0.7 } }],
    ['draw:luminance="30%" draw:contrast="-20%"', { adjust: { brightness: 0.3, contrast: -0.2 } }],
    ['draw:color-inversion="true"', { adjust: { ...none, kind: 'inverted' } }],
    ['draw:image-opacity="40%"', { opacity: 0.4 }],
    ['fo:clip="rect(5pt, 10pt, 0pt, 1in)"', { cut: { top: 5, right: 10, bottom: 0, left: 72 } }],
    ['style:mirror="horizontal vertical"', { flipHorizontal: true, flipVertical: true }],
  ])('%s', async (attributes, expected) => {
    const { content, warnings } = await drawn(picture, attributes)
    expect(content).toMatchObject({ kind: 'picture', ...expected })
    expect(warnings).toEqual([])
  })
  test.each([
    ['style:writing-mode="tb-rl"', 'down'],
    ['loext:writing-mode="bt-lr" style:writing-mode="lr-tb"', 'up'],
    ['style:writing-mode="page"', 'horizontal'],
  ])('the direction of its text: %s', async (attributes, direction) => {
    const text = `<draw:frame ${box}><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame>`
    const shape = `<draw:custom-shape ${box}><text:p>x</text:p></draw:custom-shape>`
    for (const markup of [text, shape])
      expect((await drawn(markup, attributes)).content).toMatchObject({ text: { direction } })
  })
  test('nothing where its style has no such property', async () => {
    const { content } = await drawn(picture, 'draw:color-mode="standard" fo:clip="rect(0pt, 0pt, 0pt, 0pt)"')
    expect(
      Object.keys(content ?? {}).filter(
        (key) => (content as unknown as Record<string, unknown>)[key] !== undefined,
      ),
    ).toEqual(['kind', 'media'])
  })
  test('what only a program could show is an empty box', async () => {
    const { content, warnings } = await drawn(
      `<draw:frame ${box}><draw:floating-frame xlink:href="http://a.example/"/></draw:frame>`,
    )
    expect(content).toMatchObject({ kind: 'unknown' })
    expect(warnings.map(({ code }) => code)).toEqual(['read.object'])
  })
  test('reports what cannot be drawn', async () => {
    const { warnings } = await drawn(picture, 'draw:red="40%"')
    expect(warnings.map(({ code }) => code)).toEqual(['read.picture-effect'])
  })
})

describe('shapes', () => {
  test('text along a path fills its box', async () => {
    const { content } = await drawn(
      `<draw:custom-shape ${box}><text:p>Art</text:p><draw:enhanced-geometry draw:type="fontwork-plain-text" draw:text-path="true"/></draw:custom-shape>`,
    )
    expect((content as Shape).wordArt).toMatchObject({ text: 'Art', family: 'Arial' })
  })
  test('round corners, corners of a polygon', async () => {
    const rounded = await drawn(`<draw:rect ${box} draw:corner-radius="10pt"/>`)
    expect((rounded.content as Shape).geometry).toMatchObject({
      name: 'roundRect',
      adjust: new Map([['adj', 20_000]]),
    })
    const polygon = await drawn(`<draw:regular-polygon ${box} draw:corners="5" draw:concave="false"/>`)
    expect((polygon.content as Shape).geometry).toMatchObject({ kind: 'path', segments: { length: 6 } })
    const star = await drawn(
      `<draw:regular-polygon ${box} draw:corners="5" draw:concave="true" draw:sharpness="60%"/>`,
    )
    expect((star.content as Shape).geometry).toMatchObject({ kind: 'path', segments: { length: 11 } })
  })
  test('a box of upright text', async () => {
    const frame = `<draw:frame ${box}><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame>`
    expect((await drawn(frame, 'style:writing-mode="tb-rl"')).content).toMatchObject({
      text: { direction: 'down' },
    })
  })
})

describe('text', () => {
  const shown = async (sample: Sample): Promise<string[]> =>
    lay((await read(sample)).document).lines.map(({ text }) => text.replaceAll('|', ' '))
  const run = (attributes: string, text: string): Sample => ({
    automatic: `<style:style style:name="T" style:family="text"><style:text-properties ${attributes}/></style:style>`,
    body: `<text:p><text:span text:style-name="T">${text}</text:span></text:p>`,
  })
  test.each([
    ['fo:text-transform="capitalize"', "one two don't", "One Two Don't"],
    ['fo:text-transform="lowercase"', 'ONE', 'one'],
    ['fo:text-transform="none"', 'One', 'One'],
  ])('%s', async (attributes, text, expected) =>
    expect(await shown(run(attributes, text))).toEqual([expected]),
  )
  test('lines are numbered as the document defines', async () => {
    const outline =
      '<text:linenumbering-configuration text:number-lines="true" text:increment="2" text:offset="20pt" style:num-format="i"/>'
    const automatic = parStyle('N', 'text:number-lines="false"')
    const body = par('a') + par('b') + par('c', 'N') + par('d') + par('e')
    expect(await shown({ outline, automatic, body })).toEqual(['a', 'ii b', 'c', 'd', 'iv e'])
  })
  test('the start of a line is its left side, whatever its direction', async () => {
    const automatic =
      parStyle('R', 'style:writing-mode="rl-tb" fo:text-align="end"') +
      parStyle('L', 'style:writing-mode="rl-tb"')
    const { document } = await read({ automatic, body: par('a', 'R') + par('b', 'L') })
    const [right, left] = lay(document).lines
    expect(right!.x).toBeGreaterThan(500)
    expect(left!.x).toBeCloseTo(72, 0)
  })
  test('a heading without a style has that of its level', async () => {
    const outline =
      '<style:style style:name="Heading_20_2" style:family="paragraph"><style:text-properties fo:font-size="20pt"/></style:style>'
    const body = '<text:h text:outline-level="2">a</text:h><text:h text:outline-level="3">b</text:h>'
    const { document } = await read({ outline, body })
    const styles = document.sections[0]!.blocks.map((b) => b.kind === 'paragraph' && b.properties.style)
    expect(styles).toEqual([expect.stringContaining('Heading_20_2'), undefined])
  })
  test('a translation moves a frame', async () => {
    const frame = (more: string): string =>
      `<text:p><draw:frame draw:style-name="g" text:anchor-type="paragraph" svg:width="100pt" svg:height="50pt" ${more}><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></text:p>`
    const body =
      frame('draw:transform="translate (30pt 40pt)"') +
      frame('draw:transform="rotate (1.5707963267949) translate (30pt 140pt)"')
    const { document } = await read({ body })
    const offsets = document.sections[0]!.blocks.map((block) => {
      const inline = block.kind === 'paragraph' ? block.inlines[0] : undefined
      const anchor = inline?.kind === 'drawing' ? inline.drawing.anchor : undefined
      return [Math.round(anchor?.x.offset ?? 0), Math.round(anchor?.y.offset ?? 0)]
    })
    expect(offsets).toEqual([
      [30, 40],
      [5, 65],
    ])
  })
  test('reports footnotes that belong at the end of the document', async () => {
    const outline =
      '<text:notes-configuration text:note-class="footnote" text:footnotes-position="document"/>'
    const { warnings } = await read({ body: par('a'), outline })
    expect(warnings.map(({ code }) => code)).toEqual(['read.section-notes'])
  })
  test('reports pages of vertical text', async () => {
    const { warnings } = await read({ body: par('a'), layout: paper('style:writing-mode="tb-rl"') })
    expect(warnings.map(({ code }) => code)).toEqual(['read.text-direction'])
  })
  test('reports properties of styles that are not drawn', async () => {
    const automatic =
      '<style:style style:name="R" style:family="text"><style:text-properties style:text-rotation-angle="90" style:text-overline-style="solid"/></style:style><style:style style:name="G" style:family="graphic"><style:graphic-properties fo:padding="0pt" style:shadow="#808080 1pt 1pt"/></style:style><style:style style:name="Y" style:family="ruby"><style:ruby-properties style:ruby-position="below"/></style:style>' +
      '<style:style style:name="B" style:family="table"><style:table-properties style:width="100pt"><style:background-image xlink:href="Pictures/img1.png"/></style:table-properties></style:style>'
    const { warnings } = await read({ automatic, body: par('a') })
    expect(warnings.map(({ code }) => code)).toEqual([
      'read.background-picture',
      'read.text-line',
      'read.frame-shadow',
      'read.ruby',
      'read.text-rotation',
    ])
    const letters = (attributes: string): string =>
      `<style:style style:name="L" style:family="text"><style:text-properties ${attributes}/></style:style>`
    const sides = (last: string): string =>
      ['left', 'right', 'top'].map((side) => `fo:border-${side}="1pt solid #000000"`).join(' ') +
      ` fo:border-bottom="${last}"`
    const codesOf = async (automatic: string, body = par('a')): Promise<string[]> =>
      (await read({ automatic, body })).warnings.map(({ code }) => code)
    expect(await codesOf(letters(sides('1pt solid #000000')))).toEqual([])
    expect(await codesOf(letters(sides('2pt solid #000000')))).toEqual(['read.text-border'])
    expect(await codesOf(letters('style:shadow="#808080 1pt 1pt"'))).toEqual(['read.text-border'])
    const hidden =
      '<text:bookmark-start text:name="b" loext:hidden="true"/>a<text:bookmark-end text:name="b"/>'
    expect(await codesOf('', par(hidden))).toEqual(['read.hidden-bookmark'])
    expect(
      (
        await read({
          automatic: parStyle('D', '', '<style:drop-cap/><style:background-image/>'),
          body: par('a'),
        })
      ).warnings,
    ).toEqual([])
  })
})
