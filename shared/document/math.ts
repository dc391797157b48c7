/**
 * An equation as a tree of boxes, independent of the file format. Sources: OMML (ECMA-376-1 22.1) and MathML
 * of ODF formulas.
 */
export type MathNode =
  | MathText
  | { readonly kind: 'row'; readonly items: readonly MathNode[] }
  | {
      readonly kind: 'fraction'
      readonly above: MathNode
      readonly below: MathNode
      readonly bar: 'line' | 'none' | 'slanted'
    }
  | {
      readonly kind: 'scripts'
      readonly base: MathNode
      readonly sub?: MathNode
      readonly sup?: MathNode
      /** The scripts precede the base. */
      readonly before?: boolean
    }
  | { readonly kind: 'limits'; readonly base: MathNode; readonly under?: MathNode; readonly over?: MathNode }
  | { readonly kind: 'root'; readonly inside: MathNode; readonly degree?: MathNode }
  | {
      readonly kind: 'operator'
      readonly sign: string
      readonly sub?: MathNode
      readonly sup?: MathNode
      readonly body: MathNode
      readonly limits: 'beside' | 'around'
    }
  | {
      readonly kind: 'fence'
      readonly open: string
      readonly close: string
      readonly between: string
      readonly items: readonly MathNode[]
    }
  | {
      readonly kind: 'table'
      readonly rows: readonly (readonly MathNode[])[]
      readonly align: 'center' | 'left'
    }
  /** A sign over or under a base: hats, bars, braces that grow with the base. */
  | {
      readonly kind: 'accent'
      readonly base: MathNode
      readonly sign: string
      readonly at: 'above' | 'below'
    }
  | { readonly kind: 'framed'; readonly base: MathNode }

export interface MathText {
  readonly kind: 'text'
  readonly text: string
  readonly style: 'math' | 'plain' | 'bold' | 'bold-math'
}

/** Linear notation of an equation, for text search and screen readers: (a)/(b), x^2, √(x). */
export function mathWords(node: MathNode | undefined): string {
  if (node === undefined) return ''
  const script = (mark: string, part: MathNode | undefined): string =>
    part === undefined ? '' : `${mark}${grouped(mathWords(part))}`
  switch (node.kind) {
    case 'text':
      return node.text
    case 'row':
      return node.items.map(mathWords).join('')
    case 'fraction':
      return `${grouped(mathWords(node.above))}/${grouped(mathWords(node.below))}`
    case 'scripts': {
      const scripts = script('_', node.sub) + script('^', node.sup)
      return node.before === true ? scripts + mathWords(node.base) : mathWords(node.base) + scripts
    }
    case 'limits':
      return mathWords(node.base) + script('_', node.under) + script('^', node.over)
    case 'root':
      return `${mathWords(node.degree)}√${grouped(mathWords(node.inside))}`
    case 'operator':
      return `${node.sign}${script('_', node.sub)}${script('^', node.sup)} ${mathWords(node.body)}`
    case 'fence':
      return node.open + node.items.map(mathWords).join(node.between) + node.close
    case 'table':
      return node.rows.map((row) => row.map(mathWords).join(' ')).join('; ')
    case 'accent':
      return mathWords(node.base) + (node.sign.length === 1 ? node.sign : '')
    case 'framed':
      return mathWords(node.base)
    default:
      return node satisfies never
  }
}

const grouped = (text: string): string => (text.length === 1 ? text : `(${text})`)
