/**
 * Presentational attributes of older pages as CSS declarations. Source: HTML Standard, 15.3 (presentational
 * hints).
 */
import { entryOf } from '../entry-of.ts'
import { pushAll } from '../push-all.ts'
import { attributeOf, type ElementPosition } from './selector.ts'

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

/** The parts of a table whose colour and size can be set by attributes. */
const tableParts: ReadonlySet<string> = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th'])
/** Other elements whose `width` and `height` are attributes. */
const sizedElements: ReadonlySet<string> = new Set(['img', 'hr', 'col', 'video', 'canvas', 'iframe', 'svg'])

/** The hints of one element, in the order in which they apply. A style sheet of the author overrides all of them. */
export function hintsOf(position: ElementPosition): readonly Hint[] {
  const { element } = position
  const { tagName: tag } = element
  const hints: Hint[] = []
  const of: AttributeOf = (name) => attributeOf(element, name)?.trim()
  const add: AddHint = (name, value) => {
    if (value !== undefined && value !== '') hints.push([name, value])
  }
  addBoxHints(tag, of, add)
  if (tag === 'body') add('color', colour(of('text')))
  else if (tag === 'a' && of('href') !== undefined) add('color', linkColour(position))
  else if (tag === 'img') addImageHints(of, add, hints)
  else if (tag === 'font') {
    add('color', colour(of('color')))
    add('font-family', of('face'))
    add('font-size', fontSize(of('size')))
  } else if (tag === 'table') {
    if (isAligned(position)) hints.push(['text-align', 'start'], ['-block-align', 'left'])
    addTableHints(of, hints)
  } else if (tag === 'td' || tag === 'th') fromTable(position, hints)
  else if (tag === 'ol' || tag === 'ul' || tag === 'li') {
    const type = of('type')
    add('list-style-type', type === undefined ? undefined : (entryOf(markers, type) ?? type.toLowerCase()))
  } else if (tag === 'hr') {
    const size = of('size')
    if (size !== undefined && /^\d+$/.test(size)) add('border-top-width', `${size}px`)
    add('border-top-color', colour(of('color')))
    if (of('noshade') !== undefined)
      for (const side of ['top', 'right', 'bottom', 'left']) add(`border-${side}-color`, '#808080')
  } else if (tag === 'br' && of('clear') !== undefined) add('clear', 'both')
  const dir = of('dir')?.toLowerCase()
  if (dir === 'rtl' || dir === 'ltr') add('direction', dir)
  return hints
}

/** Returns a trimmed attribute of the element. */
type AttributeOf = (name: string) => string | undefined
/** Appends a hint unless its value is missing or empty. */
type AddHint = (name: string, value: string | undefined) => void

/** The colour that the body of the page declares for links. */
function linkColour(position: ElementPosition): string | undefined {
  let body: ElementPosition | undefined = position.parent
  while (body !== undefined && body.element.tagName !== 'body') body = body.parent
  return body === undefined ? undefined : colour(attributeOf(body.element, 'link')?.trim())
}

/** The space around a picture and its border. */
function addImageHints(of: AttributeOf, add: AddHint, hints: Hint[]): void {
  const [across, down] = [length(of('hspace')), length(of('vspace'))]
  for (const side of ['left', 'right']) add(`margin-${side}`, across)
  for (const side of ['top', 'bottom']) add(`margin-${side}`, down)
  const border = Number.parseInt(of('border') ?? '', 10)
  if (border > 0)
    for (const side of ['top', 'right', 'bottom', 'left'])
      hints.push([`border-${side}-width`, `${border}px`], [`border-${side}-style`, 'solid'])
}

/** Background, size and alignment, which many elements share. */
function addBoxHints(tag: string, of: AttributeOf, add: AddHint): void {
  const isTablePart = tableParts.has(tag)
  if (isTablePart || tag === 'body') add('background-color', colour(of('bgcolor')))
  if (isTablePart || sizedElements.has(tag)) {
    if (tag !== 'tr') add('width', length(of('width')))
    add('height', length(of('height')))
  }
  const align = of('align')?.toLowerCase()
  if (align !== undefined) alignment(tag, align, add)
  if (isTablePart) add('vertical-align', of('valign')?.toLowerCase())
}

/**
 * Whether an attribute of an element around a table aligns its content. The text of the table does not inherit that
 * alignment.
 */
function isAligned({ parent }: ElementPosition): boolean {
  for (
    let ancestor = parent;
    ancestor !== undefined && ancestor.element.tagName !== 'table';
    ancestor = ancestor.parent
  )
    if (ancestor.element.tagName === 'center' || attributeOf(ancestor.element, 'align') !== undefined)
      return true
  return false
}

function addTableHints(of: AttributeOf, hints: Hint[]): void {
  const border = of('border')
  if (border !== undefined && border !== '0') pushAll(hints, outline(`${Number.parseInt(border, 10) || 1}px`))
  const spacing = of('cellspacing')
  if (spacing !== undefined && /^\d+$/.test(spacing)) hints.push(['border-spacing', `${Number(spacing)}px`])
}

/** Cells take padding and border from attributes of their table. */
function fromTable(position: ElementPosition, hints: Hint[]): void {
  let table = position.parent
  while (table !== undefined && table.element.tagName !== 'table') table = table.parent
  if (table === undefined) return
  const padding = length(attributeOf(table.element, 'cellpadding')?.trim())
  if (padding !== undefined)
    for (const side of ['top', 'right', 'bottom', 'left']) hints.push([`padding-${side}`, padding])
  const border = attributeOf(table.element, 'border')
  if (border !== undefined && border !== '0' && attributeOf(table.element, 'rules') !== 'none')
    pushAll(hints, outline('1px'))
}

function outline(width: string): readonly Hint[] {
  return ['top', 'right', 'bottom', 'left'].flatMap((side): Hint[] => [
    [`border-${side}-width`, width],
    [`border-${side}-style`, 'solid'],
    [`border-${side}-color`, '#808080'],
  ])
}

function alignment(tag: string, align: string, add: AddHint): void {
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
  if (tag === 'hr') {
    if (across === 'left') add('margin-left', '0')
    else if (across === 'right') add('margin-right', '0')
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
  const match = /^([\d.]+)\s*(%|px)?$/.exec(value ?? '')
  return match === null ? undefined : `${match[1]}${match[2] === '%' ? '%' : 'px'}`
}

function fontSize(value: string | undefined): string | undefined {
  const match = /^([+-]?)(\d+)$/.exec(value ?? '')
  if (match === null) return undefined
  const by = Number(match[2])
  const step = match[1] === '+' ? 3 + by : match[1] === '-' ? 3 - by : by
  return fontSizes[Math.min(Math.max(step, 1), 7)]
}
