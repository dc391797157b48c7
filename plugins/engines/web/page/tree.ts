/** The elements of a page with their looks, made when they are first asked for. */
import type { Element, ElementContent, RootContent, Text } from 'hast'
import { Cascade, type Styled } from './css/cascade.ts'
import type { Style } from './css/style.ts'
import { boxOf, hasLook } from './odf/looks.ts'

export type Kid = Styled | Text

/** Elements nested deeper are no part of a text that a person wrote. */
const deepest = 200
const blockDisplays = new Set(
  'block flex grid list-item table flow-root table-row table-cell table-caption table-row-group table-header-group table-footer-group'.split(
    ' ',
  ),
)

export class Tree {
  readonly cascade: Cascade
  readonly #styled = new WeakMap<Element, Styled>()
  readonly #kids = new WeakMap<Element, readonly Kid[]>()
  readonly #blocks = new WeakMap<Element, boolean>()
  readonly #depth = new WeakMap<Element, number>()

  constructor(sheet: string, quirks: boolean) {
    this.cascade = new Cascade(sheet, quirks)
  }

  root(element: Element): Styled {
    return this.cascade.styled({ element, parent: undefined, siblings: [element], index: 0 }, undefined)
  }

  /** What an element holds and shows. */
  kids(of: Styled): readonly Kid[] {
    const known = this.#kids.get(of.element)
    if (known !== undefined) return known
    const depth = (this.#depth.get(of.element) ?? 0) + 1
    const siblings = of.element.children.filter((child): child is Element => child.type === 'element')
    let index = 0
    const kids: Kid[] = []
    for (const child of of.element.children as readonly (ElementContent | RootContent)[]) {
      if (child.type === 'text') kids.push(child)
      if (child.type !== 'element') continue
      this.#depth.set(child, depth)
      const at = index++
      if (depth > deepest) continue
      const styled =
        this.#styled.get(child) ??
        this.cascade.styled({ element: child, parent: of, siblings, index: at }, of)
      this.#styled.set(child, styled)
      if (styled.style.display !== 'none' && styled.style.word('visibility') !== 'hidden') kids.push(styled)
    }
    this.#kids.set(of.element, kids)
    return kids
  }

  elements(of: Styled): readonly Styled[] {
    return this.kids(of).filter((kid): kid is Styled => !isText(kid))
  }

  /** Whether it begins lines of its own, by what it is or by what it holds. */
  isBlock(one: Styled): boolean {
    const known = this.#blocks.get(one.element)
    if (known !== undefined) return known
    const { display } = one.style
    const picture = isReplaced(one)
    const block =
      (!picture && (blockDisplays.has(display) || isFrame(one.style))) ||
      (!picture && this.elements(one).some((kid) => this.isBlock(kid)))
    this.#blocks.set(one.element, block)
    return block
  }

  holdsBlocks(one: Styled): boolean {
    return this.elements(one).some((kid) => this.isBlock(kid))
  }
}

/** An inline block of a width of its own that shows it: it stands beside others, not in a line of text. */
function isFrame(style: Style): boolean {
  return (
    style.display === 'inline-block' && style.length('width', 1) !== undefined && hasLook(boxOf(style, 0))
  )
}

/** What stands in a line as one thing. */
export function isReplaced({ element }: Styled): boolean {
  return replaced.has(element.tagName)
}
const replaced = new Set(['img', 'svg', 'video', 'canvas', 'input', 'select', 'textarea', 'button', 'br'])

export function isText(kid: Kid): kid is Text {
  return 'value' in kid
}

export function isBlank(kid: Kid): boolean {
  return isText(kid) && /^[ \t\r\n\f]*$/.test(kid.value)
}
