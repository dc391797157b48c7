/** Describes the position of a tag for messages. It is computed only for a problem. */
import type { DescribePosition } from './rules.ts'

/** The line number, for text files. */
export const lineOf: DescribePosition = (tokens, _parent, index) => {
  let line = 1
  for (let n = 0; n < index; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.kind === 'computed' || token.kind === 'tag') continue
    for (let end = token.raw.indexOf('\n'); end >= 0; end = token.raw.indexOf('\n', end + 1)) line += 1
  }
  return `line ${line}`
}

/** The label of the nearest element around a tag that has one. */
export const labelOf: DescribePosition = (tokens, parent, index) => {
  for (let open = parent[index] ?? 0; open >= 0; open = parent[open] ?? 0) {
    const token = tokens[open]
    if (token === undefined) break
    if (token.kind === 'open' && token.label !== undefined) return token.label
  }
  return undefined
}
