import type { TSchema } from 'typebox'
import type { Caller } from '../auth/authenticate.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import type { Services } from '../services/services.ts'
import { type Call, isLineType, type Reply } from './call.ts'

/** An endpoint as data. `mount.ts` of each host registers a handler for it, and `openapi.ts` describes it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string // '/template/:id'
  readonly operation: string // unique name, for the OpenAPI document
  readonly summary: string
  /**
   * Which requests are accepted while authentication is on:
   * 'open': all of them;
   * 'known': all of them, with more details in the response to a request with a token;
   * 'account': only those with a token, for the account of the token;
   * 'studio': all of them while the studio is on, since it has its own password, else as 'account'.
   */
  readonly scope: 'open' | 'known' | 'account' | 'studio'
  /** `false` keeps the endpoint out of the OpenAPI document. */
  readonly described?: false
  /** The endpoint responds with 501 in stateless mode. */
  readonly needsDatabase?: boolean
  /** The endpoint makes something, so a call with an `Idempotency-Key` takes effect once (`idempotency.ts`). */
  readonly makes?: true
  /** The endpoint counts towards the concurrency limit of a client. */
  readonly limited?: boolean
  /** The error for an unexpected failure. Absent: `Server Error.` */
  readonly internalError?: 'api.render.error'
  readonly params?: Readonly<Record<string, string>> // descriptions of the path parameters, by name
  readonly query?: Readonly<Record<string, TSchema>>
  /** Descriptions of the request headers that this endpoint reads. All of them read `service-version`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly types: readonly string[]; readonly schema: TSchema }
  readonly answers: readonly DocumentedResponse[]
  /**
   * Possible errors, in addition to those that follow from the other properties; see `errorsOf` in
   * `openapi.ts`.
   */
  readonly errors?: readonly ErrorCode[]
  run(services: Services, input: Input, call: Call): Promise<Reply>
}

/**
 * A successful response. Its body is JSON of `schema`, bytes of one of `types`, either of these when both are
 * set, or empty.
 */
export interface DocumentedResponse {
  readonly status: number
  readonly description: string
  readonly schema?: TSchema
  readonly types?: readonly string[] // media types; '*/*' when it depends on the file
  /** Descriptions of the response headers. Every response can also have `service-warning`. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * How the time for a request body is counted. One of lines (`isLineType`) may arrive for hours where the route reads lines, whose
 * number has no limit; then each wait for more is bounded, and the route bounds the time for each line (`stream-reply.ts`).
 */
export function bodyTiming(
  route: Route | undefined,
  contentType: string | null | undefined,
): 'whole' | 'chunk' {
  return isLineType(contentType) && route?.body?.types.some(isLineType) ? 'chunk' : 'whole'
}

export interface Input {
  readonly params: Readonly<Record<string, string>> // percent-decoded
  readonly account: string
  /** Who sent the request, according to its token. Absent without a token and while authentication is off. */
  readonly caller?: Caller
  readonly major: 3 | 4 | 5
}
