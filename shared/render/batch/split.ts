import { concatBytes } from '../../bytes.ts'
import { AppError } from '../../errors/app-error.ts'
import { findJsonMember, type JsonMember, splitJsonArray } from '../../json/split.ts'
import type { BatchShape, JsonInput } from '../../ports/index.ts'
import type { Services } from '../../services/services.ts'

/** A batch: one report for each item of an array (specification 4.10). Its shape has been checked. */
export interface BatchRequest {
  readonly data?: Uint8Array // JSON text
  readonly array?: string // name of the array in `d`; absent: `d` is the array
  /** The items as JSON texts, read once and on demand, in place of `data`. */
  readonly lines?: AsyncIterable<Uint8Array>
  /** The address of the lines, as the caller sent it. */
  readonly dataUrl?: string
  readonly output: 'zip' | 'pdf'
  readonly reportName?: string
  readonly onError: 'fail' | 'report'
}

/** One item of the array, as passed to the merger. */
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

/** The items of a batch in their order. Throws what `splitBatch` throws, and what the source of the lines fails with. */
export async function* itemsOf(
  services: Pick<Services, 'settings'>,
  batch: BatchRequest,
): AsyncGenerator<BatchItem, void, void> {
  if (batch.lines !== undefined) {
    for await (const text of batch.lines) yield { data: { text }, shape: {} }
    return
  }
  const { count, item } = await splitBatch(services, batch)
  for (let index = 0; index < count; index++) yield item(index)
}

const defaultMaxReports = 100

/** Every batch is split twice, to be checked and to be rendered; large data is scanned once. */
const cache = new WeakMap<BatchRequest, { readonly limit: number; readonly split: Promise<SplitBatch> }>()

/**
 * The items of a batch. Throws 'api.render.batch-off', 'api.body.invalid' if `batchSplitBy` does not lead to an array of
 * objects, and 'api.batch.many'.
 */
export function splitBatch(
  { settings }: Pick<Services, 'settings'>,
  batch: BatchRequest,
): Promise<SplitBatch> {
  const limit = settings.maxBatchReports ?? defaultMaxReports
  const cached = cache.get(batch)
  if (cached?.limit === limit) return cached.split
  const split = findItems(batch, limit)
  cache.set(batch, { limit, split })
  return split
}

/** Finds only the ranges of the items. They are parsed where they are merged. */
async function findItems({ data, array, dataUrl }: BatchRequest, limit: number): Promise<SplitBatch> {
  if (limit === 0) throw new AppError('api.render.batch-off')
  if (dataUrl !== undefined) throw new AppError('api.stream.url')
  if (data === undefined) throw invalid('"batchSplitBy" needs "data"')
  const isObject = data[0] === openObject
  if (array === undefined && isObject) throw invalid('"batchSplitBy" is "d", so "data" must be an array')
  const range = array === undefined || !isObject ? undefined : await findJsonMember(data, array)
  if (array !== undefined && (range === undefined || data[range.start] !== openArray))
    throw invalid('"batchSplitBy" must name an array that is a direct child of "data"')
  const list = range === undefined ? data : data.subarray(range.start, range.end)
  const tooMany = () => new AppError('api.batch.many', { limit })
  const items = await splitJsonArray(list, { maxItems: limit, tooMany })
  if (items.length === 0) throw invalid('"batchSplitBy" must name an array of at least 1 object')
  const notAnObject = items.findIndex(({ start }) => list[start] !== openObject)
  if (notAnObject !== -1)
    throw invalid(`"batchSplitBy" must name an array of objects, item ${notAnObject} is none`)
  const shape: BatchShape =
    array === undefined || range === undefined ? {} : { array, rest: { text: without(data, range) } }
  return {
    count: items.length,
    sizes: items.map(({ start, end }) => end - start),
    item(index) {
      const { start, end } = items[index]!
      return { data: { text: list.subarray(start, end) }, shape }
    },
  }
}

/** The text of an object with `null` as the value of one of its members. The merge inserts the item of a report there. */
function without(data: Uint8Array, { start, end }: JsonMember): Uint8Array {
  const nullText = new TextEncoder().encode('null')
  const segments = [data.subarray(0, start), nullText, data.subarray(end)]
  return concatBytes(segments, data.length - (end - start) + nullText.length)
}

const openObject = 0x7b
const openArray = 0x5b

function invalid(issue: string): AppError {
  return new AppError('api.body.invalid', { issue })
}
