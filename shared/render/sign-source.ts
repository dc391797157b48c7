/** Signs the PDF of a render or of a batch. Source: language 22.12; API 4.14. */

import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import type { SignatureField, VisibleSignature } from '../pdf/sign/sign-pdf.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { ByteSource, Outcome, Warning } from '../plugin/values.ts'
import { pushAll } from '../push-all.ts'
import type { Services } from '../services/services.ts'
import type { PreparedSignature } from '../signing/request.ts'
import type { Signature } from './pdf-parts.ts'
import type { RenderRequest } from './request.ts'

const signing = () => import('../signing/work.ts')

/** Options that encrypt a PDF. It could not be signed after that. */
const encryptingOptions = ['EncryptFile', 'RestrictPermissions']

/** Reads the keys of the request, if it requests signatures. Throws 'sign.*'. */
export async function readSignatures(
  { settings, clock }: Pick<Services, 'settings' | 'clock'>,
  { sign: requests, convertTo }: Pick<RenderRequest, 'sign' | 'convertTo'>,
): Promise<readonly PreparedSignature[] | undefined> {
  if (requests === undefined) return undefined
  if (encryptingOptions.some((option) => entryOf(convertTo?.options ?? {}, option) === true))
    throw new AppError('sign.encrypted')
  const { prepareSignatures } = await signing()
  // A signature with the operator's key is made in the name of the operator, so accounts of a hosted service must provide
  // their own key.
  const { signing: operator = {}, hosted } = settings
  const { timestampUrl } = operator
  return prepareSignatures(requests, hosted === true ? { timestampUrl } : operator, clock.now())
}

/** The default size of a visible signature, in pt. */
const defaultSize = { width: 180, height: 48 } as const

/**
 * Adds the signatures one after the other; each covers those before it. The n-th signature is shown at the n-th of
 * `positions`, unless its request specifies another position. Throws 'sign.*', 'pdf.*', 'net.*'.
 */
export async function signSource(
  { converter, outbound, clock }: Pick<Services, 'converter' | 'outbound' | 'clock'>,
  source: ByteSource,
  {
    signatures,
    positions,
    signal,
  }: {
    readonly signatures: readonly PreparedSignature[]
    readonly positions: readonly Signature[]
    readonly signal: AbortSignal
  },
): Promise<Outcome<ByteSource>> {
  const { sign } = converter
  if (sign === undefined) throw new Error('No converter of this host signs PDFs.')
  const { signatureBytes, signContent, timeStampsOf } = await signing()
  const warnings: Warning[] = []
  let bytes = await bytesOf(source)
  for (const [index, signature] of signatures.entries()) {
    signal.throwIfAborted()
    const { signer, timestampUrl } = signature
    const timeStamp = timestampUrl === undefined ? undefined : timeStampsOf(outbound, timestampUrl, signal)
    const signed = await sign(bytes, fieldOf(signature, positions[index], clock.now()), {
      signal,
      reservedBytes: signatureBytes(signer, timeStamp !== undefined),
      sign: (content) => signContent(signer, content, timeStamp),
    })
    bytes = signed.value
    pushAll(warnings, signed.warnings)
  }
  return { value: fromBytes(bytes), warnings }
}

function fieldOf(signature: PreparedSignature, position: Signature | undefined, now: number): SignatureField {
  const { request, signer } = signature
  const { reason, location, contact } = request
  return {
    signedAt: now,
    name: signer.name,
    reason,
    location,
    contact,
    visible: visibleOf(signature, position, now),
  }
}

function visibleOf(
  { request, signer }: PreparedSignature,
  position: Signature | undefined,
  now: number,
): VisibleSignature | undefined {
  const { visible, page, x, y, text, reason, location } = request
  if (visible === false) return undefined
  const isPlaced = page !== undefined || x !== undefined || y !== undefined
  if (!isPlaced && position === undefined && visible !== true) return undefined
  const at =
    isPlaced || position === undefined
      ? { page: page ?? 1, x: x ?? 0, y: y ?? 0 }
      : { page: position.page, x: position.x, y: position.y }
  const { width = defaultSize.width, height = defaultSize.height } = request
  const time = `${new Date(now).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const lines = text?.split(/\r\n?|\n/) ?? [signer.name, time, reason ?? '', location ?? '']
  return { ...at, width, height, lines: lines.filter((line) => line.trim() !== '') }
}
