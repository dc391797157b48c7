/** What the makers of boxes share: the state of one page, and the children of elements. */
import type { Element, ElementContent, RootContent } from 'hast'
import type { Cascade, StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import { registerBackground } from './background.ts'
import type { BlockBox } from './box.ts'
import type { Counters } from './counters.ts'
import { recordUndrawnStyle } from './undrawn.ts'
import type { WebMedia } from './web-media.ts'

/** What all boxes of one page share. */
export interface BoxBuild {
  readonly cascade: Cascade
  readonly media: WebMedia
  /** Ids that links of the page refer to, and headings. */
  readonly headings: { readonly level: number; readonly title: string; readonly bookmark: string }[]
  /** Throws when the time is up. */
  readonly check: () => void
  /** Kinds of content that were left out. */
  readonly undrawn: Set<string>
  depth: number
  readonly counters: Counters
  /** A box floats. */
  floats: boolean
  /** Closes a cycle: tables contain blocks, and blocks tables. */
  readonly block: (build: BoxBuild, of: StyledElement) => BlockBox
}

export const isText = (
  node: StyledElement | { readonly value: string },
): node is { readonly value: string } => 'value' in node

/** The children of an element that are displayed, with their styles. */
export function childrenOf(
  build: BoxBuild,
  of: StyledElement,
): readonly (StyledElement | { readonly value: string })[] {
  const siblings = of.element.children.filter((child): child is Element => child.type === 'element')
  const children: (StyledElement | { readonly value: string })[] = []
  // Elements in closed details are hidden by the styles of browsers, which cannot name text.
  const isClosed = of.element.tagName === 'details' && attributeOf(of.element, 'open') === undefined
  let index = 0
  for (const child of of.element.children as readonly (ElementContent | RootContent)[]) {
    if (child.type === 'text' && !isClosed) children.push(child)
    if (child.type !== 'element') continue
    build.check()
    const styled = build.cascade.styled({ element: child, parent: of, siblings, index: index++ }, of)
    if (styled.style.display === 'none') continue
    recordUndrawnStyle(styled.style, build.undrawn)
    if (registerBackground(styled.style, build.media)) build.undrawn.add('background pictures')
    children.push(styled)
  }
  return children
}

export function idOf(element: Element): string | undefined {
  const { id } = element.properties
  if (typeof id === 'string' && id !== '') return id.slice(0, 500)
  const name = element.tagName === 'a' ? attributeOf(element, 'name') : undefined
  return name === undefined || name === '' ? undefined : name.slice(0, 500)
}
