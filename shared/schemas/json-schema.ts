/**
 * The part of JSON Schema (2020-12) that types of other languages are written from. Keywords that no type can
 * express, such as `minimum`, are ignored, so a type accepts everything that its schema accepts.
 */
export interface TypedSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TypedSchema[]
  readonly oneOf?: readonly TypedSchema[]
  readonly properties?: Readonly<Record<string, TypedSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | TypedSchema
  readonly patternProperties?: Readonly<Record<string, TypedSchema>>
  readonly items?: TypedSchema
}

/** The types that a schema allows. Empty: any value. */
export function typesOf({ type, properties, items }: TypedSchema): readonly string[] {
  if (type !== undefined) return typeof type === 'string' ? [type] : type
  if (properties !== undefined) return ['object']
  return items === undefined ? [] : ['array']
}

/** The values that a schema lists, by `const` or `enum`. */
export function literalsOf(schema: TypedSchema): readonly unknown[] | undefined {
  return 'const' in schema ? [schema.const] : schema.enum
}

/** The schema of properties without a name of their own; undefined where there are none. */
export function restOf({ additionalProperties, patternProperties }: TypedSchema): TypedSchema | undefined {
  const [pattern] = Object.values(patternProperties ?? {})
  if (pattern !== undefined) return pattern
  return typeof additionalProperties === 'object'
    ? additionalProperties
    : additionalProperties === true
      ? {}
      : undefined
}

/** Whether a name may be written in source text without quotes. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)
