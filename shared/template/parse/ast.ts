/** The syntax tree of a tag, as plain data. */

export type TagNode =
  | { readonly kind: 'value'; readonly path: PathNode; readonly calls: readonly CallNode[] }
  | { readonly kind: 'translate'; readonly key: string }
  | { readonly kind: 'option'; readonly name: string; readonly value: string }
  /** `{bindColor(...)}` and `{bindChart(...)}`. Formats that support them rewrite these tags before they are parsed. */
  | { readonly kind: 'bind'; readonly name: string }

/** A path. With root '.' it is relative to the object that owns the tag's value, after climbing `up` levels. */
export interface PathNode {
  readonly root: 'd' | 'c' | '.'
  readonly up: number
  readonly steps: readonly StepNode[]
}
/** One step of a path: a name, a number of levels upwards, or a selector in brackets. */
export type StepNode =
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'up'; readonly levels: number }
  | { readonly kind: 'select'; readonly selector: SelectorNode }

/** The content of one pair of brackets. */
export interface SelectorNode {
  readonly iterators: readonly IteratorNode[]
  readonly filters: readonly FilterNode[]
  readonly index?: number
  /** `[.i]`, the item at the index of a loop: how many dots there are. */
  readonly parallel?: number
}
/** An iterator of a loop: `i`, `i+1`, or an attribute that sorts the loop. */
export interface IteratorNode {
  readonly keys: readonly string[] // ['i'] or the attribute to sort by
  readonly next: boolean // [i+1]
  readonly times?: readonly string[] // [i+1*qty]
}
/** The operators of filters. */
export type Operator = '=' | '!=' | '>' | '<' | '>=' | '<='
/** A condition on each item of a list: [x > 3]. */
export interface FilterNode {
  readonly left: readonly string[] // ['i'] is the index
  readonly operator: Operator
  readonly right: Constant | PathNode
}
/** A number or a text written in a tag. */
export interface Constant {
  readonly text: string
  readonly quoted: boolean
}

/** A formatter with its arguments. */
export interface CallNode {
  readonly name: string
  readonly args: readonly ArgNode[]
}
/** An argument of a formatter. */
export type ArgNode =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  /** Text that contains translations. Text and translation keys alternate, beginning with text. */
  | { readonly kind: 'translated'; readonly parts: readonly string[] }
  | { readonly kind: 'path'; readonly path: PathNode }
  | { readonly kind: 'sum'; readonly sum: SumNode }

/** Arithmetic in reverse Polish order. */
export type SumNode = readonly SumItem[]
/** One item of an arithmetic argument, in postfix order. */
export type SumItem =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'path'; readonly path: PathNode }
  | { readonly kind: 'operator'; readonly operator: '+' | '-' | '*' | '/' | 'minus' }

/** Thrown by the parser. Its callers convert it to a problem of the template, with the position of the tag. */
export class SyntaxProblem extends Error {
  readonly because: string
  readonly arithmetic: string | undefined
  constructor(because: string, arithmetic?: string) {
    super(because)
    this.because = because
    this.arithmetic = arithmetic
  }
}
