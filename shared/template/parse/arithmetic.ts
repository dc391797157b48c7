/**
 * Arithmetic in the arguments of add, sub, mul and div: + - * / with the usual order, unary minus, no parentheses.
 * Source: template language 10.
 */
import { type SumItem, type SumNode, SyntaxProblem } from './ast.ts'
import { isProbablyPath, readPath } from './path.ts'

const rank = { '+': 1, '-': 1, '*': 2, '/': 2, minus: 3 } as const
type OperatorName = keyof typeof rank

/** Returns undefined if the text is a single operand, which is parsed like any other argument. */
export function readSum(text: string): SumNode | undefined {
  const postfix: SumItem[] = []
  const pendingOperators: OperatorName[] = []
  const flushOperators = (lowestRank: number) => {
    while (pendingOperators.length > 0 && rank[pendingOperators.at(-1)!] >= lowestRank) {
      postfix.push({ kind: 'operator', operator: pendingOperators.pop()! })
    }
  }
  let position = 0
  let expectsOperand = true
  let operators = 0
  while (position < text.length) {
    const character = text[position]
    if (character === undefined) break
    if (expectsOperand) {
      if (character === '-') {
        pendingOperators.push('minus')
        operators += 1
        position += 1
        continue
      }
      const number = /^(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/i.exec(text.slice(position))
      if (number !== null) {
        postfix.push({ kind: 'number', value: Number(number[0]) })
        position += number[0].length
      } else if (isProbablyPath(text.slice(position))) {
        const end = endOfOperand(text, position)
        const { value, end: read } = readPath(text.slice(0, end), position)
        if (read !== end) throw malformed(text)
        postfix.push({ kind: 'path', path: value })
        position = end
      } else {
        if (operators === 0 && !/[+*/]/.test(text)) return undefined
        throw malformed(text)
      }
      expectsOperand = false
      continue
    }
    if (character !== '+' && character !== '-' && character !== '*' && character !== '/') {
      if (operators === 0) return undefined
      throw malformed(text)
    }
    flushOperators(rank[character])
    pendingOperators.push(character)
    operators += 1
    expectsOperand = true
    position += 1
  }
  if (operators === 0) return undefined
  if (expectsOperand) throw malformed(text)
  flushOperators(0)
  const only = postfix[0]
  // A plain negative number is a constant.
  if (postfix.length === 2 && only?.kind === 'number') return [{ kind: 'number', value: -only.value }]
  return postfix
}

function malformed(text: string): SyntaxProblem {
  return new SyntaxProblem('the arithmetic cannot be read', text)
}

/** The end of the path at `start`. A dash belongs to a key of the path, unless an operand begins after it. */
function endOfOperand(text: string, start: number): number {
  let depth = 0
  for (let position = start; position < text.length; position += 1) {
    const character = text[position]
    if (character === undefined) break
    if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    else if (depth > 0) continue
    else if (character === '+' || character === '*' || character === '/') return position
    else if (character === '-' && /^(?:[\d.-]|[dc][.[])/.test(text.slice(position + 1))) return position
  }
  return text.length
}
