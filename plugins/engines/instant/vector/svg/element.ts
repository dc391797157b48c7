import { XmlCursor, XmlFault } from '../../../../../shared/document/xml-cursor.ts'

/** An element of an SVG file. Text stands among the children in its place. */
export interface Element {
  readonly name: string // without prefix
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (Element | string)[]
  readonly parent: Element | undefined
}

const mostElements = 200_000
const vocabulary = {
  prefixes: new Map([
    ['http://www.w3.org/2000/svg', 'svg'],
    ['http://www.w3.org/1999/xlink', 'xlink'],
  ]),
  understood: new Set<string>(),
}

/** The tree of a file; undefined when it is no SVG, or has more elements than any picture needs. */
export function readTree(text: string): Element | undefined {
  const cursor = new XmlCursor(text, vocabulary)
  let left = mostElements
  const read = (parent: Element | undefined): Element => {
    if (--left < 0) throw new XmlFault('too many elements')
    const children: (Element | string)[] = []
    const attributes = new Map(cursor.attributes().map(([name, value]) => [local(name), value]))
    const element: Element = { name: local(cursor.name), attributes, children, parent }
    cursor.each(
      () => void children.push(read(element)),
      (piece) => void children.push(piece),
    )
    return element
  }
  try {
    const root = cursor.root() ? read(undefined) : undefined
    return root?.name === 'svg' ? root : undefined
  } catch (error) {
    if (error instanceof XmlFault) return undefined
    throw error
  }
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Elements by their id, the first of each. */
export function byId(root: Element): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>()
  const visit = (element: Element): void => {
    const id = element.attributes.get('id')
    if (id !== undefined && !found.has(id)) found.set(id, element)
    for (const child of element.children) if (typeof child !== 'string') visit(child)
  }
  visit(root)
  return found
}
