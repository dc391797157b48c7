/** What the steps of analysis share about one part. */
import type { Place } from '../../errors/app-error.ts'
import type { FormatId } from '../../plugin/contract.ts'
import type { Limits } from '../limits.ts'
import type { CallNode } from '../parse/ast.ts'
import type { FormatRules } from '../rules.ts'
import type { TagToken, Token } from '../scan/tokens.ts'
import type { EnclosingLoop, FlatPath, IteratedArray } from './paths.ts'
import type { Report } from './report.ts'

/** A tag that names a value, with what analysis learnt about it. */
export interface ValueTag {
  readonly at: number // index of its piece
  readonly token: TagToken
  readonly flat: FlatPath
  readonly iterated: readonly IteratedArray[]
  readonly calls: readonly CallNode[]
  /** Stands in a document inside: here it only begins or ends a loop. */
  readonly embedded?: true
}

export interface PartContext {
  readonly part: string
  /** The file inside the file that the part belongs to. */
  readonly within?: string
  readonly format: FormatId
  readonly rules: FormatRules
  readonly limits: Limits
  readonly report: Report
  /** Below 5000000: loops without an end print their first item instead of being errors. */
  readonly tolerant: boolean
  readonly tokens: readonly Token[]
  /** Loops around the whole part: it is a document inside another one. */
  readonly outerLoops?: readonly EnclosingLoop[]
  /** For an 'open' the index of its 'close' and the other way round, -1 elsewhere. */
  readonly match: Int32Array
  /** Index of the innermost 'open' around a piece, -1 at the top. */
  readonly parent: Int32Array
}

export function linkTokens(tokens: readonly Token[]): { match: Int32Array; parent: Int32Array } {
  const match = new Int32Array(tokens.length).fill(-1)
  const parent = new Int32Array(tokens.length).fill(-1)
  const stack: number[] = []
  tokens.forEach((token, at) => {
    if (token.kind === 'close') {
      const open = stack.pop()
      if (open !== undefined) {
        match[open] = at
        match[at] = open
      }
    }
    parent[at] = stack.at(-1) ?? -1
    if (token.kind === 'open') stack.push(at)
  })
  return { match, parent }
}

const snippetLength = 160

/** A place with what problems are put in order by. */
export interface TagPlace extends Place {
  readonly offset: number // of the tag in its part
}

/** Where a tag stands, in words: its part, itself and the text of its paragraph. */
export function placeOf(context: PartContext, at: number): TagPlace {
  const { tokens, match, parent, rules, part, within } = context
  const token = tokens[at]
  let around = parent[at] ?? -1
  while (around >= 0) {
    const open = tokens[around]!
    if (open.kind === 'open' && rules.paragraphs.includes(open.name)) break
    around = parent[around]!
  }
  let snippet = ''
  const end = around < 0 ? Math.min(tokens.length, at + 1) : match[around]!
  for (let n = around < 0 ? at : around; n < end && snippet.length < snippetLength; n += 1) {
    const inside = tokens[n]!
    if (inside.kind === 'text' && inside.markup === undefined) snippet += inside.raw
    else if (inside.kind === 'tag') snippet += `{${inside.text}}`
  }
  const position = context.report.wantsPosition() ? rules.position?.(tokens, parent, at) : undefined
  return {
    part: within === undefined ? part : `${within}: ${part}`,
    ...(token?.kind === 'tag' ? { tag: `{${shorten(token.text)}}` } : {}),
    ...(position === undefined ? {} : { at: shorten(position) }),
    snippet: snippet.replace(/\s+/g, ' ').trim().slice(0, snippetLength),
    offset: token?.offset ?? 0,
  }
}

export const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** The tag with its braces, for messages. */
export const tagOf = (token: TagToken): string => `{${shorten(token.text)}}`
