/**
 * The package export `platen/client`: a client of the service for Node, browsers, Workers, Deno and Bun.
 *
 *   import { Platen } from 'platen/client'
 */
export type * from './api.ts'
export type { BatchResult } from './batch.ts'
export { PlatenDocument } from './document.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CreditsError,
  InvalidRequestError,
  NotFoundError,
  PlatenError,
  type Problem,
  RenderError,
  ServerError,
  UnavailableError,
  WebhookError,
} from './errors.ts'
export { type JobReport, RenderJob } from './job.ts'
export {
  type AsyncOptions,
  type BatchOptions,
  type BatchRequest,
  Platen,
  type RenderRequest,
} from './platen.ts'
export type { FileSource } from './source.ts'
export type {
  CheckCase,
  CheckOptions,
  CheckReport,
  Template,
  Templates,
  UploadedTemplate,
  UploadedVersion,
  UploadFields,
} from './templates.ts'
export type { CallOptions, MakingOptions, PlatenOptions } from './transport.ts'
export { type ReceivedWebhook, type VerifyOptions, verifyWebhook, type WebhookNotice } from './webhook.ts'
