import { concatBytes } from '../bytes.ts'
import { AppError } from '../errors/app-error.ts'
import { createJsonScanner } from './json-scanner.ts'
import { type BodyFields, fieldRules } from './split-json.ts'

/**
 * The outermost level of a JSON object that arrives in pieces. The text of one member, when it is a string, is handed on as
 * it comes; the other known ones are kept, not parsed. As `splitJson`, which wants the whole body, and with its errors.
 */
export interface JsonSplitter {
  /** What of this piece belongs to the text of `wanted`, between its quotes and with its escapes. */
  push(piece: Uint8Array): readonly Uint8Array[]
  /** Throws 'api.json.invalid.at' where the object is not complete. */
  finish(): JsonParts
}
export interface JsonParts {
  readonly members: ReadonlyMap<string, Uint8Array> // JSON of each, also of `wanted` where it is no string
  readonly streamed: boolean // `wanted` was a string
}

const QUOTE = 34

export function createJsonSplitter(wanted: string, fields: BodyFields): JsonSplitter {
  const members = new Map<string, Uint8Array>()
  let streamed = false
  let isText = false // the member in hand is what is wanted, and a string
  let isFirst = false
  let kept: Uint8Array[] = [] // of the member in hand
  let keptBytes = 0
  let found: Uint8Array[] = []
  const scanner = createJsonScanner(
    'object',
    fieldRules(fields, {
      begin() {
        isFirst = true
        isText = false
        kept = []
        keptBytes = 0
      },
      part(name, bytes, isLast) {
        if (isFirst && bytes.length > 0) {
          isFirst = false
          // What was handed on cannot be replaced by a second one.
          if (name === wanted && streamed)
            throw new AppError('api.json.invalid.at', { place: `"${name}" is there twice.` })
          isText = name === wanted && bytes[0] === QUOTE
          if (isText) return void found.push(bytes.subarray(1, isLast ? -1 : undefined))
        }
        if (isText) return void found.push(isLast ? bytes.subarray(0, -1) : bytes)
        kept.push(bytes.slice())
        keptBytes += bytes.length
      },
      end(name) {
        if (isText) {
          streamed = true
          members.delete(name)
        } else members.set(name, concatBytes(kept, keptBytes))
      },
    }),
  )

  return {
    push(piece) {
      found = []
      scanner.push(piece)
      return found
    },
    finish() {
      scanner.finish()
      return { members, streamed }
    },
  }
}
