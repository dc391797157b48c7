/**
 * Elements and attributes at their positions in markup of the conventional form, for parts that are edited without a
 * tree. Markup may be a fragment of a part, and a start tag may be truncated where a template tag is in a value.
 */

export interface LocatedElement {
  readonly name: string
  readonly start: number
  /** The start of the content; for an element without content, both are `end`. */
  readonly contentStart: number
  readonly contentEnd: number
  readonly end: number
  /** The text after the name in the start tag, without its end. */
  readonly attributes: string
  /** undefined for an empty tag, '' for an element with two tags and nothing between. */
  readonly content: string | undefined
}

/**
 * The outermost elements with these names, in order; without names, all outermost elements. Ends at an element that
 * is never closed.
 */
export function* elementsIn(markup: string, ...names: readonly string[]): Generator<LocatedElement> {
  const single = names.length === 1 ? `<${names[0]}` : '<'
  for (let start = markup.indexOf(single); start >= 0; ) {
    const nameEnd = endOfName(markup, start + 1)
    const name = markup.slice(start + 1, nameEnd)
    if (names.length === 0 ? !isName(name) : !names.includes(name)) {
      start = markup.indexOf(single, nameEnd)
      continue
    }
    const tagEnd = endOfTag(markup, nameEnd)
    if (tagEnd < 0) return
    const isEmpty = markup.charCodeAt(tagEnd - 2) === 47
    const contentEnd = isEmpty ? tagEnd : closeOf(markup, name, tagEnd)
    if (contentEnd < 0) return
    const end = isEmpty ? tagEnd : markup.indexOf('>', contentEnd) + 1
    yield {
      name,
      start,
      contentStart: tagEnd,
      contentEnd,
      end,
      attributes: markup.slice(nameEnd, tagEnd - (isEmpty ? 2 : 1)),
      content: isEmpty ? undefined : markup.slice(tagEnd, contentEnd),
    }
    start = markup.indexOf(single, end)
  }
}

/** The first element of a name. */
export const elementIn = (markup: string, ...names: readonly string[]): LocatedElement | undefined =>
  elementsIn(markup, ...names).next().value ?? undefined

/** Replaces the outermost elements of a name in one pass. Returning undefined keeps an element. */
export function replaceElements(
  markup: string,
  name: string | readonly string[],
  replace: (attributes: string, content: string | undefined, element: LocatedElement) => string | undefined,
): string {
  let out = ''
  let from = 0
  for (const element of elementsIn(markup, ...(typeof name === 'string' ? [name] : name))) {
    const now = replace(element.attributes, element.content, element)
    if (now === undefined) continue
    out += markup.slice(from, element.start) + now
    from = element.end
  }
  return from === 0 ? markup : out + markup.slice(from)
}

/**
 * Replaces the content of elements with these names. Elements without content, and elements inside such elements, are
 * unchanged.
 */
export const replaceContents = (
  markup: string,
  names: string | readonly string[],
  replace: (content: string) => string,
): string =>
  replaceElements(markup, names, (_, content, element) =>
    content === undefined ? undefined : withContent(element, replace(content)),
  )

/** The markup of an element without its two tags; undefined if the text does not begin with an element. */
export function contentOf(markup: string): string | undefined {
  const element = elementIn(markup)
  return element?.start === 0 ? (element.content ?? '') : undefined
}

/** The start tags with these names, including those of nested elements. Ends at a truncated tag. */
export function* tagsIn(markup: string, ...names: readonly string[]): Generator<string> {
  const single = names.length === 1 ? `<${names[0]}` : '<'
  for (let start = markup.indexOf(single); start >= 0; ) {
    const nameEnd = endOfName(markup, start + 1)
    const isNamed = names.includes(markup.slice(start + 1, nameEnd))
    const end = isNamed ? endOfTag(markup, nameEnd) : nameEnd
    if (end < 0) return
    if (isNamed) yield markup.slice(start, end)
    start = markup.indexOf(single, end)
  }
}

/** Replaces every start tag in the markup by the result of `edit`. A truncated tag is unchanged. */
export function replaceTags(markup: string, edit: (tag: string, name: string) => string): string {
  let out = ''
  let from = 0
  for (let start = markup.indexOf('<'); start >= 0; ) {
    const nameEnd = endOfName(markup, start + 1)
    const name = markup.slice(start + 1, nameEnd)
    const end = isName(name) ? endOfTag(markup, nameEnd) : nameEnd
    if (end < 0) break
    if (end > nameEnd) {
      const tag = markup.slice(start, end)
      const now = edit(tag, name)
      if (now !== tag) {
        out += markup.slice(from, start) + now
        from = end
      }
    }
    start = markup.indexOf('<', end)
  }
  return from === 0 ? markup : out + markup.slice(from)
}

/** An element with other attributes and the same content. */
export const withAttributes = ({ name, content }: LocatedElement, attributes: string): string =>
  content === undefined ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`

/** An element with other content and the same attributes. */
export const withContent = ({ name, attributes }: LocatedElement, content: string): string =>
  `<${name}${attributes}>${content}</${name}>`

/** The first element of a name with additional content: at its end, or as the first of its children. */
export function insertInto(
  markup: string,
  name: string,
  inside: string,
  where: 'first' | 'last' = 'last',
): string {
  const element = inside === '' ? undefined : elementIn(markup, name)
  if (element === undefined) return markup
  if (element.content === undefined)
    return `${markup.slice(0, element.start)}<${name}${element.attributes}>${inside}</${name}>${markup.slice(element.end)}`
  const at = where === 'first' ? element.contentStart : element.contentEnd
  return markup.slice(0, at) + inside + markup.slice(at)
}

/** What `walkTags` calls. Positions are indexes in the markup. */
export interface TagVisitor {
  /** A start tag. Its attributes are between the two positions. */
  open(name: string, attributes: number, end: number): void
  /** An end tag, or the end of an empty tag. */
  close(name: string): void
  /** The characters between two tags, undecoded. */
  text(from: number, to: number): void
}

/**
 * Visits tags and text one after the other. Comments and instructions are passed over; the walk ends at a tag that is cut
 * off.
 */
export function walkTags(markup: string, visitor: TagVisitor): void {
  for (let at = 0; ; ) {
    const tag = markup.indexOf('<', at)
    if (tag < 0) return
    if (tag > at) visitor.text(at, tag)
    const code = markup.charCodeAt(tag + 1)
    if (code === 33 || code === 63 || code === 47) {
      at = markup.indexOf('>', tag) + 1
      if (markup.startsWith('<!--', tag)) at = markup.indexOf('-->', tag) + 3
      if (at <= tag) return
      if (code === 47) visitor.close(markup.slice(tag + 2, at - 1))
      continue
    }
    const nameEnd = endOfName(markup, tag + 1)
    at = endOfTag(markup, nameEnd)
    if (at < 0) return
    const name = markup.slice(tag + 1, nameEnd)
    visitor.open(name, nameEnd, at)
    if (markup.charCodeAt(at - 2) === 47) visitor.close(name)
  }
}

// ---------------------------------------------------------------------------------------------------------- attributes

export interface LocatedAttribute {
  readonly name: string
  readonly start: number // of the white space before it
  readonly valueStart: number
  readonly valueEnd: number
}

/** `tag`: a start tag, the text after its name, or the beginning of either. */
export function attributeOf(tag: string, name: string): string | undefined {
  const attribute = findAttribute(tag, name)
  return attribute === undefined ? undefined : tag.slice(attribute.valueStart, attribute.valueEnd)
}

/**
 * The tag with another value of the attribute; unchanged if it does not have the attribute. Callers must escape
 * `value`.
 */
export function replaceAttribute(tag: string, name: string, value: string): string {
  const attribute = findAttribute(tag, name)
  return attribute === undefined
    ? tag
    : tag.slice(0, attribute.valueStart) + value + tag.slice(attribute.valueEnd)
}

export function withoutAttribute(tag: string, name: string): string {
  const attribute = findAttribute(tag, name)
  return attribute === undefined ? tag : tag.slice(0, attribute.start) + tag.slice(attribute.valueEnd + 1)
}

/** The tag without the attributes of these names. An attribute whose value is truncated is kept. */
export function withoutAttributes(tag: string, isRemoved: (name: string) => boolean): string {
  let out = ''
  let from = 0
  for (const { name, start, valueEnd } of attributesIn(tag)) {
    if (!isRemoved(name)) continue
    out += tag.slice(from, start)
    from = valueEnd + 1
  }
  return from === 0 ? tag : out + tag.slice(from)
}

/** The values of all attributes by name, undecoded. */
export function attributesOf(tag: string): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const { name, valueStart, valueEnd } of attributesIn(tag))
    attributes.set(name, tag.slice(valueStart, valueEnd))
  return attributes
}

/** The tag, split at the value of an attribute. */
export function cutAtAttribute(
  tag: string,
  name: string,
): { readonly before: string; readonly value: string; readonly after: string } | undefined {
  const attribute = findAttribute(tag, name)
  return (
    attribute && {
      before: tag.slice(0, attribute.valueStart),
      value: tag.slice(attribute.valueStart, attribute.valueEnd),
      after: tag.slice(attribute.valueEnd),
    }
  )
}

/** A truncated value is ignored. */
export function findAttribute(tag: string, name: string): LocatedAttribute | undefined {
  let attribute = attributeAt(tag, startOfAttributes(tag))
  while (attribute !== undefined && attribute.name !== name)
    attribute = attributeAt(tag, attribute.valueEnd + 1)
  return attribute
}

/** The attributes of a start tag in order. Ends at a truncated value. */
export function* attributesIn(tag: string): Generator<LocatedAttribute> {
  let attribute = attributeAt(tag, startOfAttributes(tag))
  for (; attribute !== undefined; attribute = attributeAt(tag, attribute.valueEnd + 1)) yield attribute
}

/** The attribute whose value contains the template tag that truncates a start tag; undefined for a complete tag. */
export function cutOffAttribute(
  tag: string,
): { readonly name: string; readonly start: number; readonly valueStart: number } | undefined {
  let start = startOfAttributes(tag)
  for (const { valueEnd } of attributesIn(tag)) start = valueEnd + 1
  const equals = tag.indexOf('=', start)
  if (equals < 0) return undefined
  let quote = equals + 1
  while (tag.charCodeAt(quote) <= 32) quote += 1
  const isQuote = tag[quote] === '"' || tag[quote] === "'"
  return isQuote ? { name: tag.slice(start, equals).trim(), start, valueStart: quote + 1 } : undefined
}

const startOfAttributes = (tag: string): number => (tag.charCodeAt(0) === 60 ? endOfName(tag, 1) : 0)

function attributeAt(tag: string, at: number): LocatedAttribute | undefined {
  const equals = tag.indexOf('=', at)
  if (equals < 0) return undefined
  let quote = equals + 1
  while (tag.charCodeAt(quote) <= 32) quote += 1
  const code = tag.charCodeAt(quote)
  if (code !== 34 && code !== 39) return undefined
  const valueEnd = tag.indexOf(code === 34 ? '"' : "'", quote + 1)
  if (valueEnd < 0) return undefined
  return { name: tag.slice(at, equals).trim(), start: at, valueStart: quote + 1, valueEnd }
}

// ----------------------------------------------------------------------------------------------------------- positions

function endOfName(markup: string, at: number): number {
  let end = at
  for (let code = markup.charCodeAt(end); code > 32 && code !== 62 && code !== 47; )
    code = markup.charCodeAt(++end)
  return end
}

/** The position after the '>' of a start tag, ignoring quoted ones; -1 if there is none. */
export function endOfTag(markup: string, from: number): number {
  for (let at = from; at < markup.length; at += 1) {
    const code = markup.charCodeAt(at)
    if (code === 62) return at + 1
    if (code === 34 || code === 39) {
      at = markup.indexOf(code === 34 ? '"' : "'", at + 1)
      if (at < 0) return -1
    }
  }
  return -1
}

/** The position of the end tag of an element whose content begins at `from`; -1 if there is none. */
function closeOf(markup: string, name: string, from: number): number {
  const opening = `<${name}`
  const closing = `</${name}`
  let depth = 1
  let at = from
  let open = markup.indexOf(opening, at)
  for (;;) {
    const close = findName(markup, closing, at)
    if (close < 0) return -1
    while (open >= 0 && open < close) {
      const nameEnd = open + opening.length
      const end = isNameEnd(markup, nameEnd) ? endOfTag(markup, nameEnd) : -1
      if (end > 0 && markup.charCodeAt(end - 2) !== 47) depth += 1
      open = markup.indexOf(opening, nameEnd)
    }
    depth -= 1
    if (depth === 0) return close
    at = close + closing.length
  }
}

/** False for end tags, declarations and instructions. */
const isName = (name: string): boolean => name !== '' && name[0] !== '!' && name[0] !== '?'

const isNameEnd = (markup: string, at: number): boolean => {
  const code = markup.charCodeAt(at)
  return code <= 32 || code === 62 || code === 47
}

function findName(markup: string, text: string, from: number): number {
  let at = markup.indexOf(text, from)
  while (at >= 0 && !isNameEnd(markup, at + text.length)) at = markup.indexOf(text, at + text.length)
  return at
}
