/** Writes a JSON Schema as a schema of Zod 4 (https://zod.dev). Texts of the schema are never code. */
import { entryOf } from '../entry-of.ts'
import { isIdentifier, literalsOf, restOf, type TypedSchema, typesOf } from './json-schema.ts'

/** The constant `name` that holds a schema, and the type that follows from it. Needs `import { z } from 'zod'`. */
export function zodDeclaration(name: string, schema: TypedSchema): string {
  return `export const ${name} = ${zodOf(schema)}\nexport type ${name} = z.infer<typeof ${name}>\n`
}

/** The expression of a schema. `indent` is that of its line. */
function zodOf(schema: TypedSchema, indent = ''): string {
  return `${expression(schema, indent)}${
    schema.description === undefined ? '' : `.describe(${JSON.stringify(schema.description)})`
  }`
}

function expression(schema: TypedSchema, indent: string): string {
  const literals = literalsOf(schema)
  if (literals !== undefined) return union(literals.map((value) => `z.literal(${JSON.stringify(value)})`))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return union(alternatives.map((each) => zodOf(each, indent)))
  const types = typesOf(schema)
  return types.length === 0 ? 'z.unknown()' : union(types.map((type) => named(type, schema, indent)))
}

function named(type: string, schema: TypedSchema, indent: string): string {
  if (type === 'object') return objectOf(schema, indent)
  if (type === 'array')
    return `z.array(${schema.items === undefined ? 'z.unknown()' : zodOf(schema.items, indent)})`
  return simple.get(type) ?? 'z.unknown()'
}

const simple: ReadonlyMap<string, string> = new Map([
  ['string', 'z.string()'],
  ['number', 'z.number()'],
  ['integer', 'z.int()'],
  ['boolean', 'z.boolean()'],
  ['null', 'z.null()'],
])

/** Properties without a name are those of a map, and have the schema of its values. */
function objectOf(schema: TypedSchema, indent: string): string {
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties)
  const rest = restOf(schema)
  if (names.length === 0)
    return `z.record(z.string(), ${rest === undefined ? 'z.unknown()' : zodOf(rest, indent)})`
  const deeper = `${indent}  `
  const lines = names.map((name) => {
    const optional = required.includes(name) ? '' : '.optional()'
    return `${deeper}${key(name)}: ${zodOf(entryOf(properties, name) ?? {}, deeper)}${optional},\n`
  })
  return `z.object({\n${lines.join('')}${indent}})${rest === undefined ? '' : `.catchall(${zodOf(rest, indent)})`}`
}

/** `__proto__: …` of an object literal would set its prototype. */
const key = (name: string): string =>
  name === '__proto__' ? '["__proto__"]' : isIdentifier(name) ? name : JSON.stringify(name)

function union(schemas: readonly string[]): string {
  const all = [...new Set(schemas)]
  return all.length === 1 ? all[0]! : `z.union([${all.join(', ')}])`
}
