import { AppError, type Problem } from './app-error.ts'

/** The body of every error answer. */
export interface ErrorBody {
  readonly success: false
  readonly error: string
  readonly code?: string
  readonly data?: { readonly renderId: '' }
  readonly problems?: readonly Problem[]
}

/** Any thrown thing as an AppError: what is not one of ours is a failure of ours, and says nothing outside. */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('api.internal', {}, { cause: error })
}

export function errorBody(error: AppError): ErrorBody {
  return {
    success: false,
    error: error.message,
    ...(error.wire === undefined ? {} : { code: error.wire }),
    ...(error.code === 'api.render.failed' ? { data: { renderId: '' } } : {}),
    ...(error.problems.length === 0 ? {} : { problems: error.problems }),
  }
}

/**
 * What went wrong while a document was made, as the documented 500: the cause and, when there is one, its advice. Errors
 * that have an answer of their own (no such template, no data, aborted) stay what they are.
 */
export function toRenderError(error: unknown): AppError {
  const found = toAppError(error)
  if (found.code === 'template.data')
    return new AppError('api.json.invalid.at', { place: found.message }, { cause: found })
  if (found.status !== 500 || found.code.startsWith('storage.')) return found
  if (
    found.code === 'api.internal' ||
    found.code === 'api.render.error' ||
    found.code === 'api.render.failed' ||
    found.code === 'api.render.webhook'
  )
    return found
  const more = found.problems.length > 1 ? ` (and ${found.problems.length - 1} more)` : ''
  const hint = found.hint === undefined ? '' : ` ${found.hint}`
  return new AppError(
    'api.render.failed',
    { cause: `${found.message}${more}${hint}` },
    { cause: found, problems: found.problems },
  )
}
