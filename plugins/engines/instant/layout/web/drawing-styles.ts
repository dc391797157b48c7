/** Gives a drawing within a page the styles that the page has for it, because drawings are read on their own. Source: SVG 2, 6. */
import type { Element } from 'hast'
import type { StyledElement } from '../../../../../shared/css/cascade.ts'
import { attributeOf } from '../../../../../shared/css/selector.ts'
import type { BoxBuild } from './box-build.ts'
import { pixel } from './text-font.ts'

/** The properties of drawings that the rules of a page may set. */
const properties =
  'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin stop-color stop-opacity text-anchor opacity display visibility color font-family font-size font-weight font-style transform'.split(
    ' ',
  )
const isOfDrawings = (name: string): boolean => /^(?:fill|stroke|stop-|text-anchor)/.test(name)
/** Elements of larger drawings keep the styles that the drawing itself has. */
const maxElements = 5000

/** The drawing with the colour and font of the text around it, and with what the rules of the page say about its elements. */
export function styledDrawing(build: BoxBuild, of: StyledElement): Element {
  const { style, element } = of
  const inherited = [
    ['color', `#${style.color('color') ?? '000000'}`],
    ['font-family', style.get('font-family') ?? 'serif'],
    ['font-size', `${style.size / pixel}px`],
  ].filter(([name = '']) => attributeOf(element, name) === undefined)
  const root = withStyle(element, inherited.map(([name, value]) => `${name}:${value}`).join(';'))
  if (!build.cascade.declares(isOfDrawings)) return root
  let left = maxElements
  const visit = (parent: StyledElement, copy: Element): Element => {
    const siblings = parent.element.children.filter((child): child is Element => child.type === 'element')
    let index = 0
    const children = copy.children.map((child) => {
      if (child.type !== 'element') return child
      if (--left < 0) {
        build.undrawn.add('styles of large drawings')
        return child
      }
      build.check()
      const styled = build.cascade.styled({ element: child, parent, siblings, index: index++ }, parent)
      const declared = properties.flatMap((name) => {
        const value = styled.style.declared(name)
        return value === undefined || (name === 'display' && value !== 'none') ? [] : [`${name}:${value}`]
      })
      return visit(styled, withStyle(child, declared.join(';')))
    })
    return { ...copy, children }
  }
  const declaredHere = properties.flatMap((name) => {
    const value = isOfDrawings(name) ? style.declared(name) : undefined
    return value === undefined ? [] : [`${name}:${value}`]
  })
  return visit(of, withStyle(root, declaredHere.join(';')))
}

/** An element with declarations that those of its own take precedence over. */
function withStyle(element: Element, declarations: string): Element {
  if (declarations === '') return element
  const written = String(element.properties['style'] ?? '')
  return {
    ...element,
    properties: {
      ...element.properties,
      style: written === '' ? declarations : `${declarations};${written}`,
    },
  }
}
