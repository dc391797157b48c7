import { AppError } from '../errors/app-error.ts'
import { createPace } from '../pace.ts'
import { createJsonScanner, type JsonListener, type JsonScanner } from './json-scanner.ts'

/**
 * Splits the outermost level of a JSON text into its members or elements without parsing their values, so that a huge
 * `data` need not become a string and objects on the thread that serves requests.
 */
export interface JsonMember {
  readonly start: number // of the value in the body
  readonly end: number
}

/** Which members of a body are kept. All others are checked to be JSON and passed over. */
export interface BodyFields {
  /** Absent: every one. */
  readonly known?: ReadonlySet<string>
  /** Those that have no limit of their own: the body's is theirs. */
  readonly large: ReadonlySet<string>
}

/** Members at the top level of a body, whether they are known or not. */
export const mostMembers = 1000
/** Bytes of JSON of all fields together that are not `large`. */
export const mostFieldBytes = 2_097_152
/** Bytes that `data`, or another large field, takes in memory once it is parsed, by estimate. */
export const mostParsedBytes = 536_870_912

const stepBytes = 256 * 1024

/**
 * The kept members of a JSON object, by name. Later ones win over earlier ones of the same name, as in JSON.parse.
 * Throws 'api.json.invalid.at', 'api.json.too-deep', 'api.json.members', 'api.field.too-large', 'api.field.memory'.
 */
export async function splitJson(
  bytes: Uint8Array,
  fields: BodyFields,
): Promise<ReadonlyMap<string, JsonMember>> {
  const members = new Map<string, JsonMember>()
  let start = 0
  const keep: FieldListener = {
    begin: (_, at) => {
      start = at
    },
    end: (name, end) => members.set(name, { start, end }),
  }
  await scanJson(bytes, createJsonScanner('object', fieldRules(fields, keep)))
  return members
}

/**
 * The elements of a JSON array, not parsed. Throws what `tooMany` gives behind `most` of them, 'api.json.invalid.at', also
 * for what is no array, and 'api.json.too-deep'.
 */
export async function splitJsonArray(
  bytes: Uint8Array,
  { most, tooMany }: { readonly most: number; readonly tooMany: () => AppError },
): Promise<readonly JsonMember[]> {
  const items: JsonMember[] = []
  let start = 0
  const listener: JsonListener = {
    begin(_, at) {
      if (items.length === most) throw tooMany()
      start = at
    },
    end: (end) => items.push({ start, end }),
  }
  await scanJson(bytes, createJsonScanner('array', listener))
  return items
}

/** The last member of this name of a JSON object of any size. Throws as the scanner does. */
export async function findJsonMember(bytes: Uint8Array, wanted: string): Promise<JsonMember | undefined> {
  let found: JsonMember | undefined
  let start = -1
  const listener: JsonListener = {
    begin(name, at) {
      start = name === wanted ? at : -1
    },
    end(end) {
      if (start !== -1) found = { start, end }
    },
  }
  await scanJson(bytes, createJsonScanner('object', listener))
  return found
}

/** The whole text, in steps that give way to others. */
export async function scanJson(bytes: Uint8Array, scanner: JsonScanner): Promise<void> {
  const pace = createPace()
  for (let at = 0; at < bytes.length; at += stepBytes) {
    scanner.push(bytes.subarray(at, at + stepBytes))
    await pace.rest()
  }
  scanner.finish()
}

export interface FieldListener {
  begin(name: string, at: number): void
  part?(name: string, bytes: Uint8Array, isLast: boolean): void
  end(name: string, at: number): void
}

/** Passes on what is known, as long as it is within the limits. */
export function fieldRules({ known, large }: BodyFields, listener: FieldListener): JsonListener {
  let count = 0
  let name: string | undefined
  let fieldBytes = 0
  let itemBytes = 0
  return {
    begin(found, at) {
      if (++count > mostMembers) throw new AppError('api.json.members', { limit: mostMembers })
      name = found !== undefined && (known?.has(found) ?? true) ? found : undefined
      itemBytes = 0
      if (name !== undefined) listener.begin(name, at)
    },
    part(bytes, isLast) {
      if (name === undefined) return
      itemBytes += bytes.length
      if (!large.has(name)) {
        fieldBytes += bytes.length
        if (fieldBytes > mostFieldBytes) throw tooLarge(name, large)
      }
      listener.part?.(name, bytes, isLast)
    },
    end(at, memory) {
      if (name === undefined) return
      if (large.has(name) && memory + itemBytes > mostParsedBytes)
        throw new AppError('api.field.memory', { field: name, limit: mostParsedBytes })
      listener.end(name, at)
    },
  }
}

function tooLarge(field: string, large: ReadonlySet<string>): AppError {
  const others = [...large].map((each) => `"${each}"`).join(', ')
  return new AppError('api.field.too-large', { limit: mostFieldBytes, others, field: quotable(field) })
}

/** Names come from the caller: only what may be one is repeated. */
function quotable(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? name : '?'
}

/** Parses one JSON text. Throws 'api.json.invalid'; the parser's own message is left out, for it quotes the body. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new AppError('api.json.invalid')
  }
}

export function skipSpace(bytes: Uint8Array, at: number): number {
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at++
  return at
}
