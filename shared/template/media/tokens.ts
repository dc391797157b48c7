/**
 * Rewrites tokens for values that take effect at another position than their tag. For example, a tag in the alternative text
 * of a picture determines the size and file of the picture, which are written before it. The tag is therefore moved to the
 * beginning of its element and stores its value in the render scope, and computed tokens after it write what depends on the
 * value.
 */

import { pushAll } from '../../push-all.ts'
import { cutOffAttribute } from '../../xml/elements.ts'
import { decodeEntities } from '../../xml/scan.ts'
import { textOf } from '../emit/value.ts'
import type { ElementToken, TagToken, Token } from '../scan/tokens.ts'
import { type RenderScope, scopeKey } from '../scope.ts'
import { composedLink, relativePrefix } from './link.ts'
import { type ImageBox, renderMedia, type SizedImage } from './media.ts'

/** Formatters of tags that act on markup or data and print no value. */
const acting = /:(?:drop|keep|set|color|transform|showBegin|showEnd|hideBegin|hideEnd)(?:\([^()]*\))?$/
/** Whether a tag writes a value instead of declaring an alias, setting an option or translating. */
export const isValueTag = ({ text }: TagToken): boolean => !/^[#to]/.test(text) && !acting.test(text)

/** A picture in a placeholder: the tokens to insert before it, and the picture that a render places in it. */
export interface PictureSlot {
  readonly begin: readonly Token[]
  readonly placed: (scope: RenderScope) => SizedImage
}

/**
 * Creates a slot for a tag whose value is a picture. The picture is stored when the tag is written, and read by the tokens
 * around it.
 */
export function pictureSlot(tag: TagToken, box: ImageBox): PictureSlot {
  interface ImageState {
    value: unknown
    placed?: SizedImage
  }
  const key = scopeKey<ImageState>('value of a picture')
  const { offset } = tag
  return {
    begin: [
      // A tag that is excluded by its own filter sets no picture. Delete that of the previous copy, so that it is not used
      // again.
      {
        kind: 'computed',
        offset,
        compute: (scope) => {
          scope.set(key, { value: undefined })
          return ''
        },
      },
      {
        ...tag,
        shows: 'picture',
        output: (value, _text, scope) => {
          scope.set(key, { value })
          return ''
        },
      },
    ],
    placed(scope) {
      const state = scope.require(key)
      state.placed ??= scope.require(renderMedia).place(state.value, box)
      return state.placed
    },
  }
}

/**
 * The tokens of an opening tag with an attribute that is a link with tags. `write` gives the attribute from the address, or '' to
 * omit it. `next` is the first token after it. Undefined when the token at `start` does not begin such an opening tag.
 */
export function tokensOfLink(
  tokens: readonly Token[],
  start: number,
  attribute: RegExp,
  write: (address: string | undefined, attribute: string, scope: RenderScope) => string,
): { readonly tokens: readonly Token[]; readonly next: number } | undefined {
  const open = tokens[start]!
  if (open.kind !== 'open') return undefined
  const cut = cutOffAttribute(open.raw)
  if (cut === undefined || !attribute.test(cut.name)) return undefined
  const { name } = cut
  const quote = open.raw.charAt(cut.valueStart - 1)
  const head = open.raw.slice(cut.valueStart)
  const key = scopeKey<unknown[]>('values of a link')
  const { offset } = open
  const fixed: string[] = [decodeEntities(head)] // the segment before each tag, and the last one
  const moved: Token[] = []
  const values = (scope: RenderScope): unknown[] => scope.obtain(key, () => [])
  const computed: Token = {
    kind: 'computed',
    offset,
    compute(scope) {
      const tagValues = values(scope)
      scope.delete(key)
      const segments = fixed.flatMap((text, n) => (n < fixed.length - 1 ? [text, tagValues[n]] : [text]))
      return write(composedLink(segments, textOf), name, scope)
    },
  }
  for (let n = start + 1; n < tokens.length; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.kind === 'tag') {
      const slot = fixed.length - 1
      fixed.push('')
      const output: TagToken['output'] = (value, _text, scope) => {
        values(scope)[slot] = value
        return ''
      }
      moved.push(isValueTag(token) ? { ...token, shows: 'link', output } : token)
      continue
    }
    if (token.kind !== 'text' && token.kind !== 'close') return undefined
    const end = token.raw.indexOf(quote)
    if (end < 0) {
      fixed[fixed.length - 1] += decodeEntities(token.raw)
      continue
    }
    fixed[fixed.length - 1] += decodeEntities(token.raw.slice(0, end))
    fixed[0] = fixed[0]!.replace(relativePrefix, '')
    const remainder: Token = { ...token, raw: token.raw.slice(end + 1) }
    const begin: Token = { ...open, raw: open.raw.slice(0, cut.start) }
    return fixed.length > 1 ? { tokens: [begin, ...moved, computed, remainder], next: n + 1 } : undefined
  }
  return undefined
}

/** The index of the token that closes the element which token `at` opens. */
export function closeOf(tokens: readonly Token[], start: number): number {
  let depth = 0
  for (let n = start; n < tokens.length; n += 1) {
    const { kind } = tokens[n]!
    if (kind === 'open') depth += 1
    if (kind === 'close' && --depth === 0) return n
  }
  return tokens.length - 1
}

/**
 * Rewrites some elements of a list of tokens. `matches` selects elements by their opening token, and `rewrite` receives the
 * tokens of the entire element. If it returns undefined, the element is kept and the elements inside it are tried.
 */
export function withElements(
  tokens: readonly Token[],
  matches: (token: ElementToken, at: number) => boolean,
  rewrite: (element: readonly Token[]) => readonly Token[] | undefined,
): readonly Token[] {
  const result: Token[] = []
  let changed = false
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.kind === 'open' && matches(token, index)) {
      const close = closeOf(tokens, index)
      const rewritten = rewrite(tokens.slice(index, close + 1))
      if (rewritten !== undefined) {
        pushAll(result, rewritten)
        index = close
        changed = true
        continue
      }
    }
    result.push(token)
  }
  return changed ? result : tokens
}

/** Replaces empty elements of these names by one token: producers write `<a:ext cx="1"/>` or `<a:ext cx="1"></a:ext>`. */
export function inOneTag(tokens: readonly Token[], names: readonly string[]): readonly Token[] {
  const isPair = (token: Token, index: number): token is ElementToken =>
    token.kind === 'open' &&
    tokens[index + 1]?.kind === 'close' && // tested first, since it is rarely true
    names.includes(token.name) &&
    token.raw.endsWith('>')
  if (!tokens.some(isPair)) return tokens
  return tokens.flatMap((token, index): Token[] => {
    if (isPair(token, index)) return [{ ...token, kind: 'void', raw: `${token.raw.slice(0, -1)}/>` }]
    const previous = tokens[index - 1]
    return previous !== undefined && isPair(previous, index - 1) ? [] : [token]
  })
}
