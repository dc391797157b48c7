import { AppError } from '../../errors/app-error.ts'
import type { Services } from '../../services/services.ts'
import type { FormatOptions, Rendered } from '../request.ts'
import { inOrder } from './in-order.ts'
import type { BatchItem } from './split.ts'

/** Renders one item of a batch, from template to document. */
export type RenderItem = (
  item: BatchItem,
  options: FormatOptions | undefined,
  signal: AbortSignal,
) => Promise<Rendered>

/** The result of one item. `index` counts from 0, as in `d[0]`. */
export type ItemOutcome =
  | { readonly index: number; readonly report: Rendered }
  | { readonly index: number; readonly error: unknown }

export interface BatchWork {
  readonly items: Iterable<BatchItem> | AsyncIterable<BatchItem>
  /** The options of each report. */
  readonly options?: FormatOptions | undefined
  readonly signal: AbortSignal
  readonly render: RenderItem
}

const defaultConcurrency = 4

/**
 * Renders the items of a batch, several at once, and yields their results in order. Items in progress are cancelled when the
 * consumer stops. Throws the error of a source of items that fails.
 */
export async function* batchOutcomes(
  { settings }: Pick<Services, 'settings'>,
  { items, options, signal, render }: BatchWork,
): AsyncGenerator<ItemOutcome, void, void> {
  const control = new AbortController()
  const leave = () => control.abort(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    yield* inOrder(
      items,
      settings.batchConcurrency ?? defaultConcurrency,
      async (item, index): Promise<ItemOutcome> => {
        try {
          control.signal.throwIfAborted()
          return { index, report: await render(item, options, control.signal) }
        } catch (error) {
          return { index, error: control.signal.aborted ? control.signal.reason : error }
        }
      },
    )
  } finally {
    control.abort(new AppError('api.aborted'))
    signal.removeEventListener('abort', leave)
  }
}
