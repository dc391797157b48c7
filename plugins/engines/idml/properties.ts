import { type Element, elements, first, textOf } from '../../../shared/xml/read-tree.ts'
import type { Growth } from './growth.ts'

/** The attributes of an element and the values of its `Properties`, by name. */
export type IdmlProperties = ReadonlyMap<string, string>

/** The order of tab stops, which form a list. */
export const tabStops = 'TabList'

export function propertiesOf(element: Element): IdmlProperties {
  const all = new Map(element.attributes)
  // Only this function sets it, so all readers can rely on its form.
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

export interface IdmlTabStop {
  readonly position: number // points
  readonly alignment: string // 'LeftAlign', 'CenterAlign', 'RightAlign', 'CharacterAlign'
  readonly leader: string
}

function stopsOf(property: Element): readonly IdmlTabStop[] {
  return [...elements(property, 'ListItem')].map((item) => ({
    position: Number(textOf(first(item, 'Position'))) || 0,
    alignment: textOf(first(item, 'Alignment')),
    leader: textOf(first(item, 'Leader')),
  }))
}

/**
 * Styles of one kind by their `Self`, each completed by the styles it is based on. `BasedOn` refers to a
 * style by its `Self`, or by its name for styles that are built into InDesign.
 */
export class StyleGroup {
  readonly #kind: string
  readonly #growth: Growth
  readonly #elements = new Map<string, Element>()
  readonly #resolved = new Map<string, IdmlProperties>()

  /** `kind`: 'ParagraphStyle', the prefix of every `Self`. */
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

  get(self: string | undefined): IdmlProperties {
    return this.#resolve(self ?? '', 0)
  }

  #resolve(self: string, depth: number): IdmlProperties {
    const cached = this.#resolved.get(self)
    if (cached !== undefined) return cached
    const element = this.#elements.get(self)
    if (element === undefined || depth > 64) return new Map()
    const direct = propertiesOf(element)
    const base = direct.get('BasedOn')
    const below =
      base === undefined || base === self
        ? new Map()
        : this.#resolve(base.startsWith(`${this.#kind}/`) ? base : `${this.#kind}/${base}`, depth + 1)
    // Each style includes the values of its parents, so that a long chain would grow quadratically.
    this.#growth.step(below.size + direct.size)
    const all = new Map([...below, ...direct])
    this.#resolved.set(self, all)
    return all
  }
}
