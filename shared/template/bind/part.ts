/** The state of one part that the passes from bind on share: its tree, its rules and where problems are reported. */
import type { ProblemLocation } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import type { FormatId } from '../../plugin/values.ts'
import type { TableIndex } from '../nest/table.ts'
import type { CallNode } from '../parse/ast.ts'
import type { TagToken } from '../scan/tokens.ts'
import type { EnclosingLoop, FlatPath, IteratedArray } from './paths.ts'
import type { Report } from './report.ts'

/** A tag that names a value, with its path resolved. */
export interface ValueTag {
  readonly at: number // index of its token
  readonly token: TagToken
  readonly flat: FlatPath
  /** The arrays that its path iterates over, outermost first. */
  readonly iterated: readonly IteratedArray[]
  readonly calls: readonly CallNode[]
  /** The tag is in an embedded object; in this part it only begins or ends a loop. */
  readonly embedded?: true
}

export interface BindContext extends TableIndex {
  readonly part: string
  /** The embedded file that the part belongs to. */
  readonly within?: string
  readonly format: FormatId
  readonly limits: Limits
  readonly report: Report
  /** Below language level 5000000, loops without an end print their first item instead of being errors. */
  readonly tolerant: boolean
  /** The key of the array of a batch. Each report has exactly one item of it, so its loops need no end. Language 11.11. */
  readonly single?: string
  /** The loops around the entire part of an embedded object, outermost first. */
  readonly outerLoops?: readonly EnclosingLoop[]
}

/** The limit of characters: enough to recognise a paragraph, but short enough for an error message. */
const maxSnippet = 160

/** The location of a tag, with the offset by which problems are sorted in reading order. */
export interface TagLocation extends ProblemLocation {
  readonly offset: number // characters from the start of the part
}

/** Describes the location of a tag: its part, the tag itself and the text of its paragraph. */
export function locationOf({ tree, rules, part, within, report }: BindContext, index: number): TagLocation {
  const token = tree.tokens[index]
  const position = report.needsPosition() ? rules.position?.(tree.tokens, tree.parent, index) : undefined
  return {
    part: within === undefined ? part : `${within}: ${part}`,
    ...(token?.kind === 'tag' ? { tag: tagOf(token) } : {}),
    ...(position === undefined ? {} : { at: shorten(position) }),
    snippet: snippetAt({ tree, rules }, index),
    offset: token?.offset ?? 0,
  }
}

/** The beginning of the paragraph around a tag, tags included; without a paragraph the tag alone. */
function snippetAt({ tree, rules }: Pick<BindContext, 'tree' | 'rules'>, index: number): string {
  const { tokens } = tree
  const paragraph = tree.ancestor(index, rules.paragraphs)
  const start = paragraph < 0 ? index : paragraph
  const stop = paragraph < 0 ? Math.min(tokens.length, index + 1) : tree.matchOf(paragraph)
  let snippet = ''
  for (let n = start; n < stop && snippet.length < maxSnippet; n += 1) {
    const token = tokens[n]
    if (token?.kind === 'text' && token.markup === undefined) snippet += token.raw
    else if (token?.kind === 'tag') snippet += `{${token.text}}`
  }
  return snippet.replace(/\s+/g, ' ').trim().slice(0, maxSnippet)
}

export const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** The tag with its braces, for messages. */
export const tagOf = (token: TagToken): string => `{${shorten(token.text)}}`
