/**
 * Builds form controls as boxes with their values, as browsers print them. Their appearance comes from the rules in
 * `browser-styles.ts` and from the page. Source: HTML Standard, 15.5; sizes as observed in Chromium.
 */

import type { Element } from 'hast'
import type { StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { BlockBox, InlineItem, InlineState, LayoutBox } from './box.ts'
import type { BoxBuild } from './box-build.ts'
import { pixel } from './text-font.ts'

const buttons: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset', button: '' }
/** The placeholder that Chromium shows in an empty date or time field. */
const momentPatterns: Readonly<Record<string, string>> = {
  date: 'mm/dd/yyyy',
  time: '--:-- --',
  month: '---------- ----',
  week: 'Week --, ----',
  'datetime-local': 'mm/dd/yyyy, --:-- --',
}
/** A date as Chromium shows it in its default locale. */
const momentText = (type: string, value: string): string =>
  type === 'date' ? value.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1') : value
/** The average width of a character in em, and the additional width for the widest character, as observed in Chromium. */
const [averageWidth, widestPlain, widestOther] = [0.6, 0.7, 2.8]
const [scrollBar, iconSpace] = [15 * pixel, 24 * pixel]
const placeholderColor = '#757575'
const [usualColumns, usualRows, usualListRows, maxCharacters] = [20, 2, 4, 1000]

/** Builds the box of a form control. Returns undefined for other elements, and for controls that are drawn as pictures. */
export function controlOf(
  build: BoxBuild,
  control: StyledElement,
  inherited: InlineState,
): BlockBox | undefined {
  const { element, style } = control
  switch (element.tagName) {
    case 'input':
      return inputOf(control, inherited)
    case 'select':
      return selectOf(control, inherited)
    case 'textarea': {
      const columns = countOf(element, 'cols', usualColumns)
      const sized = withWidth(style, columns * averageWidth * style.size + scrollBar)
      return controlBox(
        sized,
        linesBox(sized, inherited, textOf(element).replace(/^\n/, ''), countOf(element, 'rows', usualRows)),
        'flex-start',
      )
    }
    case 'button': {
      const inner = style.extended([...contentReset, ['text-align', style.get('text-align') ?? 'center']])
      const box = build.block(build, { ...control, style: inner })
      return controlBox(style.extended([fitContentWidth(style), ['justify-content', 'center']]), box)
    }
    default:
      return undefined
  }
}

function inputOf({ element, style }: StyledElement, inherited: InlineState): BlockBox | undefined {
  const type = attributeOf(element, 'type')?.toLowerCase() ?? 'text'
  const value = (attributeOf(element, 'value') ?? '').slice(0, maxCharacters)
  if (Object.hasOwn(buttons, type)) {
    const label = value === '' ? (entryOf(buttons, type) ?? '') : value
    const outer = style.extended([fitContentWidth(style), ['justify-content', 'center']])
    return controlBox(outer, textBox(style, inherited, label))
  }
  if (type === 'checkbox' || type === 'radio') {
    // With `appearance: none` the page draws the control itself.
    if (style.word('appearance') !== 'none') return undefined
    const size = `${13 * pixel}pt`
    const box = style.extended([
      ['width', style.get('width') ?? size],
      ['height', style.get('height') ?? size],
    ])
    return { kind: 'block', style: box, children: [] }
  }
  if (type === 'image' || type === 'hidden') return undefined
  const columns = countOf(element, 'size', usualColumns)
  const family = style.word('font-family') ?? ''
  const widest = /^["']?(?:arial|helvetica)/.test(family) ? widestPlain : widestOther
  const sized = withWidth(style, (columns * averageWidth + widest) * style.size)
  const pattern = entryOf(momentPatterns, type)
  if (pattern !== undefined)
    return controlBox(
      style.extended([fitContentWidth(style)]),
      textBox(style, inherited, value === '' ? pattern : momentText(type, value), iconSpace),
    )
  const shown = type === 'password' ? '\u2022'.repeat(Math.min(value.length, 100)) : value
  if (shown !== '') return controlBox(sized, textBox(sized, inherited, shown))
  const placeholder = attributeOf(element, 'placeholder') ?? ''
  const faint = sized.extended([['color', placeholderColor]])
  return controlBox(sized, textBox(faint, inherited, placeholder))
}

function selectOf({ element, style }: StyledElement, inherited: InlineState): BlockBox {
  const options = optionsOf(element)
  const chosen = options.find((option) => attributeOf(option, 'selected') !== undefined) ?? options[0]
  const labels = options.map((option) => textOf(option).replace(/\s+/g, ' ').trim())
  if (attributeOf(element, 'multiple') !== undefined) {
    const lines = countOf(element, 'size', usualListRows)
    return controlBox(
      style.extended([fitContentWidth(style)]),
      linesBox(style, inherited, labels.slice(0, lines).join('\n'), lines),
    )
  }
  const text = chosen === undefined ? '' : (labels[options.indexOf(chosen)] ?? '')
  const longest = labels.reduce((most, label) => Math.max(most, label.length), 0)
  const reservedWidth = Math.max(0, longest - text.length) * 0.5 * style.size
  const arrow: LayoutBox = {
    kind: 'picture',
    style: style.extended([...contentReset]),
    alternative: '',
    control: 'arrow',
  }
  const label = textBox(style, inherited, text, reservedWidth)
  const outer = style.extended([fitContentWidth(style), ['justify-content', 'space-between']])
  return controlBox(outer, label, 'center', style.word('appearance') === 'none' ? [] : [arrow])
}

function optionsOf(list: Element): Element[] {
  return list.children.flatMap((child) =>
    child.type !== 'element'
      ? []
      : child.tagName === 'option'
        ? [child]
        : child.tagName === 'optgroup'
          ? optionsOf(child)
          : [],
  )
}

/** The declarations of a control that its content must not inherit. */
const contentReset: readonly (readonly [string, string])[] = [
  'padding-top padding-right padding-bottom padding-left margin-top margin-right margin-bottom margin-left'
    .split(' ')
    .map((name) => [name, '0'] as const),
  ['top', 'right', 'bottom', 'left'].map((side) => [`border-${side}-style`, 'none'] as const),
  [
    ['background-color', 'transparent'],
    ['background-image', 'none'],
    ['box-shadow', 'none'],
    ['display', 'block'],
    ['position', 'static'],
    ['float', 'none'],
    ['transform', 'none'],
    ['opacity', '1'],
    ['width', 'auto'],
    ['height', 'auto'],
    ['min-width', 'auto'],
    ['min-height', 'auto'],
    ['max-width', 'none'],
  ] as const,
].flat()

/** Wraps content in the box of a control and centres it vertically. */
function controlBox(
  style: ComputedStyle,
  content: LayoutBox,
  align = 'center',
  more: readonly LayoutBox[] = [],
): BlockBox {
  const display = /^(?:block|flex|grid|list-item)$/.test(style.display) ? 'flex' : 'inline-flex'
  const outer = style.extended([
    ['display', display],
    ['align-items', align],
    ['flex-direction', 'row'],
    ['flex-wrap', 'nowrap'],
  ])
  return { kind: 'block', style: outer, children: [content, ...more] }
}

/** `after` is the space behind the text, in pt. */
function textBox(style: ComputedStyle, inherited: InlineState, text: string, after = 0): BlockBox {
  const inner = style.extended([...contentReset, ['min-width', '0'], ['padding-right', `${after}pt`]])
  const state: InlineState = {
    style: inner,
    rise: 0,
    decorations: [],
    ...(inherited.link && { link: inherited.link }),
  }
  // The zero-width space gives an empty field the height of one line.
  const items: InlineItem[] = [{ kind: 'text', text: text === '' ? '\u200b' : text, state }]
  return { kind: 'block', style: inner, children: [{ kind: 'lines', style: inner, items }] }
}

/** Controls shrink to their content, even as blocks. */
const fitContentWidth = (style: ComputedStyle): readonly [string, string] => [
  'width',
  defaultTo(style.get('width'), 'fit-content'),
]

const defaultTo = (value: string | undefined, instead: string): string =>
  value === undefined || value === 'auto' ? instead : value

/** Sets the content width in pt unless the page specifies a width. */
function withWidth(style: ComputedStyle, width: number): ComputedStyle {
  const edges = style.word('box-sizing') === 'border-box' ? widthOfEdges(style) : 0
  return style.extended([['width', defaultTo(style.get('width'), `${width + edges}pt`)]])
}

/** A box with at least this many lines. */
function linesBox(style: ComputedStyle, inherited: InlineState, text: string, lines: number): BlockBox {
  const missing = lines - text.split('\n').length
  return textBox(style, inherited, missing > 0 ? `${text}${'\n\u200b'.repeat(missing)}` : text)
}

const widthOfEdges = (style: ComputedStyle): number =>
  ['padding-left', 'padding-right', 'border-left-width', 'border-right-width'].reduce(
    (sum, name) => sum + (style.length(name, 0) ?? 0),
    0,
  )

function countOf(element: Element, name: string, instead: number): number {
  const count = Number.parseInt(attributeOf(element, name) ?? '', 10)
  return Number.isFinite(count) && count > 0 ? Math.min(count, 500) : instead
}

function textOf({ children }: Element): string {
  return children
    .map((child) => (child.type === 'text' ? child.value : child.type === 'element' ? textOf(child) : ''))
    .join('')
}
