import { concatBytes } from '../bytes.ts'
import { AppError } from '../errors/app-error.ts'
import { createJsonScanner } from './scanner.ts'
import { type BodyFields, fieldRules } from './split.ts'

/**
 * Splits the outermost level of a JSON object that arrives in chunks. The text of one member, when it is a
 * string, is passed on as it arrives; the other known members are buffered without being parsed. This is the
 * streaming form of `splitJson`, with the same errors.
 */
export interface JsonSplitter {
  /** Returns the parts of this chunk that belong to the string `streamedName`, without its quotes and with its escapes. */
  push(chunk: Uint8Array): readonly Uint8Array[]
  /** Returns the buffered members. Throws 'api.json.invalid.at' when the object is incomplete. */
  finish(): JsonParts
}
export interface JsonParts {
  readonly members: ReadonlyMap<string, Uint8Array> // the JSON of each; `streamedName` only when it is not a string
  readonly streamed: boolean // `streamedName` was a string
}

const QUOTE = 34

/** `streamedName` is the name of the member to stream. */
export function createJsonSplitter(streamedName: string, fields: BodyFields): JsonSplitter {
  const members = new Map<string, Uint8Array>()
  let streamed = false // whether `streamedName` has been streamed
  let isText = false // whether the current member is `streamedName` and a string
  let isFirst = false // whether no byte of the current member has arrived yet
  let chunks: Uint8Array[] = [] // the current member, unless it is streamed
  let keptBytes = 0
  let completed: Uint8Array[] = [] // what the current `push` returns
  const scanner = createJsonScanner(
    'object',
    fieldRules(fields, {
      begin() {
        isFirst = true
        isText = false
        chunks = []
        keptBytes = 0
      },
      part(name, bytes, isLast) {
        if (isFirst && bytes.length > 0) {
          isFirst = false
          // The first one has been passed on already and cannot be replaced by the second.
          if (name === streamedName && streamed)
            throw new AppError('api.json.invalid.at', { place: `"${name}" appears twice.` })
          isText = name === streamedName && bytes[0] === QUOTE
          if (isText) return void completed.push(bytes.subarray(1, isLast ? -1 : undefined))
        }
        if (isText) return void completed.push(isLast ? bytes.subarray(0, -1) : bytes)
        chunks.push(bytes.slice())
        keptBytes += bytes.length
      },
      end(name) {
        if (isText) {
          streamed = true
          members.delete(name)
        } else members.set(name, concatBytes(chunks, keptBytes))
      },
    }),
  )

  return {
    push(chunk) {
      completed = []
      scanner.push(chunk)
      return completed
    },
    finish() {
      scanner.finish()
      return { members, streamed }
    },
  }
}
