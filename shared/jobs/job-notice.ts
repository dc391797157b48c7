import type { AppError, Problem } from '../errors/app-error.ts'
import { errorBody } from '../errors/problem.ts'
import type { Rendered } from '../render/request.ts'

/** The body of a webhook call. `renderId` is empty after a failure. */
export interface JobNotice {
  readonly success: boolean
  readonly data: { readonly renderId: string; readonly provenance?: string } & Pick<Rendered, 'signatures'>
  readonly error?: string
  readonly code?: string
  readonly problems?: readonly Problem[]
}

export function failureNotice(error: AppError): JobNotice {
  return { data: { renderId: '' }, ...errorBody(error) }
}

export function readNotice(text: string): JobNotice {
  return JSON.parse(text) as JobNotice
}
