/** The form for the data of a template: the schema determines its fields, the data their contents. */
import { recordOf } from './fields.ts'

/** Keys and indexes from the data to a value in them. */
export type ValuePath = readonly (string | number)[]

export type FormField =
  | {
      readonly kind: 'value'
      readonly name: string
      readonly path: ValuePath
      readonly input: InputKind
      readonly value: unknown
    }
  | {
      readonly kind: 'group'
      readonly name: string
      readonly path: ValuePath
      readonly fields: readonly FormField[]
    }
  | {
      readonly kind: 'list'
      readonly name: string
      readonly path: ValuePath
      readonly items: readonly FormField[]
      readonly more: number // items that the form does not show
      readonly itemSchema: unknown
    }

/** How a value is entered. `json`: the schema does not specify its type, or it is a list of lists. */
export type InputKind = 'text' | 'number' | 'boolean' | 'json'

const maxItems = 50
const maxFields = 1000
const maxDepth = 12

/** The fields of an object, in the order of its schema. Data without a field in the schema are not shown. */
export function formOf(schema: unknown, data: unknown): readonly FormField[] {
  let count = 0
  return fieldsOfObject(schema, data, [])

  function fieldsOfObject(at: unknown, value: unknown, path: ValuePath): readonly FormField[] {
    const properties = recordOf(recordOf(at)['properties'])
    return Object.entries(properties).flatMap(([name, child]) =>
      count < maxFields ? [fieldOf(name, child, recordOf(value)[name], [...path, name])] : [],
    )
  }

  function fieldOf(name: string, at: unknown, value: unknown, path: ValuePath): FormField {
    count++
    const { items } = recordOf(at)
    if (path.length < maxDepth && items !== undefined && recordOf(items)['items'] === undefined) {
      const all = Array.isArray(value) ? (value as readonly unknown[]) : []
      const shown = all.slice(0, Math.min(maxItems, maxFields - count))
      const rows = shown.map((item, index) => fieldOf(`${name} ${index + 1}`, items, item, [...path, index]))
      return { kind: 'list', name, path, items: rows, more: all.length - rows.length, itemSchema: items }
    }
    if (path.length < maxDepth && recordOf(at)['properties'] !== undefined)
      return { kind: 'group', name, path, fields: fieldsOfObject(at, value, path) }
    return { kind: 'value', name, path, input: inputOf(at), value }
  }
}

function inputOf(schema: unknown): InputKind {
  const types = [recordOf(schema)['type']].flat()
  if (types.includes('string')) return 'text'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'json'
}

/** The text of a value in its field. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Converts the text of a field into a value. A number or a truth value stays one as long as its text is one. An empty
 * field that is not for text has no value. Throws `RangeError` for invalid JSON.
 */
export function enteredValue(
  text: string,
  { input, value }: { readonly input: InputKind; readonly value: unknown },
): unknown {
  if (input === 'text') {
    const isNumber = typeof value === 'number' && text.trim() !== '' && String(Number(text)) === text.trim()
    if (isNumber) return Number(text)
    return typeof value === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text
  }
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new RangeError(input === 'number' ? 'Enter a number.' : 'Enter JSON.')
  }
}

/**
 * Returns a copy of the data with another value at a path. `undefined` removes an object's property or a list's item.
 */
export function withValue(data: unknown, path: ValuePath, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (typeof key === 'number') {
    const items: unknown[] = Array.isArray(data) ? [...data] : []
    const next = withValue(items[key], rest, value)
    if (next === undefined) items.splice(key, 1)
    else items[key] = next
    return items
  }
  // A property named __proto__ is ordinary data as well.
  const entries = Object.entries(recordOf(data))
  const next = withValue(recordOf(data)[key], rest, value)
  const isThere = entries.some(([name]) => name === key)
  const changed = isThere
    ? entries.map(([name, old]) => [name, name === key ? next : old] as const)
    : [...entries, [key, next] as const]
  return Object.fromEntries(changed.filter(([, kept]) => kept !== undefined))
}

/** Returns an empty item for a list that matches its schema. */
export function emptyOf(schema: unknown, depth = 0): unknown {
  const { items, properties } = recordOf(schema)
  if (items !== undefined) return []
  if (properties === undefined || depth > maxDepth) return inputOf(schema) === 'text' ? '' : null
  const entries = Object.entries(recordOf(properties)).slice(0, maxFields)
  return Object.fromEntries(entries.map(([name, child]) => [name, emptyOf(child, depth + 1)]))
}
