/**
 * Warnings about what is no error and yet seldom meant: braces that are nearly a tag, quotes that a word processor made curly,
 * text where a number belongs. Only lint reports them.
 */
import type { Warning } from '../../plugin/contract.ts'
import { type PartContext, shorten, tagOf, type ValueTag } from '../bind/part.ts'
import { formatters } from '../formatters/registry.ts'

/** Nobody reads a longer list. */
const maxFindings = 100
/** The beginning of a tag in text. A complete tag is no text any more, so these have no end. */
const unclosed = /\{\s*(?:[dc]\s*[.[:]|t\(|#\s*\w|\$\s*\w|o\.)[^{}]{0,60}/g
/** Beginnings of tags in other template languages, and a capital D or C by mistake. */
const foreign = /\{\s*(?:[DC]\s*\.|[%/]|(?:for|if|else|elseif|end\w*|each|foreach|loop)\b)[^{}]{0,60}/g
const code: readonly string[] = ['script', 'style']
const curly = /[‘’“”„‚«»]/
const expression = /[|+*/=<>?&!]/
const numeric = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i

export function lint(
  parts: readonly { readonly context: PartContext; readonly values: readonly ValueTag[] }[],
): Warning[] {
  const found: Warning[] = []
  const report = (name: string, message: string, where: string) => {
    if (
      found.length < maxFindings &&
      !found.some((known) => known.message === message && known.where === where)
    )
      found.push({ code: name, message, where })
  }
  for (const { context, values } of parts) {
    const where = context.part
    for (const text of textsOf(context)) {
      for (const [open] of text.matchAll(unclosed))
        report(
          'template.text.unclosed',
          `"${short(open)}" begins like a tag, but no "}" ends it: it stays as text.`,
          where,
        )
      for (const [open] of text.matchAll(foreign))
        report(
          'template.text.foreign',
          `"${short(open)}" is no tag of this language: it stays as text.`,
          where,
        )
    }
    for (const tag of values) for (const message of lintTag(tag)) report('template.tag.doubt', message, where)
  }
  return found
}

const short = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The texts of a part that hold a brace, without scripts and style sheets. */
function* textsOf({ tree }: PartContext): Generator<string> {
  for (const [at, token] of tree.tokens.entries()) {
    if (token.kind !== 'text' || token.markup === true || !token.raw.includes('{')) continue
    if (code.includes(tree.nameOf(tree.parentOf(at))?.toLowerCase() ?? '')) continue
    yield token.raw
  }
}

function lintTag({ token, flat, calls }: ValueTag): string[] {
  const tag = tagOf(token)
  const messages: string[] = []
  if (!token.text.includes("'")) {
    const odd = flat.segments.find(({ name }) => expression.test(name))
    if (odd !== undefined)
      messages.push(
        `${tag} reads a property named "${shorten(odd.name)}": formatters follow a colon, and arithmetic and conditions are formatters.`,
      )
  }
  for (const { name, args } of calls) {
    const formatter = formatters.get(name)
    args.forEach((arg, at) => {
      if (arg.kind !== 'text') return
      if (!arg.quoted && curly.test(arg.text))
        messages.push(
          `${tag} holds curly quotes, which are ordinary characters: texts stand between straight ones, 'like this'.`,
        )
      const type = formatter?.parameters[at]?.type
      if (
        (type === 'expression' || type === 'number' || type === 'integer') &&
        !numeric.test(arg.text.trim())
      )
        messages.push(
          `"${shorten(arg.text)}" in ${tag} is no number; a property is written with a dot: .${shorten(arg.text)}`,
        )
    })
  }
  return messages
}
