/**
 * Splits paragraphs around HTML. A tag with `:html` is in a run of a paragraph, but its value becomes separate paragraphs,
 * lists and tables. Therefore the paragraph is closed before them and reopened after them; a paragraph without other content
 * is not written at all. This is known only while rendering, so the affected tokens of the paragraph become computed tokens.
 * The elements remain in the list of tokens without their text, so that loops and conditions still find the paragraph.
 * Source: template language 22.5.
 */

import { pushAll } from '../../push-all.ts'
import { escapeText } from '../../xml/markup.ts'
import { HtmlValue, Markup } from '../formatters/formatter.ts'
import { closeOf, isValueTag } from '../media/tokens.ts'
import type { TagToken, Token } from '../scan/tokens.ts'
import { type RenderScope, scopeKey } from '../scope.ts'
import type { HtmlBlock } from './model.ts'
import { type HtmlOptions, htmlOptions } from './options.ts'
import { readHtml } from './read.ts'

/** How a format writes blocks of HTML, and the properties of its markup that are needed to split a paragraph. */
export interface HtmlMarkup {
  readonly paragraphs: readonly string[]
  /** Elements between a paragraph and its text that may be closed and reopened. */
  readonly splittable: ReadonlySet<string>
  /** Properties at the beginning of a paragraph or run, which belong to it. */
  readonly properties: ReadonlySet<string>
  /** Elements that have no visible content, such as bookmarks. */
  readonly silent: ReadonlySet<string>
  /** A property that must follow everything that replaces the paragraph, in a paragraph of its own: a section break. */
  readonly trailingProperty?: { readonly element: string; readonly before: string; readonly after: string }
  /** Text without block elements stays in the paragraph of the tag. */
  readonly looseInline?: true
  /**
   * The content is also generated in the measuring pass, because the part declares at its beginning which styles and lists it
   * uses.
   */
  readonly measured?: true
  /** The opening tag of an element that is reopened, without attributes that must not repeat. */
  reopened(raw: string, name: string): string
  writer(surroundings: HtmlSurroundings): HtmlWriter
}

/** The surroundings of a tag with `:html`. */
export interface HtmlSurroundings {
  /** The elements from the paragraph to the tag. */
  readonly path: readonly OpenedTag[]
  /** Elements around the paragraph, outermost first. */
  readonly ancestors: readonly string[]
}
/** An element around a tag, which is closed before a block and reopened after it. */
export interface OpenedTag {
  readonly name: string
  readonly raw: string
  readonly properties: string
}

/** Writes the content of one tag as markup of the format. */
export interface HtmlWriter {
  /** The content as paragraphs and tables. `follows`: the paragraph of the tag continues after them. */
  blocks(blocks: readonly HtmlBlock[], value: HtmlContent, scope: RenderScope, follows: boolean): string
  /** The content inside the run of the tag. */
  inline(blocks: readonly HtmlBlock[], value: HtmlContent, scope: RenderScope): string
}
export interface HtmlContent {
  readonly options: HtmlOptions
  readonly fallback: string | undefined
}

/** Whether a tag may produce HTML. An alias counts as such a tag, because it is expanded only later. */
const isHtmlTag = (token: Token): token is TagToken =>
  token.kind === 'tag' &&
  token.context === 'text' &&
  token.output === undefined &&
  (/:(?:html|sign)(?:\(|:|$)/.test(token.text) || token.text.startsWith('$'))

/** Tags that print nothing at their position. */
const isQuietTag = (token: TagToken): boolean =>
  !isValueTag(token) ||
  /\+1\s*\]/.test(token.text) ||
  /:(?:appendFile|attachFile|appendTemplate)\b/.test(token.text)

/** Binds `:html` tags in all paragraphs of a part. Returns the same tokens when there are none. */
export function bindHtml(tokens: readonly Token[], markup: HtmlMarkup): readonly Token[] {
  if (!tokens.some(isHtmlTag)) return tokens
  const result: Token[] = []
  const ancestors: string[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.kind === 'open' && markup.paragraphs.includes(token.name)) {
      const close = closeOf(tokens, index)
      const paragraph = tokens.slice(index, close + 1)
      // Nested paragraphs (of text boxes) are bound separately, before the one around them.
      if (
        !paragraph.slice(1).some((inner) => inner.kind === 'open' && markup.paragraphs.includes(inner.name))
      ) {
        pushAll(result, bindParagraph(paragraph, markup, [...ancestors]))
        index = close
        continue
      }
    }
    if (token.kind === 'open') ancestors.push(token.name)
    else if (token.kind === 'close') ancestors.pop()
    result.push(token)
  }
  return result
}

/** The part of a paragraph that a render has written so far. */
interface ParagraphState {
  open: boolean // the opening tags of the paragraph and its run are written and not closed
  any: boolean // some content has been written in place of the paragraph
}

interface HtmlTag {
  readonly at: number
  /** The elements from the paragraph to the tag. */
  readonly path: readonly OpenedTag[]
  /** All of these elements may be closed and reopened. Otherwise the content stays inline. */
  readonly splits: boolean
}

function bindParagraph(
  tokens: readonly Token[],
  markup: HtmlMarkup,
  ancestors: readonly string[],
): readonly Token[] {
  if (!tokens.some(isHtmlTag)) return tokens
  const { paragraph, behind: following } = separateTrailingProperty(tokens, markup)
  const htmlTags = findTags(paragraph, markup)
  const [first] = htmlTags
  const lastTag = htmlTags.at(-1)
  const [begin] = paragraph
  if (first === undefined || lastTag === undefined || begin === undefined) return tokens
  const content = contentOf(paragraph, markup)
  const anyContent = content.includes(true)
  const guarded = paragraph.some(
    (token) => token.kind === 'tag' && /:(?:show|hide)(?:Begin|End)|:(?:drop|keep)\(/.test(token.text),
  )
  const leads = !content.slice(0, first.at).includes(true) && first.splits && !(guarded && anyContent)
  const trails = !content.slice(lastTag.at + 1).includes(true) && lastTag.splits
  const key = scopeKey<ParagraphState>('paragraph around HTML')
  const state = (scope: RenderScope) => scope.get(key)
  const { offset } = begin
  const computed = (compute: (scope: RenderScope) => string): Token => ({ kind: 'computed', offset, compute })
  const begins = computed((scope) => {
    scope.set(key, { open: !leads, any: !leads })
    return ''
  })
  const ends = computed((scope) => {
    const current = state(scope) ?? { open: !leads, any: !leads }
    if (!trails || (!current.open && current.any)) return ''
    return (
      (current.open ? '' : opening(first.path, markup, true)) +
      closing(current.open ? lastTag.path : first.path)
    )
  })
  const result: Token[] = []
  paragraph.forEach((token, index) => {
    const nextTag = htmlTags.findIndex((tag) => tag.at >= index)
    const tag = htmlTags[nextTag]
    const before = htmlTags[nextTag - 1]
    if (tag?.at === index) {
      const after = htmlTags[nextTag + 1]
      const until = after?.at ?? paragraph.length
      const follows = content.slice(index + 1, until).includes(true) || after?.splits === false
      result.push(
        bindTag(token as TagToken, tag, {
          markup,
          ancestors,
          state,
          follows: follows || (until === paragraph.length && !trails),
        }),
      )
      return
    }
    const isLead = leads && index < first.at
    const isTrail = trails && index > lastTag.at
    const isGap =
      tag?.splits === true && before?.splits === true && !content.slice(before.at + 1, tag.at).includes(true)
    if (index === paragraph.length - 1) result.push(ends)
    if (isLead || isTrail) pushAll(result, unwritten(token, paragraph[index + 1], markup))
    else if (isGap && 'raw' in token) {
      pushAll(result, unwritten(token, undefined, markup))
      result.push(computed((scope) => (state(scope)?.open === true ? token.raw : '')))
    } else result.push(token)
    if (index === 0) result.push(begins)
  })
  return [...result, ...following]
}

function bindTag(
  token: TagToken,
  tag: HtmlTag,
  {
    markup,
    ancestors,
    state,
    follows,
  }: {
    readonly markup: HtmlMarkup
    readonly ancestors: readonly string[]
    readonly state: (scope: RenderScope) => ParagraphState | undefined
    readonly follows: boolean
  },
): Token {
  const writer = markup.writer({ path: tag.path, ancestors })
  const openingTokens = opening(tag.path, markup, false)
  const first = opening(tag.path, markup, true)
  const close = closing(tag.path)
  return {
    ...token,
    ...(markup.measured ? { measured: true as const } : {}),
    output(value, text, scope) {
      // The measuring pass runs before the token that sets the state.
      const current = state(scope) ?? { open: true, any: true }
      const begin = () => {
        const begun = current.open ? '' : current.any ? openingTokens : first
        current.open = true
        current.any = true
        return begun
      }
      if (!(value instanceof HtmlValue)) {
        const inlineMarkup = value instanceof Markup ? value.markup : escapeText(text(value))
        return inlineMarkup === '' && !follows ? '' : begin() + inlineMarkup
      }
      const options = htmlOptions(value.options)
      const content = { options, fallback: value.fallback }
      const blocks = readHtml(value.html)
      if (blocks.length === 0) return follows ? begin() : ''
      const [only] = blocks
      const isLoose =
        markup.looseInline === true && blocks.length === 1 && only !== undefined && isLooseText(only)
      if (options.inline || !tag.splits || isLoose) return begin() + writer.inline(blocks, content, scope)
      const blockMarkup = writer.blocks(blocks, content, scope, follows)
      if (blockMarkup === '') return follows ? begin() : ''
      const before = current.open ? close : ''
      current.any = true
      current.open = follows
      return before + blockMarkup + (follows ? openingTokens : '')
    },
  }
}

const isLooseText = (block: HtmlBlock): boolean =>
  block.kind === 'paragraph' &&
  !block.spaced &&
  block.heading === undefined &&
  block.align === undefined &&
  block.quote === 0

/** Separates the property that must follow everything that the paragraph becomes. */
function separateTrailingProperty(paragraph: readonly Token[], { trailingProperty }: HtmlMarkup) {
  const unchanged = { paragraph, behind: [] as readonly Token[] }
  if (trailingProperty === undefined) return unchanged
  const start = paragraph.findIndex(
    (token) => (token.kind === 'open' || token.kind === 'void') && token.name === trailingProperty.element,
  )
  const head = paragraph[start]
  if (head === undefined) return unchanged
  const stop = head.kind === 'open' ? start + closeOf(paragraph.slice(start), 0) : start
  const { offset } = head
  const text = (raw: string): Token => ({ kind: 'void', name: '', raw, offset })
  return {
    paragraph: paragraph.filter((_, index) => index < start || index > stop),
    behind: [
      text(trailingProperty.before),
      ...paragraph.slice(start, stop + 1),
      text(trailingProperty.after),
    ],
  }
}

function findTags(paragraph: readonly Token[], markup: HtmlMarkup): HtmlTag[] {
  const htmlTags: HtmlTag[] = []
  const path: { name: string; raw: string; properties: string }[] = []
  let properties = 0 // depth inside of properties
  paragraph.forEach((token, index) => {
    const isProperty = properties > 0 || ('name' in token && markup.properties.has(token.name))
    if (isProperty) {
      const last = path.at(-1)
      if ('raw' in token && last !== undefined) last.properties += token.raw
      if (token.kind === 'open') properties += 1
      else if (token.kind === 'close') properties -= 1
    } else if (token.kind === 'open') path.push({ name: token.name, raw: token.raw, properties: '' })
    else if (token.kind === 'close') path.pop()
    else if (isHtmlTag(token)) {
      const splits = path.every(
        ({ name, raw }, level) => (level === 0 || markup.splittable.has(name)) && raw.endsWith('>'),
      )
      htmlTags.push({ at: index, path: path.map((opened) => ({ ...opened })), splits })
    }
  })
  return htmlTags
}

/** Which tokens of a paragraph have visible content. */
function contentOf(paragraph: readonly Token[], markup: HtmlMarkup): boolean[] {
  let properties = 0
  return paragraph.map((token, index) => {
    if (properties > 0 || ('name' in token && markup.properties.has(token.name))) {
      if (token.kind === 'open') properties += 1
      else if (token.kind === 'close') properties -= 1
      return false
    }
    if (token.kind === 'tag') return !isHtmlTag(token) && !isQuietTag(token)
    if (token.kind === 'text') return token.markup === undefined && /\S/.test(token.raw)
    if (token.kind === 'computed') return true
    const isHandled = markup.splittable.has(token.name) || markup.silent.has(token.name) || token.name === ''
    return index > 0 && index < paragraph.length - 1 && !isHandled
  })
}

/**
 * A token without its text. An opening tag is followed by an empty element, because text and tags after an opening tag
 * without '>' would be read as its attributes.
 */
function unwritten(token: Token, next: Token | undefined, markup: HtmlMarkup): readonly Token[] {
  if (!('raw' in token)) return [token]
  if ('name' in token && markup.silent.has(token.name)) return [token]
  const blank = { ...token, raw: '' }
  const isFollowed = next?.kind === 'tag' || next?.kind === 'text' || next?.kind === 'computed'
  return token.kind === 'open' && isFollowed
    ? [blank, { kind: 'void', name: '', raw: '', offset: token.offset }]
    : [blank]
}

/** The opening tags of a path. With `first`, they are unchanged; otherwise attributes that must not repeat are removed. */
const opening = (path: readonly OpenedTag[], markup: HtmlMarkup, first: boolean): string =>
  path.map(({ raw, name, properties }) => (first ? raw : markup.reopened(raw, name)) + properties).join('')

const closing = (path: readonly OpenedTag[]): string =>
  path
    .map(({ name }) => `</${name}>`)
    .reverse()
    .join('')
