/**
 * Warns about constructs that are valid but seldom intended: braces that are nearly a tag, quotes that a word processor made
 * curly, text where a number is expected. Only lint reports them.
 */
import type { Warning } from '../../plugin/values.ts'
import type { ScopedPart } from '../bind/bind.ts'
import type { Guard } from '../bind/guards.ts'
import { type BindContext, shorten, tagOf, type ValueTag } from '../bind/part.ts'
import { formatters } from '../formatters/registry.ts'
import { lintFlatLoop } from './flat-loops.ts'

/** The maximum number of lint warnings: a longer list would not be read. */
const maxLintWarnings = 100
/** Matches the beginning of a tag in text. Complete tags are no longer text, so these lack an end. */
const unclosed = /\{\s*(?:[dc]\s*[.[:]|t\(|#\s*\w|\$\s*\w|o\.)[^{}]{0,60}/g
/** Beginnings of tags in other template languages, and a capital D or C by mistake. */
const foreign = /\{\s*(?:[DC]\s*\.|[%/]|(?:for|if|else|elseif|end\w*|each|foreach|loop)\b)[^{}]{0,60}/g
const code: readonly string[] = ['script', 'style']
const curly = /[‘’“”„‚«»]/
const expression = /[|+*/=<>?&!]/
const numeric = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i

/** Warns of tags that compile but probably do not do what their author expects. */
export function lint(
  parts: readonly { readonly context: BindContext; readonly values: readonly ValueTag[] }[],
  scoped: readonly Pick<ScopedPart, 'context' | 'loops' | 'guards'>[],
): Warning[] {
  const warnings: Warning[] = []
  const report = (name: string, message: string, where: string) => {
    if (
      warnings.length < maxLintWarnings &&
      !warnings.some((warning) => warning.message === message && warning.where === where)
    )
      warnings.push({ code: name, message, where })
  }
  for (const { context, values } of parts) {
    const where = context.part
    for (const text of textsOf(context)) {
      for (const [beginning] of text.matchAll(unclosed))
        report(
          'template.text.unclosed',
          `"${short(beginning)}" begins like a tag, but no "}" ends it, so it stays as text.`,
          where,
        )
      for (const [beginning] of text.matchAll(foreign))
        report(
          'template.text.foreign',
          `"${short(beginning)}" is not a tag of this language, so it stays as text.`,
          where,
        )
    }
    for (const tag of values) {
      for (const message of lintTag(tag)) report('template.tag.doubt', message, where)
      const message = lintPosition(tag)
      if (message !== undefined) report('template.tag.place', message, where)
    }
  }
  for (const { context, loops, guards } of scoped) {
    for (const loop of loops) {
      const message = lintFlatLoop(context, loop)
      if (message !== undefined) report('template.loop.flat', message, context.part)
    }
    for (const guard of guards) {
      const message = lintBlock(context, guard)
      if (message !== undefined) report('template.block.uneven', message, context.part)
    }
  }
  return warnings
}

/** Returns a message for a block that leaves an empty paragraph, because its other end shares a paragraph with text. */
function lintBlock({ tree, rules }: BindContext, { tag, uneven }: Guard): string | undefined {
  // In plain text the remaining element is only an empty line.
  if (uneven === undefined || rules.plain === true) return undefined
  const [begins, ends] = [tag.at, uneven.end.at].map((tagIndex) => tree.ancestor(tagIndex, rules.paragraphs))
  if (rules.paragraphs.length > 0 && begins === ends) return undefined
  return `${tagOf(tag.token)} and ${tagOf(uneven.end.token)}: only one of them shares its element with text outside of the block, so an empty element stays where the block is hidden. Put both into elements of their own, or both beside text.`
}

const short = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The texts of a part that contain a brace, without scripts and style sheets. */
function* textsOf({ tree }: BindContext): Generator<string> {
  for (const [index, token] of tree.tokens.entries()) {
    if (token.kind !== 'text' || token.markup === true || !token.raw.includes('{')) continue
    if (code.includes(tree.nameOf(tree.parentOf(index))?.toLowerCase() ?? '')) continue
    yield token.raw
  }
}

/**
 * Returns a message for a tag that writes its value unescaped into the code of a page, or into a position whose meaning
 * depends on the data.
 */
function lintPosition({ token, calls }: ValueTag): string | undefined {
  const { context } = token
  const tag = tagOf(token)
  const isPage = context === 'document'
  if ((isPage || /^(?:script|style)/.test(context)) && calls.some(({ name }) => name === 'html')) {
    const codeKind = isPage
      ? 'a page in an attribute'
      : context.startsWith('script')
        ? 'a script'
        : 'a style sheet'
    return `${tag} writes its value as it is into ${codeKind}, and browsers run what it says: without ":html" the value is escaped for its place.`
  }
  if (context === 'bare' && calls.length === 0)
    return `${tag} writes whole attributes: handlers, pages and scripts in its value are left out.`
  if (context === 'element' || context === 'name')
    return `${tag} is part of a name: characters that a name cannot have, and names that browsers run, are changed.`
  return undefined
}

function lintTag({ token, flat, calls }: ValueTag): string[] {
  const tag = tagOf(token)
  const messages: string[] = []
  if (!token.text.includes("'")) {
    const segment = flat.segments.find(({ name }) => expression.test(name))
    if (segment !== undefined)
      messages.push(
        `${tag} reads a property named "${shorten(segment.name)}": formatters follow a colon, and arithmetic and conditions are formatters.`,
      )
  }
  for (const { name, args } of calls) {
    const formatter = formatters.get(name)
    args.forEach((arg, index) => {
      if (arg.kind !== 'text') return
      if (!arg.quoted && curly.test(arg.text))
        messages.push(
          `${tag} contains curly quotes, which are ordinary characters. Write texts in straight quotes, 'like this'.`,
        )
      const type = formatter?.parameters[index]?.type
      if (
        (type === 'expression' || type === 'number' || type === 'integer') &&
        !numeric.test(arg.text.trim())
      )
        messages.push(
          `"${shorten(arg.text)}" in ${tag} is not a number. A property is written with a dot: .${shorten(arg.text)}`,
        )
    })
  }
  return messages
}
