/**
 * The parse pass: from the text of a tag, with aliases in place, to its syntax tree. It depends on the language only
 * and not on markup. Source: template language 2 to 10.
 */
import { formatters } from '../formatters/registry.ts'
import { readSum } from './arithmetic.ts'
import { type ArgNode, type CallNode, SyntaxProblem, type TagNode } from './ast.ts'
import { endOfPart, isProbablyPath, pathOf, readPath } from './path.ts'

/** The placeholder of the n-th embedded translation while the remainder of the tag is parsed. */
const placeholder = (n: number) => `\u0001${n}\u0002`
const placeholders = /\u0001(\d+)\u0002/

/** Parses the text of a tag, without its braces and with aliases substituted. Throws SyntaxProblem. */
export function parseTag(source: string): TagNode {
  if (source.startsWith('t(') && source.endsWith(')')) return { kind: 'translate', key: source.slice(2, -1) }
  if (source.startsWith('t(')) throw new SyntaxProblem('the parenthesis of "t" is not closed')
  if (source.startsWith('o.')) {
    const equals = source.indexOf('=')
    return equals < 0
      ? { kind: 'option', name: source.slice(2), value: 'true' }
      : { kind: 'option', name: source.slice(2, equals), value: unquoted(source.slice(equals + 1)) }
  }
  if (/^bind(Color|Chart)/.test(source)) return { kind: 'bind', name: source.slice(0, source.indexOf('(')) }
  const keys: string[] = []
  const text = source.replace(/\{t\(([^}]*)\)\}/g, (_, key: string) => placeholder(keys.push(key) - 1))
  if (text.includes('{')) throw new SyntaxProblem('it holds another brace')
  const { value: path, end } = readPath(text, 0)
  const calls = readCalls(text, end, keys)
  if (path.steps.length === 0 && calls.length === 0) throw new SyntaxProblem('it names no value')
  return { kind: 'value', path, calls }
}

const unquoted = (text: string): string => (/^'.*'$/s.test(text) ? text.slice(1, -1) : text)

/** `:name(arg, arg):name` to the end of the text. */
function readCalls(text: string, position: number, keys: readonly string[]): CallNode[] {
  const calls: CallNode[] = []
  while (position < text.length) {
    if (text[position] !== ':')
      throw new SyntaxProblem(`"${text.slice(position, position + 20)}" was not expected`)
    const name = /^[^:(){}[\],.'\s]+/.exec(text.slice(position + 1))?.[0]
    if (name === undefined) throw new SyntaxProblem('there is no formatter name after a colon')
    position += 1 + name.length
    let args: ArgNode[] = []
    if (text[position] === '(') {
      const end = closingParenthesis(text, position)
      if (end < 0) throw new SyntaxProblem(`the parenthesis of "${name}" is not closed`)
      const expression = formatters.get(name)?.parameters[0]?.type === 'expression'
      args = splitArguments(text.slice(position + 1, end)).map((arg) => readArgument(arg, keys, expression))
      position = end + 1
    }
    calls.push({ name, args })
  }
  return calls
}

/**
 * Finds the closing parenthesis. A quote ends a quoted argument only at the end of the argument: before a comma or the
 * closing parenthesis.
 */
function closingParenthesis(text: string, open: number): number {
  let depth = 0
  let starts = false // an argument may start here
  for (let position = open; position < text.length; position += 1) {
    const character = text[position]
    if (character === undefined) break
    if (character === "'" && starts) {
      position = closingQuote(text, position)
      if (position < 0) return -1
    } else if (character === '(') depth += 1
    else if (character === ')' && --depth === 0) return position
    starts = character === '(' || character === ','
  }
  return -1
}

function closingQuote(text: string, open: number): number {
  for (let position = open + 1; position < text.length; position += 1) {
    if (text[position] !== "'") continue
    const next = text[position + 1]
    if (next === ',' || next === ')' || next === undefined) return position
    if (next === "'") position += 1
  }
  return -1
}

function splitArguments(text: string): string[] {
  const args: string[] = []
  let from = 0
  while (from <= text.length) {
    let end: number
    if (text[from] === "'") {
      const close = closingQuote(text, from)
      end = close < 0 ? text.length : close + 1
    } else if (isProbablyPath(text.slice(from))) {
      end = endOfPart(text, from)
    } else {
      const comma = text.indexOf(',', from)
      end = comma < 0 ? text.length : comma
    }
    const arg = text.slice(from, end)
    if (arg !== '') args.push(arg)
    from = end + 1
  }
  return args
}

function readArgument(text: string, keys: readonly string[], expression: boolean): ArgNode {
  const quoted = /^'.*'$/s.test(text) && text.length > 1
  const content = quoted ? text.slice(1, -1).replaceAll("''", "'") : text
  if (placeholders.test(content)) {
    const parts = content
      .split(placeholders)
      .map((part, index) => (index % 2 === 0 ? part : keys[Number(part)]!))
    return { kind: 'translated', parts }
  }
  if (quoted) return { kind: 'text', text: content, quoted }
  if (expression) {
    const sum = readSum(text)
    if (sum !== undefined) return { kind: 'sum', sum }
  }
  return isProbablyPath(text) ? { kind: 'path', path: pathOf(text) } : { kind: 'text', text, quoted: false }
}
