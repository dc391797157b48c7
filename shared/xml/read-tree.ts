import { type Vocabulary, XmlCursor, XmlFault } from './cursor.ts'

/** One element of a small XML file that is read as a whole. Names are those of the vocabulary, else as they are written. */
export interface Element {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (Element | string)[]
}

const asWritten: Vocabulary = { prefixes: new Map(), understood: new Set() }

/** Bounds the number of elements held in memory, over all files parsed with the same budget. */
export class ElementBudget {
  /**
   * Elements that may still be created. Files read this way have thousands of elements, so the limit only
   * guards memory.
   */
  #left = 2_000_000

  /** Throws XmlFault when the budget is used up. */
  take(): void {
    if (--this.#left < 0) throw new XmlFault('too many elements')
  }
}

/**
 * Parses the text and returns its root element. `keeps`: whether white space between two tags inside an
 * element of this name is text. Throws XmlFault.
 */
export function parseTree(
  text: string,
  {
    budget = new ElementBudget(),
    keeps = () => true,
    vocabulary = asWritten,
  }: { budget?: ElementBudget; keeps?: (name: string) => boolean; vocabulary?: Vocabulary } = {},
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
        if (!keeps(name) && !/\S/.test(characters)) return
        // A comment inside a text does not divide it.
        const last = children.at(-1)
        if (typeof last === 'string') children[children.length - 1] = last + characters
        else children.push(characters)
      },
    )
    return { name, attributes, children }
  }
}

/** Yields the child elements of `parent`, only those with the given name if one is given. */
export function* elements(parent: Element | undefined, name?: string): Generator<Element> {
  for (const child of parent?.children ?? [])
    if (typeof child !== 'string' && (name === undefined || child.name === name)) yield child
}

/**
 * Follows a path of element names from `parent`, taking the first child of each name; undefined where one is
 * missing.
 */
export function first(parent: Element | undefined, ...path: readonly string[]): Element | undefined {
  let at = parent
  for (const name of path) at = elements(at, name).next().value as Element | undefined
  return at
}

/** Concatenates all text inside an element. */
export function textOf(parent: Element | undefined): string {
  return (parent?.children ?? []).map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
}
