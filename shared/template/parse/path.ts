/** Parses paths and the selectors in their brackets. Source: template language 3 and 4. */
import { opensQuote } from '../scan/tag-text.ts'
import {
  type Constant,
  type FilterNode,
  type IteratorNode,
  type Operator,
  type PathNode,
  type SelectorNode,
  type StepNode,
  SyntaxProblem,
} from './ast.ts'

export interface ParsedPrefix<T> {
  readonly value: T
  readonly end: number
}

/** The maximum number of steps of a path, beyond what authors write. Paths are followed for each value. */
const maxSteps = 200
const keyEnds = '.[]:{}()'

/** Whether an argument or operand is a path rather than a constant. */
export function isProbablyPath(text: string): boolean {
  return /^(?:[dc](?=[.[])|\.+(?=[^.\d\s[]|\d+[^\d]))/.test(text) && !/^\.\d+$/.test(text)
}

/** Reads the path that begins at a position, up to the first character that cannot belong to it. Throws SyntaxProblem. */
export function readPath(text: string, position: number): ParsedPrefix<PathNode> {
  const steps: StepNode[] = []
  let root: PathNode['root']
  let up = 0
  if (text[position] === '.') {
    root = '.'
    let dots = 0
    while (text[position + dots] === '.') dots += 1
    up = dots - 1
    position += dots - 1
  } else {
    root = text[position] === 'c' ? 'c' : 'd'
    position += 1
  }
  while (position < text.length) {
    if (steps.length > maxSteps) throw new SyntaxProblem(`its path has more than ${maxSteps} steps`)
    const character = text[position]
    if (character === '[') {
      const end = closingBracket(text, position)
      if (end < 0) throw new SyntaxProblem('a bracket is not closed')
      steps.push({ kind: 'select', selector: readSelector(text.slice(position + 1, end)) })
      position = end + 1
      continue
    }
    if (character === ']') throw new SyntaxProblem('a bracket is closed that was not opened')
    if (character !== '.') break
    let dots = 1
    while (text[position + dots] === '.') dots += 1
    position += dots
    if (dots > 1) steps.push({ kind: 'up', levels: dots - 1 })
    const key = readKey(text, position)
    if (key.end === position) {
      if (text[position] === '[') throw new SyntaxProblem('there is a dot before a bracket')
      if (dots === 1) throw new SyntaxProblem('there is no name after a dot')
      continue
    }
    steps.push({ kind: 'key', name: key.value })
    position = key.end
  }
  return { value: { root, up, steps }, end: position }
}

/** Parses an entire text as a path. Throws SyntaxProblem if anything follows the path. */
export function pathOf(text: string): PathNode {
  const { value, end } = readPath(text, 0)
  if (end < text.length) throw new SyntaxProblem(`"${text.slice(end, end + 20)}" was not expected`)
  return value
}

function readKey(text: string, start: number): ParsedPrefix<string> {
  if (text[start] === "'") {
    const quoted = /^'((?:[^']|'')+)'(?=[.[\]:{}()]|$)/.exec(text.slice(start))
    if (quoted !== null)
      return { value: (quoted[1] ?? '').replaceAll("''", "'"), end: start + quoted[0].length }
  }
  let end = start
  while (end < text.length && !keyEnds.includes(text[end]!)) end += 1
  return { value: text.slice(start, end), end }
}

function closingBracket(text: string, open: number): number {
  let depth = 0
  let quote = ''
  for (let position = open; position < text.length; position += 1) {
    const character = text[position]
    if (character === undefined) break
    if (quote !== '') {
      if (character !== quote) continue
      if (text[position + 1] === quote) position += 1
      else quote = ''
    } else if (depth > 0 && opensQuote(character, text[position - 1] ?? '')) quote = character
    else if (character === '[') depth += 1
    else if (character === ']' && --depth === 0) return position
  }
  return -1
}

const operators: readonly Operator[] = ['!=', '>=', '<=', '=', '>', '<']

/** Parses the text between brackets. */
function readSelector(text: string): SelectorNode {
  const iterators: IteratorNode[] = []
  const filters: FilterNode[] = []
  let index: number | undefined
  let parallel: number | undefined
  const parts = text === '' ? [] : splitOutside(text, ',')
  for (const part of parts) {
    if (part === '') continue
    const filter = readFilter(part)
    if (filter !== undefined) filters.push(filter)
    else if (/^-?\d+$/.test(part)) index = Number(part)
    else if (/^\.+[iI]$/.test(part)) parallel = part.length - 1
    else iterators.push(readIterator(part))
  }
  if (index !== undefined && parts.length > 1)
    throw new SyntaxProblem('an index stands alone in its brackets')
  if (index !== undefined && index < 0) {
    filters.push({ left: ['i'], operator: '=', right: { text: String(index), quoted: false } })
    index = undefined
  }
  return {
    iterators,
    filters,
    ...(index === undefined ? {} : { index }),
    ...(parallel === undefined ? {} : { parallel }),
  }
}

function readIterator(part: string): IteratorNode {
  const match = /^\.?([^+*[\]]+?)(\+1|\+\+)?(?:\*\.?([^+*[\]]+))?$/.exec(part)
  if (match === null || /^[*]/.test(part)) throw new SyntaxProblem(`"[${part}]" is not an iterator`)
  const [, name = '', next, times] = match
  if (times !== undefined && next === undefined) throw new SyntaxProblem('a repetition factor needs [i+1')
  return {
    keys: name === 'I' ? ['i'] : name.split('.'),
    next: next !== undefined,
    ...(times === undefined ? {} : { times: times.split('.') }),
  }
}

function readFilter(part: string): FilterNode | undefined {
  const operatorStart = outsideQuotes(part, (lookahead) =>
    operators.some((operator) => lookahead.startsWith(operator)),
  )
  if (operatorStart < 0) return undefined
  const operator = operators.find((candidate) => part.startsWith(candidate, operatorStart))!
  const left = part.slice(0, operatorStart).replace(/^\./, '')
  if (left === '') throw new SyntaxProblem('a filter has no left side')
  return {
    left: left.startsWith("'") ? [left.slice(1, -1)] : left.split('.'),
    operator,
    right: readOperand(part.slice(operatorStart + operator.length)),
  }
}

function readOperand(text: string): Constant | PathNode {
  if (/^'.*'$/s.test(text) || /^".*"$/s.test(text)) {
    return { text: text.slice(1, -1).replaceAll("''", "'"), quoted: true }
  }
  return isProbablyPath(text) ? pathOf(text) : { text, quoted: false }
}

/** Parts of `text` between separators that are outside of quotes and brackets. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = []
  for (let from = 0; from <= text.length; ) {
    const end = endOfPart(text, from, separator)
    parts.push(text.slice(from, end))
    from = end + 1
  }
  return parts
}

/** The end of the part that begins at `from`: the next separator outside quotes and brackets. */
export function endOfPart(text: string, from: number, separator = ','): number {
  let depth = 0
  let quote = ''
  for (let position = from; position < text.length; position += 1) {
    const character = text[position]
    if (character === undefined) break
    if (quote !== '') {
      if (character !== quote) continue
      if (text[position + 1] === quote) position += 1
      else quote = ''
    } else if (opensQuote(character, position === from ? '' : (text[position - 1] ?? ''))) quote = character
    else if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    else if (character === separator && depth === 0) return position
  }
  return text.length
}

function outsideQuotes(text: string, matches: (rest: string) => boolean): number {
  let quote = ''
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position]
    if (character === undefined) break
    if (quote !== '') {
      if (character !== quote) continue
      if (text[position + 1] === quote) position += 1
      else quote = ''
    } else if (opensQuote(character, text[position - 1] ?? '')) quote = character
    else if (matches(text.slice(position, position + 2))) return position
  }
  return -1
}
