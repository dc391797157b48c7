/** Builds the boxes of replaced elements: pictures and form controls. */
import type { Element } from 'hast'
import type { StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import type { PictureBox } from './box.ts'
import type { BoxBuild } from './box-build.ts'
import { styledDrawing } from './drawing-styles.ts'

/** Builds the box of a picture or control; undefined for other elements. */
export function pictureOf(build: BoxBuild, of: StyledElement): PictureBox | undefined {
  const { element, style } = of
  const { tagName } = element
  const alternative = attributeOf(element, 'alt') ?? ''
  const isDecoration =
    attributeOf(element, 'aria-hidden') === 'true' ||
    /^(?:presentation|none)$/.test(attributeOf(element, 'role') ?? '') ||
    (tagName === 'img' && attributeOf(element, 'alt') === '')
  if (tagName === 'img') {
    const media = build.media.fromAddress(String(element.properties['src'] ?? ''))
    return {
      kind: 'picture',
      style,
      ...(media !== undefined && { media }),
      alternative,
      ...(isDecoration && { isDecoration }),
    }
  }
  if (tagName === 'svg')
    return {
      kind: 'picture',
      style,
      media: build.media.fromDrawing(styledDrawing(build, of)),
      ...(hasRatioAlone(element) && { fills: true }),
      alternative: attributeOf(element, 'aria-label') ?? titleOf(element),
      ...(isDecoration && { isDecoration }),
    }
  if (tagName === 'input') {
    const type = attributeOf(element, 'type')?.toLowerCase()
    const isOn = attributeOf(element, 'checked') !== undefined
    if (style.word('appearance') === 'none') return undefined
    if (type === 'checkbox')
      return { kind: 'picture', style, control: isOn ? 'checked' : 'checkbox', alternative }
    if (type === 'radio') return { kind: 'picture', style, control: isOn ? 'selected' : 'radio', alternative }
  }
  return undefined
}

/** An SVG element with a `viewBox` and without a width or height. */
const hasRatioAlone = (element: Element): boolean =>
  attributeOf(element, 'viewBox') !== undefined &&
  attributeOf(element, 'width') === undefined &&
  attributeOf(element, 'height') === undefined

/** The `title` of an SVG element. Source: SVG 2, 5.7. */
function titleOf({ children }: Element): string {
  for (const child of children) {
    if (child.type !== 'element' || child.tagName !== 'title') continue
    return child.children
      .map((content) => (content.type === 'text' ? content.value : ''))
      .join('')
      .trim()
  }
  return ''
}
