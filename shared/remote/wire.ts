import { AppError, type Problem } from '../errors/app-error.ts'
import { catalogue, type ErrorCode } from '../errors/catalogue.ts'
import type { Conversion } from '../plugin/contract.ts'
import type { Client, FormatId, Warning } from '../plugin/values.ts'
import type { RemoteRender } from './render-wire.ts'

/**
 * The protocol between the edge and its origins. For POST `routes.convert` the body is a framed job followed
 * by the source file, and the answer is the result with its warnings in a header. GET `routes.conversions`
 * returns the conversions that an origin offers. Errors of a conversion are JSON with `resultHeader` set to
 * 'error'. An answer without that header does not come from an origin but, for instance, from a proxy.
 */
export const routes = { convert: '/internal/convert', conversions: '/internal/conversions' } as const
export const resultHeader = 'service-result' // 'done' or 'error'
export const warningsHeader = 'service-result-warnings' // JSON, percent-encoded
/** The format id of the result where it differs from the requested one: several files are sent as a zip. */
export const formatHeader = 'service-result-format'
/** The letters of the engines that worked, separated by commas. */
export const lettersHeader = 'service-result-letters'
/** Number of pages of the document, where the engine reports it. */
export const pageCountHeader = 'service-result-pages'
export const engineHeader = 'service-result-engines' // ids of the engines, for the log

/** A conversion that the edge sends to an origin. */
export interface RemoteJob {
  readonly from: FormatId
  readonly to: FormatId
  readonly letter?: string
  readonly options: Readonly<Record<string, unknown>>
  readonly hardRefresh: boolean
  readonly egressAuthorization?: string | undefined
  readonly client?: Client | undefined // whose turn it is at the engines of the origin
  readonly remainingMs: number // until the deadline; a duration, because clocks differ
}

/** An error as it is sent, without stack and cause. */
export interface RemoteError {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, string | number>>
  readonly problems: readonly Problem[]
}

/**
 * The maximum size of a framed job in bytes. Options contain texts of callers, such as watermarks, but none
 * needs more.
 */
export const maxJobBytes = 1024 * 1024
/** Characters of the warnings header. All headers of an answer share some 16 KB. */
const maxWarningsLength = 6000

/** Returns the length of the job in four bytes, big-endian, followed by the job as JSON. */
export function frameJob(job: RemoteJob | RemoteRender): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(job))
  const framed = new Uint8Array(4 + text.byteLength)
  new DataView(framed.buffer).setUint32(0, text.byteLength)
  framed.set(text, 4)
  return framed
}

/** Parses and checks a job. Returns undefined for anything else. */
export function readJob(text: Uint8Array): RemoteJob | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(text))
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  const { from, to, letter, options, hardRefresh, egressAuthorization, client, remainingMs } = value
  if (typeof from !== 'string' || typeof to !== 'string' || !isRecord(options)) return undefined
  if (letter !== undefined && typeof letter !== 'string') return undefined
  if (typeof remainingMs !== 'number' || !Number.isFinite(remainingMs)) return undefined
  return {
    from,
    to,
    letter,
    options,
    hardRefresh: hardRefresh === true,
    ...(typeof egressAuthorization === 'string' && { egressAuthorization }),
    client: readClient(client),
    remainingMs,
  }
}

/** Parses for whom a job is. Undefined for anything else, since an older edge does not say it. */
function readClient(value: unknown): Client | undefined {
  if (!isRecord(value) || typeof value['account'] !== 'string') return undefined
  return { account: value['account'], background: value['background'] === true }
}

/** Encodes warnings for a header. If they do not fit, only the first ones are sent. */
export function writeWarnings(warnings: readonly Warning[]): string {
  for (let count = Math.min(warnings.length, 50); ; count--) {
    const text = encodeURIComponent(JSON.stringify(warnings.slice(0, count)))
    if (text.length <= maxWarningsLength || count === 0) return text
  }
}

/** Decodes the warnings of an answer. Malformed ones are ignored. */
export function readWarnings(text: string | null): readonly Warning[] {
  try {
    const value: unknown = JSON.parse(decodeURIComponent(text ?? '[]'))
    return Array.isArray(value) ? value.filter(isWarning) : []
  } catch {
    return []
  }
}

function isWarning(value: unknown): value is Warning {
  return isRecord(value) && typeof value['code'] === 'string' && typeof value['message'] === 'string'
}

export function writeError({ code, details, problems }: AppError): RemoteError {
  return { code, details, problems }
}

/** Restores the error that the origin threw. Returns undefined for a code that this edge does not have. */
export function readError(value: unknown): AppError | undefined {
  if (!isRecord(value)) return undefined
  const { code, details, problems } = value
  if (typeof code !== 'string' || !Object.hasOwn(catalogue, code) || !isRecord(details)) return undefined
  // The origin has checked the details against the code when it created the error.
  const extra = { problems: Array.isArray(problems) ? (problems as Problem[]) : [] }
  return new AppError(code as 'api.not-found', details as Record<string, never>, extra)
}

/** Checks the conversions that an origin offers. Returns undefined for anything else. */
export function readConversions(value: unknown): readonly Conversion[] | undefined {
  if (!isRecord(value) || !Array.isArray(value['conversions'])) return undefined
  return value['conversions'].every(isConversion) ? value['conversions'] : undefined
}

function isConversion(value: unknown): value is Conversion {
  if (!isRecord(value)) return false
  const { from, to, fidelity, cost, letter, options } = value
  return (
    typeof from === 'string' &&
    typeof to === 'string' &&
    (fidelity === 'exact' || fidelity === 'high' || fidelity === 'basic') &&
    typeof cost === 'number' &&
    (letter === undefined || typeof letter === 'string') &&
    (options === undefined || (Array.isArray(options) && options.every((name) => typeof name === 'string')))
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
