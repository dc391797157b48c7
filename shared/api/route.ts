import type { TSchema } from 'typebox'
import type { Caller } from '../auth/authenticate.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import type { Services } from '../services/services.ts'
import type { Call, Reply } from './call.ts'

/** An endpoint as data. `mount.ts` of each side makes a handler of it; `openapi.ts` describes it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string // '/template/:id'
  readonly operation: string // unique name, for the OpenAPI document
  readonly summary: string
  /**
   * Who is answered while authentication is on. 'open': everyone. 'known': everyone, and who has a token is told more.
   * 'account': who has a token, for its account. 'studio': everyone where the studio is on, which asks for its own
   * password; else as 'account'.
   */
  readonly scope: 'open' | 'known' | 'account' | 'studio'
  /** false: not part of the interface that OpenAPI describes. */
  readonly described?: false
  /** Answers 501 in stateless mode. */
  readonly needsDatabase?: boolean
  /** A client may have only so many of these calls open at once. */
  readonly limited?: boolean
  /** What a failing database or file store is answered with here; absent: `Server Error.` */
  readonly storageError?: StorageError
  /** Where a failing database is called otherwise than a failing file store. */
  readonly recordsError?: StorageError
  /** What a failure that nobody foresaw is answered with here; absent: `Server Error.` */
  readonly internalError?: 'api.render.error'
  readonly params?: Readonly<Record<string, string>> // what each parameter of the path is
  readonly query?: Readonly<Record<string, TSchema>>
  /** Request headers that are read here, and what each does; `service-version` is read everywhere. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly types: readonly string[]; readonly schema: TSchema }
  readonly answers: readonly Answer[]
  /** Beside those that follow from the rest of the route; see `openapi.ts`. */
  readonly errors?: readonly ErrorCode[]
  run(services: Services, input: Input, call: Call): Promise<Reply>
}

export type StorageError = Extract<
  ErrorCode,
  | 'api.metadata.database'
  | 'api.filters.database'
  | 'api.upload.failed'
  | 'api.template.unreadable'
  | 'api.template.undeletable'
>

/** A success. Its body is JSON of `schema`, bytes of `types`, either of the two, or nothing. */
export interface Answer {
  readonly status: number
  readonly description: string
  readonly schema?: TSchema
  readonly types?: readonly string[] // media types, '*/*' for whatever the file is
  /** Headers beside `service-warning`, which every success may have, and what each says. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Input {
  readonly params: Readonly<Record<string, string>> // percent-decoded
  readonly account: string
  /** Whom a token proved. Absent for strangers, and while authentication is off. */
  readonly caller?: Caller
  readonly major: 3 | 4 | 5
}
