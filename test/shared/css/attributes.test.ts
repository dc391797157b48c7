import { fromHtml } from 'hast-util-from-html'
import { expect, it } from 'vitest'
import { hintsOf } from '../../../shared/css/attributes.ts'
import type { ElementPosition } from '../../../shared/css/selector.ts'

/** The hints of the first element with this name. */
function hints(html: string, tag: string): Readonly<Record<string, string>> {
  const visit = (
    children: readonly unknown[],
    parent: ElementPosition | undefined,
  ): ElementPosition | undefined => {
    const siblings = children.filter(
      (child) => (child as { type: string }).type === 'element',
    ) as ElementPosition['siblings'][number][]
    for (const [index, element] of siblings.entries()) {
      const position: ElementPosition = { element, parent, siblings, index }
      const inner = element.tagName === tag ? position : visit(element.children, position)
      if (inner !== undefined) return inner
    }
    return undefined
  }
  const position = visit(fromHtml(html).children, undefined)
  return position === undefined ? {} : Object.fromEntries(hintsOf(position))
}

it.each([
  ['the colour of links', '<body link="#a06060"><p><a href="x">a</a>', 'a', { color: '#a06060' }],
  ['no colour for an anchor', '<body link="#a06060"><a name="x">a</a>', 'a', {}],
  ['the space between cells', '<table cellspacing="5">', 'table', { 'border-spacing': '5px' }],
  [
    'the space around a picture',
    '<img hspace="4" vspace="2">',
    'img',
    { 'margin-left': '4px', 'margin-right': '4px', 'margin-top': '2px', 'margin-bottom': '2px' },
  ],
  ['no border of a picture', '<img border="0">', 'img', {}],
])('attributes declare %s', (_, html, tag, expected) => {
  expect(hints(html, tag)).toEqual(expected)
})
