/** Creates the JSON Schema (draft 2020-12) of the data that a template reads. Source: JSON Schema Core and Validation. */
import type { DataShape, ValueKind } from './shape.ts'

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The maximum depth, beyond that of real data. Below it the schema allows anything. */
const maxDepth = 64

/** The schema of all data of a template. */
export function documentSchema(shape: DataShape, title: string): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(isEmpty(shape) ? { type: 'object' } : schemaOf(shape, 0)),
  }
}

export const isEmpty = (shape: DataShape): boolean =>
  shape.properties.size === 0 && shape.items === undefined && shape.kinds.length === 0

/** Whether a shape is an object that a loop iterates over: its items are pairs of `att` and `val`. */
export const isMap = ({ items }: DataShape): boolean =>
  items !== undefined && (items.properties.has('att') || onlyVal(items))

const onlyVal = ({ properties }: DataShape): boolean => properties.size === 1 && properties.has('val')

function schemaOf(shape: DataShape, depth: number): JsonSchema {
  if (depth > maxDepth) return {}
  if (shape.items !== undefined) {
    if (!isMap(shape)) return { type: 'array', items: schemaOf(shape.items, depth + 1) }
    const val = shape.items.properties.get('val')
    return {
      ...objectOf(shape, depth),
      additionalProperties: val === undefined ? true : schemaOf(val, depth + 1),
    }
  }
  return shape.properties.size > 0 ? objectOf(shape, depth) : leafOf(shape)
}

function objectOf({ properties }: DataShape, depth: number): JsonSchema {
  const needed = [...properties].filter(([, { optional }]) => !optional).map(([name]) => name)
  return {
    type: 'object',
    ...(properties.size === 0
      ? {}
      : {
          properties: Object.fromEntries(
            [...properties].map(([name, child]) => [name, schemaOf(child, depth + 1)]),
          ),
        }),
    ...(needed.length === 0 ? {} : { required: needed }),
  }
}

const scalar = ['string', 'number', 'boolean', 'null']

function leafOf(shape: DataShape): JsonSchema {
  const leaves = shape.kinds.map((kind) => leaf(kind, shape))
  // A test for presence treats null like a missing value.
  const absent = shape.optional && leaves.length > 0 ? ['null'] : []
  const types = [...new Set([...leaves.flatMap(({ type }) => type ?? scalar), ...absent])]
  const single = leaves.length === 1 ? leaves[0]! : {}
  const descriptions = leaves.flatMap(({ description }) => (description === undefined ? [] : [description]))
  return {
    ...single,
    type: leaves.length === 0 ? scalar : types.length === 1 ? types[0] : types,
    ...(descriptions.length === 0 ? {} : { description: descriptions.join(' ') }),
    ...(shape.examples.length === 0 ? {} : { examples: shape.examples }),
  }
}

interface Leaf {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
}

function leaf(kind: ValueKind, { pattern, enumeration }: DataShape): Leaf {
  if (kind === 'text' && enumeration !== undefined)
    return { type: ['string', 'integer'], description: `A key of the enumeration ${enumeration}.` }
  if (kind === 'date' && pattern !== undefined) {
    const isCount = pattern === 'X' || pattern === 'x'
    const unit = pattern === 'X' ? 'seconds' : 'milliseconds'
    return isCount
      ? { type: 'integer', description: `A point in time in ${unit} since 1970.` }
      : { type: 'string', description: `A date written as ${pattern}.` }
  }
  return leaves[kind]
}

const leaves: Readonly<Record<ValueKind, Leaf>> = {
  number: { type: 'number' },
  text: { type: 'string' },
  boolean: { type: 'boolean' },
  // Dates may have no time, so no single `format` applies.
  date: { type: 'string', description: 'A date in ISO 8601, such as 2026-01-31 or 2026-01-31T09:30:00Z.' },
  picture: { type: 'string', description: 'The address or the data URI of a picture.' },
  link: { type: 'string', format: 'uri-reference', description: 'The address of a link.' },
  file: { type: 'string', description: 'The address or the data URI of a file.' },
  object: { type: 'object' },
  any: {},
}
