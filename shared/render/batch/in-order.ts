/**
 * Runs up to `ahead` calls at once over `items` and yields their results in the order of the items. The next item is read
 * while earlier ones are in progress, and a result that is ready does not wait for a slow source. No further call starts once
 * the consumer stops. Throws what `run` throws, and the error of the source after the results of all items before it.
 */
export async function* inOrder<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  ahead: number,
  run: (item: Item, index: number) => Promise<Result>,
): AsyncGenerator<Result, void, void> {
  const source = iteratorOf(items)
  const running: Promise<Result>[] = []
  let index = 0
  let arriving: Promise<Arrival<Item>> | undefined = arrivalOf(source)
  let failure: { readonly error: unknown } | undefined
  try {
    for (;;) {
      const [first] = running
      if (arriving !== undefined && running.length < ahead) {
        const arrival = await (first === undefined
          ? arriving
          : Promise.race([arriving, first.then(finished, finished)]))
        if (arrival.kind === 'item') {
          const result = run(arrival.item, index++)
          result.catch(() => {}) // thrown when it is awaited below, if it is
          running.push(result)
          arriving = arrivalOf(source)
          continue
        }
        if (arrival.kind === 'error') failure = arrival
        if (arrival.kind !== 'finished') arriving = undefined
      }
      const next = running.shift()
      if (next !== undefined) yield await next
      else if (arriving === undefined) break
    }
  } finally {
    // A source that waits for its sender ends with the connection, so it is not awaited.
    void Promise.resolve(source.return?.()).catch(() => {})
  }
  if (failure !== undefined) throw failure.error
}

type Arrival<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'end' }
  /** No new item: the first of the running calls has ended before the next item arrived. */
  | { readonly kind: 'finished' }

const finished = () => ({ kind: 'finished' }) as const

async function arrivalOf<Item>(source: AnyIterator<Item>): Promise<Arrival<Item>> {
  try {
    const next = await source.next()
    return next.done === true ? { kind: 'end' } : { kind: 'item', item: next.value }
  } catch (error) {
    return { kind: 'error', error }
  }
}

type AnyIterator<Item> = Iterator<Item, unknown, undefined> | AsyncIterator<Item, unknown, undefined>

function iteratorOf<Item>(items: Iterable<Item> | AsyncIterable<Item>): AnyIterator<Item> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
}
