/** Writes signatures as PAdES defines them: CMS (RFC 5652) with the attributes of ETSI EN 319 122-1 and 319 142-1. */

import { fromBER, Integer, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  GeneralName,
  IssuerAndSerialNumber,
  MessageImprint,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'
import { AppError } from '../errors/app-error.ts'
import type { Outbound } from '../ports/index.ts'
import type { Signer } from './signer.ts'

const oid = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timeStampToken: '1.2.840.113549.1.9.16.2.14',
} as const

const hashOids: Readonly<Record<string, string>> = {
  'SHA-256': '2.16.840.1.101.3.4.2.1',
  'SHA-384': '2.16.840.1.101.3.4.2.2',
  'SHA-512': '2.16.840.1.101.3.4.2.3',
}

/** Gets a time stamp (RFC 3161) for the value of a signature. Returns the DER of the token. */
export type TimeStamp = (signature: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>

/** The maximum number of bytes of a signature by this signer, whatever its key, its attributes and its time stamp. */
export function signatureBytes({ chain }: Signer, isTimeStamped: boolean): number {
  const certificates = chain.reduce((sum, certificate) => sum + certificate.toSchema().toBER().byteLength, 0)
  return certificates + 4_096 + (isTimeStamped ? maxTokenBytes : 0)
}

/** Signs `content`, which the signature does not contain. Returns the DER of its ContentInfo. Throws as `timeStamp` does. */
export async function signContent(
  { key, hash, certificate, chain }: Signer,
  content: Uint8Array<ArrayBuffer>,
  timeStamp?: TimeStamp,
): Promise<Uint8Array> {
  const digest = await crypto.subtle.digest(hash, content)
  const attributes = [
    new Attribute({ type: oid.contentType, values: [new ObjectIdentifier({ value: oid.data })] }),
    new Attribute({ type: oid.messageDigest, values: [new OctetString({ valueHex: digest })] }),
    new Attribute({ type: oid.signingCertificateV2, values: [await signingCertificate(certificate)] }),
  ]
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
    signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes: inDerOrder(attributes) }),
  })
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: oid.data }),
    certificates: [...chain],
    signerInfos: [signer],
  })
  await signed.sign(key, 0, hash)
  if (timeStamp !== undefined) {
    const token = await timeStamp(new Uint8Array(signer.signature.getValue()))
    const attribute = new Attribute({ type: oid.timeStampToken, values: [fromBER(token).result] })
    signer.unsignedAttrs = new SignedAndUnsignedAttributes({ type: 1, attributes: [attribute] })
  }
  const info = new ContentInfo({ contentType: oid.signedData, content: signed.toSchema(true) })
  return new Uint8Array(info.toSchema().toBER())
}

/** A set is sorted by its encoding in DER (X.690, 11.6); verifiers compute its hash in that order. */
function inDerOrder(attributes: readonly Attribute[]): Attribute[] {
  const encoded = attributes.map((attribute) => ({
    attribute,
    text: Array.from(new Uint8Array(attribute.toSchema().toBER()), (byte) => String.fromCharCode(byte)).join(
      '',
    ),
  }))
  return encoded.toSorted((a, b) => (a.text < b.text ? -1 : 1)).map(({ attribute }) => attribute)
}

/** SigningCertificateV2 (RFC 5035, section 3) with SHA-256, the default, so that no algorithm is named. */
async function signingCertificate(certificate: Signer['certificate']): Promise<Sequence> {
  const hash = await crypto.subtle.digest('SHA-256', certificate.toSchema().toBER())
  const issuer = new GeneralName({ type: 4, value: certificate.issuer })
  const serial = new Sequence({
    value: [new Sequence({ value: [issuer.toSchema()] }), certificate.serialNumber],
  })
  const id = new Sequence({ value: [new OctetString({ valueHex: hash }), serial] })
  return new Sequence({ value: [new Sequence({ value: [id] })] })
}

const maxTokenBytes = 20_000
const maxAnswerBytes = 64_000
const timeoutMs = 15_000

/** Time stamps of a server under the egress policy. Throws 'sign.timestamp', 'net.*'. */
export function timeStampsOf(outbound: Outbound, url: string, signal: AbortSignal): TimeStamp {
  return async (signature) => {
    const imprint = await crypto.subtle.digest('SHA-256', signature)
    const nonce = crypto.getRandomValues(new Uint8Array(8))
    nonce[0] = (nonce[0] ?? 0) & 0x7f || 1 // a positive number without a leading zero
    const request = new TimeStampReq({
      version: 1,
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({ algorithmId: hashOids['SHA-256'] ?? '' }),
        hashedMessage: new OctetString({ valueHex: imprint }),
      }),
      nonce: new Integer({ valueHex: nonce.buffer }),
      certReq: true,
    })
    const answer = await outbound.fetch({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query' },
      body: new Uint8Array(request.toSchema().toBER()),
      timeoutMs,
      maxBytes: maxAnswerBytes,
      signal,
    })
    if (answer.status !== 200) throw refuse(`it answered with status ${answer.status}`)
    const token = readToken(answer.body)
    const info = token.content
    if (!sameBytes(info.messageImprint.hashedMessage.getValue(), imprint))
      throw refuse('its answer is about something else')
    // An answer must have the nonce of its request (RFC 3161, 2.4.2). Without one it may be an older answer.
    if (info.nonce === undefined || !sameBytes(info.nonce.valueBlock.valueHexView, nonce))
      throw refuse('its answer belongs to another request')
    if (token.der.byteLength > maxTokenBytes) throw refuse(`its answer has more than ${maxTokenBytes} bytes`)
    return token.der
  }
}

const refuse = (because: string, cause?: unknown): AppError =>
  new AppError('sign.timestamp', { because }, cause === undefined ? {} : { cause })

function readToken(body: Uint8Array): { readonly der: ArrayBuffer; readonly content: TSTInfo } {
  try {
    const response = TimeStampResp.fromBER(new Uint8Array(body))
    const { status } = response.status
    if (status > 1 || response.timeStampToken === undefined) throw refuse('it refused the request')
    const signed = new SignedData({ schema: response.timeStampToken.content })
    const content = signed.encapContentInfo.eContent?.getValue()
    if (content === undefined) throw refuse('its answer has no content')
    return { der: response.timeStampToken.toSchema().toBER(), content: TSTInfo.fromBER(content) }
  } catch (cause) {
    throw cause instanceof AppError ? cause : refuse('its answer cannot be read', cause)
  }
}

function sameBytes(left: ArrayBuffer | Uint8Array, other: ArrayBuffer | Uint8Array): boolean {
  const [a, b] = [new Uint8Array(left), new Uint8Array(other)]
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
