/**
 * The errors of the client. Each class corresponds to what a caller can do about the error; `code` identifies its
 * cause.
 */
import type { ErrorCode } from './api.ts'

/** One problem of a template: its description, its place, and a suggestion. */
export interface Problem {
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly place?: {
    /** The part of the file, such as word/document.xml. */
    readonly part: string
    readonly tag?: string
    /** The paragraph, cell or line with the tag. */
    readonly snippet?: string
    /** The position of the tag: "cell B2 of sheet Prices", "page 2", "line 12". */
    readonly at?: string
  }
}

export interface ErrorDetails {
  /** The HTTP status; 0 without a response. */
  readonly status?: number
  readonly code?: ErrorCode
  readonly problems?: readonly Problem[]
  readonly requestId?: string
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** The base of all errors of the client. */
export class PlatenError extends Error {
  override readonly name: string = 'PlatenError'
  readonly status: number
  /** The code of the API, such as "w101" or "api.content-type"; undefined if no answer of the API came. */
  readonly code: ErrorCode | undefined
  /** All problems of the template; empty for other errors. */
  readonly problems: readonly Problem[]
  /** The id of the request in the logs of the service. */
  readonly requestId: string | undefined
  /** How long to wait before a retry, if the service states it, in ms. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.status = details.status ?? 0
    this.code = details.code
    this.problems = details.problems ?? []
    this.requestId = details.requestId
    this.retryAfterMs = details.retryAfterMs
  }
}

/** 400, 413, 415 and 422: the request must be changed. */
export class InvalidRequestError extends PlatenError {
  override readonly name = 'InvalidRequestError'
}

/** 401 and 403: the token is missing, invalid, expired, or has insufficient permissions. */
export class AuthenticationError extends PlatenError {
  override readonly name = 'AuthenticationError'
}

/** 402: the account has no credits left. */
export class CreditsError extends PlatenError {
  override readonly name = 'CreditsError'
}

/** 404: the template, render or job is unknown, expired or has been downloaded. */
export class NotFoundError extends PlatenError {
  override readonly name = 'NotFoundError'
}

/** 409: the request conflicts with the current state, such as a job that has already ended. */
export class ConflictError extends PlatenError {
  override readonly name = 'ConflictError'
}

/**
 * The document could not be made, because of the template, its data or the document; `problems` lists their places.
 */
export class RenderError extends PlatenError {
  override readonly name = 'RenderError'
}

/** 429, 502, 503 and 504, after the last retry: the same call may succeed later. */
export class UnavailableError extends PlatenError {
  override readonly name = 'UnavailableError'
}

/** 500 and all others: the service failed. */
export class ServerError extends PlatenError {
  override readonly name = 'ServerError'
}

/** There was no complete response: the address is wrong, the network failed, or the response broke off. */
export class ConnectionError extends PlatenError {
  override readonly name = 'ConnectionError'
}

/** A webhook call that was not signed with the secret, or that is too old. */
export class WebhookError extends PlatenError {
  override readonly name = 'WebhookError'
}

/** The code of all failures of a render that its template, data or document caused. */
const renderFailed = 'w101'

/** The error class for a status and a code of the API. */
export function errorOf(message: string, details: ErrorDetails & { readonly status: number }): PlatenError {
  const { status, code, problems = [] } = details
  if (status >= 500 && (code === renderFailed || problems.length > 0))
    return new RenderError(message, details)
  const Named = byStatus.get(status) ?? (status >= 500 ? ServerError : InvalidRequestError)
  return new Named(message, details)
}

const byStatus: ReadonlyMap<number, typeof PlatenError> = new Map<number, typeof PlatenError>([
  [401, AuthenticationError],
  [403, AuthenticationError],
  [402, CreditsError],
  [404, NotFoundError],
  [409, ConflictError],
  [429, UnavailableError],
  [502, UnavailableError],
  [503, UnavailableError],
  [504, UnavailableError],
])

/** The error that a response with a status from 400 describes. Reads its body. */
export async function errorOfAnswer(response: Response): Promise<PlatenError> {
  const text = await response.text().catch(() => '')
  const body = read(text)
  const problems = Array.isArray(body['problems']) ? (body['problems'] as readonly Problem[]) : []
  const message = body['error']
  const code = body['code']
  const requestId = response.headers.get('x-request-id')
  const retryAfterMs = retryAfterOf(response)
  // A proxy between client and service responds in its own format.
  return errorOf(
    typeof message === 'string' ? message : `The service answered with status ${response.status}.`,
    {
      status: response.status,
      problems,
      ...(typeof code === 'string' ? { code } : {}),
      ...(requestId === null ? {} : { requestId }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    },
  )
}

/** The delay of the header `retry-after` in milliseconds: seconds, or a date (RFC 9110 10.2.3). */
export function retryAfterOf({ headers }: Response, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function read(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
