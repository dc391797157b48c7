/**
 * Makes room for HTML in the paragraphs of a document. A tag with :html stands in a run of a paragraph; what it becomes
 * are paragraphs, lists and tables of their own. So the paragraph ends before them and begins again behind them, and
 * where it holds nothing else it does not show at all. What is written is known only at run time: pieces of the
 * paragraph whose place depends on it become computed. The elements stay in the row of pieces, without their text, so
 * that loops and conditions find the paragraph as it was. Source: template language 22.5.
 */
import { HtmlValue, Markup } from '../formatters/formatter.ts'
import { escapeXml } from '../formatters/markup.ts'
import { closeOf, isValueTag } from '../media/pieces.ts'
import type { Notes, Piece, TagPiece } from '../scan/pieces.ts'
import type { Block } from './model.ts'
import { type HtmlOptions, htmlOptions } from './options.ts'
import { readHtml } from './read.ts'

/** How a format writes blocks, and what of its markup matters here. */
export interface HtmlMarkup {
  readonly paragraphs: readonly string[]
  /** Elements between a paragraph and its text that may be closed and begun again. */
  readonly splittable: ReadonlySet<string>
  /** Properties at the beginning of a paragraph or run; they belong to it. */
  readonly properties: ReadonlySet<string>
  /** Elements that hold nothing to see. */
  readonly silent: ReadonlySet<string>
  /** Of the properties of a paragraph: what must stay with its last one, as a paragraph of its own. */
  readonly apart?: { readonly element: string; readonly before: string; readonly after: string }
  /** Text without blocks of its own stays in the paragraph of the tag. */
  readonly looseInline?: true
  /** Content is made once before anything is written, for what must stand before it. */
  readonly measured?: true
  /** The opening tag of an element that begins again. */
  reopened(raw: string): string
  writer(place: HtmlPlace): HtmlWriter
}

/** Where a tag with :html stands. */
export interface HtmlPlace {
  /** From the paragraph to the tag: name, opening tag, properties. */
  readonly path: readonly Opened[]
  /** Elements around the paragraph, outermost first. */
  readonly around: readonly string[]
}
export interface Opened {
  readonly name: string
  readonly raw: string
  readonly properties: string
}

export interface HtmlWriter {
  /** Paragraphs and tables; `follows`: the paragraph goes on behind them. */
  blocks(blocks: readonly Block[], value: HtmlContent, notes: Notes, follows: boolean): string
  /** Content of the run that the tag stands in. */
  inline(blocks: readonly Block[], value: HtmlContent, notes: Notes): string
}
export interface HtmlContent {
  readonly options: HtmlOptions
  readonly fallback: string | undefined
}

/** Aliases may stand for such a tag; they are seen through only later. */
const isHtmlTag = (piece: Piece): piece is TagPiece =>
  piece.kind === 'tag' &&
  piece.context === 'text' &&
  piece.output === undefined &&
  (/:(?:html|sign)(?:\(|:|$)/.test(piece.text) || piece.text.startsWith('$'))

/** Tags that print nothing where they stand. */
const isQuietTag = (piece: TagPiece): boolean =>
  !isValueTag(piece) ||
  /\+1\s*\]/.test(piece.text) ||
  /:(?:appendFile|attachFile|appendTemplate)\b/.test(piece.text)

export function bindHtml(pieces: readonly Piece[], markup: HtmlMarkup): readonly Piece[] {
  if (!pieces.some(isHtmlTag)) return pieces
  const out: Piece[] = []
  const around: string[] = []
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    if (piece.kind === 'open' && markup.paragraphs.includes(piece.name)) {
      const close = closeOf(pieces, at)
      const paragraph = pieces.slice(at, close + 1)
      // Paragraphs inside (text boxes) are bound on their own, before the one around them would be.
      if (
        !paragraph.slice(1).some((inner) => inner.kind === 'open' && markup.paragraphs.includes(inner.name))
      ) {
        out.push(...bindParagraph(paragraph, markup, [...around]))
        at = close
        continue
      }
    }
    if (piece.kind === 'open') around.push(piece.name)
    else if (piece.kind === 'close') around.pop()
    out.push(piece)
  }
  return out
}

interface State {
  open: boolean // a paragraph is begun
  any: boolean // something was written
}

interface Found {
  readonly at: number
  readonly path: readonly Opened[]
  readonly splits: boolean
}

function bindParagraph(
  whole: readonly Piece[],
  markup: HtmlMarkup,
  around: readonly string[],
): readonly Piece[] {
  if (!whole.some(isHtmlTag)) return whole
  const { paragraph, behind } = apart(whole, markup)
  const found = findTags(paragraph, markup)
  if (found.length === 0) return whole
  const content = contentOf(paragraph, markup)
  const first = found[0]!
  const last = found.at(-1)!
  const anyContent = content.includes(true)
  const guarded = paragraph.some(
    (piece) => piece.kind === 'tag' && /:(?:show|hide)(?:Begin|End)|:(?:drop|keep)\(/.test(piece.text),
  )
  const leads = !content.slice(0, first.at).includes(true) && first.splits && !(guarded && anyContent)
  const trails = !content.slice(last.at + 1).includes(true) && last.splits
  const key = {}
  const state = (notes: Notes) => notes.get(key) as State | undefined
  const { offset } = paragraph[0]!
  const computed = (compute: (notes: Notes) => string): Piece => ({ kind: 'computed', offset, compute })
  const begins = computed((notes) => {
    notes.set(key, { open: !leads, any: !leads } satisfies State)
    return ''
  })
  const ends = computed((notes) => {
    const now = state(notes)!
    if (!trails || (!now.open && now.any)) return ''
    return (now.open ? '' : opening(first.path, markup, true)) + closing(now.open ? last.path : first.path)
  })
  const out: Piece[] = []
  paragraph.forEach((piece, at) => {
    const next = found.findIndex((tag) => tag.at >= at)
    if (next >= 0 && found[next]!.at === at) {
      const tag = found[next]!
      const until = found[next + 1]?.at ?? paragraph.length
      const follows =
        content.slice(at + 1, until).includes(true) || (next + 1 < found.length && !found[next + 1]!.splits)
      out.push(
        bindTag(piece as TagPiece, tag, {
          markup,
          around,
          state,
          follows: follows || (until === paragraph.length && !trails),
        }),
      )
      return
    }
    const isLead = leads && at < first.at
    const isTrail = trails && at > last.at
    const isGap =
      next > 0 &&
      !content.slice(found[next - 1]!.at + 1, found[next]!.at).includes(true) &&
      found[next]!.splits &&
      found[next - 1]!.splits
    if (at === paragraph.length - 1) out.push(ends)
    if (isLead || isTrail) out.push(...unwritten(piece, paragraph[at + 1], markup))
    else if (isGap && 'raw' in piece) {
      out.push(
        ...unwritten(piece, undefined, markup),
        computed((notes) => (state(notes)!.open ? piece.raw : '')),
      )
    } else out.push(piece)
    if (at === 0) out.push(begins)
  })
  return [...out, ...behind]
}

function bindTag(
  piece: TagPiece,
  tag: Found,
  {
    markup,
    around,
    state,
    follows,
  }: {
    readonly markup: HtmlMarkup
    readonly around: readonly string[]
    readonly state: (notes: Notes) => State | undefined
    readonly follows: boolean
  },
): Piece {
  const writer = markup.writer({ path: tag.path, around })
  const open = opening(tag.path, markup, false)
  const first = opening(tag.path, markup, true)
  const close = closing(tag.path)
  return {
    ...piece,
    ...(markup.measured ? { measured: true as const } : {}),
    output(value, text, notes) {
      // Before anything is written there is no paragraph yet.
      const now = state(notes) ?? { open: true, any: true }
      const begin = () => {
        const begun = now.open ? '' : now.any ? open : first
        now.open = true
        now.any = true
        return begun
      }
      if (!(value instanceof HtmlValue)) {
        const plain = value instanceof Markup ? value.markup : escapeXml(text(value))
        return plain === '' && !follows ? '' : begin() + plain
      }
      const options = htmlOptions(value.options)
      const content = { options, fallback: value.fallback }
      const blocks = readHtml(value.html)
      if (blocks.length === 0) return follows ? begin() : ''
      const isLoose = markup.looseInline === true && blocks.length === 1 && isLooseText(blocks[0]!)
      if (options.inline || !tag.splits || isLoose) return begin() + writer.inline(blocks, content, notes)
      const written = writer.blocks(blocks, content, notes, follows)
      if (written === '') return follows ? begin() : ''
      const before = now.open ? close : ''
      now.any = true
      now.open = follows
      return before + written + (follows ? open : '')
    },
  }
}

const isLooseText = (block: Block): boolean =>
  block.kind === 'paragraph' &&
  !block.spaced &&
  block.heading === undefined &&
  block.align === undefined &&
  block.quote === 0

/** Cuts off what belongs behind all that the paragraph becomes. */
function apart(whole: readonly Piece[], { apart: found }: HtmlMarkup) {
  const none = { paragraph: whole, behind: [] as readonly Piece[] }
  if (found === undefined) return none
  const start = whole.findIndex(
    (piece) => (piece.kind === 'open' || piece.kind === 'void') && piece.name === found.element,
  )
  if (start < 0) return none
  const stop = whole[start]!.kind === 'open' ? start + closeOf(whole.slice(start), 0) : start
  const { offset } = whole[start]!
  const text = (raw: string): Piece => ({ kind: 'void', name: '', raw, offset })
  return {
    paragraph: whole.filter((_, at) => at < start || at > stop),
    behind: [text(found.before), ...whole.slice(start, stop + 1), text(found.after)],
  }
}

function findTags(paragraph: readonly Piece[], markup: HtmlMarkup): Found[] {
  const found: Found[] = []
  const path: { name: string; raw: string; properties: string }[] = []
  let properties = 0 // depth inside of properties
  paragraph.forEach((piece, at) => {
    const isProperty = properties > 0 || ('name' in piece && markup.properties.has(piece.name))
    if (isProperty) {
      if ('raw' in piece && path.length > 0) path[path.length - 1]!.properties += piece.raw
      if (piece.kind === 'open') properties += 1
      else if (piece.kind === 'close') properties -= 1
    } else if (piece.kind === 'open') path.push({ name: piece.name, raw: piece.raw, properties: '' })
    else if (piece.kind === 'close') path.pop()
    else if (isHtmlTag(piece)) {
      const splits = path.every(
        ({ name, raw }, level) => (level === 0 || markup.splittable.has(name)) && raw.endsWith('>'),
      )
      found.push({ at, path: path.map((opened) => ({ ...opened })), splits })
    }
  })
  return found
}

/** Which pieces show something of their own. */
function contentOf(paragraph: readonly Piece[], markup: HtmlMarkup): boolean[] {
  let properties = 0
  return paragraph.map((piece, at) => {
    if (properties > 0 || ('name' in piece && markup.properties.has(piece.name))) {
      if (piece.kind === 'open') properties += 1
      else if (piece.kind === 'close') properties -= 1
      return false
    }
    if (piece.kind === 'tag') return !isHtmlTag(piece) && !isQuietTag(piece)
    if (piece.kind === 'text') return piece.markup === undefined && /\S/.test(piece.raw)
    if (piece.kind === 'computed') return true
    const known = markup.splittable.has(piece.name) || markup.silent.has(piece.name) || piece.name === ''
    return at > 0 && at < paragraph.length - 1 && !known
  })
}

/** The piece without its text; what would be taken for its attributes is kept apart from it. */
function unwritten(piece: Piece, next: Piece | undefined, markup: HtmlMarkup): readonly Piece[] {
  if (!('raw' in piece)) return [piece]
  if ('name' in piece && markup.silent.has(piece.name)) return [piece]
  const blank = { ...piece, raw: '' }
  const isFollowed = next?.kind === 'tag' || next?.kind === 'text' || next?.kind === 'computed'
  return piece.kind === 'open' && isFollowed
    ? [blank, { kind: 'void', name: '', raw: '', offset: piece.offset }]
    : [blank]
}

/** `first`: as it stands in the template, with what only one paragraph may carry. */
const opening = (path: readonly Opened[], markup: HtmlMarkup, first: boolean): string =>
  path.map(({ raw, properties }) => (first ? raw : markup.reopened(raw)) + properties).join('')

const closing = (path: readonly Opened[]): string =>
  path
    .map(({ name }) => `</${name}>`)
    .reverse()
    .join('')
