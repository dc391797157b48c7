/**
 * The package export `platen/client`: a client of the service for Node, browsers, Workers, Deno and Bun.
 *
 *   import { Platen } from 'platen/client'
 */
export type * from './api.js';
export type { BatchResult } from './batch.js';
export { PlatenDocument } from './document.js';
export { AuthenticationError, ConflictError, ConnectionError, CreditsError, InvalidRequestError, NotFoundError, PlatenError, type Problem, RenderError, ServerError, UnavailableError, WebhookError, } from './errors.js';
export { type JobReport, RenderJob } from './job.js';
export { type AsyncOptions, type BatchOptions, type BatchRequest, Platen, type RenderRequest, } from './platen.js';
export type { FileSource } from './source.js';
export type { CheckCase, CheckOptions, CheckReport, Template, Templates, UploadedTemplate, UploadedVersion, UploadFields, } from './templates.js';
export type { CallOptions, MakingOptions, PlatenOptions } from './transport.js';
export { type ReceivedWebhook, type VerifyOptions, verifyWebhook, type WebhookNotice } from './webhook.js';
