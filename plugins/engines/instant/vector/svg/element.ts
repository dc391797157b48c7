import { XmlCursor, XmlFault } from '../../../../../shared/xml/cursor.ts'

/** An element of an SVG file. Text is among the children, in document order. */
export interface SvgElement {
  readonly name: string // without prefix
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (SvgElement | string)[]
  readonly parent: SvgElement | undefined
}

/** An element takes some 400 bytes, and an isolate has 128 MB. */
const maxElements = 100_000
const vocabulary = {
  prefixes: new Map([
    ['http://www.w3.org/2000/svg', 'svg'],
    ['http://www.w3.org/1999/xlink', 'xlink'],
  ]),
  understood: new Set<string>(),
}

/** The tree of a file; undefined when it is not an SVG, or has too many elements. */
export function readTree(text: string): SvgElement | undefined {
  if (hasMoreElements(text, maxElements)) return undefined
  const cursor = new XmlCursor(text, vocabulary)
  const read = (parent: SvgElement | undefined): SvgElement => {
    const children: (SvgElement | string)[] = []
    const attributes = new Map(cursor.attributes().map(([name, value]) => [local(name), value]))
    const element: SvgElement = { name: local(cursor.name), attributes, children, parent }
    cursor.each(
      () => void children.push(read(element)),
      (segment) => void children.push(segment),
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

/** Whether a file has more start tags than this; those in comments count. Nothing is allocated for a file that is refused. */
function hasMoreElements(text: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next !== slash && next !== exclamation && ++count > most) return true
  }
  return false
}

const [slash, exclamation] = [47, 33]

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The first element of each id. */
export function byId(root: SvgElement): ReadonlyMap<string, SvgElement> {
  const byId = new Map<string, SvgElement>()
  const visit = (element: SvgElement): void => {
    const id = element.attributes.get('id')
    if (id !== undefined && !byId.has(id)) byId.set(id, element)
    for (const child of element.children) if (typeof child !== 'string') visit(child)
  }
  visit(root)
  return byId
}
