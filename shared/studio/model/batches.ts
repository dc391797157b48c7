import { readJson } from './json-text.ts'

/** The data of a batch (specification 4.10): from which list its documents are made. */

/** A list that a batch can be split by: the data themselves, or a list directly in them. */
export interface BatchList {
  readonly splitBy: string // 'd' or 'd.customers'
  readonly count: number
}

/** The lists of objects in the data. */
export function batchLists(data: unknown): readonly BatchList[] {
  if (isList(data)) return [{ splitBy: 'd', count: data.length }]
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, value]) =>
    isList(value) ? [{ splitBy: `d.${name}`, count: value.length }] : [],
  )
}

const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object' && item !== null)

/** Reads a file of data: JSON, or one JSON object on each line (NDJSON). Throws TypeError with the place of an error. */
export function readBatchFile(text: string): unknown {
  const json = readJson(text)
  if (json.ok) return json.value
  const lines = text.split(/\r?\n/)
  const [first = ''] = lines
  // A file whose first line is not a value is read as JSON, so that its error is the one reported.
  if (lines.length < 2 || !readJson(first).ok)
    throw new TypeError(`Line ${json.error.line}, column ${json.error.column}: ${json.error.message}.`)
  return lines.flatMap((line, index) => {
    const item = readJson(line)
    if (!item.ok)
      throw new TypeError(`Line ${index + 1}, column ${item.error.column}: ${item.error.message}.`)
    return item.value === undefined ? [] : [item.value]
  })
}
