/**
 * The nest pass: from the flat list of tokens to a tree of elements. The tree is the list itself with two indexes beside
 * it, so that nesting a large part costs two arrays and no object for each element.
 */
import type { Token } from '../scan/tokens.ts'

/** Elements of one part. An element is known by the index of its opening token, a token by its own index. */
export class ElementTree {
  readonly tokens: readonly Token[]
  /** For an 'open' the index of its 'close' and the other way round, -1 elsewhere. */
  readonly match: Int32Array
  /**
   * Index of the innermost 'open' around a token, -1 at the top. A 'close' has the same parent as its 'open', which
   * does not contain it.
   */
  readonly parent: Int32Array

  constructor(tokens: readonly Token[], match: Int32Array, parent: Int32Array) {
    this.tokens = tokens
    this.match = match
    this.parent = parent
  }

  /** The element around a token or element, -1 at the top. */
  parentOf(index: number): number {
    return this.parent[index] ?? -1
  }

  /** The token that closes an element, -1 for an element without content. For a 'close': its 'open'. */
  matchOf(index: number): number {
    return this.match[index] ?? -1
  }

  /** The index after the last token of an element. For any other token, the index after it. */
  indexAfter(index: number): number {
    return Math.max(this.matchOf(index), index) + 1
  }

  /** The name of an element with or without content; undefined for other tokens. */
  nameOf(index: number): string | undefined {
    const token = this.tokens[index]
    return token?.kind === 'open' || token?.kind === 'void' ? token.name : undefined
  }

  /** The nearest element around a token that bears one of the names, -1 when there is none. */
  ancestor(index: number, names: readonly string[]): number {
    let open = this.parentOf(index)
    while (open >= 0 && !names.includes(this.nameOf(open) ?? '')) open = this.parentOf(open)
    return open
  }

  /** The elements of these names directly in an element, or at the top for -1. */
  children(of: number, names: readonly string[]): number[] {
    const children: number[] = []
    const end = of < 0 ? this.tokens.length : this.matchOf(of)
    for (let index = of + 1; index < end; index = this.indexAfter(index)) {
      if (names.includes(this.nameOf(index) ?? '')) children.push(index)
    }
    return children
  }

  /** The markup and text of the tokens [start, stop), without tags and computed tokens. */
  raw(start: number, stop: number): string {
    return this.tokens
      .slice(start, stop)
      .map((token) => ('raw' in token ? token.raw : ''))
      .join('')
  }

  /**
   * The last token of the opening tag that begins at an 'open'. It consists of several tokens if its attributes contain tags
   * or computed values.
   */
  endOfOpening(index: number): number {
    const open = this.tokens[index]
    if (open?.kind !== 'open' || open.raw.endsWith('>')) return index
    for (let n = index + 1; n < this.tokens.length; n += 1) {
      const token = this.tokens[n]
      if (token?.kind === 'text' && token.markup === true && token.raw.endsWith('>')) return n
      if (token?.kind !== 'text' && token?.kind !== 'tag' && token?.kind !== 'computed') return n - 1
    }
    return index
  }
}

/** Scanners give each 'open' a 'close'; a 'close' without an 'open' is left unmatched. */
export function nest(tokens: readonly Token[]): ElementTree {
  const match = new Int32Array(tokens.length).fill(-1)
  const parent = new Int32Array(tokens.length).fill(-1)
  const stack: number[] = []
  tokens.forEach((token, index) => {
    if (token.kind === 'close') {
      const open = stack.pop()
      if (open !== undefined) {
        match[open] = index
        match[index] = open
      }
    }
    parent[index] = stack.at(-1) ?? -1
    if (token.kind === 'open') stack.push(index)
  })
  return new ElementTree(tokens, match, parent)
}
