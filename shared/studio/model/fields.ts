/** One name that a template reads, as the model of its data describes it. */
export interface DataField {
  readonly path: string // 'd.lines[i].price', as in a tag
  readonly name: string
  readonly kind: string // 'text', 'number', 'list of objects'
  readonly depth: number // 0: directly below d or c
}

const maxFields = 2000
const maxDepth = 12

/** Flattens a JSON Schema from POST /template/schema into rows, leaves and branches in its order. */
export function fieldsOf(schema: unknown, root: 'd' | 'c'): readonly DataField[] {
  const rows: DataField[] = []
  visit(schema, root, 0)
  return rows

  function visit(at: unknown, path: string, depth: number): void {
    if (depth > maxDepth || !isRecord(at)) return
    const items = at['items']
    if (items !== undefined) visit(items, `${path}[i]`, depth)
    if (items !== undefined || !isRecord(at['properties'])) return
    for (const [name, child] of Object.entries(at['properties'])) {
      if (rows.length >= maxFields) return
      const fieldPath = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? `${path}.${name}` : `${path}['${name}']`
      const listed = isRecord(child) && child['items'] !== undefined
      rows.push({ path: listed ? `${fieldPath}[i]` : fieldPath, name, kind: kindOf(child), depth })
      visit(child, fieldPath, depth + 1)
    }
  }
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'number',
  boolean: 'yes or no',
  null: 'nothing',
}

/** Describes the type that a schema requires, in words. */
export function kindOf(schema: unknown): string {
  if (!isRecord(schema)) return 'anything'
  if (schema['items'] !== undefined)
    return `list of ${kindOf(schema['items'])}s`.replace('anythings', 'anything')
  if (isRecord(schema['properties'])) return 'object'
  const { format, contentMediaType } = schema
  if (typeof contentMediaType === 'string' && contentMediaType.startsWith('image/')) return 'picture'
  if (typeof format === 'string' && /date|time|uri/.test(format)) return format.replace('-', ' and ')
  const types = [schema['type']].flat().filter((type) => typeof type === 'string')
  // Every printable value is shown as text.
  if (types.includes('string')) return 'text'
  return types.length === 0 ? 'anything' : types.map((type) => names[type] ?? type).join(' or ')
}

/** An object of JSON; an empty one for any other value. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
