/** Reads the tags of a part: substitutes aliases, parses each tag and sorts the tags by purpose. */
import { setEntry } from '../../entry-of.ts'
import { syntaxAdvice } from '../parse/advice.ts'
import { SyntaxProblem, type TagNode } from '../parse/ast.ts'
import { parseTag } from '../parse/tag.ts'
import type { TagToken } from '../scan/tokens.ts'
import type { Aliases } from './aliases.ts'
import type { ReadPart } from './embedded.ts'
import { type BindContext, locationOf, tagOf, type ValueTag } from './part.ts'
import { flatten, PathAboveRoot } from './paths.ts'

/** Reads all tags. Tags that cannot be parsed are reported and skipped. */
export function readPart(context: BindContext, aliases: Aliases): ReadPart {
  const { report, part } = context
  const values: ValueTag[] = []
  const translations = new Map<number, string>()
  const options: Record<string, string> = Object.create(null)
  const tagTexts: string[] = []
  const objectArrays = new Set<string>()
  context.tree.tokens.forEach((token, index) => {
    if (token.kind !== 'tag' || token.text.startsWith('#')) return
    const text = aliases.expand(token.text)
    const node = parsed(context, token, index, text)
    if (node === undefined) return
    if (node.kind === 'translate') translations.set(index, node.key)
    else if (node.kind === 'option') setEntry(options, node.name, node.value)
    else if (node.kind === 'bind')
      report.warn('template.formatter.ignored', `${tagOf(token)} has no effect here.`, part)
    else {
      tagTexts.push(`{${text}}`)
      const tag = valueTag(context, token, index, node)
      if (tag === undefined) return
      values.push(tag)
      for (const key of arraysReadByAttribute(tag)) objectArrays.add(key)
    }
  })
  return { context, values, translations, options, tagTexts, objectArrays }
}

/** The syntax tree of a tag. If it cannot be parsed, the problem is reported and undefined is returned. */
function parsed(context: BindContext, token: TagToken, index: number, text: string): TagNode | undefined {
  const { report, limits, part } = context
  if (text.length > limits.tagLength) {
    report.add('template.tag.too-long', { limit: limits.tagLength }, locationOf(context, index))
    return undefined
  }
  if (text.startsWith('$')) {
    report.warn('template.alias.unknown', `${tagOf(token)} uses an alias that is not declared.`, part)
    return undefined
  }
  try {
    return parseTag(text)
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    const { arithmetic, because } = error
    if (arithmetic !== undefined)
      report.add('template.arithmetic', { text: arithmetic.slice(0, 200) }, locationOf(context, index))
    else {
      const details = { tag: tagOf(token), because, advice: syntaxAdvice(because) }
      report.add('template.tag.syntax', details, locationOf(context, index))
    }
    return undefined
  }
}

function valueTag(
  context: BindContext,
  token: TagToken,
  index: number,
  { path, calls }: Extract<TagNode, { kind: 'value' }>,
): ValueTag | undefined {
  try {
    return { at: index, token, ...flatten(path, undefined), calls }
  } catch (error) {
    if (!(error instanceof PathAboveRoot)) throw error
    context.report.add('template.path.too-high', { tag: tagOf(token) }, locationOf(context, index))
    return undefined
  }
}

/** The arrays of which a tag reads an attribute of the items, and not the item itself. */
function arraysReadByAttribute({ flat, iterated }: ValueTag): string[] {
  const last = iterated.at(-1)
  const endsInItem = last !== undefined && flat.segments.at(-1)?.selectors.at(-1) === last.selector
  return iterated.filter((array) => array !== last || !endsInItem).map(({ key }) => key)
}
