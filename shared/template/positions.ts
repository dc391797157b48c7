/** Names the position of a tag for messages. It is worked out only when something is wrong. */
import type { Token } from './scan/tokens.ts'

export type Position = (tokens: readonly Token[], parent: Int32Array, at: number) => string | undefined

/** The line, for files of text. */
export const lineOf: Position = (tokens, _parent, at) => {
  let line = 1
  for (let n = 0; n < at; n += 1) {
    const token = tokens[n]!
    if (token.kind === 'computed' || token.kind === 'tag') continue
    for (let end = token.raw.indexOf('\n'); end >= 0; end = token.raw.indexOf('\n', end + 1)) line += 1
  }
  return `line ${line}`
}

/** The label of the nearest element around a tag that has one. */
export const labelOf: Position = (tokens, parent, at) => {
  for (let open = parent[at]!; open >= 0; open = parent[open]!) {
    const token = tokens[open]!
    if (token.kind === 'open' && token.label !== undefined) return token.label
  }
  return undefined
}
