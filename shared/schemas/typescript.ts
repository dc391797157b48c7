/** Writes a JSON Schema as TypeScript. Texts of a schema may come from a template and are never code. */
import { entryOf } from '../entry-of.ts'
import { isIdentifier, literalsOf, restOf, type TypedSchema, typesOf } from './json-schema.ts'

/** A declaration that exports the type of a schema under a name, with the texts of the schema as comments. */
export function typescriptDeclaration(
  name: string,
  schema: TypedSchema,
  description = schema.description,
): string {
  const text = typescriptOf(schema)
  const declared = text.startsWith('{') && text.endsWith('}') && !hasUnion(schema)
  return `${comment(description, '')}export ${declared ? `interface ${name} ${text}` : `type ${name} = ${text}`}\n`
}

/** The type of a schema as it is written after a colon. `indent` is that of its line. */
function typescriptOf(schema: TypedSchema, indent = ''): string {
  const literals = literalsOf(schema)
  if (literals !== undefined) return unique(literals.map(literal))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return unique(alternatives.map((each) => typescriptOf(each, indent)))
  const types = typesOf(schema)
  return types.length === 0 ? 'unknown' : unique(types.map((type) => named(type, schema, indent)))
}

function named(type: string, schema: TypedSchema, indent: string): string {
  if (type === 'object') return objectOf(schema, indent)
  if (type === 'array') return arrayOf(schema.items, indent)
  return simple.get(type) ?? 'unknown'
}

const simple: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['null', 'null'],
])

function arrayOf(items: TypedSchema | undefined, indent: string): string {
  const item = items === undefined ? 'unknown' : typescriptOf(items, indent)
  return `readonly ${/ \| /.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`
}

/** Properties with names beside properties without: the second are an index signature, as wide as all of them. */
function objectOf(schema: TypedSchema, indent: string): string {
  const { properties = {}, required = [] } = schema
  const deeper = `${indent}  `
  const names = Object.keys(properties)
  const rest = restOf(schema)
  if (names.length === 0)
    return `Readonly<Record<string, ${rest === undefined ? 'unknown' : typescriptOf(rest, indent)}>>`
  const lines = names.map((name) => {
    const property = entryOf(properties, name) ?? {}
    const key = isIdentifier(name) ? name : JSON.stringify(name)
    const mark = required.includes(name) ? '' : '?'
    return `${comment(property.description, deeper)}${deeper}readonly ${key}${mark}: ${typescriptOf(property, deeper)}\n`
  })
  if (rest !== undefined) lines.push(`${deeper}readonly [name: string]: unknown\n`)
  return `{\n${lines.join('')}${indent}}`
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? quoted(value)
    : value === null || typeof value !== 'object'
      ? String(value)
      : 'unknown'
}

const quoted = (text: string): string =>
  /^[^'"\\\p{Cc}\u2028\u2029]*$/u.test(text) ? `'${text}'` : JSON.stringify(text)

function unique(types: readonly string[]): string {
  const all = [...new Set(types)]
  return all.includes('unknown') ? 'unknown' : all.join(' | ')
}

const hasUnion = (schema: TypedSchema): boolean =>
  (schema.anyOf ?? schema.oneOf) !== undefined || typesOf(schema).length > 1

/** A text on one line, without what would end the comment. */
function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return ''
  return `${indent}/** ${text.replace(/\s+/g, ' ').replaceAll('*/', '*\u200b/')} */\n`
}
