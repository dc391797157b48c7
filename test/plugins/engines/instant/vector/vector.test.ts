import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readVector } from '../../../../../plugins/engines/instant/vector/read-vector.ts'
import type { VectorPicture, VectorTools } from '../../../../../plugins/engines/instant/vector/vector.ts'
import { shippedBook } from '../../../../helpers/instant-fonts.ts'
import { pixels } from '../../../../helpers/vector-pixels.ts'

const tools: VectorTools = { fonts: shippedBook.forDocument(), check() {} }
const read = (picture: string | Uint8Array): VectorPicture | undefined =>
  readVector(typeof picture === 'string' ? new TextEncoder().encode(picture) : picture, tools)
const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../fixtures/vector/${name}`, import.meta.url)))

/** The box of everything that is nearly of a colour. */
function boxOf(page: ReturnType<typeof pixels>, colour: number): number[] | undefined {
  const near = (a: number, b: number) =>
    [16, 8, 0].every((shift) => Math.abs(((a >> shift) & 255) - ((b >> shift) & 255)) < 40)
  let [left, top, right, bottom] = [page.width, page.height, -1, -1]
  for (let y = 0; y < page.height; y += 1)
    for (let x = 0; x < page.width; x += 1) {
      if (!near(page.at(x, y), colour)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
  return right < 0 ? undefined : [left, top, right - left + 1, bottom - top + 1]
}

describe('one drawing in three formats', () => {
  // EMF and WMF were exported by LibreOffice, which cuts some pixels off each side.
  for (const name of ['shapes.svg', 'shapes.emf', 'shapes.wmf'])
    it(name, () => {
      const picture = read(fixture(name))!
      expect([...picture.ignored]).toEqual([])
      const page = pixels(picture)
      const [redX, redY, ...red] = boxOf(page, 0xff0000)!
      const sizes = { red, blue: boxOf(page, 0x0000ff)!.slice(2), magenta: boxOf(page, 0xff00ff)!.slice(2) }
      const [greenX, greenY, greenWidth] = boxOf(page, 0x00aa00)!
      const close = (found: readonly number[], wanted: readonly number[]) => {
        const off = found.map((value, at) => Math.abs(value - wanted[at]!))
        expect(Math.max(...off), `${found}`).toBeLessThanOrEqual(2)
      }
      close(sizes.red, [40, 30])
      close(sizes.blue, [40, 30])
      close(sizes.magenta, [40, 6])
      close([greenX! - redX!, greenY! - redY!, greenWidth!], [120, 2, 40])
      // The hole of the black shape is white, the letters are black.
      expect(page.at(redX! + 20, redY! + 65)).toBeGreaterThan(0xf00000)
      expect(page.at(redX! + 5, redY! + 65)).toBeLessThan(0x202020)
      const text = [...Array(40).keys()].flatMap((x) =>
        [...Array(20).keys()].map((y) => page.at(redX! + 115 + x, redY! + 55 + y)),
      )
      expect(text.filter((value) => value < 0x404040).length).toBeGreaterThan(60)
    })
})

describe('SVG', () => {
  const svg = (body: string, more = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100" ${more}>${body}</svg>`
  /** Points and the colours they must have. */
  const rows: readonly (readonly [string, string, readonly (readonly [number, number, number])[]])[] = [
    [
      'a style sheet',
      svg(
        '<style>.a{fill:#f00} #b{fill:lime} rect.c.d{fill:blue}</style><rect class="a" width="50" height="50"/><rect id="b" class="a" x="50" width="50" height="50"/><rect class="d c" y="50" width="50" height="50"/>',
      ),
      [
        [20, 20, 0xff0000],
        [70, 20, 0x00ff00],
        [20, 70, 0x0000ff],
        [70, 70, 0xffffff],
      ],
    ],
    [
      'the style attribute wins over the sheet, the sheet over attributes',
      svg(
        '<style>rect{fill:red}</style><rect fill="blue" width="50" height="99"/><rect style="fill:lime" x="50" width="50" height="99"/>',
      ),
      [
        [20, 20, 0xff0000],
        [70, 20, 0x00ff00],
      ],
    ],
    [
      'colours',
      svg(
        '<rect width="30" height="99" fill="rgb(255,0,0)"/><rect x="30" width="30" height="99" fill="hsl(240 100% 50%)"/><rect x="60" width="30" height="99" fill="#0f0"/>',
      ),
      [
        [10, 50, 0xff0000],
        [45, 50, 0x0000ff],
        [75, 50, 0x00ff00],
      ],
    ],
    [
      'currentColor and inheritance',
      svg('<g color="red" fill="currentColor"><rect width="99" height="50"/></g>'),
      [[50, 20, 0xff0000]],
    ],
    [
      'transforms',
      svg(
        '<rect transform="translate(50,50) rotate(180)" width="50" height="50" fill="red"/><rect transform="matrix(.5 0 0 .5 50 50)" width="100" height="100" fill="blue"/>',
      ),
      [
        [20, 20, 0xff0000],
        [70, 20, 0xffffff],
        [70, 70, 0x0000ff],
      ],
    ],
    [
      'viewBox is fitted and centred',
      svg('<rect width="10" height="10" fill="red"/>', 'viewBox="0 0 10 20"'),
      [
        [30, 20, 0xff0000],
        [10, 20, 0xffffff],
        [50, 70, 0xffffff],
      ],
    ],
    [
      'use, symbol and definitions',
      svg(
        '<defs><rect id="r" width="20" height="20" fill="red"/></defs><symbol id="s" viewBox="0 0 1 1"><rect width="1" height="1" fill="blue"/></symbol><use href="#r" x="10" y="10"/><use xlink:href="#s" x="50" y="50" width="40" height="40"/>',
      ),
      [
        [20, 20, 0xff0000],
        [5, 5, 0xffffff],
        [70, 70, 0x0000ff],
        [45, 45, 0xffffff],
      ],
    ],
    [
      'clipping',
      svg(
        '<clipPath id="c"><rect x="40" y="40" width="20" height="20"/></clipPath><rect clip-path="url(#c)" width="100" height="100" fill="red"/>',
      ),
      [
        [50, 50, 0xff0000],
        [20, 50, 0xffffff],
      ],
    ],
    [
      'gradients',
      svg(
        '<linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient><linearGradient id="h" href="#g" x1="0" x2="0" y2="1"/><rect width="100" height="50" fill="url(#g)"/><rect y="50" width="100" height="50" fill="url(#h)"/>',
      ),
      [
        [1, 20, 0xfc0003],
        [98, 20, 0x0300fc],
      ],
    ],
    [
      'arcs and smooth curves',
      svg('<path d="M50 10A40 40 0 1 1 49.9 10Z" fill="red"/>'),
      [
        [50, 50, 0xff0000],
        [15, 50, 0xff0000],
        [5, 5, 0xffffff],
      ],
    ],
    ['opacity', svg('<rect width="99" height="99" fill="black" fill-opacity=".5"/>'), [[50, 50, 0x7f7f7f]]],
    [
      'what is hidden stays hidden',
      svg(
        '<rect display="none" width="99" height="99"/><g visibility="hidden"><rect width="99" height="99"/></g>',
      ),
      [[50, 50, 0xffffff]],
    ],
    [
      'markers at both ends and corners',
      svg(
        '<marker id="m" markerWidth="4" markerHeight="4" refX="2" refY="2" orient="auto"><rect width="4" height="4" fill="red"/></marker><marker id="n" viewBox="0 0 10 10" markerUnits="userSpaceOnUse" markerWidth="20" markerHeight="20" refX="10" refY="5" orient="auto-start-reverse"><path d="M0 0L10 5L0 10Z" fill="blue"/></marker><path d="M30 30H70V80" fill="none" stroke="black" stroke-width="4" marker-start="url(#n)" marker-mid="url(#m)" marker-end="url(#n)"/>',
      ),
      [
        [65, 25, 0xff0000],
        [48, 22, 0x0000ff],
        [36, 30, 0x0000ff],
        [62, 62, 0x0000ff],
        [70, 74, 0x0000ff],
        [70, 84, 0xffffff],
      ],
    ],
    [
      'tiles of a pattern, cut to the outline',
      svg(
        '<pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse"><rect width="10" height="10" fill="red"/></pattern><pattern id="q" href="#p" patternTransform="translate(10 0)"/><rect width="100" height="50" fill="url(#p)"/><circle cx="50" cy="75" r="25" fill="url(#q)"/>',
      ),
      [
        [5, 5, 0xff0000],
        [25, 25, 0xff0000],
        [15, 5, 0xffffff],
        [55, 65, 0xff0000],
        [45, 65, 0xffffff],
        [15, 65, 0xffffff],
      ],
    ],
    [
      'a mask shows what is under its bright parts',
      svg(
        '<mask id="m"><rect width="100" height="100" fill="white"/><circle cx="50" cy="50" r="20"/></mask><rect width="100" height="100" fill="red" mask="url(#m)"/><rect y="90" width="100" height="10" fill="blue"/>',
      ),
      [
        [10, 10, 0xff0000],
        [50, 50, 0xffffff],
        [50, 95, 0x0000ff],
      ],
    ],
    [
      'a mask of grey in a box of its own, moved with what it hides',
      svg(
        '<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="30" height="100"><rect width="100" height="100" fill="#808080"/></mask><g transform="translate(40 0)" mask="url(#m)"><rect width="60" height="100" fill="red"/></g>',
      ),
      [
        [20, 50, 0xffffff],
        [55, 50, 0xff7f7f],
        [85, 50, 0xffffff],
      ],
    ],
    [
      'what a mask covers is one',
      svg(
        '<mask id="m"><rect width="100" height="100" fill="#808080"/></mask><g mask="url(#m)"><rect width="100" height="100" fill="red"/><rect width="50" height="100" fill="blue"/></g>',
      ),
      [
        [20, 50, 0x7f7fff],
        [70, 50, 0xff7f7f],
      ],
    ],
    [
      'clips and masks in shares of what they are for',
      svg(
        '<clipPath id="c" clipPathUnits="objectBoundingBox"><rect width=".5" height="1"/></clipPath><mask id="m" maskContentUnits="objectBoundingBox"><rect x=".5" width=".5" height="1" fill="white"/></mask><rect x="20" width="40" height="50" fill="red" clip-path="url(#c)"/><rect x="20" y="50" width="40" height="50" fill="blue" mask="url(#m)"/>',
      ),
      [
        [30, 25, 0xff0000],
        [50, 25, 0xffffff],
        [30, 75, 0xffffff],
        [50, 75, 0x0000ff],
      ],
    ],
    [
      'a picture inside',
      svg(
        '<image width="99" height="99" preserveAspectRatio="none" href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGO4cOHCfwAIVgOOgNw8UQAAAABJRU5ErkJggg=="/>',
      ),
      [[50, 50, 0xd0d0d0]],
    ],
  ]
  it.each(rows)('%s', (_what, text, points) => {
    const page = pixels(read(text)!)
    for (const [x, y, colour] of points) {
      const found = page.at(x, y)
      const off = [16, 8, 0].map((shift) => Math.abs(((found >> shift) & 255) - ((colour >> shift) & 255)))
      expect(Math.max(...off), `${x},${y}: ${found.toString(16)}`).toBeLessThanOrEqual(8)
    }
  })

  it.each([
    ['width and height', 'width="2in" height="1in"', 144, 72],
    ['a box alone', 'viewBox="0 0 40 20"', 30, 15],
    ['a width and a box', 'width="80" viewBox="0 0 40 20"', 60, 30],
    ['nothing', '', 225, 112.5],
  ])('its size by %s', (_what, attributes, width, height) => {
    const picture = read(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}/>`)!
    expect([picture.width, picture.height]).toEqual([width, height])
  })

  it('reports once what it omits', () => {
    const picture = read(
      svg(
        '<foreignObject/><text y="9"><textPath href="#p">a</textPath></text><rect width="9" height="9" filter="url(#f)"/><rect width="9" height="9" filter="url(#f)"/><mask id="m" mask-type="alpha"/><rect width="9" height="9" mask="url(#m)"/>',
      ),
    )!
    expect([...picture.ignored]).toEqual(['foreignObject', 'textPath', 'filter', 'mask'])
  })

  it.each([
    ['a use of itself', svg('<g id="a"><use href="#a"/></g><use href="#a"/>')],
    [
      'uses that grow by powers',
      svg(
        `<defs><rect id="a0" width="1" height="1"/>${Array.from({ length: 30 }, (_, n) => `<g id="a${n + 1}"><use href="#a${n}"/><use href="#a${n}"/></g>`).join('')}</defs><use href="#a30"/>`,
      ),
    ],
    [
      'gradients that inherit in a circle',
      svg(
        '<linearGradient id="a" href="#b"/><linearGradient id="b" href="#a"/><rect width="9" height="9" fill="url(#a)"/>',
      ),
    ],
    [
      'a marker of itself',
      svg(
        '<marker id="m"><path d="M0 0H9V9H0Z" marker-mid="url(#m)" stroke="red"/></marker><path d="M0 0H9V9" marker-mid="url(#m)" stroke="red"/>',
      ),
    ],
    [
      'a mask of itself',
      svg(
        '<mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask><rect width="9" height="9" mask="url(#m)"/>',
      ),
    ],
    [
      'a pattern of itself, and one of too many tiles',
      svg(
        '<pattern id="p" width=".1" height=".1"><rect width="9" height="9" fill="url(#p)"/></pattern><pattern id="q" width="1e-7" height="1e-7"/><rect width="90" height="90" fill="url(#p)"/><rect width="9" height="9" fill="url(#q)"/>',
      ),
    ],
    ['scripts and events', svg('<script>alert(1)</script><rect onload="x()" width="9" height="9"/>')],
    [
      'numbers that are none',
      svg('<rect width="NaN" height="1e999"/><path d="M0 0 L nonsense"/><circle r="-5"/>'),
    ],
    ['a file that is cut off', svg('<rect width="9" height="9"/><g><path d="M0 0').slice(0, -6)],
  ])('%s ends', (_what, text) => {
    const picture = read(text)
    expect(picture === undefined || picture.items.length >= 0).toBe(true)
  })
})

describe('metafiles', () => {
  it.each(['shapes.emf', 'shapes.wmf'])(
    '%s cut off anywhere or with any byte changed ends in a picture or in none',
    (name) => {
      const bytes = fixture(name)
      for (let cut = 0; cut < bytes.length; cut += 97)
        expect(() => read(bytes.subarray(0, cut))).not.toThrow()
      for (let at = 0; at < bytes.length; at += 13) {
        const changed = bytes.slice()
        changed[at] = 0xff
        expect(() => read(changed)).not.toThrow()
      }
    },
  )
})
