/**
 * What stands in place of a picture that cannot be drawn: an icon and the alternative text.
 * Source: HTML Standard, 15.4.3; icon, border and conditions as observed in Chromium.
 */
import type { Element } from 'hast'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { BlockBox, InlineItem, InlineState, LayoutBox, PictureBox } from './box.ts'
import type { BoxBuild } from './box-build.ts'
import { pixel } from './text-font.ts'

export type MissingPicture =
  /** The icon and the text are set in the line of the picture. */
  | { readonly look: 'inline'; readonly icon: boolean; readonly text: string }
  /** The icon and the text are the content of the box of the picture. */
  | { readonly look: 'box'; readonly icon: boolean; readonly text: string }
  /** The same in a box that keeps the size of the picture, with a border unless it is smaller than the icon. */
  | { readonly look: 'frame'; readonly icon: boolean; readonly text: string }

/** The space that the icon needs with the border and padding of the frame. */
const iconSpace = 18 * pixel

/** Decides how a picture is replaced; undefined if it can be drawn. */
export function missingPictureOf(
  { media, style, alternative }: PictureBox,
  element: Element,
  isQuirks: boolean,
): MissingPicture | undefined {
  if (element.tagName !== 'img' || media !== undefined) return undefined
  const [hasWidth, hasHeight] = [isGiven(style, 'width'), isGiven(style, 'height')]
  const hasText = alternative !== ''
  const isFrame = isQuirks ? hasWidth || hasHeight : hasWidth && hasHeight && !hasText
  if (isFrame) {
    const sides = (['width', 'height'] as const).map((name) => style.length(name))
    const icon = sides.every((side) => side === undefined || side >= iconSpace)
    return { look: 'frame', icon, text: alternative }
  }
  const icon = hasText || attributeOf(element, 'alt') === undefined
  return { look: style.display === 'inline' ? 'inline' : 'box', icon, text: alternative }
}

const isGiven = (style: ComputedStyle, name: string): boolean => (style.word(name) ?? 'auto') !== 'auto'

const border = ['top', 'right', 'bottom', 'left'].flatMap((side): (readonly [string, string])[] => [
  [`border-${side}-width`, '1px'],
  [`border-${side}-style`, 'solid'],
  [`border-${side}-color`, '#c0c0c0'],
  [`padding-${side}`, '1px'],
])

/** Builds the box of a picture that is replaced by a box of its own: a block, or an inline block in a line. */
export function missingPictureBox(
  build: BoxBuild,
  style: ComputedStyle,
  state: InlineState,
  { look, icon, text }: MissingPicture,
): BlockBox {
  const boxStyle = style.extended([
    ['display', style.display === 'inline' ? 'inline-block' : style.display],
    ['overflow', 'hidden'],
    ...(look === 'frame' ? frameRules(style, icon) : []),
  ])
  const inherited: InlineState = { ...state, style: boxStyle, rise: 0 }
  const children: LayoutBox[] = []
  if (icon) {
    build.floats = true
    children.push({
      kind: 'out-of-flow',
      style: boxStyle,
      placement: 'left',
      box: brokenIconOf(boxStyle, text),
    })
  }
  if (text !== '') {
    const lines: LayoutBox = {
      kind: 'lines',
      style: boxStyle,
      items: [{ kind: 'text', text, state: inherited }],
    }
    children.push(lines)
  }
  return { kind: 'block', style: boxStyle, children }
}

/** A frame without one of its sizes is a square; one that holds its icon has a border. */
function frameRules(style: ComputedStyle, icon: boolean): readonly (readonly [string, string])[] {
  const [width, height] = [style.get('width') ?? 'auto', style.get('height') ?? 'auto']
  const sides: (readonly [string, string])[] = [
    ['width', width === 'auto' ? height : width],
    ['height', height === 'auto' ? width : height],
  ]
  return icon ? [...sides, ...border, ['box-sizing', 'border-box']] : sides
}

const brokenIconOf = (style: ComputedStyle, alternative: string): PictureBox => ({
  kind: 'picture',
  style,
  alternative,
  control: 'broken',
})

/** The icon and the text as items of a line. */
export function missingPictureItems(
  style: ComputedStyle,
  state: InlineState,
  { icon, text }: MissingPicture,
): readonly InlineItem[] {
  return [
    ...(icon ? [{ kind: 'atomic' as const, box: brokenIconOf(style, text), state }] : []),
    ...(text === '' ? [] : [{ kind: 'text' as const, text, state: { ...state, rise: 0 } }]),
  ]
}
