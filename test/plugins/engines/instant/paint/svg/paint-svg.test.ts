import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../../origin/codec.ts'
import { type Frame, filledBox, type Placed } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import { paintSvg } from '../../../../../../plugins/engines/instant/paint/svg/paint-svg.ts'
import { textAt } from '../../../../../helpers/instant-fonts.ts'

/** The painted file, which must be well-formed. How it looks is compared with a PDF in `../raster/paint-raster.test.ts`. */
function svgOf(items: readonly Placed[], size: Partial<Frame> = {}): string {
  const frame = { width: 200, height: 100, ...size, items }
  const text = new TextDecoder().decode(
    paintSvg(frame, { decoders: { codec: nodeCodec }, check: () => undefined, warnPicture: () => undefined }),
  )
  expect(XMLValidator.validate(text)).toBe(true)
  return text
}
const link = (href: string): Placed => ({ x: 10, y: 10, item: { kind: 'link', href, width: 50, height: 20 } })

describe('SVG', () => {
  test('has the size of the page, in points', () => {
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(
      svgOf([], { width: 595.28, height: 841.89 }),
    )
    expect(parsed.svg).toMatchObject({
      '@_width': '595.28pt',
      '@_height': '841.89pt',
      '@_viewBox': '0 0 595.28 841.89',
    })
  })
  test('each glyph is defined once, wherever it is used', () => {
    const svg = svgOf([textAt(10, 20, 'banana'), textAt(10, 40, 'nab')])
    expect(svg.match(/<path id=/g)).toHaveLength(3)
    expect(svg.match(/<use /g)).toHaveLength(9)
  })
  test('text is there for screen readers, escaped', () => {
    expect(svgOf([textAt(10, 20, 'a < b & "c"')])).toContain('aria-label="a &lt; b &amp; &quot;c&quot;"')
  })
  test('addresses of the web are links, others are not', () => {
    const svg = svgOf([
      link('https://example.com/?a=1&b="2"'),
      link('javascript:alert(1)'),
      link('file:///etc/passwd'),
      link('#bookmark'),
    ])
    expect(svg.match(/<a /g)).toHaveLength(1)
    expect(svg).toContain('xlink:href="https://example.com/?a=1&amp;b=&quot;2&quot;"')
  })
  test('the same page gives the same bytes', () => {
    const items = [textAt(10, 20, 'once'), filledBox(0, 0, 10, 10, 0x123456, 0.5)]
    expect(svgOf(items)).toBe(svgOf(items))
  })
})
