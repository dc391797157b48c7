/**
 * Pictures in the older markup of Word (VML) whose alternative text is a tag: size, file and relationship follow the
 * value. Source: template language 22.1; ECMA-376-4, 19.1.2.11 (imagedata) and 19.1.2.19 (shape).
 */
import { entryOf } from '../../entry-of.ts'
import { pushAll, spliceAll } from '../../push-all.ts'
import { renderMedia } from '../../template/media/media.ts'
import {
  closeOf,
  isValueTag,
  type PictureSlot,
  pictureSlot,
  withElements,
} from '../../template/media/tokens.ts'
import type { ElementToken, TagToken, Token } from '../../template/scan/tokens.ts'
import { attributeOf, cutOffAttribute, findAttribute, withoutAttributes } from '../../xml/elements.ts'
import type { Additions } from './additions.ts'

const shapes = new Set(['v:shape', 'v:rect', 'v:roundrect', 'v:oval'])

/** Binds VML pictures whose alternative text is a tag. */
export function bindVmlPictures(
  part: string,
  tokens: readonly Token[],
  additions: Additions,
): readonly Token[] {
  return withElements(
    tokens,
    ({ name }, index) => shapes.has(name) && tokens[index + 1]?.kind === 'tag',
    (shape) => bound(part, shape, additions),
  )
}

/** Undefined for a shape without a picture, and if the alternative text contains more than the tag. */
function bound(part: string, shape: readonly Token[], additions: Additions): Token[] | undefined {
  const open = shape[0] as ElementToken
  let end = 1
  while (shape[end]?.kind === 'tag' || shape[end]?.kind === 'text') end += 1
  const openingRest = shape.slice(1, end)
  const tag = openingRest.find((token): token is TagToken => token.kind === 'tag' && isValueTag(token))
  const values = openingRest.flatMap((token) => (token.kind === 'text' ? [token.raw.split(/["']/)[0]!] : []))
  const cut = cutOffAttribute(open.raw)
  const isAlone =
    cut?.name === 'alt' &&
    open.raw.slice(cut.valueStart).trim() === '' &&
    values.every((text) => text.trim() === '')
  const isPicture = shape.some((token) => 'name' in token && token.name === 'v:imagedata')
  if (tag === undefined || !isAlone || !isPicture) return undefined
  const openingTag = [open, ...openingRest].map((token) => ('raw' in token ? token.raw : '')).join('')
  const slot = pictureSlot(tag, boxOf(openingTag))
  const result: Token[] = []
  // The value must be known before the size that depends on it is written.
  const head: Token[] = [open, ...openingRest.filter((token) => token.kind !== 'tag' || !isValueTag(token))]
  for (const token of head)
    pushAll(result, token.kind === 'tag' ? [token] : sized(token as ElementToken, slot))
  const name = open.raw.search(/[\s>]/)
  const first = result[0] as ElementToken
  if (first.kind === 'open') {
    result[0] = { ...first, raw: first.raw.slice(0, name) }
    spliceAll(result, 1, 0, [
      ...slot.begin,
      {
        kind: 'text',
        raw: first.raw.slice(name),
        offset: open.offset,
        markup: true,
      },
    ])
  }
  for (let index = end; index < shape.length; index += 1) {
    const token = shape[index]
    if (token === undefined) break
    if (!('name' in token) || token.name !== 'v:imagedata' || token.kind === 'close') {
      result.push(token)
      continue
    }
    pushAll(result, imageData(part, token, slot, additions))
    if (token.kind === 'open') index = closeOf(shape, index)
  }
  return result
}

/** Units of lengths in VML, in points. A number without a unit is in pixels. */
const perUnit: Readonly<Record<string, number>> = {
  pt: 1,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  px: 0.75,
  pc: 12,
  '': 0.75,
}
const lengthPattern = (name: string) => new RegExp(`((?:^|[\\s;"'])${name}\\s*:\\s*)([\\d.]+)([a-z]*)`)

function boxOf(markup: string) {
  const style = attributeOf(markup, 'style') ?? ''
  const length = (name: string) => {
    const [, , number, unit = ''] = lengthPattern(name).exec(style) ?? []
    const points = Number(number) * (entryOf(perUnit, unit) ?? Number.NaN)
    return points > 0 ? points : 72
  }
  return { width: length('width'), height: length('height') }
}

/** The style in a segment of the opening tag, with the size that the picture takes. */
function sized(token: ElementToken, slot: PictureSlot): Token[] {
  // After a tag, the text begins with the rest of the attribute value that contains the tag.
  const valueStart = token.raw.startsWith('<') ? 0 : token.raw.indexOf('"') + 1
  const style = findAttribute(token.raw.slice(valueStart), 'style')
  if (style === undefined) return [token]
  const { offset } = token
  const from = valueStart + style.valueStart
  const to = valueStart + style.valueEnd
  const declared = token.raw.slice(from, to)
  return [
    { ...token, raw: token.raw.slice(0, from) },
    {
      kind: 'computed',
      offset,
      compute(scope) {
        const { width, height } = slot.placed(scope)
        const points = (length: number) => `$1${Number(Math.max(0.1, length).toFixed(2))}pt`
        return declared
          .replace(lengthPattern('width'), points(width))
          .replace(lengthPattern('height'), points(height))
      },
    },
    { kind: 'text', raw: token.raw.slice(to), offset, markup: true },
  ]
}

/** Attributes that name the file of the sample, or the part of it that is shown (ECMA-376-4, 19.1.2.11). */
const ofSample = /^(?:\w+:(?:id|pict|href|relid)|src|crop\w+)$/

/** Shows the complete picture: the cropping of the sample does not apply to another picture. */
function imageData(
  part: string,
  { raw, name, offset }: ElementToken,
  slot: PictureSlot,
  additions: Additions,
): Token[] {
  const head = withoutAttributes(raw, (attribute) => ofSample.test(attribute)).replace(/\s*\/?>$/, '')
  return [
    { kind: 'open', name, raw: head, offset },
    {
      kind: 'computed',
      offset,
      compute(scope) {
        const { file } = slot.placed(scope)
        return ` r:id="${additions.picture(scope, part, scope.require(renderMedia).fallbackImage(file) ?? file)}"`
      },
    },
    { kind: 'close', name, raw: '/>', offset },
  ]
}
