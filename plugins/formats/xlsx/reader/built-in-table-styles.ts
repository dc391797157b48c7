/**
 * The table styles that Excel has built in, as a function of the theme: `TableStyleLight1` to 21, `TableStyleMedium1` to 28 and
 * `TableStyleDark1` to 11. Each family has one style in the colours of text and one for each accent.
 */
import type { CellBorder } from '../../../../shared/document/sheet.ts'
import { type Palette, tinted } from './colors.ts'
import type { TableElement, TableStyle } from './table-style.ts'

const thin = (color: string): CellBorder => ({ line: 'solid', width: 0.75, color })
const medium = (color: string): CellBorder => ({ line: 'solid', width: 1.5, color })
const thick = (color: string): CellBorder => ({ line: 'solid', width: 2.5, color })
const double = (color: string): CellBorder => ({ line: 'double', width: 2.5, color })
const bold: TableElement = { font: { bold: true } }

/** The colours of one style: those of the theme, and the main one with its lighter and darker shades. */
interface Colors {
  readonly dark: string
  readonly light: string
  readonly main: string
  /** The fills of a third and a fifth of the main colour, or greys where the main colour is that of text. */
  readonly pale: string
  readonly palest: string
  readonly isText: boolean
}

function colorsOf({ theme }: Palette, accent: number): Colors {
  const [light = 'FFFFFF', dark = '000000'] = theme
  const main = accent === 0 ? dark : (theme[3 + accent] ?? dark)
  const isText = accent === 0
  return {
    dark,
    light,
    main,
    pale: isText ? tinted(light, -0.35) : tinted(main, 0.6),
    palest: isText ? tinted(light, -0.15) : tinted(main, 0.8),
    isText,
  }
}

const stripes = (fill: string): TableStyle['elements'] => [
  ['firstColumnStripe', { fill }],
  ['firstRowStripe', { fill }],
]
const boldEdges: TableStyle['elements'] = [
  ['lastColumn', bold],
  ['firstColumn', bold],
]
const box = (side: CellBorder): NonNullable<TableElement['borders']> => ({
  left: side,
  right: side,
  top: side,
  bottom: side,
})

type Family = (colors: Colors, palette: Palette, accent: number) => TableStyle['elements']

/** The families in the order of their numbers. */
const light: readonly Family[] = [
  ({ dark, main, palest, isText }) => {
    const side = thin(main)
    return [
      [
        'wholeTable',
        { font: { color: isText ? dark : tinted(main, -0.25) }, borders: { top: side, bottom: side } },
      ],
      ...stripes(palest),
      ...boldEdges,
      ['headerRow', { ...bold, borders: { bottom: side } }],
      ['totalRow', { ...bold, borders: { top: side } }],
    ]
  },
  ({ dark, light, main }) => {
    const side = thin(main)
    return [
      ['wholeTable', { font: { color: dark }, borders: box(side) }],
      ['firstColumnStripe', { borders: { left: side, right: side } }],
      ['firstRowStripe', { borders: { top: side, bottom: side } }],
      ...boldEdges,
      ['headerRow', { font: { bold: true, color: light }, fill: main }],
      ['totalRow', { ...bold, borders: { top: double(main) } }],
    ]
  },
  ({ dark, main, palest }) => {
    const side = thin(main)
    return [
      [
        'wholeTable',
        { font: { color: dark }, borders: box(side), inner: { vertical: side, horizontal: side } },
      ],
      ...stripes(palest),
      ...boldEdges,
      ['headerRow', { ...bold, borders: { bottom: medium(main) } }],
      ['totalRow', { ...bold, borders: { top: double(main) } }],
    ]
  },
]

const mediums: readonly Family[] = [
  ({ dark, light, main, palest, isText }) => {
    const side = thin(isText ? main : tinted(main, 0.4))
    return [
      ['wholeTable', { font: { color: dark }, borders: box(side), inner: { horizontal: side } }],
      ...stripes(palest),
      ...boldEdges,
      ['headerRow', { font: { bold: true, color: light }, fill: main }],
      ['totalRow', { ...bold, borders: { top: double(main) } }],
    ]
  },
  ({ dark, light, main, pale, palest }) => {
    const filled: TableElement = { font: { bold: true, color: light }, fill: main }
    const side = thin(light)
    return [
      ['wholeTable', { font: { color: dark }, fill: palest, inner: { vertical: side, horizontal: side } }],
      ...stripes(pale),
      ['lastColumn', filled],
      ['firstColumn', filled],
      ['headerRow', { ...filled, borders: { bottom: thick(light) } }],
      ['totalRow', { ...filled, borders: { top: thick(light) } }],
    ]
  },
  ({ dark, light, main }) => {
    const filled: TableElement = { font: { bold: true, color: light }, fill: main }
    const side = medium(dark)
    return [
      ['wholeTable', { font: { color: dark }, borders: { top: side, bottom: side } }],
      ...stripes(tinted(light, -0.15)),
      ['lastColumn', filled],
      ['firstColumn', filled],
      ['headerRow', { ...filled, borders: { bottom: side } }],
      ['totalRow', { borders: { top: double(dark) } }],
    ]
  },
  ({ dark, main, pale, palest, isText }) => {
    const side = thin(isText ? main : tinted(main, 0.4))
    return [
      [
        'wholeTable',
        {
          font: { color: dark },
          fill: palest,
          borders: box(side),
          inner: { vertical: side, horizontal: side },
        },
      ],
      ...stripes(pale),
      ...boldEdges,
      ['headerRow', bold],
      ['totalRow', { ...bold, borders: { top: medium(main) } }],
    ]
  },
]

/** `TableStyleDark1` to 7. */
const dark: Family = ({ dark, light, main, isText }) => {
  const darker = isText ? tinted(dark, 0.25) : tinted(main, -0.25)
  const line = medium(light)
  return [
    ['wholeTable', { font: { color: light }, fill: isText ? tinted(dark, 0.45) : main }],
    ...stripes(darker),
    ['lastColumn', { ...bold, fill: darker, borders: { left: line } }],
    ['firstColumn', { ...bold, fill: darker, borders: { right: line } }],
    ['headerRow', { ...bold, fill: dark, borders: { bottom: line } }],
    ['totalRow', { ...bold, fill: isText ? tinted(dark, 0.15) : tinted(main, -0.5), borders: { top: line } }],
  ]
}

/** `TableStyleDark8` to 11, whose heads have the colour of the next accent. */
const twoColored: Family = ({ dark, light, pale, palest, isText }, { theme }, accent) => [
  ['wholeTable', { font: { color: dark }, fill: palest }],
  ...stripes(pale),
  ...boldEdges,
  ['headerRow', { font: { color: light }, fill: isText ? dark : (theme[4 + accent] ?? dark) }],
  ['totalRow', { ...bold, borders: { top: double(dark) } }],
]

/** The elements of a built-in style, those that take precedence last; undefined for any other name. */
export function builtInTableStyle(name: string, palette: Palette): TableStyle | undefined {
  const [, kind, digits] = /^TableStyle(Light|Medium|Dark)([1-9]\d?)$/.exec(name) ?? []
  const number = Number(digits) - 1
  const accent = number % 7
  const family =
    kind === 'Light'
      ? light[Math.floor(number / 7)]
      : kind === 'Medium'
        ? mediums[Math.floor(number / 7)]
        : undefined
  if (family !== undefined) return { elements: family(colorsOf(palette, accent), palette, accent), bandSizes }
  if (kind !== 'Dark' || number > 10) return undefined
  if (number < 7) return { elements: dark(colorsOf(palette, accent), palette, accent), bandSizes }
  const odd = [0, 1, 3, 5][number - 7] ?? 0
  return { elements: twoColored(colorsOf(palette, odd), palette, odd), bandSizes }
}

const bandSizes: TableStyle['bandSizes'] = { rows: [1, 1], columns: [1, 1] }
