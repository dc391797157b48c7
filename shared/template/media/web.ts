/**
 * Pictures in HTML, SVG and Markdown, where a picture is an address. An address from data is written unchanged, and a picture
 * that the render draws itself becomes a data URI. Source: template language 22.1 to 22.3.
 */

import { pictureTypes } from '../../images/measure.ts'
import { toBase64 } from '../../plugin/base64.ts'
import type { Warning } from '../../plugin/values.ts'
import { pushAll } from '../../push-all.ts'
import { cutOffAttribute } from '../../xml/elements.ts'
import { decodeEntities } from '../../xml/scan.ts'
import { escapeFor, percent, percentEncoded, withoutBlanks } from '../emit/escape.ts'
import { type DrawnPicture, type ImageFit, LinkValue, PictureValue } from '../formatters/formatter.ts'
import { openAutolink, openTagIn, scheme } from '../scan/attribute-context.ts'
import type { TagToken, TextToken, Token } from '../scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../scope.ts'
import { warnOnce } from '../warnings.ts'
import { afterEquals, linkAddress } from './link.ts'
import { renderMedia } from './media.ts'

/**
 * Binds tags in addresses of HTML or SVG: `src`, `href` and the like. The fit that a tag requests becomes the style of its
 * picture, unless the picture already has a style.
 */
export function bindAddresses(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = []
  let fit: FitKey | undefined // requested in the opening tag that is being read
  tokens.forEach((token, index) => {
    if (token.kind === 'tag' && token.context === 'address') {
      const previous = tokens[index - 1]
      const first = previous !== undefined && 'raw' in previous && startsAddress.test(previous.raw)
      const hasImageFit = /:imageFit\b/.test(token.text) && isImage(tokens, index)
      const key: FitKey | undefined = hasImageFit ? scopeKey('fit of a picture') : undefined
      fit = key ?? fit
      const element = enclosingElement(tokens, index)
      const isPicture = first && endsAddress(tokens[index + 1]) && pictureTags.has(element)
      const before = first ? '' : addressBefore(tokens, index)
      const output = addressWriter('address', first, {
        fit: key,
        isPicture,
        before,
        ...enclosingAddress(tokens, index),
        element,
      })
      result.push({ ...token, output })
    } else if (fit !== undefined && token.kind === 'text' && token.raw.includes('>')) {
      pushAll(result, fitted(token, fit))
      fit = undefined
    } else if (fit !== undefined && token.kind === 'close') {
      const text = { kind: 'text', raw: token.raw, offset: token.offset, markup: true } as const
      pushAll(result, fitted(text, fit).slice(0, -1))
      result.push({ ...token, raw: /\s*\/?>$/.exec(token.raw)?.[0] ?? token.raw })
      fit = undefined
    } else result.push(token)
  })
  return result
}

/** The end of an attribute's name and sign, and the quote: what follows is the beginning of its value. */
const startsAddress = /(?:=\s*["']|\s[\w:.-]+\s*=\s*)$/

/** The number of tokens before a tag that are searched for the beginning of its address. */
const maxSegments = 20

/** The text of an address before a tag; other tags count as empty. */
function addressBefore(tokens: readonly Token[], index: number): string {
  let text = ''
  for (let n = index - 1; n >= Math.max(0, index - maxSegments); n -= 1) {
    const token = tokens[n]
    if (token === undefined || !('raw' in token)) continue
    text = token.raw + text
    if (token.kind === 'open') break
  }
  return text.slice(Math.max(text.lastIndexOf('"'), text.lastIndexOf("'")) + 1)
}

/** The fixed text of an address after a tag, up to the next one, and whether other tags precede or follow it. */
function enclosingAddress(
  tokens: readonly Token[],
  index: number,
): Pick<AddressUse, 'after' | 'follows' | 'goesOn'> {
  const next = tokens[index + 1]
  const raw = next !== undefined && 'raw' in next ? next.raw : ''
  const end = raw.search(/["'<>]/)
  let before = index - 1
  while (
    before > 0 &&
    tokens[before]?.kind === 'text' &&
    !/["'=]\s*$/.test((tokens[before] as TextToken).raw)
  )
    before -= 1
  const follows = tokens[before]?.kind === 'tag'
  const goesOn = end < 0 && (next?.kind === 'tag' || tokens[index + 2]?.kind === 'tag')
  return { after: decodeEntities(end < 0 ? raw : raw.slice(0, end)), follows, goesOn }
}

/** Elements of HTML and SVG whose address is that of a picture. */
const pictureTags: ReadonlySet<string> = new Set(['img', 'image'])

/** Whether the address ends before this token, so that the tag is the entire address. */
function endsAddress(token: Token | undefined): boolean {
  return token !== undefined && 'raw' in token && /^\s*["'>)]/.test(token.raw)
}

/** The name of the element whose opening tag contains this token; '' outside of one. HTML in a line of Markdown is text. */
function enclosingElement(tokens: readonly Token[], index: number): string {
  const open = openTag(tokens, index)
  if (open !== undefined && open.name !== 'line') return open.name
  return openTagIn(textBefore(tokens, index))?.element ?? ''
}

/** The opening tag that contains this token, and where it begins. */
function openTag(tokens: readonly Token[], index: number) {
  let open = index - 1
  while (open >= 0 && (tokens[open]?.kind === 'text' || tokens[open]?.kind === 'tag')) open -= 1
  const first = tokens[open]
  return first?.kind === 'open' ? { name: first.name, at: open } : undefined
}

/** Whether the tag is in the opening tag of a picture without a style. */
function isImage(tokens: readonly Token[], index: number): boolean {
  const open = openTag(tokens, index)
  if (open?.name !== 'img') return false
  for (let n = open.at; n < tokens.length; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (!('raw' in token)) continue
    if (/\sstyle\s*=/i.test(token.raw)) return false
    if (token.raw.includes('>')) return true
  }
  return false
}

/** The key under which the render keeps the fit that the tag of a picture requested. */
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

/** Binds tags between the parentheses of a Markdown picture or link, or in the `src` of HTML inside it. */
export function bindMarkdown(tokens: readonly Token[]): readonly Token[] {
  return bindAddresses(tokens).map((token, index) => {
    const previous = tokens[index - 1]
    // Tags in HTML markup are already bound, or escaped for their context.
    if (token.kind === 'tag' && token.context !== 'plain' && token.context !== 'markdown') return token
    if (token.kind !== 'tag' || previous?.kind !== 'text') return insideDestination(tokens, index) ?? token
    const isSource = tagBefore(previous.raw)?.attribute === 'src'
    if (!isSource && !/\]\(\s*<?$/.test(previous.raw)) return insideDestination(tokens, index) ?? token
    const text = textBefore(tokens, index)
    const isPicture =
      endsAddress(tokens[index + 1]) &&
      (tagBefore(text)?.name === 'img' || /!\[[^\]\n]*\]\(\s*<?$/.test(text))
    return { ...token, output: addressWriter('plain', true, { isPicture, isDestination: !isSource }) }
  })
}

/** The HTML tag that Markdown ends in, and the attribute in whose value it ends; undefined outside of tags. */
function tagBefore(text: string): { readonly name: string; readonly attribute: string } | undefined {
  const tag = text.slice(Math.max(0, text.lastIndexOf('<')))
  const cut = cutOffAttribute(tag)
  if (cut === undefined || cut.valueStart < tag.length) return undefined
  // Attributes without a value may precede it.
  const attribute = cut.name.slice(cut.name.search(/\S+$/))
  const name = tag.startsWith('<') ? (tag.slice(1).match(/^[a-z][^\s/]*/i)?.[0] ?? '') : ''
  return { name: name.toLowerCase(), attribute: attribute.toLowerCase() }
}

/**
 * A tag after other text of a link destination, where blanks and parentheses would end it (CommonMark 0.31, 6.3), or of an
 * address in angle brackets (6.5). Undefined for any other token.
 */
function insideDestination(tokens: readonly Token[], index: number): TagToken | undefined {
  const token = tokens[index]
  const previous = tokens[index - 1]
  if (token?.kind !== 'tag' || (previous?.kind !== 'text' && previous?.kind !== 'tag')) return undefined
  const text = textBefore(tokens, index)
  const destination =
    /\]\(([^\s()]*)$/.exec(text)?.[1] ?? (endsAutolink(tokens, index) ? openAutolink(text) : undefined)
  if (destination === undefined) return undefined
  const output: TagToken['output'] = (value, textOf) =>
    destinationText(afterEquals(destination, textOf(value)))
  return { ...token, output }
}

/** A value as a part of a link destination, which blanks, parentheses and angle brackets would end. */
const destinationText = (text: string): string => percentEncoded(text).replace(/[()]/g, percent)

/** Whether the text after a tag closes the address in angle brackets that the tag is in. */
function endsAutolink(tokens: readonly Token[], index: number): boolean {
  for (const token of tokens.slice(index + 1, index + 11)) {
    const end = 'raw' in token ? /[<>\s]/.exec(token.raw)?.[0] : undefined
    if (end !== undefined) return end === '>'
  }
  return false
}

/** The text before a token, as far back as the name of a picture may begin; tags count as empty. */
function textBefore(tokens: readonly Token[], index: number): string {
  return tokens
    .slice(Math.max(0, index - 10), index)
    .map((token) => ('raw' in token ? token.raw.slice(-1000) : ''))
    .join('')
}

/** Data URLs that a browser opens as a page with its own scripts. */
const opensPage =
  /^data:(?:text\/html|application\/xhtml\+xml|(?:text|application)\/xml|image\/svg\+xml|[;,])/i
/** Elements whose address is never opened as a page. */
const mediaElements: ReadonlySet<string> = new Set(
  'img image source video audio track input feimage'.split(' '),
)

/**
 * Whether an address is a program or a page. Browsers ignore blanks and control characters in its scheme. Source: WHATWG URL,
 * 4.4.
 */
function isRefused(address: string, element: string): boolean {
  const text = withoutBlanks(address)
  if (scheme.test(text)) return true
  const name = element.toLowerCase()
  if (name === 'script') return /^(?:data|blob):/i.test(text)
  return !mediaElements.has(name) && opensPage.test(text)
}

const notShown: Warning = {
  code: 'picture.not-shown',
  message: 'Browsers do not show TIFF pictures. Use PNG or JPEG.',
}

interface AddressUse {
  readonly fit?: FitKey | undefined // where to store the fit
  readonly isPicture: boolean // the value is the entire address of a picture
  readonly isDestination?: boolean // the value begins the destination of a Markdown link
  readonly before?: string // the fixed text of the address before the tag
  readonly after?: string // the fixed text after it
  /** Other tags of the same address directly precede the fixed text or follow it. */
  readonly follows?: boolean
  readonly goesOn?: boolean
  readonly element?: string
}

/** The text written so far of an address with several tags, which together may form a scheme that no single one contains. */
const openAddress = scopeKey<string>('address so far')
const hasScheme = /[:/?#]/

/** The output function for a tag in an address. `first`: the address begins with the tag, so its value has the scheme. */
const addressWriter = (
  context: 'address' | 'plain',
  first: boolean,
  use: AddressUse,
): NonNullable<TagToken['output']> => {
  const { fit, isPicture, isDestination = false, before = '' } = use
  const check = addressCheck(use)
  const escaped = isDestination ? destinationText : (text: string) => escapeFor(context, text)
  return (value, textOf, scope) => {
    if (fit !== undefined) scope.set(fit, value instanceof PictureValue ? value.fit : undefined)
    if (value instanceof LinkValue) {
      const usable = linkAddress(textOf(value.address)) ?? linkAddress(value.fallback)
      return escaped(usable ?? '')
    }
    const source = value instanceof PictureValue ? value.source : value
    const drawing = scope.require(renderMedia).drawing(source)
    if (drawing !== undefined) return dataUri(drawing, scope)
    const text = textOf(value)
    if (isPicture) scope.require(renderMedia).check(source)
    if (first && /^\s*data:image\/tiff?\b/i.test(text)) warnOnce(scope, notShown)
    const refusedAfter = check(text, scope)
    // The text before the tag has been written already. A number sign after it turns it into an address without a scheme.
    if (refusedAfter !== undefined) return refusedAfter === '' ? '' : '#'
    return escaped(afterEquals(before, text))
  }
}

/** The first letters of the schemes that are refused, and what browsers ignore before them. */
const mayRun = /^[\u0000-\u0020\u007f-\u00a0]*[jvdb]/i

/**
 * Creates the check of the value of a tag in an address. The check returns undefined for a value that may be written, else
 * the text before it in the address. Most tags are the whole address or follow a fixed scheme.
 */
function addressCheck({
  before = '',
  after = '',
  follows = false,
  goesOn = false,
  element = '',
}: AddressUse) {
  const fixed = decodeEntities(before)
  return (text: string, scope: RenderScope): string | undefined => {
    const start = follows ? (scope.get(openAddress) ?? '') : fixed
    if (goesOn) scope.set(openAddress, start + text + after)
    if (start === '' && !mayRun.test(text)) return undefined
    return !hasScheme.test(start) && isRefused(start + text + after, element) ? start : undefined
  }
}

function dataUri(source: DrawnPicture, scope: RenderScope): string {
  const media = scope.require(renderMedia)
  const { kind, bytes } = media.find(source) ?? media.neutral(1)
  return `data:${pictureTypes[kind]};base64,${toBase64(bytes)}`
}
