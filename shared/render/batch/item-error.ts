import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import { toAppError, toRenderError } from '../../errors/problem.ts'

/** Errors that concern the whole request, whichever item meets them first. */
const endsRequest: readonly ErrorCode[] = [
  'api.aborted',
  'api.render.timeout',
  'api.too-many',
  'api.credits',
  'api.batch.stalled',
]

/**
 * Whether the failure is a mistake in the item or its document, or an engine's failure with it. Failures of the service
 * itself, and those that end the whole request, are not.
 */
export function isItemFailure(error: unknown): boolean {
  const { code, blame } = toAppError(error)
  return blame !== 'us' && !endsRequest.includes(code)
}

/** The failure with the index of its item, counted from 0 as in `d[0]`. */
export function itemError(index: number, error: unknown): unknown {
  if (!isItemFailure(error)) return error
  const renderError = toRenderError(error)
  const cause =
    renderError.cause instanceof AppError && renderError.code === 'api.render.failed'
      ? renderError.cause
      : renderError
  return new AppError(
    'api.batch.item',
    { index, cause: cause.explained() },
    { cause: error, problems: renderError.problems },
  )
}
