/**
 * Lints loops in flat markup, where no element encloses the sample: the block extends from the tag with [i] to the tag with
 * [i+1]. Text that an author writes before each item is then outside the block for the first item, and inside it after the
 * last one. Source: template language 11.2, rules 1, 2 and 4.
 */

import type { Loop } from '../bind/loops.ts'
import { type BindContext, shorten, tagOf } from '../bind/part.ts'
import type { Token } from '../scan/tokens.ts'

/** The maximum number of tokens before a sample that are examined. */
const maxLead = 200

/** Returns a message if the text before the items of a loop does not repeat as it reads, otherwise undefined. */
export function lintFlatLoop({ tree }: BindContext, loop: Loop): string | undefined {
  const { start, stop, startTag } = loop
  if (start !== startTag.at) return undefined
  const { tokens } = tree
  const lead = textOf(
    tokens,
    lineStart(tokens, Math.max(tree.parentOf(start) + 1, start - maxLead), start),
    start,
  )
  const lastLine = lineStart(tokens, start + 1, stop)
  const tail = textOf(tokens, lastLine, stop)
  const sample = tagOf(startTag.token)
  // If there is a line break between the tags, everything after it belongs to the next item.
  const dangling = lastLine > start + 1 ? tail : commonEnd(lead, tail)
  if (isText(dangling))
    return `"${shortened(dangling)}" stands between ${sample} and the tag with [i+1], so it also follows the last item. ${advice}`
  if (lastLine > start + 1 && isText(lead))
    return `"${shortened(lead)}" stands before ${sample} and outside of what repeats, so it precedes the first item only. ${advice}`
  return undefined
}

const advice =
  'Put the sample and the tag with [i+1] into a paragraph, list item or element of their own, or print the text with :prepend.'

/** The index after the last line break of the tokens [from, to); `from` if there is none. */
function lineStart(tokens: readonly Token[], from: number, to: number): number {
  for (let index = to - 1; index >= from; index -= 1) if (isBreak(tokens[index])) return index + 1
  return from
}

const isBreak = (token: Token | undefined): boolean =>
  (token?.kind === 'void' || token?.kind === 'close') && /^(?:\w+:)?(?:br|cr|line-break)$/i.test(token.name)

function textOf(tokens: readonly Token[], start: number, stop: number): string {
  let text = ''
  for (const token of tokens.slice(start, stop)) {
    if (token.kind === 'text' && token.markup === undefined) text += token.raw
    else if (token.kind === 'tag') text += tagOf(token)
  }
  return text
}

/** The common end of both texts. Empty if it is all of the second text, which is then the separator of a list. */
function commonEnd(lead: string, tail: string): string {
  let length = 0
  while (length < Math.min(lead.length, tail.length) && lead.at(-1 - length) === tail.at(-1 - length))
    length += 1
  return length === tail.length ? '' : tail.slice(tail.length - length)
}

const isText = (text: string): boolean => /\S/.test(text)
const shortened = (text: string): string => shorten(text.replace(/\s+/g, ' ').trim())
