import { AppError } from '../errors/app-error.ts'
import { createPace } from '../pace.ts'
import { createJsonScanner, type JsonListener, type JsonScanner } from './scanner.ts'

/**
 * The byte range of one value in a JSON text. The functions of this file split only the outermost level of a
 * text and do not parse the values, so that a huge `data` is not turned into objects on the thread that
 * serves requests.
 */
export interface JsonMember {
  readonly start: number // offset of the first byte of the value
  readonly end: number // offset after its last byte
}

/** Which members of a body are kept. The others are only checked for valid JSON. */
export interface BodyFields {
  /** The names of the members to keep. Absent: all of them. */
  readonly knownNames?: ReadonlySet<string>
  /** Members that only the limit of the whole body applies to. The others share `maxFieldBytes`. */
  readonly large: ReadonlySet<string>
  /** The maximum memory of one large member once it is parsed, in bytes. Default: `defaultParsedBytes`. */
  readonly maxParsedBytes?: number | undefined
}

/** The maximum number of members at the top level of a body, known or not. */
export const maxMembers = 1000
/** The maximum size in bytes of the JSON of all members together that are not `large`. */
export const maxFieldBytes = 2_097_152
/**
 * The maximum memory in bytes that one large member may take once it is parsed, as estimated by the scanner.
 * Many small values take several times the size of their JSON, so a limit on the size of the body does not
 * bound memory.
 */
const defaultParsedBytes = 536_870_912

/** Bytes scanned before other work on the thread gets a chance to run. */
const stepBytes = 256 * 1024

/**
 * Returns the kept members of a JSON object by name. Of several with the same name the last one counts, as in
 * JSON.parse. Throws 'api.json.invalid.at', 'api.json.too-deep', 'api.json.members', 'api.field.too-large',
 * 'api.field.memory'.
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
 * Returns the elements of a JSON array without parsing them. Throws the error of `tooMany` when there are
 * more than `maxItems`, 'api.json.invalid.at' when the text is not a JSON array, and 'api.json.too-deep'.
 */
export async function splitJsonArray(
  bytes: Uint8Array,
  { maxItems, tooMany }: { readonly maxItems: number; readonly tooMany: () => AppError },
): Promise<readonly JsonMember[]> {
  const items: JsonMember[] = []
  let start = 0
  const listener: JsonListener = {
    begin(_, at) {
      if (items.length === maxItems) throw tooMany()
      start = at
    },
    end: (end) => items.push({ start, end }),
  }
  await scanJson(bytes, createJsonScanner('array', listener))
  return items
}

/** Finds the last member with this name in a JSON object of any size. Throws the errors of the scanner. */
export async function findJsonMember(bytes: Uint8Array, name: string): Promise<JsonMember | undefined> {
  let member: JsonMember | undefined
  let start = -1
  const listener: JsonListener = {
    begin(memberName, at) {
      start = memberName === name ? at : -1
    },
    end(end) {
      if (start !== -1) member = { start, end }
    },
  }
  await scanJson(bytes, createJsonScanner('object', listener))
  return member
}

/**
 * Checks that a text is a JSON object which takes at most `maxParsedBytes` of memory once it is parsed, as estimated by the
 * scanner. Throws the errors of the scanner and 'api.field.memory' for `field`.
 */
export async function checkJsonObject(
  bytes: Uint8Array,
  {
    field,
    maxParsedBytes = defaultParsedBytes,
  }: { readonly field: string; readonly maxParsedBytes?: number | undefined },
): Promise<void> {
  let size = bytes.length
  const listener: JsonListener = {
    begin() {},
    end(_, memory) {
      size += memory
      if (size > maxParsedBytes) throw new AppError('api.field.memory', { field, limit: maxParsedBytes })
    },
  }
  await scanJson(bytes, createJsonScanner('object', listener))
}

/** Scans a whole text. A long one is scanned in steps, which yield to other work on the thread. */
export async function scanJson(bytes: Uint8Array, scanner: JsonScanner): Promise<void> {
  if (bytes.length <= stepBytes) scanner.push(bytes)
  else await scanInSteps(bytes, scanner)
  scanner.finish()
}

async function scanInSteps(bytes: Uint8Array, scanner: JsonScanner): Promise<void> {
  const pace = createPace()
  for (let at = 0; at < bytes.length; at += stepBytes) {
    scanner.push(bytes.subarray(at, at + stepBytes))
    await pace.rest()
  }
}

/** A `JsonListener` that is called only for members to keep, with their names. Offsets are in bytes. */
export interface FieldListener {
  begin(name: string, at: number): void
  part?(name: string, bytes: Uint8Array, isLast: boolean): void
  end(name: string, at: number): void
}

/**
 * Creates a listener for the scanner that passes on the members to keep and enforces the limits. Throws
 * 'api.json.members', 'api.field.too-large' and 'api.field.memory' from its callbacks.
 */
export function fieldRules(
  { knownNames, large, maxParsedBytes = defaultParsedBytes }: BodyFields,
  listener: FieldListener,
): JsonListener {
  let count = 0 // members so far, known or not
  let name: string | undefined // of the current member; undefined when it is not kept
  let fieldBytes = 0 // of all kept members that are not large
  let itemBytes = 0 // of the current member
  return {
    begin(memberName, at) {
      if (++count > maxMembers) throw new AppError('api.json.members', { limit: maxMembers })
      name = memberName !== undefined && (knownNames?.has(memberName) ?? true) ? memberName : undefined
      itemBytes = 0
      if (name !== undefined) listener.begin(name, at)
    },
    part(bytes, isLast) {
      if (name === undefined) return
      itemBytes += bytes.length
      if (!large.has(name)) {
        fieldBytes += bytes.length
        if (fieldBytes > maxFieldBytes) throw tooLarge(name, large)
      }
      listener.part?.(name, bytes, isLast)
    },
    end(at, memory) {
      if (name === undefined) return
      if (large.has(name) && memory + itemBytes > maxParsedBytes)
        throw new AppError('api.field.memory', { field: name, limit: maxParsedBytes })
      listener.end(name, at)
    },
  }
}

function tooLarge(field: string, large: ReadonlySet<string>): AppError {
  const others = [...large].map((each) => `"${each}"`).join(', ')
  return new AppError('api.field.too-large', { limit: maxFieldBytes, others, field: quotable(field) })
}

/** Names come from the caller, so a message repeats only harmless ones. */
function quotable(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? name : '?'
}

/**
 * Parses one JSON text. Throws 'api.json.invalid' without the message of the parser, which quotes the body.
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new AppError('api.json.invalid')
  }
}

/** Returns the offset of the first byte from `at` on that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at++
  return at
}
