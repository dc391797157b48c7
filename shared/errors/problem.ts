import { AppError, type Problem } from './app-error.ts'

/** The body of every error response. */
export interface ErrorBody {
  readonly success: false
  readonly error: string
  readonly code: string // 'w115', or the code of the catalogue for errors that have no short one
  readonly data?: { readonly renderId: '' }
  readonly problems?: readonly Problem[]
}

/**
 * Converts a thrown value to an AppError. Anything else becomes 'api.internal', whose response reveals no
 * details, except for limits of the runtime, which only long or deep input exceeds.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError(exceedsRuntime(error) ? 'api.render.too-complex' : 'api.internal', {}, { cause: error })
}

/**
 * Whether V8 refused a computation because of its size: recursion, the arguments of a call (`push(...list)`), the steps back of
 * a regular expression, the length of a text, or the entries of a map. Observed in Node 24.
 */
function exceedsRuntime(error: unknown): boolean {
  const limits = /^(Maximum call stack size exceeded|Invalid string length|(Map|Set) maximum size exceeded)/
  return error instanceof RangeError && limits.test(error.message)
}

/** Creates the body of an error response: its message with what to do next. The cause of the error is not part of it. */
export function errorBody(error: AppError): ErrorBody {
  return {
    success: false,
    error: error.explained(),
    code: error.wire ?? error.code,
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
  const appError = toAppError(error)
  if (appError.code === 'template.data')
    return new AppError('api.json.invalid.at', { place: appError.message }, { cause: appError })
  if (appError.status !== 500 || appError.code.startsWith('storage.')) return appError
  if (
    appError.code === 'api.internal' ||
    appError.code === 'api.render.error' ||
    appError.code === 'api.render.failed' ||
    appError.code === 'api.render.webhook'
  )
    return appError
  const { length } = appError.problems
  // The message of 'template.several' begins with their number.
  const more = length > 1 && appError.code !== 'template.several' ? ` (and ${length - 1} more)` : ''
  return new AppError(
    'api.render.failed',
    { cause: appError.explained(more) },
    { cause: appError, problems: appError.problems },
  )
}
