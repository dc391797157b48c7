/** What the passes from bind on share about one part: its tree, its rules and where problems go. */
import type { Place } from '../../errors/app-error.ts'
import type { FormatId } from '../../plugin/contract.ts'
import type { Limits } from '../limits.ts'
import type { Tables } from '../nest/table.ts'
import type { CallNode } from '../parse/ast.ts'
import type { TagToken } from '../scan/tokens.ts'
import type { EnclosingLoop, FlatPath, IteratedArray } from './paths.ts'
import type { Report } from './report.ts'

/** A tag that names a value, with its path resolved. */
export interface ValueTag {
  readonly at: number // index of its token
  readonly token: TagToken
  readonly flat: FlatPath
  /** The arrays that its path goes through with an iterator, outermost first. */
  readonly iterated: readonly IteratedArray[]
  readonly calls: readonly CallNode[]
  /** Stands in an embedded object: in this part it only begins or ends a loop. */
  readonly embedded?: true
}

export interface PartContext extends Tables {
  readonly part: string
  /** The file inside the file that the part belongs to. */
  readonly within?: string
  readonly format: FormatId
  readonly limits: Limits
  readonly report: Report
  /** Below language level 5000000, loops without an end print their first item instead of being errors. */
  readonly tolerant: boolean
  /** Loops around the whole part, outermost first: it belongs to an embedded object. */
  readonly outerLoops?: readonly EnclosingLoop[]
}

/** Long enough to recognise a paragraph by, short enough for a line of an error message. */
const maxSnippet = 160

/** The place of a tag, with the offset that puts problems in the order of reading. */
export interface TagPlace extends Place {
  readonly offset: number // characters from the start of the part
}

/** Where a tag stands, in words: its part, the tag itself and the text of its paragraph. */
export function placeOf({ tree, rules, part, within, report }: PartContext, at: number): TagPlace {
  const token = tree.tokens[at]
  const position = report.wantsPosition() ? rules.position?.(tree.tokens, tree.parent, at) : undefined
  return {
    part: within === undefined ? part : `${within}: ${part}`,
    ...(token?.kind === 'tag' ? { tag: tagOf(token) } : {}),
    ...(position === undefined ? {} : { at: shorten(position) }),
    snippet: snippetAt({ tree, rules }, at),
    offset: token?.offset ?? 0,
  }
}

/** The beginning of the paragraph around a tag, tags included; without a paragraph the tag alone. */
function snippetAt({ tree, rules }: Pick<PartContext, 'tree' | 'rules'>, at: number): string {
  const { tokens } = tree
  const paragraph = tree.ancestor(at, rules.paragraphs)
  const start = paragraph < 0 ? at : paragraph
  const stop = paragraph < 0 ? Math.min(tokens.length, at + 1) : tree.matchOf(paragraph)
  let snippet = ''
  for (let n = start; n < stop && snippet.length < maxSnippet; n += 1) {
    const inside = tokens[n]
    if (inside?.kind === 'text' && inside.markup === undefined) snippet += inside.raw
    else if (inside?.kind === 'tag') snippet += `{${inside.text}}`
  }
  return snippet.replace(/\s+/g, ' ').trim().slice(0, maxSnippet)
}

export const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** The tag with its braces, for messages. */
export const tagOf = (token: TagToken): string => `{${shorten(token.text)}}`
