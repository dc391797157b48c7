/** Looks of a page as attributes of OpenDocument (ODF 1.3 part 3, 16 and 20). */
import type { Style } from '../css/style.ts'
import { pt, type Values } from './nodes.ts'

/** What an element takes from those around it without inheriting it. */
export interface Around {
  readonly underline?: boolean
  readonly strike?: boolean
  readonly background?: string
  /** Of the text around that it stands above or below. */
  readonly raised?: { readonly script: 'super' | 'sub'; readonly size: number }
  readonly link?: string
}

const fontStandIns: Readonly<Record<string, string>> = {
  serif: 'Times New Roman',
  'sans-serif': 'Arial',
  'system-ui': 'Arial',
  'ui-sans-serif': 'Arial',
  '-apple-system': 'Arial',
  blinkmacsystemfont: 'Arial',
  'ui-serif': 'Times New Roman',
  monospace: 'Courier New',
  'ui-monospace': 'Courier New',
  cursive: 'Comic Sans MS',
  fantasy: 'Impact',
}
const usualFont = 'Times New Roman'
/** What a line of usual text is high where nobody says it: CSS counts from the size, offices from that. */
const normalLine = 1.15

export function fontOf(style: Style): string {
  const first = /^\s*("[^"]*"|'[^']*'|[^,]+)/.exec(style.get('font-family') ?? '')?.[1] ?? usualFont
  const name = first
    .replace(/^\s*["']|["']\s*$/g, '')
    .replace(/[^\p{L}\p{N} _.-]/gu, '')
    .trim()
    .slice(0, 80)
  return fontStandIns[name.toLowerCase()] ?? (name === '' ? usualFont : name)
}

export function isBold(style: Style): boolean {
  const weight = style.word('font-weight') ?? 'normal'
  return weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
}

export function aroundOf(style: Style, before: Around): Around {
  const decoration = style.word('text-decoration') ?? ''
  const none = decoration === 'none'
  const script = scriptOf(style)
  const background = style.color('background-color')
  return {
    ...before,
    ...((none || decoration.includes('underline')) && { underline: !none }),
    ...((none || decoration.includes('line-through')) && { strike: !none }),
    ...(background !== undefined && { background }),
    ...(script !== undefined && { raised: { script, size: style.parent?.size ?? style.size } }),
  }
}

function scriptOf(style: Style): 'super' | 'sub' | undefined {
  const align = style.word('vertical-align')
  return align === 'super' || align === 'sub' ? align : undefined
}

/** Every attribute is there in every look, so that looks can be compared. The same look is the same object. */
export function textLook(style: Style, around: Around): Values {
  const { underline, strike, background, raised } = around
  return style.once(`text ${underline} ${strike} ${background} ${raised?.script} ${raised?.size}`, () =>
    makeTextLook(style, around),
  )
}

function makeTextLook(style: Style, around: Around): Values {
  const { raised } = around
  const spacing = style.length('letter-spacing') ?? 0
  const transform = style.word('text-transform') ?? 'none'
  return new Map([
    ['style:font-name', fontOf(style)],
    ['fo:font-size', pt(Math.round((raised?.size ?? style.size) * 10) / 10)],
    ['fo:font-weight', isBold(style) ? 'bold' : 'normal'],
    ['fo:font-style', /italic|oblique/.test(style.word('font-style') ?? '') ? 'italic' : 'normal'],
    ['fo:color', `#${style.color('color') ?? '000000'}`],
    ['fo:background-color', around.background === undefined ? 'transparent' : `#${around.background}`],
    ['style:text-underline-style', around.underline ? 'solid' : 'none'],
    ['style:text-line-through-style', around.strike ? 'solid' : 'none'],
    ['fo:text-transform', ['uppercase', 'lowercase', 'capitalize'].includes(transform) ? transform : 'none'],
    ['fo:font-variant', style.word('font-variant')?.includes('small-caps') ? 'small-caps' : 'normal'],
    ['fo:letter-spacing', Math.abs(spacing) < 0.05 ? 'normal' : pt(spacing)],
    ['style:text-position', raised === undefined ? '0% 100%' : `${raised.script} 58%`],
  ])
}

export type Side = 'top' | 'right' | 'bottom' | 'left'
export const sides: readonly Side[] = ['top', 'right', 'bottom', 'left']
export interface Line {
  readonly width: number
  readonly style: string
  readonly color: string
}

export function lineOf(style: Style, side: Side): Line | undefined {
  const kind = style.word(`border-${side}-style`) ?? 'none'
  if (kind === 'none' || kind === 'hidden') return undefined
  const width = style.length(`border-${side}-width`) ?? 2.25
  const color =
    style.color(`border-${side}-color`) ??
    (style.get(`border-${side}-color`) === undefined ? style.color('color') : undefined)
  // What cannot be seen is none.
  return width <= 0 || color === undefined ? undefined : { width, style: kind, color }
}

export function lineValue(line: Line | undefined): string {
  return line === undefined ? 'none' : `${pt(Math.max(line.width, 0.25))} ${line.style} #${line.color}`
}

export interface Box {
  readonly background: string | undefined
  readonly lines: Readonly<Record<Side, Line | undefined>>
  readonly padding: Readonly<Record<Side, number>>
}

export function boxOf(style: Style, width: number): Box {
  return style.once(`box ${width}`, () => makeBox(style, width))
}

function makeBox(style: Style, width: number): Box {
  const each = <T>(make: (side: Side) => T) =>
    ({ top: make('top'), right: make('right'), bottom: make('bottom'), left: make('left') }) as const
  return {
    background: style.color('background-color'),
    lines: each((side) => lineOf(style, side)),
    padding: each((side) => Math.max(0, style.length(`padding-${side}`, width) ?? 0)),
  }
}

export const noBox: Box = {
  background: undefined,
  lines: { top: undefined, right: undefined, bottom: undefined, left: undefined },
  padding: { top: 0, right: 0, bottom: 0, left: 0 },
}

export function hasLook({ background, lines }: Box): boolean {
  return background !== undefined || sides.some((side) => lines[side] !== undefined)
}

/** A background without a line has no room around its text in offices: a line of its colour gives that. */
export function boxValues(
  { background, lines, padding }: Box,
  shown = true,
): readonly (readonly [string, string])[] {
  return [
    ['fo:background-color', background === undefined ? 'transparent' : `#${background}`],
    ...sides.flatMap((side): (readonly [string, string])[] => {
      const filler = shown && background !== undefined && padding[side] > 0
      const line =
        lines[side] ?? (filler ? { width: 0.25, style: 'solid', color: background as string } : undefined)
      return [
        [`fo:border-${side}`, lineValue(line)],
        [`fo:padding-${side}`, line === undefined && shown ? '0pt' : pt(padding[side])],
      ]
    }),
  ]
}

export function alignOf(style: Style): string {
  const rtl = style.word('direction') === 'rtl'
  const align = style.word('text-align')
  switch (align) {
    case 'center':
    case '-webkit-center':
    case '-moz-center':
      return 'center'
    case 'justify':
      return 'justify'
    case 'right':
    case '-webkit-right':
      return 'right'
    case 'left':
      return 'left'
    case 'end':
      return rtl ? 'left' : 'right'
    default:
      return rtl ? 'right' : 'left'
  }
}

/** Of the height that a line of the font has by itself. */
export function lineHeight(style: Style): string {
  const value = style.word('line-height') ?? 'normal'
  if (value === 'normal') return '100%'
  const factor = /^[\d.]+$/.test(value)
    ? Number(value)
    : (style.measure(value, style.size) ?? style.size * normalLine) / style.size
  return `${Math.round(Math.min(Math.max(factor / normalLine, 1), 5) * 100)}%`
}
