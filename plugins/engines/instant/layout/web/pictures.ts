/** Elements that are replaced by a picture or a control. */
import type { StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import type { PictureBox } from './box.ts'
import type { BoxBuild } from './box-build.ts'

const controls = new Set([
  'select',
  'textarea',
  'button',
  'video',
  'canvas',
  'audio',
  'iframe',
  'object',
  'math',
])

/** The box of an element that is a picture or a control; undefined for others. */
export function pictureOf(build: BoxBuild, { element, style }: StyledElement): PictureBox | undefined {
  const { tagName } = element
  const alternative = attributeOf(element, 'alt') ?? ''
  if (tagName === 'img') {
    const media = build.media.fromAddress(String(element.properties['src'] ?? ''))
    return { kind: 'picture', style, ...(media !== undefined && { media }), alternative }
  }
  if (tagName === 'svg')
    return { kind: 'picture', style, media: build.media.fromDrawing(element), alternative }
  if (tagName === 'input') {
    const type = attributeOf(element, 'type')?.toLowerCase()
    const isOn = attributeOf(element, 'checked') !== undefined
    if (type === 'checkbox')
      return { kind: 'picture', style, control: isOn ? 'checked' : 'checkbox', alternative }
    if (type === 'radio') return { kind: 'picture', style, control: isOn ? 'selected' : 'radio', alternative }
    if (type !== 'hidden') build.undrawn.add('fields of forms')
  } else if (controls.has(tagName)) build.undrawn.add(`elements "${tagName}"`)
  return undefined
}
