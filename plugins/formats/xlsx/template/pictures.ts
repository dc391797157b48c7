/**
 * Pictures of sheets whose alternative text is a tag. One that lies between two cells has their size, so it is anchored
 * at its first cell from now on, with a size of its own. Source: template language 22.1; ECMA-376-1, 20.5.2.24 and
 * 20.5.2.33.
 */
import type { Additions } from '../../../../shared/office/opc/additions.ts'
import { bindPictures, type PictureMarkup } from '../../../../shared/office/opc/pictures.ts'
import { closeOf } from '../../../../shared/template/media/tokens.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'

const markup: PictureMarkup = { holder: ['xdr:oneCellAnchor'], described: ['xdr:cNvPr'], box: 'xdr:ext' }

export function bindSheetPictures(
  part: string,
  tokens: readonly Token[],
  additions: Additions,
): readonly Token[] {
  const out: Token[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    if (token.kind !== 'open' || token.name !== 'xdr:twoCellAnchor') {
      out.push(token)
      continue
    }
    const close = closeOf(tokens, at)
    const anchor = tokens.slice(at, close + 1)
    out.push(...(atOneCell(anchor) ?? anchor))
    at = close
  }
  return bindPictures(part, out, additions, markup)
}

/** undefined for what is no picture, says no size, or has nothing to do with data. */
function atOneCell(anchor: readonly Token[]): Token[] | undefined {
  const isNamed = (name: string) => (token: Token) =>
    token.kind !== 'close' && 'name' in token && token.name === name
  const size = anchor.find(
    (token) => isNamed('a:ext')(token) && 'raw' in token && /\scx="[1-9]/.test(token.raw),
  )
  if (size === undefined || !anchor.some(isNamed('xdr:pic')) || !anchor.some(({ kind }) => kind === 'tag'))
    return undefined
  const [cx, cy] = ['cx', 'cy'].map(
    (name) => new RegExp(`\\s${name}="(\\d+)"`).exec((size as { raw: string }).raw)?.[1],
  )
  const name = 'xdr:oneCellAnchor'
  const out: Token[] = [{ kind: 'open', name, raw: `<${name}>`, offset: anchor[0]!.offset }]
  for (let at = 1; at < anchor.length - 1; at += 1) {
    const token = anchor[at]!
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
