import { splitJson, splitJsonArray } from '../../api/split-json.ts'
import { AppError } from '../../errors/app-error.ts'
import type { BatchShape, JsonInput } from '../../ports/index.ts'
import type { Services } from '../../services/services.ts'

/** A report for each item of an array (specification 4.10), already checked for shape. */
export interface BatchRequest {
  readonly data?: Uint8Array // JSON text
  readonly array?: string // name of the array in `d`; absent: `d` is the array
  readonly output: 'zip' | 'pdf'
  readonly reportName?: string
  readonly onError: 'fail' | 'report'
}

/** One item of the array, on its way to the merger. */
export interface BatchItem {
  readonly data: JsonInput
  readonly shape: BatchShape
}

export interface SplitBatch {
  readonly count: number
  /** Bytes of each item. */
  readonly sizes: readonly number[]
  item(index: number): BatchItem
}

const defaultMaxReports = 100

/** Every batch is split twice, to be checked and to be rendered; large data is scanned once. */
const cache = new WeakMap<BatchRequest, { readonly limit: number; readonly split: SplitBatch }>()

/**
 * The items of a batch. Throws 'api.render.batch-off', 'api.body.invalid' where `batchSplitBy` leads to no array of
 * objects, and 'api.batch.many'.
 */
export function splitBatch({ settings }: Pick<Services, 'settings'>, batch: BatchRequest): SplitBatch {
  const limit = settings.maxBatchReports ?? defaultMaxReports
  const known = cache.get(batch)
  if (known?.limit === limit) return known.split
  const split = findItems(batch, limit)
  cache.set(batch, { limit, split })
  return split
}

/** Only finds the ranges of the items: they are parsed where they are merged. */
function findItems({ data, array }: BatchRequest, limit: number): SplitBatch {
  if (limit === 0) throw new AppError('api.render.batch-off')
  if (data === undefined) throw invalid('"batchSplitBy" needs "data"')
  const isObject = data[0] === openObject
  if (array === undefined && isObject) throw invalid('"batchSplitBy" is "d", so "data" must be an array')
  const members = array === undefined || !isObject ? undefined : splitJson(data)
  const range = array === undefined ? undefined : members?.get(array)
  if (array !== undefined && (range === undefined || data[range.start] !== openArray))
    throw invalid('"batchSplitBy" must name an array that is a direct child of "data"')
  const list = range === undefined ? data : data.subarray(range.start, range.end)
  const items = splitJsonArray(list, limit + 1)
  if (items.length > limit) throw new AppError('api.batch.many', { limit })
  if (items.length === 0) throw invalid('"batchSplitBy" must name an array of at least 1 object')
  const notAnObject = items.findIndex(({ start }) => list[start] !== openObject)
  if (notAnObject !== -1)
    throw invalid(`"batchSplitBy" must name an array of objects, item ${notAnObject} is none`)
  const shape = array === undefined ? {} : shapeOf(data, members ?? new Map(), array)
  return {
    count: items.length,
    sizes: items.map(({ start, end }) => end - start),
    item: (index) => ({ data: { text: textIn(list, items[index]!) }, shape }),
  }
}

/** Where the items come from: the array, and the other members of the object that holds it. */
function shapeOf(data: Uint8Array, members: ReadonlyMap<string, Range>, array: string): BatchShape {
  const others = [...members].filter(([name]) => name !== array)
  if (others.length === 0) return { array }
  const text = others.map(([name, range]) => `${JSON.stringify(name)}:${textIn(data, range)}`).join(',')
  return { array, rest: { text: `{${text}}` } }
}

interface Range {
  readonly start: number
  readonly end: number
}

function textIn(bytes: Uint8Array, { start, end }: Range): string {
  return new TextDecoder().decode(bytes.subarray(start, end))
}

const openObject = 0x7b
const openArray = 0x5b

function invalid(issue: string): AppError {
  return new AppError('api.body.invalid', { issue })
}
