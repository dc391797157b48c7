import { type Vocabulary, XmlCursor, XmlFault } from './xml-cursor.ts'

/** One element of a small XML file that is read as a whole, by names and values as they stand there. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (Element | string)[]
}

const vocabulary: Vocabulary = { prefixes: new Map(), understood: new Set() }

/** How many elements may be held in memory, over all files that are read with it. */
export class Budget {
  #left = 2_000_000

  take(): void {
    if (--this.#left < 0) throw new XmlFault('too many elements')
  }
}

/**
 * The root element. `keeps`: whether blanks that stand alone between two tags of this element are text. Throws XmlFault.
 */
export function parseTree(
  text: string,
  { budget = new Budget(), keeps = () => true }: { budget?: Budget; keeps?: (name: string) => boolean } = {},
): Element {
  const cursor = new XmlCursor(text, vocabulary)
  if (!cursor.root()) throw new XmlFault('no element')
  return element()

  function element(): Element {
    budget.take()
    const { name } = cursor
    const attributes = new Map(cursor.attributes())
    const children: (Element | string)[] = []
    cursor.each(
      () => void children.push(element()),
      (characters) => {
        if (keeps(name) || /\S/.test(characters)) children.push(characters)
      },
    )
    return { name, attributes, children }
  }
}

export function* elements(parent: Element | undefined, name?: string): Generator<Element> {
  for (const child of parent?.children ?? [])
    if (typeof child !== 'string' && (name === undefined || child.name === name)) yield child
}

/** Down this path, always the first of its name. */
export function first(parent: Element | undefined, ...path: readonly string[]): Element | undefined {
  let at = parent
  for (const name of path) at = elements(at, name).next().value as Element | undefined
  return at
}

export function textOf(parent: Element | undefined): string {
  return (parent?.children ?? []).map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}
