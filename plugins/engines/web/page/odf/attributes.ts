/** Converts CSS styles to attributes of OpenDocument (ODF 1.3 part 3, 16 and 20). */

import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import { type OdfAttributes, pt } from './nodes.ts'

/** Formatting that an element takes from the elements around it, although CSS does not inherit it. */
export interface InheritedFormatting {
  readonly underline?: boolean
  readonly strike?: boolean
  readonly background?: string
  /** The size of the text from which superscript or subscript is raised or lowered. */
  readonly raised?: { readonly script: 'super' | 'sub'; readonly size: number }
  readonly link?: string
}

const fontSubstitutes: Readonly<Record<string, string>> = {
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
const defaultFont = 'Times New Roman'
/** The ratio between the line height of default text in offices and its font size, to which CSS refers. */
const normalLine = 1.15

function fontOf(style: ComputedStyle): string {
  const first = /^\s*("[^"]*"|'[^']*'|[^,]+)/.exec(style.get('font-family') ?? '')?.[1] ?? defaultFont
  const name = first
    .replace(/^\s*["']|["']\s*$/g, '')
    .replace(/[^\p{L}\p{N} _.-]/gu, '')
    .trim()
    .slice(0, 80)
  return entryOf(fontSubstitutes, name.toLowerCase()) ?? (name === '' ? defaultFont : name)
}

export function isBold(style: ComputedStyle): boolean {
  const weight = style.word('font-weight') ?? 'normal'
  return weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
}

/** What the content of an element with this style inherits, if the element itself inherits `inherited`. */
export function inheritedByContent(
  style: ComputedStyle,
  inherited: InheritedFormatting,
): InheritedFormatting {
  const decoration = style.word('text-decoration') ?? ''
  const none = decoration === 'none'
  const script = scriptOf(style)
  const background = style.color('background-color')
  return {
    ...inherited,
    ...((none || decoration.includes('underline')) && { underline: !none }),
    ...((none || decoration.includes('line-through')) && { strike: !none }),
    ...(background !== undefined && { background }),
    ...(script !== undefined && { raised: { script, size: style.parent?.size ?? style.size } }),
  }
}

function scriptOf(style: ComputedStyle): 'super' | 'sub' | undefined {
  const align = style.word('vertical-align')
  return align === 'super' || align === 'sub' ? align : undefined
}

/**
 * The text attributes of a style. Every attribute is present, so that results can be compared. The same style
 * returns the same object.
 */
export function textAttributes(style: ComputedStyle, inherited: InheritedFormatting): OdfAttributes {
  const { underline, strike, background, raised } = inherited
  return style.memoized(`text ${underline} ${strike} ${background} ${raised?.script} ${raised?.size}`, () =>
    makeTextAttributes(style, inherited),
  )
}

/** Office applications do not take a font size of 0, with which pages remove white space between boxes. */
const smallestSize = 1

function makeTextAttributes(style: ComputedStyle, inherited: InheritedFormatting): OdfAttributes {
  const { raised } = inherited
  const spacing = style.length('letter-spacing') ?? 0
  const transform = style.word('text-transform') ?? 'none'
  return new Map([
    ['style:font-name', fontOf(style)],
    ['fo:font-size', pt(Math.max(smallestSize, Math.round((raised?.size ?? style.size) * 10) / 10))],
    ['fo:font-weight', isBold(style) ? 'bold' : 'normal'],
    ['fo:font-style', /italic|oblique/.test(style.word('font-style') ?? '') ? 'italic' : 'normal'],
    ['fo:color', `#${style.color('color') ?? '000000'}`],
    ['fo:background-color', inherited.background === undefined ? 'transparent' : `#${inherited.background}`],
    ['style:text-underline-style', inherited.underline ? 'solid' : 'none'],
    ['style:text-line-through-style', inherited.strike ? 'solid' : 'none'],
    ['fo:text-transform', ['uppercase', 'lowercase', 'capitalize'].includes(transform) ? transform : 'none'],
    ['fo:font-variant', style.word('font-variant')?.includes('small-caps') ? 'small-caps' : 'normal'],
    ['fo:letter-spacing', Math.abs(spacing) < 0.05 ? 'normal' : pt(spacing)],
    ['style:text-position', raised === undefined ? '0% 100%' : `${raised.script} 58%`],
  ])
}

export type Side = 'top' | 'right' | 'bottom' | 'left'
export const sides: readonly Side[] = ['top', 'right', 'bottom', 'left']
export interface BorderLine {
  readonly width: number
  readonly style: string
  readonly color: string
}

export function lineOf(style: ComputedStyle, side: Side): BorderLine | undefined {
  const kind = style.word(`border-${side}-style`) ?? 'none'
  if (kind === 'none' || kind === 'hidden') return undefined
  const width = style.length(`border-${side}-width`) ?? 2.25
  const color =
    style.color(`border-${side}-color`) ??
    (style.get(`border-${side}-color`) === undefined ? style.color('color') : undefined)
  // Invisible borders count as none.
  return width <= 0 || color === undefined ? undefined : { width, style: kind, color }
}

export function lineValue(line: BorderLine | undefined): string {
  return line === undefined ? 'none' : `${pt(Math.max(line.width, 0.25))} ${line.style} #${line.color}`
}

export interface BoxStyle {
  readonly background: string | undefined
  readonly lines: Readonly<Record<Side, BorderLine | undefined>>
  readonly padding: Readonly<Record<Side, number>>
}

export function boxOf(style: ComputedStyle, width: number): BoxStyle {
  return style.memoized(`box ${width}`, () => makeBox(style, width))
}

function makeBox(style: ComputedStyle, width: number): BoxStyle {
  const each = <T>(make: (side: Side) => T) =>
    ({ top: make('top'), right: make('right'), bottom: make('bottom'), left: make('left') }) as const
  return {
    background: style.color('background-color'),
    lines: each((side) => lineOf(style, side)),
    padding: each((side) => Math.max(0, style.length(`padding-${side}`, width) ?? 0)),
  }
}

export const noBox: BoxStyle = {
  background: undefined,
  lines: { top: undefined, right: undefined, bottom: undefined, left: undefined },
  padding: { top: 0, right: 0, bottom: 0, left: 0 },
}

export function hasBoxStyle({ background, lines }: BoxStyle): boolean {
  return background !== undefined || sides.some((side) => lines[side] !== undefined)
}

/**
 * The attributes of a box. Offices show no padding around a background without a border, so it gets a border
 * of its own colour.
 */
export function boxValues(
  { background, lines, padding }: BoxStyle,
  visible = true,
): readonly (readonly [string, string])[] {
  return [
    ['fo:background-color', background === undefined ? 'transparent' : `#${background}`],
    ...sides.flatMap((side): (readonly [string, string])[] => {
      const filler = visible && background !== undefined && padding[side] > 0
      const line =
        lines[side] ?? (filler ? { width: 0.25, style: 'solid', color: background as string } : undefined)
      return [
        [`fo:border-${side}`, lineValue(line)],
        [`fo:padding-${side}`, line === undefined && visible ? '0pt' : pt(padding[side])],
      ]
    }),
  ]
}

export function alignOf(style: ComputedStyle): string {
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

/** The line height relative to the normal line of the font, as offices count it. */
export function lineHeight(style: ComputedStyle): string {
  const value = style.word('line-height') ?? 'normal'
  if (value === 'normal') return '100%'
  const factor = /^[\d.]+$/.test(value)
    ? Number(value)
    : (style.measure(value, style.size) ?? style.size * normalLine) / style.size
  return `${Math.round(Math.min(Math.max(factor / normalLine, 1), 5) * 100)}%`
}
