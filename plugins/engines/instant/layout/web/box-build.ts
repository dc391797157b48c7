/** The state and helpers that the builders of boxes share. */
import type { Element, ElementContent, RootContent } from 'hast'
import type { Cascade, StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import { registerBackground } from './background.ts'
import type { BlockBox } from './box.ts'
import type { Counters } from './counters.ts'
import { recordUndrawnElement, recordUndrawnStyle } from './undrawn.ts'
import type { WebMedia } from './web-media.ts'

/** The state of building the boxes of one page. */
export interface BoxBuild {
  readonly cascade: Cascade
  readonly media: WebMedia
  /** The headings of the page in document order, for the outline of the PDF. */
  readonly headings: { readonly level: number; readonly title: string; readonly bookmark: string }[]
  /** Throws when the deadline has passed. */
  readonly check: () => void
  /** The kinds of content that are not drawn, for the warning. */
  readonly undrawn: Set<string>
  /** The page is laid out in quirks mode. */
  readonly quirks: boolean
  depth: number
  readonly counters: Counters
  /** Set when any box of the page floats. */
  floats: boolean
  /** Builds the box of a block. Passed in because tables contain blocks and blocks contain tables. */
  readonly block: (build: BoxBuild, of: StyledElement) => BlockBox
}

export const isText = (
  node: StyledElement | { readonly value: string },
): node is { readonly value: string } => 'value' in node

/** Returns the child elements that generate boxes, with their computed styles, and the text between them. */
export function childrenOf(
  build: BoxBuild,
  of: StyledElement,
): readonly (StyledElement | { readonly value: string })[] {
  // A frame shows another page, which is not loaded. What stands in the element is for browsers without frames.
  if (of.element.tagName === 'iframe') return []
  const siblings = of.element.children.filter((child): child is Element => child.type === 'element')
  const children: (StyledElement | { readonly value: string })[] = []
  // The user-agent stylesheet hides the elements in a closed `details`, but a selector cannot hide its text.
  const isClosed = of.element.tagName === 'details' && attributeOf(of.element, 'open') === undefined
  let index = 0
  for (const child of of.element.children as readonly (ElementContent | RootContent)[]) {
    if (child.type === 'text' && !isClosed) children.push(child)
    if (child.type !== 'element') continue
    build.check()
    const styled = build.cascade.styled({ element: child, parent: of, siblings, index: index++ }, of)
    recordUndrawnElement(styled, build)
    if (styled.style.display === 'none') continue
    recordUndrawnStyle(styled.style, build)
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
