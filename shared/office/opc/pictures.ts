/**
 * Pictures of Office Open XML documents whose alternative text is a tag: size, file and relationship follow the value.
 * Source: template language 22.1; ECMA-376-1, clauses 19.3.1.37, 20.1.8.13, 20.2 and 20.4.2; [MS-ODRAWXML] 2.3.1.2
 * (svgBlip).
 */

import { pushAll } from '../../push-all.ts'
import { renderMedia } from '../../template/media/media.ts'
import {
  closeOf,
  inOneTag,
  isValueTag,
  type PictureSlot,
  pictureSlot,
  withElements,
} from '../../template/media/tokens.ts'
import type { ElementToken, TagToken, Token } from '../../template/scan/tokens.ts'
import type { RenderScope } from '../../template/scope.ts'
import { attributeOf, replaceAttribute, withoutAttributes } from '../../xml/elements.ts'
import type { Additions } from './additions.ts'
import { bindVmlPictures } from './vml-pictures.ts'

/** How a format writes a picture. */
export interface PictureMarkup {
  readonly holder: readonly string[] // elements that enclose the whole picture
  readonly described: readonly string[] // elements that have an alternative text
  readonly box: string // the element whose `cx` and `cy` are the placeholder's size
  /** Whether VML markup is supported, too. */
  readonly vml?: true
  /** The element whose presence makes the size of the holder follow the picture; absent: the size always follows. */
  readonly resized?: string
}

/** The placeholder pictures of Word (ECMA-376-1, 20.4). */
export const wordPictures: PictureMarkup = {
  holder: ['w:drawing'],
  described: ['wp:docPr', 'pic:cNvPr'],
  box: 'wp:extent',
  // A picture that fills a shape has the shape's size.
  resized: 'pic:pic',
  vml: true,
}
/** The placeholder pictures of presentations (ECMA-376-1, 19.3). */
export const slidePictures: PictureMarkup = {
  holder: ['p:pic', 'p:sp'],
  described: ['p:cNvPr'],
  box: 'a:ext',
  resized: 'p:pic',
}

/** Binds pictures whose alternative text is a tag: file and size follow the value. */
export function bindPictures(
  part: string,
  tokens: readonly Token[],
  additions: Additions,
  markup: PictureMarkup,
): readonly Token[] {
  const withPictures = withElements(
    tokens,
    ({ name }) => markup.holder.includes(name),
    (drawing) => {
      const tag = pictureTag(drawing, markup)
      return tag && bound(part, inOneTag(drawing, [markup.box, 'a:ext']), tag, additions, markup)
    },
  )
  return markup.vml === true ? bindVmlPictures(part, withPictures, additions) : withPictures
}

/**
 * The tag that refers to the picture. It must be the whole alternative text, apart from tags that act on markup.
 * Other words make the text an ordinary description.
 */
function pictureTag(drawing: readonly Token[], markup: PictureMarkup): TagToken | undefined {
  if (!drawing.some((token) => 'name' in token && token.name === 'a:blip')) return undefined
  for (const { start, stop } of descriptions(drawing, markup)) {
    const content = drawing.slice(start, stop)
    const tag = content.find((token): token is TagToken => token.kind === 'tag' && isValueTag(token))
    if (tag === undefined) continue
    const texts = content.filter((token) => token.kind === 'text').map(({ raw }) => raw)
    const open = drawing[start - 1] as ElementToken
    // The last text contains the end of the attribute and the attributes after it.
    const values = [
      open.raw.slice(open.raw.search(/["'][^"']*$/) + 1),
      ...texts.map((raw) => raw.split(/["']/)[0]!),
    ]
    if (values.every((text) => !/[^\s/>]/.test(text))) return tag
  }
  return undefined
}

/** The tokens of attributes with tags, for elements that have an alternative text. */
function descriptions(
  drawing: readonly Token[],
  { described }: PictureMarkup,
): { start: number; stop: number }[] {
  return drawing.flatMap((token, index) => {
    if (token.kind !== 'open' || !described.includes(token.name)) return []
    let stop = index + 1
    while (drawing[stop]?.kind === 'tag' || drawing[stop]?.kind === 'text') stop += 1
    return [{ start: index + 1, stop }]
  })
}

/** The tags with values in the alternative texts of a drawing. */
function descriptionTags(drawing: readonly Token[], markup: PictureMarkup): ReadonlySet<number> {
  const tags = new Set<number>()
  for (const { start, stop } of descriptions(drawing, markup))
    for (const [at, token] of drawing.slice(start, stop).entries())
      if (token.kind === 'tag' && isValueTag(token)) tags.add(start + at)
  return tags
}

/** The drawing with its picture, its size and its alternative text bound to the tag. */
function bound(
  part: string,
  drawing: readonly Token[],
  tag: TagToken,
  additions: Additions,
  markup: PictureMarkup,
): Token[] {
  const isPicture =
    markup.resized === undefined || drawing.some((token) => 'name' in token && token.name === markup.resized)
  const extent = drawing.find(
    (token): token is ElementToken =>
      'name' in token && token.name === markup.box && attributeOf(token.raw, 'cx') !== undefined,
  )
  const length = (name: string) => Number(attributeOf(extent?.raw ?? '', name)) || 914_400
  const slot = pictureSlot(tag, { width: length('cx'), height: length('cy') })
  const removed = descriptionTags(drawing, markup)
  const result: Token[] = [drawing[0]!, ...slot.begin]
  let blips = 0
  for (let index = 1; index < drawing.length; index += 1) {
    const token = drawing[index]
    if (token === undefined) break
    if (removed.has(index)) continue
    const name = 'name' in token && token.kind !== 'close' ? token.name : ''
    if (name === 'a:srcRect') {
      // The visible part of the sample picture does not apply to another picture.
      if (token.kind === 'open') index = closeOf(drawing, index)
    } else if (name === 'a:blip' && blips++ === 0) {
      const close = token.kind === 'open' ? closeOf(drawing, index) : index
      pushAll(result, blip(part, drawing.slice(index, close + 1), slot, additions))
      index = close
    } else if (isPicture && token.kind === 'void' && (name === markup.box || name === 'a:ext')) {
      result.push(sized(token, slot))
    } else result.push(token)
  }
  return result
}

function sized(token: ElementToken, slot: PictureSlot): Token {
  const { raw, offset } = token
  if (attributeOf(raw, 'cx') === undefined) return token
  return {
    kind: 'computed',
    offset,
    compute(scope) {
      const { width, height } = slot.placed(scope)
      const emu = (length: number) => String(Math.max(1, Math.min(Math.round(length), 2_147_483_647)))
      return replaceAttribute(replaceAttribute(raw, 'cx', emu(width)), 'cy', emu(height))
    },
  }
}

/** The extension of `a:blip` that adds a vector picture to its fallback image; `id` is that of a relationship. */
export const svgExtension = (id: string): string =>
  `<a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="${id}"/></a:ext></a:extLst>`

/** Keeps the effects of the sample; removes its file and its extensions, such as a vector form or a web address. */
function blip(part: string, tokens: readonly Token[], slot: PictureSlot, additions: Additions): Token[] {
  const open = tokens[0] as ElementToken
  const { offset, name } = open
  const file = (scope: RenderScope) => slot.placed(scope).file
  const raw = withoutAttributes(
    open.raw,
    (attribute) => attribute === 'r:embed' || attribute === 'r:link',
  ).replace(/\s*\/?>$/, '')
  const remaining: Token[] = []
  for (let index = 1; index < tokens.length - 1; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if ('name' in token && token.name === 'a:extLst')
      index = token.kind === 'open' ? closeOf(tokens, index) : index
    else remaining.push(token)
  }
  return [
    { kind: 'open', name, raw, offset },
    {
      kind: 'computed',
      offset,
      compute: (scope) => {
        const shownFile = scope.require(renderMedia).fallbackImage(file(scope)) ?? file(scope)
        return ` r:embed="${additions.picture(scope, part, shownFile)}">`
      },
    },
    ...remaining,
    {
      kind: 'computed',
      offset,
      compute: (scope) =>
        file(scope).kind === 'svg' ? svgExtension(additions.picture(scope, part, file(scope))) : '',
    },
    { kind: 'close', name, raw: `</${name}>`, offset },
  ]
}
