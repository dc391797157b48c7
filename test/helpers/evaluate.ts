import { type PartialContext, renderContext, tagState } from '../../shared/template/formatters/context.ts'
import { Markup } from '../../shared/template/formatters/formatter.ts'
import { printed } from '../../shared/template/formatters/printed.ts'
import { formatters } from '../../shared/template/formatters/registry.ts'

/**
 * Prints a line of tags with the real formatters. Paths are plain names; arguments are constants, quoted or not, and
 * paths. Just enough to run one-line examples: loops and blocks are the compiler's.
 */
export function evaluate(template: string, data: unknown, options: PartialContext = {}): string {
  const render = renderContext({ lang: 'en-us', now: Date.UTC(2024, 0, 15), ...options })
  return template.replace(/\{((?:'[^']*'|[^'{}])*)\}/g, (_, tag: string) => {
    const [path = '', ...calls] = splitOutside(tag, ':')
    const state = tagState(render)
    let value = lookUp(data, path)
    for (const call of calls) {
      const [, name = '', , list] = /^\s*(\w+)\s*(\(([\s\S]*)\))?\s*$/.exec(call) ?? []
      const formatter = formatters.get(name)
      if (formatter === undefined) throw new Error(`No formatter ${name}`)
      if (state.condition.decided && formatter.kind !== 'value') continue
      const args = splitOutside(list ?? '', ',').filter((arg) => arg.trim() !== '')
      const values = args.map((arg, i) => {
        const read = readArgument(arg.trim(), data)
        return formatter.parameters[i]?.type === 'expression' ? Number(read) : read
      })
      value = formatter.run(value, values, state)
      if (state.condition.stopped) break
    }
    return value instanceof Markup ? value.markup : printed(value)
  })
}

function readArgument(arg: string, data: unknown): unknown {
  if (arg.startsWith("'")) return arg.slice(1, -1).replaceAll("''", "'")
  if (/^(d|c)?\.[A-Za-z]/.test(arg)) return lookUp(data, arg.replace(/^\./, 'd.')) ?? ''
  return arg.replace(/\s+/g, '')
}

function lookUp(data: unknown, path: string): unknown {
  const names = path.split('.').slice(1)
  return names.reduce<unknown>(
    (held, name) => (held as Record<string, unknown> | null | undefined)?.[name],
    data,
  )
}

/** Splits at a character that stands outside quotes and parentheses. */
function splitOutside(text: string, separator: string): string[] {
  const pieces = ['']
  let depth = 0
  let quoted = false
  for (const character of text) {
    if (character === "'") quoted = !quoted
    else if (!quoted && character === '(') depth++
    else if (!quoted && character === ')') depth--
    if (character === separator && !quoted && depth === 0) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  return pieces
}
