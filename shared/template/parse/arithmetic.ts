/**
 * Arithmetic in the arguments of add, sub, mul and div: + - * / with the usual order, unary minus, no parentheses.
 * Source: template language 10.
 */
import { type SumItem, type SumNode, SyntaxProblem } from './ast.ts'
import { looksLikePath, readPath } from './path.ts'

const rank = { '+': 1, '-': 1, '*': 2, '/': 2, minus: 3 } as const
type OperatorName = keyof typeof rank

/** Undefined when the text is a single operand, which is read like any other argument. */
export function readSum(text: string): SumNode | undefined {
  const out: SumItem[] = []
  const waiting: OperatorName[] = []
  const settle = (lowest: number) => {
    while (waiting.length > 0 && rank[waiting.at(-1)!] >= lowest) {
      out.push({ kind: 'operator', operator: waiting.pop()! })
    }
  }
  let at = 0
  let wantsOperand = true
  let operators = 0
  while (at < text.length) {
    const character = text[at]
    if (character === undefined) break
    if (wantsOperand) {
      if (character === '-') {
        waiting.push('minus')
        operators += 1
        at += 1
        continue
      }
      const number = /^(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/i.exec(text.slice(at))
      if (number !== null) {
        out.push({ kind: 'number', value: Number(number[0]) })
        at += number[0].length
      } else if (looksLikePath(text.slice(at))) {
        const end = endOfOperand(text, at)
        const { value, end: read } = readPath(text.slice(0, end), at)
        if (read !== end) throw bad(text)
        out.push({ kind: 'path', path: value })
        at = end
      } else {
        if (operators === 0 && !/[+*/]/.test(text)) return undefined
        throw bad(text)
      }
      wantsOperand = false
      continue
    }
    if (character !== '+' && character !== '-' && character !== '*' && character !== '/') {
      if (operators === 0) return undefined
      throw bad(text)
    }
    settle(rank[character])
    waiting.push(character)
    operators += 1
    wantsOperand = true
    at += 1
  }
  if (operators === 0) return undefined
  if (wantsOperand) throw bad(text)
  settle(0)
  const only = out[0]
  // A plain negative number is a constant.
  if (out.length === 2 && only?.kind === 'number') return [{ kind: 'number', value: -only.value }]
  return out
}

function bad(text: string): SyntaxProblem {
  return new SyntaxProblem('the arithmetic cannot be read', text)
}

/** Where the path at `start` ends. A dash belongs to a key of the path, unless an operand starts behind it. */
function endOfOperand(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === undefined) break
    if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    else if (depth > 0) continue
    else if (character === '+' || character === '*' || character === '/') return at
    else if (character === '-' && /^(?:[\d.-]|[dc][.[])/.test(text.slice(at + 1))) return at
  }
  return text.length
}
