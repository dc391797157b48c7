import { AppError, type Problem } from './app-error.ts'

/** The body of every error response. */
export interface ErrorBody {
  readonly success: false
  readonly error: string
  readonly code?: string
  readonly data?: { readonly renderId: '' }
  readonly problems?: readonly Problem[]
}

/**
 * Converts a thrown value to an AppError. Anything else becomes 'api.internal', whose response reveals no
 * details.
 */
export function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('api.internal', {}, { cause: error })
}

/** Creates the body of an error response. The cause of the error is not part of it. */
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
 * Converts an error of a render to 'api.render.failed', whose message contains that of the error and its
 * hint. Errors with a response of their own, such as a missing template, missing data or an aborted request,
 * are returned unchanged.
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
