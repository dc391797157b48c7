/**
 * Pictures of sheets whose alternative text is a tag. A picture with a two-cell anchor takes its size from the cells,
 * but a picture from data has its own aspect ratio. Its anchor therefore becomes a one-cell anchor, which states a
 * size. Source: template language 22.1; ECMA-376-1, 20.5.2.24 and 20.5.2.33.
 */

import type { Additions } from '../../../../shared/office/opc/additions.ts'
import { bindPictures, type PictureMarkup } from '../../../../shared/office/opc/pictures.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { closeOf } from '../../../../shared/template/media/tokens.ts'
import type { ElementToken, Token } from '../../../../shared/template/scan/tokens.ts'
import { attributeOf } from '../../../../shared/xml/elements.ts'

const markup: PictureMarkup = { holder: ['xdr:oneCellAnchor'], described: ['xdr:cNvPr'], box: 'xdr:ext' }

/** Binds the pictures of one drawing part. */
export function bindSheetPictures(
  part: string,
  tokens: readonly Token[],
  additions: Additions,
): readonly Token[] {
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind !== 'open' || token.name !== 'xdr:twoCellAnchor') {
      out.push(token)
      continue
    }
    const close = closeOf(tokens, at)
    const anchor = tokens.slice(at, close + 1)
    pushAll(out, atOneCell(anchor) ?? anchor)
    at = close
  }
  return bindPictures(part, out, additions, markup)
}

/**
 * The anchor of a picture with `<xdr:ext>` in place of `<xdr:to>`. Undefined for an anchor that is not a picture, has
 * no size in `<a:ext>` (in EMU), or has no tag.
 */
function atOneCell(anchor: readonly Token[]): Token[] | undefined {
  const isNamed = (name: string) => (token: Token) =>
    token.kind !== 'close' && 'name' in token && token.name === name
  const size = anchor.find(
    (token) => isNamed('a:ext')(token) && 'raw' in token && Number(attributeOf(token.raw, 'cx')) > 0,
  )
  if (size === undefined || !anchor.some(isNamed('xdr:pic')) || !anchor.some(({ kind }) => kind === 'tag'))
    return undefined
  const [cx, cy] = ['cx', 'cy'].map((name) => attributeOf((size as ElementToken).raw, name))
  const name = 'xdr:oneCellAnchor'
  const out: Token[] = [{ kind: 'open', name, raw: `<${name}>`, offset: anchor[0]!.offset }]
  for (let at = 1; at < anchor.length - 1; at += 1) {
    const token = anchor[at]
    if (token === undefined) break
    if (token.kind === 'open' && token.name === 'xdr:to') at = closeOf(anchor, at)
    else out.push(token)
    if (token.kind === 'close' && token.name === 'xdr:from')
      out.push({
        kind: 'void',
        name: 'xdr:ext',
        raw: `<xdr:ext cx="${cx}" cy="${cy}"/>`,
        offset: token.offset,
      })
  }
  out.push({ kind: 'close', name, raw: `</${name}>`, offset: anchor.at(-1)!.offset })
  return out
}
