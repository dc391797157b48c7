/** The elements of a page with their styles, which are computed when they are first needed. */
import type { Element, ElementContent, RootContent, Text } from 'hast'
import { Cascade, type StyledElement } from '../../../../shared/css/cascade.ts'
import type { ComputedStyle } from '../../../../shared/css/style.ts'
import { boxOf, hasBoxStyle } from './odf/attributes.ts'

export type StyledChild = StyledElement | Text

/** Elements nested deeper than this are dropped. Text written by people stays far below the limit. */
const maxDepth = 200
const blockDisplays = new Set(
  'block flex grid list-item table flow-root table-row table-cell table-caption table-row-group table-header-group table-footer-group'.split(
    ' ',
  ),
)

export class Tree {
  readonly cascade: Cascade
  readonly #styled = new WeakMap<Element, StyledElement>()
  readonly #children = new WeakMap<Element, readonly StyledChild[]>()
  readonly #blocks = new WeakMap<Element, boolean>()
  readonly #depth = new WeakMap<Element, number>()

  constructor(sheet: string, quirks: boolean) {
    this.cascade = new Cascade(sheet, quirks)
  }

  root(element: Element): StyledElement {
    return this.cascade.styled({ element, parent: undefined, siblings: [element], index: 0 }, undefined)
  }

  /** The displayed children of an element. */
  children(of: StyledElement): readonly StyledChild[] {
    const cached = this.#children.get(of.element)
    if (cached !== undefined) return cached
    const depth = (this.#depth.get(of.element) ?? 0) + 1
    const siblings = of.element.children.filter((child): child is Element => child.type === 'element')
    let index = 0
    const children: StyledChild[] = []
    for (const child of of.element.children as readonly (ElementContent | RootContent)[]) {
      if (child.type === 'text') children.push(child)
      if (child.type !== 'element') continue
      this.#depth.set(child, depth)
      const at = index++
      if (depth > maxDepth) continue
      const styled =
        this.#styled.get(child) ??
        this.cascade.styled({ element: child, parent: of, siblings, index: at }, of)
      this.#styled.set(child, styled)
      if (styled.style.display !== 'none' && styled.style.word('visibility') !== 'hidden')
        children.push(styled)
    }
    this.#children.set(of.element, children)
    return children
  }

  elements(of: StyledElement): readonly StyledElement[] {
    return this.children(of).filter((child): child is StyledElement => !isText(child))
  }

  /** Whether an element begins a new line, because of its style or of its content. */
  isBlock(styled: StyledElement): boolean {
    const cached = this.#blocks.get(styled.element)
    if (cached !== undefined) return cached
    const { display } = styled.style
    const picture = isReplaced(styled)
    const block =
      (!picture && (blockDisplays.has(display) || isFrame(styled.style))) ||
      (!picture && this.elements(styled).some((child) => this.isBlock(child)))
    this.#blocks.set(styled.element, block)
    return block
  }

  holdsBlocks(styled: StyledElement): boolean {
    return this.elements(styled).some((child) => this.isBlock(child))
  }
}

/**
 * Whether an inline block has visible borders and a width, so that it is laid out as a box and not as text.
 */
function isFrame(style: ComputedStyle): boolean {
  return (
    style.display === 'inline-block' && style.length('width', 1) !== undefined && hasBoxStyle(boxOf(style, 0))
  )
}

/** Whether an element is placed on a line as one unit. */
export function isReplaced({ element }: StyledElement): boolean {
  return replaced.has(element.tagName)
}
const replaced = new Set(['img', 'svg', 'video', 'canvas', 'input', 'select', 'textarea', 'button', 'br'])

export function isText(child: StyledChild): child is Text {
  return 'value' in child
}

export function isBlank(child: StyledChild): boolean {
  return isText(child) && /^[ \t\r\n\f]*$/.test(child.value)
}
