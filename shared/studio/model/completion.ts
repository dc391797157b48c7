import { kindOf, recordOf } from './fields.ts'

/** Completion of JSON text by the schema of the data. */
export interface Completion {
  readonly label: string // 'price'
  readonly kind: string // 'number', as in the panel of fields
  readonly text: string // '"price": '
}

export interface Completions {
  /** The range of the text that a completion replaces. */
  readonly start: number
  readonly end: number
  readonly items: readonly Completion[] // sorted, the best first
}

const maxCompletions = 50

/** An object or list that is open at the cursor. */
interface Open {
  readonly isObject: boolean
  readonly schema: unknown
  readonly names: Set<string> // names of the object so far
  name: string | undefined // the name whose value follows
}

/**
 * Returns the names and values that are possible at `offset`; the text may already contain the beginning of one, and
 * need not be valid JSON. Undefined if the schema proposes nothing.
 */
export function completionsAt(text: string, offset: number, schema: unknown): Completions | undefined {
  const { open, word, follows } = placeOf(text, offset, schema)
  const at = open.at(-1)
  if (at === undefined || !follows) return undefined
  const written = word.text.replace(/^"/, '')
  const end = endOf(text, offset, word.text.startsWith('"'))
  const isName = at.isObject && at.name === undefined
  const proposed = isName ? namesOf(at, /^\s*:/.test(text.slice(end))) : valuesOf(schemaOf(at))
  const items = proposed.filter(
    ({ label }) => label.toLowerCase().startsWith(written.toLowerCase()) && label !== written,
  )
  if (items.length === 0) return undefined
  return { start: word.start, end, items: items.slice(0, maxCompletions) }
}

/** Determines what is open at `offset`, and the string or word that begins before it. */
function placeOf(text: string, offset: number, schema: unknown) {
  const open: Open[] = []
  let word = { start: offset, text: '' }
  let last = '' // the string or word before a colon
  let expected = schema // of the next object or list
  let follows = true // whether a name or value may come next, rather than a comma or a closing bracket
  for (const match of text
    .slice(0, offset)
    .matchAll(/"(?:[^"\\\n]|\\.)*("|\\?$|(?=\n))|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    const [token, quote] = match
    const at = open.at(-1)
    const isOpenString = token.startsWith('"') && (quote !== '"' || token.length === 1)
    const touches = match.index + token.length === offset
    if (/^[{[,:]$/.test(token)) follows = true
    if (token === '{' || token === '[') {
      const inner = token === '{' ? expected : recordOf(expected)['items']
      open.push({ isObject: token === '{', schema: inner, names: new Set(), name: undefined })
      expected = token === '{' ? undefined : inner
    } else if (token === '}' || token === ']') {
      open.pop()
      follows = false
    } else if (token === ',') {
      if (at !== undefined) at.name = undefined
      expected = at?.isObject === false ? at.schema : undefined
    } else if (token === ':' && at !== undefined) {
      at.name = last
      at.names.add(last)
      expected = recordOf(recordOf(at.schema)['properties'])[last]
    } else if (touches && (isOpenString || !token.startsWith('"'))) word = { start: match.index, text: token }
    else {
      last = token.replace(/^"|"$/g, '')
      follows = false
    }
  }
  return { open, word, follows }
}

/** The end of the token at `offset`: the rest of a string with its quote, or of a word. */
function endOf(text: string, offset: number, isString: boolean): number {
  const rest = text.slice(offset)
  return offset + ((isString ? /^[^"\n:,{}[\]]*"/ : /^\w*/).exec(rest)?.[0].length ?? 0)
}

function namesOf({ schema, names }: Open, hasColon: boolean): readonly Completion[] {
  return Object.entries(recordOf(recordOf(schema)['properties']))
    .filter(([name]) => !names.has(name))
    .map(([name, child]) => ({
      label: name,
      kind: kindOf(child),
      text: `${JSON.stringify(name)}${hasColon ? '' : ': '}`,
    }))
}

const schemaOf = ({ schema, isObject, name }: Open): unknown =>
  isObject ? recordOf(recordOf(schema)['properties'])[name ?? ''] : schema

function valuesOf(schema: unknown): readonly Completion[] {
  const { items, properties, type } = recordOf(schema)
  if (items !== undefined) return [{ label: '[]', kind: kindOf(schema), text: '[]' }]
  if (properties !== undefined) return [{ label: '{}', kind: kindOf(schema), text: '{}' }]
  const types = [type].flat()
  if (!types.includes('boolean') || types.includes('string')) return []
  return ['true', 'false'].map((label) => ({ label, kind: kindOf(schema), text: label }))
}
