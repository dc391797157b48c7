/** The signatures of a request, and the keys that make them. */
import { AppError } from '../errors/app-error.ts'
import { readSigner, type Signer } from './signer.ts'

/** One element of the field `sign` of a render. */
export interface SignatureRequest {
  /** PEM, or PKCS#12 as base64. Absent: the key of the operator. */
  readonly key?: string
  readonly password?: string
  readonly reason?: string
  readonly location?: string
  readonly contact?: string
  /** The text of a visible signature. Absent: name, time, reason and location. */
  readonly text?: string
  /** Absent: visible where the request or a tag names a place. */
  readonly visible?: boolean
  readonly page?: number // from 1
  /** The upper left corner of a visible signature: pt from the left and the upper edge of the page. */
  readonly x?: number
  readonly y?: number
  readonly width?: number // pt
  readonly height?: number
  /** `true`: by the server of the operator. */
  readonly timestamp?: boolean | string
}

/** The operator's settings for signatures. */
export interface SigningSettings {
  /** PEM, or PKCS#12 as base64. Absent: callers send their keys. */
  readonly key?: string | undefined
  readonly password?: string | undefined
  readonly timestampUrl?: string | undefined
}

/** A signature whose key has been read. */
export interface PreparedSignature {
  readonly request: SignatureRequest
  readonly signer: Signer
  readonly timestampUrl: string | undefined
}

/**
 * Reads the keys of all signatures, so that a mistake shows before the document is made. Throws 'sign.key',
 * 'sign.certificate', 'sign.no-key', 'sign.no-timestamps'.
 */
export async function prepareSignatures(
  requests: readonly SignatureRequest[],
  settings: SigningSettings,
  now: number,
): Promise<readonly PreparedSignature[]> {
  const prepared: PreparedSignature[] = []
  for (const request of requests) {
    const { key = settings.key, password } = request
    if (key === undefined) throw new AppError('sign.no-key')
    const secret = request.key === undefined ? settings.password : password
    prepared.push({
      request,
      signer: await readSigner(key, secret, now),
      timestampUrl: timestampUrl(request, settings),
    })
  }
  return prepared
}

function timestampUrl({ timestamp }: SignatureRequest, settings: SigningSettings): string | undefined {
  if (timestamp === undefined || timestamp === false) return undefined
  const url = timestamp === true ? settings.timestampUrl : timestamp
  if (url === undefined) throw new AppError('sign.no-timestamps')
  return url
}
