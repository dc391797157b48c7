/**
 * EQ fields (ECMA-376-1 17.16.5.18): equations written as text, such as `EQ \f(1,2)`. LibreOffice shows only
 * phonetic guides; here the others become equations of the document model as well.
 */

import type { MathNode } from '../../../../shared/document/math.ts'
import { entryOf } from '../../../../shared/entry-of.ts'

/** Result of an EQ field: an equation, or a phonetic guide. */
export type EqField =
  | { readonly kind: 'math'; readonly math: MathNode }
  | { readonly kind: 'ruby'; readonly base: string; readonly above: string }

const emptyRow: MathNode = { kind: 'row', items: [] }
/** Maximum nesting of arguments; instructions beyond it are rejected. */
const maxDepth = 32
/** Maximum length of an instruction, in characters. */
const maxLength = 4000

const textOf = (text: string): MathNode => ({ kind: 'text', text, style: 'plain' })
const rowOf = (items: readonly MathNode[]): MathNode =>
  items.length === 1 ? items[0]! : { kind: 'row', items }

/** Reads a field instruction; undefined when it is not an EQ field or uses an unknown switch. */
export function readEqField(instruction: string): EqField | undefined {
  const code = /^\s*EQ\b\s*([\s\S]*)$/i.exec(instruction)?.[1]
  if (code === undefined || code.length > maxLength) return undefined
  // Phonetic guides begin with formatting that is not needed here: \* jc2 \* "Font:…" \* hps10
  const withoutFormatting = code.replace(/\\\*\s*(?:"[^"]*"|\S+)\s*/g, '').trim()
  const guide = /^\\o(?:\\a[dclr])*\s*\(\s*\\s\\up\s*[\d.]+\(([^()]*)\)\s*[,;]([^()]*)\)$/i.exec(
    withoutFormatting,
  )
  if (guide !== null) return { kind: 'ruby', above: (guide[1] ?? '').trim(), base: (guide[2] ?? '').trim() }
  const reader = new EqReader(withoutFormatting)
  const math = reader.sequence(0)
  return reader.failed || (math.kind === 'row' && math.items.length === 0)
    ? undefined
    : { kind: 'math', math }
}

interface EquationOptions {
  /** Switch names without backslash ('up', 'co') to their value. */
  readonly names: ReadonlyMap<string, string>
}

/** Recursive-descent parser of an instruction; `#at` is the next character. */
class EqReader {
  readonly #text: string
  #at = 0
  /** Set when an unknown or incomplete switch was met; the result is then not used. */
  failed = false

  constructor(text: string) {
    this.#text = text
  }

  /** Parses text and switches up to the end of an argument. The separator that ends it is not consumed. */
  sequence(depth: number): MathNode {
    const items: MathNode[] = []
    let text = ''
    // Unmatched parentheses in the text; separators inside them are text.
    let open = 0
    const flush = (): void => {
      if (text.trim() !== '') items.push(textOf(depth === 0 ? text : text.trim()))
      text = ''
    }
    for (; this.#at < this.#text.length; ) {
      const letter = this.#text[this.#at]!
      if (depth > 0 && open === 0 && (letter === ')' || letter === ',' || letter === ';')) break
      if (letter !== '\\') {
        if (letter === '(') open++
        else if (letter === ')') open--
        text += letter
        this.#at++
        continue
      }
      const next = this.#text[this.#at + 1] ?? ''
      if (!/[a-z]/i.test(next)) {
        text += next
        this.#at += 2
        continue
      }
      flush()
      const object = this.#object(depth, items)
      if (object !== undefined) items.push(object)
    }
    flush()
    return rowOf(items)
  }

  /**
   * Parses one switch with its options and arguments. `before` holds the nodes so far: superscripts take
   * their base from it.
   */
  #object(depth: number, before: MathNode[]): MathNode | undefined {
    const name = this.#text[this.#at + 1]!.toLowerCase()
    this.#at += 2
    const options = this.#options()
    const args = depth < maxDepth ? this.#arguments(depth) : undefined
    if (args === undefined) {
      // A displacement (\d) needs no argument, since it only adds space.
      if (name !== 'd') this.failed = true
      return undefined
    }
    const make = entryOf(objects, name)
    if (make === undefined) this.failed = true
    return make?.(args, options, before)
  }

  /** Parses options such as \al \co2 \vs3 \lc\{ */
  #options(): EquationOptions {
    const names = new Map<string, string>()
    for (;;) {
      const rest = this.#text.slice(this.#at)
      const sign = /^\s*\\(lc|rc|bc|fc|vc)\s*\\?(\S)/i.exec(rest)
      const option = sign ?? /^\s*\\([a-z]{2})\s*(-?[\d.]*)/i.exec(rest)
      if (option === null || names.size > 16) return { names }
      names.set((option[1] ?? '').toLowerCase(), option[2] ?? '')
      this.#at += option[0].length
    }
  }

  /** Parses a parenthesised list of arguments; undefined when there is none. */
  #arguments(depth: number): MathNode[] | undefined {
    const start = /^\s*\(/.exec(this.#text.slice(this.#at))
    if (start === null) return undefined
    this.#at += start[0].length
    const args: MathNode[] = []
    while (this.#at < this.#text.length) {
      args.push(this.sequence(depth + 1))
      const letter = this.#text[this.#at++]
      if (letter === ')') break
    }
    return args
  }
}

type Make = (args: readonly MathNode[], options: EquationOptions, before: MathNode[]) => MathNode | undefined

const objects: Readonly<Record<string, Make>> = {
  f: ([above = emptyRow, below = emptyRow]) => ({ kind: 'fraction', above, below, bar: 'line' }),
  r: (args) =>
    args.length > 1 && !isEmpty(args[0]!)
      ? { kind: 'root', degree: args[0]!, inside: args[1]! }
      : { kind: 'root', inside: args.at(-1) ?? emptyRow },
  s: (args, { names }, before) => {
    if (args.length > 1) return { kind: 'table', rows: args.map((node) => [node]), align: 'left' }
    const [raised = emptyRow] = args
    const base = before.pop() ?? emptyRow
    return names.has('do') || names.has('di')
      ? { kind: 'scripts', base, sub: raised }
      : { kind: 'scripts', base, sup: raised }
  },
  o: (args) => rowOf(args),
  x: ([base = emptyRow], { names }) => {
    const edges = ['to', 'bo', 'le', 'ri'].filter((edge) => names.has(edge))
    if (edges.length !== 1 || edges[0] === 'le' || edges[0] === 'ri') return { kind: 'framed', base }
    return { kind: 'accent', base, sign: '\u00af', at: edges[0] === 'to' ? 'above' : 'below' }
  },
  b: (items, { names }) => {
    const both = names.get('bc')
    const [left, right] = [
      names.get('lc') ?? both,
      names.get('rc') ?? (both && (entryOf(closing, both) ?? both)),
    ]
    const isBracketed = names.has('lc') || names.has('rc') || both !== undefined
    return {
      kind: 'fence',
      open: isBracketed ? (left ?? '') : '(',
      close: isBracketed ? (right ?? '') : ')',
      between: ',',
      items,
    }
  },
  a: (args, { names }) => {
    const columns = Math.max(1, Math.min(64, Number.parseInt(names.get('co') ?? '1', 10) || 1))
    const rows: MathNode[][] = []
    for (let i = 0; i < args.length; i += columns) rows.push(args.slice(i, i + columns))
    return { kind: 'table', rows, align: names.has('ac') || names.has('ar') ? 'center' : 'left' }
  },
  i: ([sub = emptyRow, sup = emptyRow, body = emptyRow], { names }) => ({
    kind: 'operator',
    sign: names.get('fc') ?? names.get('vc') ?? (names.has('su') ? '∑' : names.has('pr') ? '∏' : '∫'),
    ...(!isEmpty(sub) && { sub }),
    ...(!isEmpty(sup) && { sup }),
    body,
    limits: names.has('in') || !(names.has('su') || names.has('pr')) ? 'beside' : 'around',
  }),
  l: (args) => rowOf(args.flatMap((node, index) => (index === 0 ? [node] : [textOf(','), node]))),
  d: () => undefined,
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

const isEmpty = (node: MathNode): boolean =>
  node.kind === 'row' ? node.items.every(isEmpty) : node.kind === 'text' && node.text.trim() === ''
