/**
 * Pictures in HTML, SVG and Markdown, where a picture is an address. An address from data is written as it is; a picture that the
 * render draws itself becomes a data URI. Source: template language 22.1 to 22.3.
 */
import { pictureTypes } from '../../images/measure.ts'
import { toBase64 } from '../../plugin/base64.ts'
import type { Warning } from '../../plugin/contract.ts'
import { escapeFor } from '../emit/escape.ts'
import { type DrawnPicture, type ImageFit, LinkValue, PictureValue } from '../formatters/formatter.ts'
import type { TagToken, TextToken, Token } from '../scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../scope.ts'
import { linkAddress } from './link.ts'
import { renderMedia } from './media.ts'

/**
 * Binds tags that are an address of HTML or SVG, in `src`, `href` and the like. The fit that a tag asks for becomes the style of
 * its picture, unless the picture has a style already.
 */
export function bindAddresses(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = []
  let fit: FitKey | undefined // asked for in the opening tag that is being read
  tokens.forEach((token, at) => {
    if (token.kind === 'tag' && token.context === 'address') {
      const before = tokens[at - 1]
      const first = before !== undefined && 'raw' in before && /["'=]\s*$/.test(before.raw)
      const asksForFit = /:imageFit\b/.test(token.text) && isImage(tokens, at)
      const key: FitKey | undefined = asksForFit ? scopeKey('fit of a picture') : undefined
      fit = key ?? fit
      out.push({ ...token, output: written('address', first, key) })
    } else if (fit !== undefined && token.kind === 'text' && token.raw.includes('>')) {
      out.push(...fitted(token, fit))
      fit = undefined
    } else if (fit !== undefined && token.kind === 'close') {
      out.push(
        ...fitted({ kind: 'text', raw: token.raw, offset: token.offset, markup: true }, fit).slice(0, -1),
      )
      out.push({ ...token, raw: /\s*\/?>$/.exec(token.raw)?.[0] ?? token.raw })
      fit = undefined
    } else out.push(token)
  })
  return out
}

/** Whether the tag stands in the opening tag of a picture without a style. */
function isImage(tokens: readonly Token[], at: number): boolean {
  let open = at - 1
  while (open >= 0 && (tokens[open]!.kind === 'text' || tokens[open]!.kind === 'tag')) open -= 1
  const first = tokens[open]
  if (first?.kind !== 'open' || first.name !== 'img') return false
  for (let n = open; n < tokens.length; n += 1) {
    const token = tokens[n]!
    if (!('raw' in token)) continue
    if (/\sstyle\s*=/i.test(token.raw)) return false
    if (token.raw.includes('>')) return true
  }
  return false
}

/** Where the render keeps the fit that the tag of a picture asked for. */
type FitKey = ScopeKey<ImageFit | undefined>

const styles: Readonly<Record<ImageFit, string>> = {
  fillWidth: 'height:auto',
  contain: 'object-fit:contain',
  fill: 'object-fit:fill',
}

/** The end of an opening tag with the style before it. */
function fitted(token: TextToken, key: FitKey): Token[] {
  const end = /\s*\/?>/.exec(token.raw)!.index
  const compute = (scope: RenderScope) => {
    const fit = scope.get(key)
    return fit === undefined ? '' : ` style="${styles[fit]}"`
  }
  return [
    { ...token, raw: token.raw.slice(0, end) },
    { kind: 'computed', offset: token.offset, hidden: true, compute },
    { ...token, raw: token.raw.slice(end) },
  ]
}

/** Tags between the parentheses of a Markdown picture or link, or in the `src` of HTML inside it. */
export function bindMarkdown(tokens: readonly Token[]): readonly Token[] {
  return tokens.map((token, at) => {
    const before = tokens[at - 1]
    const isAddress =
      token.kind === 'tag' && before?.kind === 'text' && /(?:\]\(\s*<?|\ssrc=["'])$/i.test(before.raw)
    return isAddress ? { ...token, output: written('plain', true) } : token
  })
}

/** Schemes that a page would run as a program. Browsers ignore blanks and control characters in them. */
const runs = /^(?:javascript|vbscript):/i
const blanks = /[\u0000-\u0020\u007f-\u00a0]/g

const notShown: Warning = { code: 'picture.not-shown', message: 'Browsers show no TIFF pictures.' }

/** Writes the address of a tag. `first`: nothing stands before the tag, so its value has the scheme. `fit`: where to keep the fit. */
const written =
  (context: 'address' | 'plain', first: boolean, fit?: FitKey): NonNullable<TagToken['output']> =>
  (value, textOf, scope) => {
    if (fit !== undefined) scope.set(fit, value instanceof PictureValue ? value.fit : undefined)
    if (value instanceof LinkValue) {
      const usable = linkAddress(textOf(value.address)) ?? linkAddress(value.fallback)
      return escapeFor(context, usable ?? '')
    }
    const source = value instanceof PictureValue ? value.source : value
    const drawn = scope.require(renderMedia).drawing(source)
    if (drawn !== undefined) return dataUri(drawn, scope)
    const text = textOf(value)
    if (first && /^\s*data:image\/tiff?\b/i.test(text))
      scope.require(renderMedia).warnings.set(notShown.code, notShown)
    return first && runs.test(text.replace(blanks, '')) ? '' : escapeFor(context, text)
  }

function dataUri(source: DrawnPicture, scope: RenderScope): string {
  const media = scope.require(renderMedia)
  const { kind, bytes } = media.find(source) ?? media.neutral(1)
  return `data:${pictureTypes[kind]};base64,${toBase64(bytes)}`
}
