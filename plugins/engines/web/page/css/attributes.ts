/** What attributes of older pages say, as declarations. Source: HTML Standard, 15.3 (presentational hints). */
import { attributeOf, type Place } from './selector.ts'

type Hint = readonly [name: string, value: string]

const fontSizes = [
  'x-small',
  'x-small',
  'small',
  'medium',
  'large',
  'x-large',
  'xx-large',
  'xxx-large',
] as const
const markers: Readonly<Record<string, string>> = {
  '1': 'decimal',
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
}

export function hintsOf(place: Place): readonly Hint[] {
  const { element } = place
  const { tagName: tag } = element
  const hints: Hint[] = []
  const of = (name: string) => attributeOf(element, name)?.trim()
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== '') hints.push([name, value])
  }
  const cell = tag === 'td' || tag === 'th'
  const part =
    cell || tag === 'tr' || tag === 'table' || tag === 'tbody' || tag === 'thead' || tag === 'tfoot'
  if (part || tag === 'body') add('background-color', colour(of('bgcolor')))
  if (part || ['img', 'hr', 'col', 'video', 'canvas', 'iframe', 'svg'].includes(tag)) {
    if (tag !== 'tr') add('width', length(of('width')))
    add('height', length(of('height')))
  }
  const align = of('align')?.toLowerCase()
  if (align !== undefined) alignment(tag, align, add)
  if (part) add('vertical-align', of('valign')?.toLowerCase())
  if (tag === 'body') add('color', colour(of('text')))
  if (tag === 'font') {
    add('color', colour(of('color')))
    const face = of('face')
    add('font-family', face)
    add('font-size', fontSize(of('size')))
  }
  if (tag === 'table') {
    const border = of('border')
    if (border !== undefined && border !== '0')
      for (const hint of outline(`${Number.parseInt(border, 10) || 1}px`)) hints.push(hint)
    if (of('cellspacing') === '0') hints.push(['border-spacing', '0'])
  }
  if (cell) fromTable(place, hints)
  if (tag === 'ol' || tag === 'ul' || tag === 'li') {
    const type = of('type')
    add('list-style-type', type === undefined ? undefined : (markers[type] ?? type.toLowerCase()))
  }
  if (tag === 'hr') {
    const size = of('size')
    if (size !== undefined && /^\d+$/.test(size)) hints.push(['border-top-width', `${size}px`])
    add('border-top-color', colour(of('color')))
  }
  if (tag === 'br' && of('clear') !== undefined) hints.push(['clear', 'both'])
  const dir = of('dir')?.toLowerCase()
  if (dir === 'rtl' || dir === 'ltr') hints.push(['direction', dir])
  return hints
}

/** A cell has the padding and the border that its table names. */
function fromTable(place: Place, hints: Hint[]): void {
  let table = place.parent
  while (table !== undefined && table.element.tagName !== 'table') table = table.parent
  if (table === undefined) return
  const padding = length(attributeOf(table.element, 'cellpadding')?.trim())
  if (padding !== undefined)
    for (const side of ['top', 'right', 'bottom', 'left']) hints.push([`padding-${side}`, padding])
  const border = attributeOf(table.element, 'border')
  if (border !== undefined && border !== '0' && attributeOf(table.element, 'rules') !== 'none')
    hints.push(...outline('1px'))
}

function outline(width: string): readonly Hint[] {
  return ['top', 'right', 'bottom', 'left'].flatMap((side): Hint[] => [
    [`border-${side}-width`, width],
    [`border-${side}-style`, 'solid'],
    [`border-${side}-color`, '#808080'],
  ])
}

function alignment(tag: string, align: string, add: (name: string, value: string) => void): void {
  const across = align === 'middle' ? 'center' : align
  if (tag === 'img' || tag === 'table') {
    if (across === 'center' && tag === 'table') {
      add('margin-left', 'auto')
      add('margin-right', 'auto')
    } else if (tag === 'table' && across === 'right') add('margin-left', 'auto')
    else if (across === 'left' || across === 'right') add('float', across)
    else if (tag === 'img') add('vertical-align', align)
    return
  }
  if (!['left', 'right', 'center', 'justify'].includes(across)) return
  add('text-align', across)
  if (tag !== 'p' && !/^h\d$/.test(tag)) add('-block-align', across === 'justify' ? 'left' : across)
}

function colour(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  return /^[\da-f]{6}$/i.test(value) ? `#${value}` : value
}

function length(value: string | undefined): string | undefined {
  const found = /^([\d.]+)\s*(%|px)?$/.exec(value ?? '')
  return found === null ? undefined : `${found[1]}${found[2] === '%' ? '%' : 'px'}`
}

function fontSize(value: string | undefined): string | undefined {
  const found = /^([+-]?)(\d+)$/.exec(value ?? '')
  if (found === null) return undefined
  const by = Number(found[2])
  const step = found[1] === '+' ? 3 + by : found[1] === '-' ? 3 - by : by
  return fontSizes[Math.min(Math.max(step, 1), 7)]
}
