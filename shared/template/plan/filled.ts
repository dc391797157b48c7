/**
 * Elements that must not be empty: a table row without cells, a cell without a paragraph. If all content of such an element
 * may vanish, the plan tests at run time whether anything is left. Source: template language 12.5.
 */
import { entryOf } from '../../entry-of.ts'
import type { ScopedPart } from '../bind/bind.ts'
import type { Token } from '../scan/tokens.ts'

/** The loop and the guards in which an element is planned. */
export interface Surroundings {
  readonly loopIndex: number // index of the loop, -1 outside
  readonly under: readonly number[] // guards
}

/** The markup that replaces the content of an element when all of it vanishes; undefined when the element is removed. */
export function contentStandIn({ context }: ScopedPart, token: Token | undefined): string | undefined {
  const { filled } = context.rules
  return token?.kind === 'open' && filled !== undefined && Object.hasOwn(filled, token.name)
    ? entryOf(filled, token.name)?.instead
    : undefined
}

/**
 * The token at which the content of an element begins, after its properties. Undefined for elements that may be empty, and
 * for those with content that is always written.
 */
export function vanishingContent(scoped: ScopedPart, open: number, where: Surroundings): number | undefined {
  const { tree, rules } = scoped.context
  const token = tree.tokens[open]
  if (token?.kind !== 'open' || rules.filled === undefined || !Object.hasOwn(rules.filled, token.name))
    return undefined
  const skip = entryOf(rules.filled, token.name)?.skip ?? []
  const close = tree.matchOf(open)
  let content = open + 1
  while (content < close && (isBlank(tree.tokens[content]) || skip.includes(tree.nameOf(content) ?? '')))
    content = tree.indexAfter(content)
  if (content >= close) return undefined
  for (let child = content; child < close; child = tree.indexAfter(child)) {
    if (isAlwaysWritten(scoped, child, where)) return undefined
  }
  return content
}

/** Whether some part of a child is written in every render. */
function isAlwaysWritten(scoped: ScopedPart, child: number, where: Surroundings): boolean {
  const { context, removed, loopOf, guardsOf } = scoped
  const token = context.tree.tokens[child]
  return (
    !isBlank(token) &&
    removed[child] === 0 &&
    loopOf[child] === where.loopIndex &&
    (guardsOf[child] ?? []).every((id) => where.under.includes(id)) &&
    (contentStandIn(scoped, token) !== undefined || vanishingContent(scoped, child, where) === undefined)
  )
}

/** White space, markup that is not content, and tags or computed tokens that print nothing at their position. */
function isBlank(token: Token | undefined): boolean {
  if (token?.kind === 'text') return token.markup === true || !/\S/.test(token.raw)
  return (token?.kind === 'tag' || token?.kind === 'computed') && token.hidden === true
}
