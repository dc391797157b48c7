import { AppError, type Problem } from '../errors/app-error.ts'
import { catalogue, type ErrorCode } from '../errors/catalogue.ts'
import type { Conversion, FormatId, Warning } from '../plugin/contract.ts'
import type { RemoteRender } from './render-wire.ts'

/**
 * What the edge and its origins say to each other. POST `routes.convert`: the body is a job, framed, then the source;
 * the answer is the result, its warnings in a header. GET `routes.conversions`: the conversions an origin offers.
 * Errors of the work are JSON with `resultHeader` set to 'error'; an answer without that header is none of ours.
 */
export const routes = { convert: '/internal/convert', conversions: '/internal/conversions' } as const
export const resultHeader = 'service-result' // 'done' or 'error'
export const warningsHeader = 'service-result-warnings' // JSON, percent-encoded
/** Format id of what is sent, where it is not the one of the job: several files are a zip. */
export const formatHeader = 'service-result-format'
export const engineHeader = 'service-result-engines' // ids, for the log

export interface RemoteJob {
  readonly from: FormatId
  readonly to: FormatId
  readonly letter?: string
  readonly options: Readonly<Record<string, unknown>>
  readonly hardRefresh: boolean
  readonly egressAuthorization?: string | undefined
  readonly remainingMs: number // until the deadline: clocks differ
}

export interface RemoteError {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, string | number>>
  readonly problems: readonly Problem[]
}

/** Options hold texts of callers; no job needs more. */
export const longestJob = 1024 * 1024
/** Headers of all kinds share some 16 KB. */
const longestWarnings = 6000

/** Length of the job in four bytes, big-endian, then the job. */
export function frameJob(job: RemoteJob | RemoteRender): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(job))
  const framed = new Uint8Array(4 + text.byteLength)
  new DataView(framed.buffer).setUint32(0, text.byteLength)
  framed.set(text, 4)
  return framed
}

/** undefined for what is not a job. */
export function readJob(text: Uint8Array): RemoteJob | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(text))
  } catch {
    return undefined
  }
  if (!isRecord(value)) return undefined
  const { from, to, letter, options, hardRefresh, egressAuthorization, remainingMs } = value
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
    remainingMs,
  }
}

/** Warnings beyond the room of a header are left out, the first ones stay. */
export function writeWarnings(warnings: readonly Warning[]): string {
  for (let count = Math.min(warnings.length, 50); ; count--) {
    const text = encodeURIComponent(JSON.stringify(warnings.slice(0, count)))
    if (text.length <= longestWarnings || count === 0) return text
  }
}

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

/** The error as the origin threw it; undefined for what this edge does not know. */
export function readError(value: unknown): AppError | undefined {
  if (!isRecord(value)) return undefined
  const { code, details, problems } = value
  if (typeof code !== 'string' || !Object.hasOwn(catalogue, code) || !isRecord(details)) return undefined
  // Which details a code has is checked where the error is made.
  const extra = { problems: Array.isArray(problems) ? (problems as Problem[]) : [] }
  return new AppError(code as 'api.not-found', details as Record<string, never>, extra)
}

export function readConversions(value: unknown): readonly Conversion[] | undefined {
  if (!isRecord(value) || !Array.isArray(value['conversions'])) return undefined
  return value['conversions'].every(isConversion) ? value['conversions'] : undefined
}

function isConversion(value: unknown): value is Conversion {
  if (!isRecord(value)) return false
  const { from, to, fidelity, cost, letter } = value
  return (
    typeof from === 'string' &&
    typeof to === 'string' &&
    (fidelity === 'exact' || fidelity === 'high' || fidelity === 'basic') &&
    typeof cost === 'number' &&
    (letter === undefined || typeof letter === 'string')
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
