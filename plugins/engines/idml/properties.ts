import { type Element, elements, first, textOf } from '../../../shared/document/xml-tree.ts'
import type { Growth } from './growth.ts'

/** Attributes of an element and the values of its `Properties`, under one name each. */
export type Properties = ReadonlyMap<string, string>

/** The order of tab stops, which are a list in themselves. */
export const tabStops = 'TabList'

export function propertiesOf(element: Element): Properties {
  const all = new Map(element.attributes)
  // Written here alone: whoever reads it may rely on its form.
  all.delete(tabStops)
  for (const property of elements(first(element, 'Properties'))) {
    if (property.name === tabStops) all.set(tabStops, JSON.stringify(stopsOf(property)))
    else if (property.name === 'InsetSpacing') all.set(property.name, insetOf(property))
    else if (property.name === 'BulletChar')
      all.set(property.name, property.attributes.get('BulletCharacterValue') ?? '')
    else all.set(property.name, textOf(property))
  }
  return all
}

/** One number for all sides, or a list: top, left, bottom, right. */
function insetOf(property: Element): string {
  const list = [...elements(property, 'ListItem')].map(textOf)
  return list.length > 0 ? list.join(' ') : textOf(property)
}

export interface TabStop {
  readonly position: number // points
  readonly alignment: string // 'LeftAlign', 'CenterAlign', 'RightAlign', 'CharacterAlign'
  readonly leader: string
}

function stopsOf(property: Element): readonly TabStop[] {
  return [...elements(property, 'ListItem')].map((item) => ({
    position: Number(textOf(first(item, 'Position'))) || 0,
    alignment: textOf(first(item, 'Alignment')),
    leader: textOf(first(item, 'Leader')),
  }))
}

/**
 * Styles of one kind by their `Self`, each with what it is based on under its own values. `BasedOn` names a style by its
 * `Self`, or by its name where it is one of the program's own.
 */
export class Styles {
  readonly #kind: string
  readonly #growth: Growth
  readonly #elements = new Map<string, Element>()
  readonly #resolved = new Map<string, Properties>()

  /** `kind`: 'ParagraphStyle', which is also how every `Self` begins. */
  constructor(kind: string, root: Element | undefined, growth: Growth) {
    this.#kind = kind
    this.#growth = growth
    this.#collect(root)
  }

  #collect(parent: Element | undefined): void {
    for (const child of elements(parent)) {
      if (child.name === this.#kind) this.#elements.set(child.attributes.get('Self') ?? '', child)
      else if (child.name.endsWith('Group')) this.#collect(child)
    }
  }

  get(self: string | undefined): Properties {
    return this.#resolve(self ?? '', 0)
  }

  #resolve(self: string, depth: number): Properties {
    const known = this.#resolved.get(self)
    if (known !== undefined) return known
    const element = this.#elements.get(self)
    if (element === undefined || depth > 64) return new Map()
    const own = propertiesOf(element)
    const base = own.get('BasedOn')
    const below =
      base === undefined || base === self
        ? new Map()
        : this.#resolve(base.startsWith(`${this.#kind}/`) ? base : `${this.#kind}/${base}`, depth + 1)
    // Each style holds what those below it say: a long row of them grows by its square.
    this.#growth.step(below.size + own.size)
    const all = new Map([...below, ...own])
    this.#resolved.set(self, all)
    return all
  }
}
