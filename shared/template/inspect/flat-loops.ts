/**
 * Loops in flat markup, where no element surrounds the sample: the block runs from the tag with [i] to the tag with [i+1]. What
 * an author writes before each item then lands outside the block before the first item, and inside it after the last one.
 * Source: template language 11.2, rules 1, 2 and 4.
 */

import type { Loop } from '../bind/loops.ts'
import { type BindContext, shorten, tagOf } from '../bind/part.ts'
import type { Token } from '../scan/tokens.ts'

/** How many tokens before a sample are read. */
const maxLead = 200

/** A message for a loop whose text before its items does not repeat as it reads; undefined for all others. */
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
  // With a line break between the tags, everything behind it was meant for the next item.
  const dangling = lastLine > start + 1 ? tail : commonEnd(lead, tail)
  if (isText(dangling))
    return `"${shortened(dangling)}" stands between ${sample} and the tag with [i+1], so it also follows the last item. ${advice}`
  if (lastLine > start + 1 && isText(lead))
    return `"${shortened(lead)}" stands before ${sample} and outside of what repeats, so it precedes the first item only. ${advice}`
  return undefined
}

const advice =
  'Put the sample and the tag with [i+1] into a paragraph, list item or element of their own, or print the text with :prepend.'

/** The index behind the last line break of the tokens [from, to); `from` without one. */
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

/** The common end of both texts, when the second contains more than that: all of it would be the separator of a list. */
function commonEnd(lead: string, tail: string): string {
  let length = 0
  while (length < Math.min(lead.length, tail.length) && lead.at(-1 - length) === tail.at(-1 - length))
    length += 1
  return length === tail.length ? '' : tail.slice(tail.length - length)
}

const isText = (text: string): boolean => /\S/.test(text)
const shortened = (text: string): string => shorten(text.replace(/\s+/g, ' ').trim())
