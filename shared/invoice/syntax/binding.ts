/** The positions of the business terms of EN 16931 in a syntax, as data, and their values in one invoice. */
import type { InvoiceElement } from '../read-xml.ts'

/**
 * A path from the element of the group: 'ram:PostalTradeAddress/ram:CountryID'. A condition in brackets selects elements by an
 * attribute or a child: 'ram:ID[@schemeID=VA]', 'ram:X[ram:TypeCode=916]', '[!…]' those without it. '@unitCode' at the end
 * reads an attribute.
 */
export type BindingPath = string

export interface Binding {
  readonly path: BindingPath
  /** Business term or group -> its paths. For a group here ('BG-5') only its presence is checked. */
  readonly terms: Readonly<Record<string, BindingPath | readonly BindingPath[]>>
  /** Groups that occur several times, with rules of their own. */
  readonly groups?: Readonly<Record<string, Binding>>
}

export interface Value {
  readonly text: string
  readonly attributes: ReadonlyMap<string, string>
  readonly path: string
}

/** One occurrence of a group, plain data. */
export interface Group {
  readonly id: string
  readonly path: string
  readonly terms: ReadonlyMap<string, readonly Value[]>
  /** The path at which a missing term would be. */
  readonly places: ReadonlyMap<string, string>
  readonly groups: ReadonlyMap<string, readonly Group[]>
}

interface Condition {
  readonly isNegated: boolean
  readonly steps: readonly string[]
  readonly value: string
}
interface Step {
  readonly name: string
  readonly conditions: readonly Condition[]
}

const compiled = new Map<BindingPath, readonly Step[]>()

function stepsOf(path: BindingPath): readonly Step[] {
  let steps = compiled.get(path)
  if (steps === undefined) {
    steps = (path.match(/[^/[]+(?:\[[^\]]*\])*/g) ?? []).map((text) => ({
      name: text.replace(/\[.*/, ''),
      conditions: [...text.matchAll(/\[(!?)([^=\]]+)=([^\]]*)\]/g)].map(([, not, left = '', value = '']) => ({
        isNegated: not === '!',
        steps: left.split('/'),
        value,
      })),
    }))
    compiled.set(path, steps)
  }
  return steps
}

function meets(element: InvoiceElement, { isNegated, steps, value }: Condition): boolean {
  let elements: readonly InvoiceElement[] = [element]
  let texts: readonly string[] = []
  for (const step of steps) {
    if (step.startsWith('@'))
      texts = elements.flatMap(({ attributes }) => attributes.get(step.slice(1)) ?? [])
    else {
      elements = elements.flatMap(({ children }) => children.filter(({ name }) => name === step))
      texts = elements.map(({ text }) => text)
    }
  }
  return texts.includes(value) !== isNegated
}

/** The elements at a path; if the path ends with an attribute, its values as text. */
function valuesAt(element: InvoiceElement, path: BindingPath): readonly Value[] {
  let elements: readonly InvoiceElement[] = [element]
  for (const { name, conditions } of stepsOf(path)) {
    if (name.startsWith('@'))
      return elements.flatMap(({ attributes, path: place }) => {
        const text = attributes.get(name.slice(1))
        return text === undefined ? [] : [{ text: text.trim(), attributes, path: `${place}/${name}` }]
      })
    elements = elements.flatMap(({ children }) =>
      children.filter(
        (child) => child.name === name && conditions.every((condition) => meets(child, condition)),
      ),
    )
  }
  return elements
}

function elementsAt(element: InvoiceElement, path: BindingPath): readonly InvoiceElement[] {
  return path === '' ? [element] : (valuesAt(element, path) as readonly InvoiceElement[])
}

/** Reads the terms of a group and of its nested groups. */
export function readGroup(element: InvoiceElement, id: string, { terms, groups = {} }: Binding): Group {
  const values = new Map<string, readonly Value[]>()
  const places = new Map<string, string>()
  for (const [term, paths] of Object.entries(terms)) {
    const list = typeof paths === 'string' ? [paths] : paths
    values.set(
      term,
      list.flatMap((path) => valuesAt(element, path)),
    )
    places.set(term, `${element.path}/${list[0]}`)
  }
  return {
    id,
    path: element.path,
    terms: values,
    places,
    groups: new Map(
      Object.entries(groups).map(([name, binding]) => {
        places.set(name, `${element.path}/${binding.path}`)
        return [
          name,
          elementsAt(element, binding.path).map((item) => readGroup(item, name, binding)),
        ] as const
      }),
    ),
  }
}
