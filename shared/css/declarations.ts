/**
 * Parses declarations and expands shorthands. Source: the property definitions of CSS 2.2 and its later
 * modules.
 */
import { entryOf } from '../entry-of.ts'
import { isColor } from './color.ts'
import { splitOutside } from './selector.ts'

export interface Declaration {
  readonly name: string
  readonly value: string
  readonly important: boolean
  /** The longhand properties of a value without variables, once they have been asked for. */
  expanded?: readonly (readonly [string, string])[]
}

const maxLength = 2000
/** The name of a declaration that takes the place of one that is too long to be read. */
export const tooLong = '-too-long'

export function declarationsOf(text: string): readonly Declaration[] {
  return splitOutside(text, ';').flatMap((part): Declaration[] => {
    const colon = part.indexOf(':')
    if (part.length > maxLength && !/url\(|gradient\(/.test(part) && !part.trim().startsWith('--'))
      return [{ name: tooLong, value: part.slice(0, colon).trim() || 'none', important: false }]
    if (colon < 1 || (part.length > maxLength && part.trim().startsWith('--')) || part.includes('{'))
      return []
    const written = part.slice(0, colon).trim()
    const name = written.startsWith('--') ? written : written.toLowerCase()
    const value = part.slice(colon + 1).trim()
    const important = /!\s*important\s*$/i.test(value)
    const withoutPriority = important ? value.replace(/!\s*important\s*$/i, '').trim() : value
    return withoutPriority === '' || !/^[\w-]+$/.test(name) || isForeign(name, withoutPriority)
      ? []
      : [{ name, value: withoutPriority, important }]
  })
}

/** Whether a value is one of other browsers, so that the declaration is invalid here and earlier ones keep their effect. */
const isForeign = (name: string, value: string): boolean =>
  /[-(\\:]|^footnote/.test(value) &&
  !name.startsWith('--') &&
  (/(?:^|[\s,(])-(?:moz|ms|o|khtml)-|\\\d+$|^expression\(|^alpha\(|^progid:/i.test(value) ||
    // Values that only other printers know.
    /^(?:footnote|running\(|element\()/i.test(value))

/** Flow-relative sides as physical ones, for text from left to right. */
const logicalSides: Readonly<Record<string, string>> = {
  'inline-start': 'left',
  'inline-end': 'right',
  'block-start': 'top',
  'block-end': 'bottom',
}
const logicalSizes: Readonly<Record<string, string>> = {
  'inline-size': 'width',
  'block-size': 'height',
  'min-inline-size': 'min-width',
  'min-block-size': 'min-height',
  'max-inline-size': 'max-width',
  'max-block-size': 'max-height',
}

/** Properties that browsers know with the prefix `-webkit-`, too. Source: Compatibility Standard, 3.1; observed in Chromium. */
const prefixed =
  /^-webkit-(?=(?:align-|animation|appearance$|background-|backface-|border-|box-shadow$|box-sizing$|box-decoration-break$|clip-path$|column|filter$|flex|font-feature-settings$|hyphens$|justify-content$|mask$|mask-image$|opacity$|order$|perspective|shape-outside$|text-emphasis|text-size-adjust$|transform|transition|user-select$|user-drag$|user-modify$|writing-mode$))/

const flowSides: Readonly<Record<string, string>> = {
  before: 'block-start',
  after: 'block-end',
  start: 'inline-start',
  end: 'inline-end',
}

function standardName(name: string): string {
  if (!name.startsWith('-webkit-')) return name
  const side = /^-webkit-(margin|padding)-(before|after|start|end)$/.exec(name)
  return side === null
    ? name.replace(prefixed, '').replace(/^column-break-/, 'break-')
    : `${side[1]}-${entryOf(flowSides, side[2])}`
}

/** Corners by the sides of the block axis and the inline axis. */
const flowCorners: Readonly<Record<string, string>> = {
  'border-start-start-radius': 'border-top-left-radius',
  'border-start-end-radius': 'border-top-right-radius',
  'border-end-start-radius': 'border-bottom-left-radius',
  'border-end-end-radius': 'border-bottom-right-radius',
}

/** The physical name of a property; names that apply to both sides of an axis are returned unchanged. */
function physicalName(written: string, rightToLeft: boolean): string {
  const name = leftToRightName(written)
  if (!rightToLeft || name === written || !/inline|start|end/.test(written)) return name
  return name.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left'))
}

function leftToRightName(written: string): string {
  const name = standardName(written)
  const corner = name.startsWith('border-') ? entryOf(flowCorners, name) : undefined
  if (corner !== undefined) return corner
  if (!name.includes('inline') && !name.includes('block')) return name
  return (
    entryOf(logicalSizes, name) ??
    name
      .replace(/(?:inline|block)-(?:start|end)/, (side) => entryOf(logicalSides, side) ?? side)
      .replace(/^inset-(?=top|right|bottom|left)/, '')
  )
}

const axes: Readonly<Record<string, readonly [string, string]>> = {
  inline: ['left', 'right'],
  block: ['top', 'bottom'],
}

/** Properties of both sides of an axis, such as `margin-inline`; undefined for others. */
function axisLonghands(
  name: string,
  value: string,
  rightToLeft: boolean,
): readonly (readonly [string, string])[] | undefined {
  const match = /^(margin|padding|inset|border)-(inline|block)(?:-(width|style|color))?$/.exec(name)
  const [before, after] = entryOf(axes, match?.[2]) ?? []
  if (match === null || before === undefined || after === undefined) return undefined
  const [, of, , longhand] = match
  if (of === 'border' && longhand === undefined) return [...border(before, value), ...border(after, value)]
  const [first = value, last = first] = partsOf(value)
  const [start, end] = rightToLeft && match[2] === 'inline' ? [last, first] : [first, last]
  const nameOf = (side: string) =>
    of === 'inset' ? side : longhand === undefined ? `${of}-${side}` : `${of}-${side}-${longhand}`
  return [
    [nameOf(before), start],
    [nameOf(after), end],
  ]
}

const sides = ['top', 'right', 'bottom', 'left'] as const
const lineStyles = new Set('none hidden dotted dashed solid double groove ridge inset outset'.split(' '))
const wide = new Set(['inherit', 'initial', 'unset', 'revert'])

/** Expands one declaration into longhand properties. `rightToLeft`: the direction of the text of the element. */
export function longhands(
  written: string,
  value: string,
  rightToLeft = false,
): readonly (readonly [string, string])[] {
  const trimmed = value.trim()
  const name = physicalName(written, rightToLeft)
  const both = axisLonghands(name, trimmed, rightToLeft)
  if (both !== undefined) return both
  const all = (names: readonly string[]) => names.map((name) => [name, trimmed] as const)
  if (name === 'margin' || name === 'padding') return boxed(trimmed, (side) => `${name}-${side}`)
  if (/^border-(width|style|color)$/.test(name))
    return boxed(trimmed, (side) => `border-${side}-${name.slice('border-'.length)}`)
  if (name === 'border-radius') return borderRadius(trimmed)
  if (name === 'inset') return boxed(trimmed, (side) => side)
  if (name === 'border') return sides.flatMap((side) => border(side, trimmed))
  const side = /^border-(top|right|bottom|left)$/.exec(name)?.[1]
  if (side !== undefined) return border(side, trimmed)
  switch (name) {
    case 'background':
      return background(trimmed)
    case 'font':
      return font(trimmed)
    case 'list-style':
      return wide.has(trimmed) ? all(['list-style-type', 'list-style-position']) : listStyle(trimmed)
    case 'text-decoration-line':
      return [['text-decoration', trimmed]]
    case 'overflow-x':
    case 'overflow-y':
    case 'overflow-inline':
    case 'overflow-block':
      // Where one axis clips, the other one is not visible either (CSS Overflow 3, 3.1).
      return trimmed === 'visible' ? [] : [['overflow', trimmed]]
    case 'display':
      return [['display', trimmed.replace(/^-webkit-((?:inline-)?)flex$/i, '$1flex')]]
    case 'page-break-before':
    case 'page-break-after':
    case 'page-break-inside':
      return [[name.slice('page-'.length), trimmed === 'always' ? 'page' : trimmed]]
    case 'flex':
      return flex(trimmed)
    case 'flex-flow':
      return partsOf(trimmed).map((word) => [word.includes('wrap') ? 'flex-wrap' : 'flex-direction', word])
    case 'columns':
      return columns(trimmed)
    case 'column-rule':
    case 'outline':
      return line(name, trimmed)
    case 'grid-template':
    case 'grid':
      return gridTemplate(trimmed)
    case 'place-items':
    case 'place-content':
    case 'place-self': {
      const target = name.slice('place-'.length)
      const [align = trimmed, justify = align] = partsOf(trimmed)
      return [
        [`align-${target}`, align],
        [`justify-${target}`, justify],
      ]
    }
    case 'gap':
    case 'grid-gap':
      return [
        ['row-gap', partsOf(trimmed)[0] ?? trimmed],
        ['column-gap', partsOf(trimmed).at(-1) ?? trimmed],
      ]
    case 'grid-row-gap':
      return [['row-gap', trimmed]]
    case 'grid-column-gap':
      return [['column-gap', trimmed]]
    default:
      return [[name, trimmed]]
  }
}

/** Splits a value at white space; brackets and strings are not split. */
export function partsOf(value: string): string[] {
  if (!/[(['"]/.test(value)) return value.match(/\S+/g) ?? []
  return splitOutside(value.replace(/[\t\n\r\f]/g, ' '), ' ').filter((part) => part !== '')
}

function boxed(value: string, name: (side: string) => string): (readonly [string, string])[] {
  const [top = '0', right = top, bottom = top, left = right] = partsOf(value)
  return [
    [name('top'), top],
    [name('right'), right],
    [name('bottom'), bottom],
    [name('left'), left],
  ]
}

/** The radii of the corners, each as `horizontal vertical`. Source: CSS Backgrounds 3, 5.1. */
function borderRadius(value: string): (readonly [string, string])[] {
  const [across = '0', down = across] = splitOutside(value, '/').map((part) => part.trim())
  const corners = (axis: string): readonly string[] => {
    const [first = '0', second = first, third = first, fourth = second] = partsOf(axis)
    return [first, second, third, fourth]
  }
  const vertical = corners(down)
  return corners(across).map((radius, index) => {
    const corner = ['top-left', 'top-right', 'bottom-right', 'bottom-left'][index]
    return [`border-${corner}-radius`, wide.has(radius) ? radius : `${radius} ${vertical[index] ?? radius}`]
  })
}

const border = (side: string, value: string): (readonly [string, string])[] => line(`border-${side}`, value)

/** The width, style and colour of a border or of the rule between columns. */
function line(of: string, value: string): (readonly [string, string])[] {
  const name = (property: string) => `${of}-${property}`
  if (wide.has(value)) return ['width', 'style', 'color'].map((what) => [name(what), value] as const)
  let [width, style, color] = ['medium', 'none', 'currentcolor']
  for (const word of partsOf(value)) {
    const lower = word.toLowerCase()
    if (lineStyles.has(lower) || (of === 'outline' && lower === 'auto')) style = lower
    else if (/^(?:[\d.+-]|thin$|medium$|thick$|(?:calc|min|max|clamp)\()/.test(lower)) width = lower
    else color = word
  }
  return [
    [name('width'), width],
    [name('style'), style],
    [name('color'), color],
  ]
}

/** The number and the width of columns. Source: CSS Multi-column Layout 1, 3.3. */
function columns(value: string): (readonly [string, string])[] {
  if (wide.has(value)) return ['column-count', 'column-width'].map((name) => [name, value] as const)
  let [count, width] = ['auto', 'auto']
  for (const word of partsOf(value)) {
    if (/^\d+$/.test(word)) count = word
    else width = word
  }
  return [
    ['column-count', count],
    ['column-width', width],
  ]
}

/**
 * The colour of a background. Pictures behind text cannot be expressed; a gradient is replaced by its first
 * colour.
 */
function background(value: string): (readonly [string, string])[] {
  if (wide.has(value)) return [['background-color', value]]
  const pictures = splitOutside(value, ',')
    .flatMap(partsOf)
    .filter((word) => /^(?:url|[a-z-]*gradient)\(/i.test(word))
  return [
    ...backgroundColor(value),
    ['background-image', pictures.length === 0 ? 'none' : pictures.join(', ')],
    ...(pictures.some((word) => /^url\(|gradient/i.test(word)) ? backgroundPlace(value) : []),
    ...backgroundArea(value),
    // A word that is not read is kept under a name of its own, which is in no list of what is drawn.
    ...(isReadBackground(value) ? [] : [['background', value] as const]),
  ]
}

/** Whether each word of a background is known. */
const isReadBackground = (value: string): boolean =>
  splitOutside(value, ',').every((layer) =>
    partsOf(layer)
      .flatMap((word) => (/[("']/.test(word) ? [word] : word.split('/')))
      .every(
        (word) =>
          word === '' ||
          /^(?:url|[a-z-]*gradient|calc|min|max|clamp)\(/i.test(word) ||
          /^(?:[\d.+-].*|none|(?:no-)?repeat(?:-[xy])?|space|round|left|right|top|bottom|center|auto|cover|contain|fixed|scroll|local|(?:border|padding|content)-box|text|initial|inherit|unset)$/i.test(
            word,
          ) ||
          isColor(word),
      ),
  )

/** Where a background is painted, from where it is placed, and whether it moves, where the shorthand says so. */
function backgroundArea(value: string): (readonly [string, string])[] {
  const words = partsOf(value.toLowerCase())
  const boxes = words.filter((word) => /^(?:(?:border|padding|content)-box|text)$/.test(word))
  const [origin = 'padding-box', clip = boxes[0] ?? 'border-box'] = boxes
  return [
    ['background-attachment', words.includes('fixed') ? 'fixed' : 'scroll'],
    ['background-origin', origin],
    ['background-clip', clip],
  ]
}

function backgroundColor(value: string): (readonly [string, string])[] {
  const last = splitOutside(value, ',').at(-1) ?? ''
  for (const word of partsOf(last)) {
    if (isColor(word)) return [['background-color', word]]
    const stops = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((.*)\)$/is.exec(word)?.[1]
    const colour = splitOutside(stops ?? '', ',')
      .flatMap((stop) => partsOf(stop))
      .find(isColor)
    if (colour !== undefined) return [['background-color', colour]]
  }
  return [['background-color', 'transparent']]
}

function font(value: string): (readonly [string, string])[] {
  if (wide.has(value))
    return ['font-style', 'font-weight', 'font-size', 'line-height', 'font-family'].map(
      (name) => [name, value] as const,
    )
  const parts = partsOf(value)
  const size = parts.findIndex(
    (word) =>
      /^(?:[\d.]|(?:xx?-)?(?:small|large)(?!-)|medium|smaller|larger|calc\()/i.test(word) &&
      !/^\d00$/.test(word),
  )
  const [sized, ...families] = parts.slice(size)
  if (size < 0 || sized === undefined) return []
  let rest = families
  let [fontSize = '', lineHeight] = sized.split('/')
  if (rest[0]?.startsWith('/')) {
    lineHeight = rest[0] === '/' ? rest[1] : rest[0].slice(1)
    rest = rest.slice(rest[0] === '/' ? 2 : 1)
  }
  const before = parts.slice(0, size).map((word) => word.toLowerCase())
  return [
    ['font-style', before.find((word) => word === 'italic' || word === 'oblique') ?? 'normal'],
    ['font-weight', before.find((word) => /^(?:bold|bolder|lighter|\d00)$/.test(word)) ?? 'normal'],
    ['font-variant', before.includes('small-caps') ? 'small-caps' : 'normal'],
    ...before
      .filter((word) => /(?:condensed|expanded)$/.test(word))
      .map((word) => ['font-stretch', word] as const),
    ['font-size', fontSize],
    ['line-height', lineHeight ?? 'normal'],
    ...(rest.length > 0 ? ([['font-family', rest.join(' ')]] as const) : []),
  ]
}

function listStyle(value: string): (readonly [string, string])[] {
  const words = partsOf(value)
  const type = words.find((word) => !/^(?:inside|outside|url\(.*)$/i.test(word))
  const position = words.some((word) => /^inside$/i.test(word)) ? 'inside' : 'outside'
  return [
    ...(type === undefined ? [] : [['list-style-type', type] as const]),
    ['list-style-position', position],
  ]
}

function flex(value: string): (readonly [string, string])[] {
  if (value === 'none' || value === 'auto') {
    const by = value === 'auto' ? '1' : '0'
    return [
      ['flex-grow', by],
      ['flex-shrink', by],
      ['flex-basis', 'auto'],
    ]
  }
  const [grow = '0', second, third] = partsOf(value)
  const shrink = second !== undefined && /^[\d.]+$/.test(second) ? second : '1'
  const basis = third ?? (second !== undefined && !/^[\d.]+$/.test(second) ? second : undefined)
  if (!/^[\d.]+$/.test(grow))
    return [
      ['flex-grow', '1'],
      ['flex-shrink', '1'],
      ['flex-basis', grow],
    ]
  return [
    ['flex-grow', grow],
    ['flex-shrink', shrink],
    ['flex-basis', basis ?? '0'],
  ]
}

/** Rows and columns, or areas with the sizes of their rows. Source: CSS Grid Layout 2, 7.4. */
function gridTemplate(value: string): (readonly [string, string])[] {
  const [rows = 'none', columns = 'none'] = splitOutside(value, '/').map((part) => part.trim())
  if (/auto-flow/.test(value)) return []
  if (!/["']/.test(rows))
    return [
      ['grid-template-rows', rows],
      ['grid-template-columns', columns],
      ['grid-template-areas', 'none'],
    ]
  const areas: string[] = []
  const sizes: string[] = []
  for (const part of partsOf(rows)) {
    if (/^["']/.test(part)) {
      areas.push(part)
      sizes.push('auto')
    } else if (!part.startsWith('[')) sizes[Math.max(0, sizes.length - 1)] = part
  }
  return [
    ['grid-template-areas', areas.join(' ')],
    ['grid-template-rows', sizes.join(' ')],
    ['grid-template-columns', columns],
  ]
}

/** The position, the size and the repetition of the picture of a background. */
function backgroundPlace(value: string): (readonly [string, string])[] {
  // A slash between two values needs no white space around it; slashes in addresses are kept.
  const words = partsOf(value)
    .flatMap((word) => (/[("']/.test(word) ? [word] : word.split(/(\/)/)))
    .filter((word) => word !== '')
  const repeats = words.filter((word) => /^(?:no-repeat|repeat(?:-[xy])?|space|round)$/i.test(word))
  const isPlace = (word: string) =>
    /^(?:[\d.+-]|calc\(|(?:left|right|top|bottom|center|auto|cover|contain)$)/i.test(word)
  const slash = words.indexOf('/')
  const places = words.slice(0, slash < 0 ? undefined : slash).filter(isPlace)
  const sizes = slash < 0 ? [] : words.slice(slash + 1).filter(isPlace)
  return [
    ['background-position', places.length === 0 ? '0% 0%' : places.slice(0, 2).join(' ')],
    ['background-size', sizes.length === 0 ? 'auto' : sizes.slice(0, 2).join(' ')],
    ['background-repeat', repeats.length === 0 ? 'repeat' : repeats.join(' ')],
  ]
}
