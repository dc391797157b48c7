import { describe, expect, test } from 'vitest'
import { readImage } from '../../../../../plugins/engines/instant/images/read-image.ts'
import {
  type Frame,
  filledBox,
  type GroupItem,
  type Page,
  type Placed,
  straightLine,
} from '../../../../../plugins/engines/instant/layout/frame.ts'
import { dumpFrames } from '../../../../../plugins/engines/instant/paint/dump/dump-frames.ts'
import { expandSpaces } from '../../../../../plugins/engines/instant/text/justify.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import type { PictureAdjust } from '../../../../../shared/document/paint.ts'
import {
  inspect,
  pageOf,
  paint,
  pdfText,
  rasterise,
  shippedFace,
  textAt,
} from '../../../../helpers/instant-fonts.ts'
import { plainPng } from '../../../../helpers/png.ts'

function checked(pdf: Uint8Array): Uint8Array {
  expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
  return pdf
}
/** The PDF with streams unpacked, to look into. */
const unpacked = (pdf: Uint8Array) => inspect(pdf, 'qpdf', ['--qdf', '--object-streams=disable', '{}', '-'])

const arial = shippedFace('Arial')

describe('text can be copied', () => {
  test.each([
    ['plain', 'Plain text, with spaces.'],
    ['kerned', 'AVATAR To We. Type'],
    ['accents', 'naïve Élève Ærøskøbing “quoted” – 5 €'],
    ['Greek and Cyrillic', 'Ωμέγα Привет'],
    ['brackets and escapes', 'a(b)c\\d[e]<f>'],
  ])('%s', (_name, text) => {
    expect(pdfText(checked(paint([pageOf([textAt(20, 40, text)])])))).toBe(text)
  })
  test('ligatures', () => {
    const pdf = paint([pageOf([textAt(20, 40, 'first office attitude', { face: shippedFace('Calibri') })])])
    expect(pdfText(pdf)).toBe('first office attitude')
  })
  test('a glyph that represents two characters alternately', () => {
    // U+0394 and U+2206 share a glyph; ToUnicode can name one, the other is written beside it.
    const run = shape('\u0394 \u2206', { face: arial, size: 12 })
    const glyphs = Array.from(run.glyphs)
    glyphs[2] = glyphs[0]!
    const pdf = paint([
      pageOf([{ x: 20, y: 40, item: { kind: 'glyphs', colour: 0, run: { ...run, glyphs } } }]),
    ])
    expect(pdfText(checked(pdf))).toBe('\u0394 \u2206')
  })
  /** As scripts that put letters in another order are shaped: all glyphs of a text are one cluster. */
  const cluster = (text: string, drawn: string, x: number) => {
    const run = shape(drawn, { face: arial, size: 12 })
    const clusters = Array.from(run.glyphs, () => 0)
    return { x, y: 40, item: { kind: 'glyphs', colour: 0, run: { ...run, text, clusters } } } as const
  }
  test('glyphs that say one letter in one place and another in the next', () => {
    const pdf = paint([pageOf([cluster('ab', 'ba', 20), cluster('bc', 'bc', 100)])])
    expect(pdfText(checked(pdf)).split(/\s+/)).toEqual(['ab', 'bc'])
  })
  test('more letters than glyphs, and the other way round, without a gap', () => {
    const first = cluster('abcd', 'xyz', 20)
    const second = cluster('ef', 'ghi', 20 + first.item.run.width)
    expect(pdfText(checked(paint([pageOf([first, second])])))).toBe('abcdef')
  })
  test('justified lines do not break words', () => {
    const run = expandSpaces(shape('one two three', { face: arial, size: 12 }), 20)
    const pdf = paint([pageOf([{ x: 20, y: 40, item: { kind: 'glyphs', run, colour: 0 } }])])
    expect(pdfText(pdf)).toBe('one two three')
  })
  test('marks over letters', () => {
    const pdf = checked(paint([pageOf([textAt(20, 40, 'ax\u0301b n\u0303')])]))
    expect(pdfText(pdf).normalize('NFC')).toBe('ax\u0301b \u00f1')
  })
})

test('words are where layout placed them', () => {
  const pdf = paint([
    pageOf([textAt(50, 100, 'first', { size: 20 }), textAt(200, 250, 'second', { size: 10 })]),
  ])
  const boxes = inspect(pdf, 'pdftotext', ['-bbox', '{}', '-'])
  const left = (word: string) => Number(new RegExp(`xMin="([\\d.]+)"[^>]*>${word}<`).exec(boxes)![1])
  const right = (word: string) => Number(new RegExp(`xMax="([\\d.]+)"[^>]*>${word}<`).exec(boxes)![1])
  expect(left('first')).toBeCloseTo(50, 1)
  expect(right('first')).toBeCloseTo(50 + shape('first', { face: arial, size: 20 }).width, 1)
  expect(left('second')).toBeCloseTo(200, 1)
  // The band of a word: 0.95 of the size above the baseline, 0.35 below.
  expect(Number(/yMin="([\d.]+)"[^>]*>first</.exec(boxes)![1])).toBeCloseTo(100 - 19, 1)
  expect(Number(/yMax="([\d.]+)"[^>]*>first</.exec(boxes)![1])).toBeCloseTo(100 + 7, 1)
})

describe('fonts', () => {
  test('are embedded as subsets, once each', () => {
    const pages = [pageOf([textAt(20, 40, 'one')]), pageOf([textAt(20, 40, 'two', { size: 30 })])]
    const listed = inspect(paint(pages), 'pdffonts', ['{}']).trim().split('\n').slice(2)
    expect(listed).toHaveLength(1)
    expect(listed[0]).toMatch(/AAAAAA\+PlatenSans-Regular +CID TrueType +Identity-H +yes yes yes/)
  })
  test('text outside Latin has a subset of its own', () => {
    const pdf = checked(paint([pageOf([textAt(20, 40, 'Привет')])]))
    expect(pdf.length).toBeLessThan(8_000)
    expect(pdfText(pdf)).toBe('Привет')
  })
  test('a page without text has none', () => {
    expect(
      inspect(checked(paint([pageOf([])])), 'pdffonts', ['{}'])
        .trim()
        .split('\n'),
    ).toHaveLength(2)
  })
})

/** Grey of a point of the page, in pt from its top left. */
function greyAt(items: readonly Placed[], points: readonly (readonly [number, number])[]): number[] {
  const picture = rasterise(checked(paint([pageOf(items, 100, 100)])), 144)
  return points.map(([x, y]) => picture.grey[Math.round(2 * y) * picture.width + Math.round(2 * x)]!)
}
const black = 0
const white = 255

describe('drawing', () => {
  test('boxes from the top left', () => {
    expect(
      greyAt(
        [filledBox(10, 20, 30, 10, 0)],
        [
          [25, 25],
          [25, 15],
          [25, 35],
          [45, 25],
        ],
      ),
    ).toEqual([black, white, white, white])
  })
  test('lines are centred on their place', () => {
    expect(
      greyAt(
        [straightLine(10, 50, 80, 0, { colour: 0, width: 6 })],
        [
          [50, 48],
          [50, 52],
          [50, 56],
          [5, 50],
        ],
      ),
    ).toEqual([black, black, white, white])
  })
  test('groups shift, clip, turn and fade what they hold', () => {
    const inner: Frame = { width: 20, height: 20, items: [filledBox(0, 0, 40, 10, 0)] }
    const group = (more: Partial<GroupItem>): Placed => ({
      x: 40,
      y: 40,
      item: { kind: 'group', clip: false, frame: inner, ...more },
    })
    expect(
      greyAt(
        [group({})],
        [
          [75, 45],
          [50, 45],
          [50, 55],
        ],
      ),
    ).toEqual([black, black, white])
    expect(
      greyAt(
        [group({ clip: true })],
        [
          [75, 45],
          [50, 45],
        ],
      ),
    ).toEqual([white, black])
    // A quarter turn clockwise: what pointed right points down.
    expect(
      greyAt(
        [group({ transform: [0, 1, -1, 0, 0, 0] })],
        [
          [35, 75],
          [75, 45],
          [35, 45],
        ],
      ),
    ).toEqual([black, white, black])
    expect(
      greyAt(
        [group({ transform: [2, 0, 0, 2, 0, 5] })],
        [
          [50, 62],
          [50, 43],
        ],
      ),
    ).toEqual([black, white])
    expect(greyAt([group({ opacity: 0.5 })], [[50, 45]])[0]).toBeCloseTo(128, -1)
  })
  test('what follows a group is not touched by it', () => {
    const faint: GroupItem = {
      kind: 'group',
      clip: true,
      opacity: 0.2,
      frame: { width: 10, height: 10, items: [filledBox(0, 0, 5, 5, 0xff0000)] },
    }
    expect(greyAt([{ x: 0, y: 0, item: faint }, filledBox(50, 50, 10, 10, 0)], [[55, 55]])).toEqual([black])
  })
  test('gradients run from end to end', () => {
    const path = {
      commands: [['R', 0, 0, 100, 100]] as const,
      fill: {
        kind: 'linear',
        x1: 0,
        y1: 0,
        x2: 100,
        y2: 0,
        stops: [
          { at: 0, colour: 0 },
          { at: 0.5, colour: 0xffffff },
          { at: 1, colour: 0xffffff },
        ],
      } as const,
    }
    const [start, middle, end] = greyAt(
      [{ x: 0, y: 0, item: { kind: 'shape', path } }],
      [
        [1, 50],
        [25, 50],
        [75, 50],
      ],
    )
    expect(start).toBeLessThan(12)
    expect(middle).toBeGreaterThan(110)
    expect(middle).toBeLessThan(145)
    expect(end).toBe(white)
  })
  test('even-odd leaves holes', () => {
    const path = {
      commands: [
        ['R', 0, 0, 60, 60],
        ['R', 20, 20, 20, 20],
      ] as const,
      fill: { kind: 'solid', colour: 0 } as const,
      evenOdd: true,
    }
    expect(
      greyAt(
        [{ x: 0, y: 0, item: { kind: 'shape', path } }],
        [
          [10, 10],
          [30, 30],
        ],
      ),
    ).toEqual([black, white])
  })
  test('curves, dashes and odd numbers are written soundly', () => {
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, -1e30, 1e-9]
    const items: Placed[] = odd.map((value) => filledBox(value, 1, value, 1, 0))
    items.push(straightLine(0, 0, 9, 9, { colour: 0, width: 1, dash: [0, 0], cap: 'round', join: 'bevel' }))
    items.push({
      x: 0,
      y: 0,
      item: {
        kind: 'shape',
        path: {
          commands: [['M', 0, 0], ['C', 1, 2, 3, 4, 5, 6], ['Z']],
          stroke: { colour: 0, width: 1, dash: [2, 1], dashPhase: 1 },
        },
      },
    })
    checked(paint([pageOf(items)]))
  })
})

describe('imitated styles', () => {
  const ink = (synthetic: { bold?: boolean; slant?: boolean }, outline = false) => {
    const face = { ...arial, synthetic: { bold: false, slant: false, scaleX: 1, ...synthetic } }
    const run = shape('HHHH', { face, size: 30 })
    const page = pageOf([{ x: 10, y: 60, item: { kind: 'glyphs', run, colour: 0, outline } }], 150, 100)
    const { grey } = rasterise(checked(paint([page])))
    return grey.reduce((sum, value) => sum + 255 - value, 0)
  }
  test('bold has more ink, an outline less, slanting keeps it', () => {
    const plain = ink({})
    expect(ink({ bold: true })).toBeGreaterThan(plain * 1.15)
    expect(ink({}, true)).toBeLessThan(plain * 0.8)
    expect(ink({ slant: true }) / plain).toBeCloseTo(1, 1)
  })
})

describe('links and outline', () => {
  const link = (href: string): Placed => ({
    x: 10,
    y: 10,
    item: { kind: 'link', href, width: 50, height: 12 },
  })
  const mark = (id: string, y = 0): Placed => ({ x: 0, y, item: { kind: 'mark', id } })
  test('addresses are followed, from the page turned over', () => {
    const text = unpacked(checked(paint([pageOf([link('https://example.org/ä?a=(b)')])])))
    expect(text).toContain('/URI (https://example.org/%C3%A4?a=\\(b\\))')
    expect(text.replace(/\s+/g, ' ')).toContain('/Rect [ 10 278 60 290 ]')
  })
  test.each(['javascript:alert(1)', 'vbscript:x', 'data:text/html,x', '', '#nowhere'])(
    '%j is not a link',
    (href) => {
      const warnings: string[] = []
      const warn = ({ code }: { readonly code: string }) => void warnings.push(code)
      expect(unpacked(paint([pageOf([link(href)])], { warn }))).not.toContain('/Annot')
      expect(warnings).toEqual(href.startsWith('#') ? [] : ['layout.link-dropped'])
    },
  )
  test.each([
    ['file:///srv/plan.pdf', 'file:///srv/plan.pdf'],
    ['other.docx#mark', 'other.docx#mark'],
    ['..\\up\\a.pdf', '../up/a.pdf'],
    ['C:\\docs\\a.docx', 'file:///C:/docs/a.docx'],
    ['\\\\server\\share\\a.docx', 'file://server/share/a.docx'],
  ])('%j is a link to a file', (href, uri) => {
    expect(unpacked(paint([pageOf([link(href)])]))).toContain(`/URI (${uri})`)
  })
  test('marks are found on any page', () => {
    const text = unpacked(
      checked(paint([pageOf([link('#later')]), pageOf([mark('later', 100), mark('größe')])])),
    )
    expect(text.replace(/\s+/g, ' ')).toMatch(/\/Dest \[ \d+ 0 R \/XYZ 0 200 null \]/)
  })
  test('a link in a turned group has the box around it', () => {
    const frame: Frame = {
      width: 50,
      height: 20,
      items: [{ x: 0, y: 0, item: { kind: 'link', href: 'https://a.b', width: 50, height: 20 } }],
    }
    const text = unpacked(
      paint([
        pageOf([
          { x: 100, y: 100, item: { kind: 'group', clip: false, transform: [0, 1, -1, 0, 0, 0], frame } },
        ]),
      ]),
    )
    expect(text.replace(/\s+/g, ' ')).toContain('/Rect [ 80 150 100 200 ]')
  })
  test('the outline nests by level and leaves out what has no place', () => {
    const outline = [
      { title: 'One', level: 1, bookmark: 'a' },
      { title: 'One and a half', level: 3, bookmark: 'b' },
      { title: 'Gone', level: 1, bookmark: 'missing' },
      { title: 'Zwei – ñ', level: 1, bookmark: 'c' },
    ]
    const pdf = checked(paint([pageOf([mark('a'), mark('b'), mark('c')])], { outline }))
    const tree = JSON.parse(inspect(pdf, 'qpdf', ['--json', '--json-key=outlines', '{}'])) as {
      outlines: OutlineJson[]
    }
    expect(tree.outlines.map(titles)).toEqual(
      [['One', ['One and a half', []]], ['Zwei – ñ']].map((row) =>
        row.length > 1 ? ['One', [['One and a half', []]]] : ['Zwei – ñ', []],
      ),
    )
  })
})
interface OutlineJson {
  readonly title: string
  readonly kids: readonly OutlineJson[]
}
type Titles = [string, Titles[]]
function titles({ title, kids }: OutlineJson): Titles {
  return [title, kids.map(titles)]
}

describe('the document', () => {
  test('declares its producer and version', () => {
    const metadata = {
      title: 'Änderung',
      author: 'A & B',
      subject: 's',
      keywords: 'k',
      creator: 'c',
      created: 0,
      modified: Date.UTC(2026, 0, 2),
    }
    const info = inspect(checked(paint([pageOf([])], { metadata, language: 'de-DE' })), 'pdfinfo', [
      '-isodates',
      '{}',
    ])
    for (const line of [
      /Title: +Änderung/,
      /Author: +A & B/,
      /Creator: +c/,
      /Producer: +platen/,
      /CreationDate: +1970-01-01/,
      /ModDate: +2026-01-02/,
      /Metadata Stream: +yes/,
    ])
      expect(info).toMatch(line)
    expect(unpacked(paint([pageOf([])], { language: 'de-DE' }))).toContain('/Lang (de-DE)')
  })
  test('dates that cannot be are left out', () => {
    const info = inspect(
      paint([pageOf([])], { metadata: { created: Number.NaN, modified: 1e20 } }),
      'pdfinfo',
      ['{}'],
    )
    expect(info).not.toContain('Date')
  })
  test('labels its pages where they are not simply counted', () => {
    const labelled = (...labels: (Page['label'] | undefined)[]) =>
      unpacked(checked(paint(labels.map((label) => ({ ...pageOf([]), label })))))
    expect(labelled(undefined, undefined)).not.toContain('/PageLabels')
    const text = labelled(
      { style: 'roman', number: 1 },
      { style: 'roman', number: 2 },
      { style: 'decimal', number: 1, prefix: 'A-' },
    ).replace(/\s+/g, ' ')
    expect(text).toContain('/Nums [ 0 << /S /r /St 1 >> 2 << /P (A-) /S /D /St 1 >> ]')
  })
  test('is the same for the same pages, and not for others', () => {
    const make = (text: string) => Buffer.from(paint([pageOf([textAt(20, 40, text)])])).toString('base64')
    expect(make('one')).toBe(make('one'))
    expect(make('one')).not.toBe(make('two'))
    const id = (text: string) =>
      /\/ID ?\[<([0-9a-f]+)>/.exec(Buffer.from(make(text), 'base64').toString('latin1'))![1]
    expect(id('one')).not.toBe(id('two'))
  })
  test('can have many objects', () => {
    const items = Array.from(
      { length: 450 },
      (_, at): Placed => ({
        x: 0,
        y: at,
        item: { kind: 'link', href: `https://a.b/${at}`, width: 5, height: 1 },
      }),
    )
    checked(paint([pageOf(items)]))
  })
  test('frames nested without end are cut, not followed', () => {
    let frame: Frame = { width: 1, height: 1, items: [textAt(0, 0, 'deep')] }
    for (let depth = 0; depth < 5_000; depth++)
      frame = { width: 1, height: 1, items: [{ x: 0, y: 0, item: { kind: 'group', clip: true, frame } }] }
    checked(paint([{ frame }]))
  })
})

test('a dump shows every kind of item', () => {
  const frame: Frame = { width: 10, height: 5, items: [{ x: 1, y: 2, item: { kind: 'mark', id: 'm' } }] }
  const items: Placed[] = [
    textAt(10, 20, 'Hi', { size: 12 }),
    filledBox(0, 0, 5, 6, 0xff8800),
    straightLine(1, 2.345, 30, 0, { colour: 0, width: 0.5 }),
    { x: 3, y: 4, item: { kind: 'group', clip: true, frame, opacity: 0.5, transform: [1, 0, 0, 1, 0, 0] } },
    { x: 0, y: 0, item: { kind: 'link', href: '#m', width: 5, height: 6 } },
  ]
  expect(dumpFrames([{ ...pageOf(items), label: { style: 'roman', number: 4 } }])).toBe(
    `page 1 400x300 label 4 roman
  10,20 text "Hi" PlatenSans-Regular 12 w 11.3 #000000
  0,0 shape R 0 0 5 6 fill #ff8800
  1,2.3 shape M 0 0 L 30 0 stroke #000000 0.5
  3,4 group 10x5 clip turn 1 0 0 1 0 0 opacity 0.5
    1,2 mark m
  0,0 link #m 5x6
`,
  )
})

describe('pictures in other colours', () => {
  const image = readImage(plainPng(8, 8))!
  const drawn = (adjust: PictureAdjust | undefined): Placed => ({
    x: 0,
    y: 0,
    item: {
      kind: 'image',
      image: { ...image, ...(adjust !== undefined && { adjust }) },
      width: 100,
      height: 100,
    },
  })
  const shade = (adjust: PictureAdjust | undefined): number => greyAt([drawn(adjust)], [[50, 50]])[0]!
  const none = { brightness: 0, contrast: 0 }
  const plain = shade(undefined)
  test.each<[string, PictureAdjust, number]>([
    ['grey', { ...none, kind: 'grey' }, plain],
    ['two tones, dark', { ...none, kind: 'two-tone', threshold: 1 }, 0],
    ['two tones, light', { ...none, kind: 'two-tone', threshold: 0 }, 255],
    ['two colours', { ...none, kind: 'duotone', dark: 'FFFFFF', light: '000000' }, 255 - plain],
    ['brighter', { brightness: 1, contrast: 0 }, 255],
    ['darker', { brightness: -1, contrast: 0 }, 0],
    ['washed out', { brightness: 0.5, contrast: -0.7 }, 0.305 * plain + 216],
  ])('%s', (_, adjust, expected) => {
    expect(Math.abs(shade(adjust) - Math.min(255, expected))).toBeLessThan(4)
  })
  test('one picture with two appearances is written twice, with one appearance once', () => {
    const grey: PictureAdjust = { ...none, kind: 'grey' }
    const text = unpacked(paint([pageOf([drawn(undefined), drawn(grey), drawn({ ...grey })], 100, 100)]))
    expect(text.match(/\/Subtype \/Image/g)).toHaveLength(2)
  })
})
