import { errorOf, type PlatenError, type Problem } from './errors.ts'
import { type ArchiveEntry, entriesOf } from './unzip.ts'

/** One document of a batch, or why it could not be made. */
export type BatchResult =
  | {
      readonly index: number
      readonly name: string
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly error?: never
    }
  | { readonly index: number; readonly error: PlatenError; readonly name?: never; readonly bytes?: never }

interface ItemError {
  readonly index: number
  readonly error: string
  readonly code?: string
  readonly problems?: readonly Problem[]
}

const errorsFile = 'errors.json'

/** The results of one archive in the order of its items, of which the first is number `first` of the batch. */
export async function* resultsOf(
  archive: Uint8Array<ArrayBuffer>,
  { first, count }: { readonly first: number; readonly count: number },
): AsyncGenerator<BatchResult, void, undefined> {
  const entries = entriesOf(archive)
  const report = entries.find(({ name }) => name === errorsFile)
  const files = entries.filter((entry) => entry !== report).values()
  const errors = new Map((await readErrors(report)).map((error) => [error.index, error]))
  for (let item = 0; item < count; item++) {
    const index = first + item
    const failed = errors.get(item)
    if (failed !== undefined) {
      const { error, code, problems = [] } = failed
      yield {
        index,
        error: errorOf(error, { status: 500, problems, ...(code === undefined ? {} : { code }) }),
      }
      continue
    }
    const next = files.next()
    if (next.done === true) return
    yield { index, name: next.value.name, bytes: await next.value.bytes() }
  }
}

async function readErrors(report: ArchiveEntry | undefined): Promise<readonly ItemError[]> {
  if (report === undefined) return []
  return JSON.parse(new TextDecoder().decode(await report.bytes())) as readonly ItemError[]
}

/** Groups of up to `size` items, in their order. */
export async function* groupsOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<readonly Item[], void, undefined> {
  let group: Item[] = []
  for await (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
