/** Reads the key and the certificates of a signature: PKCS#12 (RFC 7292) or PEM (RFC 7468). */

import { fromBER, OctetString } from 'asn1js'
import {
  AlgorithmIdentifier,
  type AuthenticatedSafe,
  Certificate,
  type ContentInfo,
  EncryptedData,
  PBES2Params,
  PBKDF2Params,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  type SafeBag,
  type SafeContents,
} from 'pkijs'
import { decodeBase64 } from '../base64.ts'
import { AppError } from '../errors/app-error.ts'

/** A private key of WebCrypto. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The credentials of a signer: a private key and the certificate of its public half. */
export interface Signer {
  readonly key: SigningKey
  /** The hash function that goes with the key: WebCrypto's name, such as 'SHA-256'. */
  readonly hash: string
  readonly certificate: Certificate
  /** All certificates that came with the key, that of the key first. */
  readonly chain: readonly Certificate[]
  /** The common name of the certificate, else its first other name. */
  readonly name: string
}

/** PKCS#12 derives the key of its checksum here, in a loop on this thread. OpenSSL writes 2,048, Java 10,000. */
const maxChecksumIterations = 20_000
/** PBKDF2 runs outside of this thread. */
const maxKeyIterations = 1_000_000
const maxBags = 20
const maxModulusBits = 8_192

/**
 * Reads a key with its certificates: PEM with a private key and certificates, or PKCS#12 as base64. Throws 'sign.key' for
 * one that cannot be read, and 'sign.certificate' where no certificate fits the key or the one that fits does not hold at
 * `now` (ms since the epoch).
 */
export async function readSigner(text: string, password: string | undefined, now: number): Promise<Signer> {
  const { key: info, certificates } = text.includes('-----BEGIN ')
    ? readPem(text)
    : await readPkcs12(text, password)
  const { key, algorithm, hash } = await importKey(info)
  const certificate = await certificateOf(key, algorithm, certificates)
  if (now > certificate.notAfter.value.getTime() || now < certificate.notBefore.value.getTime()) {
    const [from, to] = [certificate.notBefore, certificate.notAfter].map(({ value }) =>
      value.toISOString().slice(0, 10),
    )
    throw new AppError('sign.certificate', { because: `it is valid from ${from} to ${to}` })
  }
  const chain = [certificate, ...certificates.filter((other) => other !== certificate)]
  return { key, hash, certificate, chain, name: nameOf(certificate) }
}

interface KeyFile {
  readonly key: PrivateKeyInfo
  readonly certificates: readonly Certificate[]
}

const refuse = (because: string, cause?: unknown): AppError =>
  new AppError('sign.key', { because }, cause === undefined ? {} : { cause })

/** Runs code of the ASN.1 library, which throws errors of any kind for input that is not what it should be. */
async function orRefused<T>(because: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw cause instanceof AppError ? cause : refuse(because, cause)
  }
}

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64(new TextEncoder().encode(base64.replace(/\s+/g, '')))
  if (bytes === undefined || bytes.length === 0) throw refuse('it is neither PEM nor base64')
  return new Uint8Array(bytes)
}

const rsaEncryption = '1.2.840.113549.1.1.1'
const ecPublicKey = '1.2.840.10045.2.1'

function readPem(text: string): KeyFile {
  const certificates: Certificate[] = []
  let key: PrivateKeyInfo | undefined
  for (const [, label = '', body = ''] of text.matchAll(
    /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/g,
  )) {
    if (label === 'CERTIFICATE' && certificates.length < maxBags)
      certificates.push(parsed(`a block ${label} cannot be read`, () => Certificate.fromBER(decoded(body))))
    else if (label.endsWith('PRIVATE KEY')) {
      if (body.includes('Proc-Type') || label.startsWith('ENCRYPTED'))
        throw refuse('its private key is encrypted; PKCS#12 is the form for keys with a password')
      key ??= parsed(`a block ${label} cannot be read`, () => privateKey(label, decoded(body)))
    }
  }
  if (key === undefined) throw refuse('it has no private key')
  return { key, certificates }
}

function parsed<T>(because: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof AppError ? cause : refuse(because, cause)
  }
}

/** PKCS#8, or the older forms of RSA (RFC 8017, A.1.2) and of elliptic curves (RFC 5915), which it wraps. */
function privateKey(label: string, der: Uint8Array<ArrayBuffer>): PrivateKeyInfo {
  if (label === 'PRIVATE KEY') return PrivateKeyInfo.fromBER(der)
  const { result } = fromBER(der)
  if (label === 'RSA PRIVATE KEY')
    return new PrivateKeyInfo({
      privateKeyAlgorithm: new AlgorithmIdentifier({ algorithmId: rsaEncryption }),
      privateKey: new OctetString({ valueHex: der.buffer }),
    })
  const parts: readonly {
    readonly idBlock: { readonly tagNumber: number; readonly tagClass: number }
    readonly valueBlock: { readonly value?: readonly unknown[] }
  }[] = (result.valueBlock as { value?: [] }).value ?? []
  const curve = parts.find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === 0)?.valueBlock
    .value?.[0]
  if (label !== 'EC PRIVATE KEY' || curve === undefined) throw refuse('its private key is of an unknown kind')
  return new PrivateKeyInfo({
    privateKeyAlgorithm: new AlgorithmIdentifier({ algorithmId: ecPublicKey, algorithmParams: curve }),
    privateKey: new OctetString({ valueHex: der.buffer }),
  })
}

const encryptedDataType = '1.2.840.113549.1.7.6'
const pbes2 = '1.2.840.113549.1.5.13'

async function readPkcs12(text: string, secret: string | undefined): Promise<KeyFile> {
  const password = new Uint8Array(new TextEncoder().encode(secret ?? '')).buffer
  const file = await orRefused('it is neither PEM nor PKCS#12', () => PFX.fromBER(decoded(text)))
  if ((file.macData?.iterations ?? 0) > maxChecksumIterations)
    throw refuse(`its checksum asks for more than ${maxChecksumIterations} iterations`)
  await orRefused('its password is wrong', () =>
    file.parseInternalValues({ password, checkIntegrity: file.macData !== undefined }),
  )
  const safe = file.parsedValue?.authenticatedSafe
  if (safe === undefined || safe.safeContents.length > maxBags) throw refuse('it has too many parts')
  for (const content of safe.safeContents) checkContent(content)
  const certificates: Certificate[] = []
  let key: PrivateKeyInfo | undefined
  for (const bag of await bagsOf(safe, password)) {
    const { bagValue } = bag
    if (bagValue instanceof PrivateKeyInfo) key ??= bagValue
    else if (bagValue instanceof PKCS8ShroudedKeyBag) {
      checkIterations(bagValue.encryptionAlgorithm)
      const open = bagValue as unknown as {
        parseInternalValues(options: { password: ArrayBuffer }): Promise<void>
      }
      await orRefused('its key cannot be decrypted', () => open.parseInternalValues({ password }))
      key ??= bagValue.parsedValue
    } else if ('parsedValue' in bagValue && bagValue.parsedValue instanceof Certificate)
      certificates.push(bagValue.parsedValue)
  }
  if (key === undefined) throw refuse('it has no private key')
  return { key, certificates }
}

/** The bags of all parts, which are decrypted. */
async function bagsOf(safe: AuthenticatedSafe, password: ArrayBuffer): Promise<readonly SafeBag[]> {
  await orRefused('its certificates cannot be decrypted', () =>
    safe.parseInternalValues({
      safeContents: safe.safeContents.map(({ contentType }) =>
        contentType === encryptedDataType ? { password } : {},
      ) as never,
    }),
  )
  const { safeContents }: { safeContents: readonly { readonly value: SafeContents }[] } = safe.parsedValue
  const bags = safeContents.flatMap(({ value }) => value.safeBags)
  if (bags.length > maxBags) throw refuse('it has too many parts')
  return bags
}

/** Parts are read from copies of their bytes, since the library empties the values that it reads from. */
interface Encodable {
  toBER(): ArrayBuffer
}

function checkContent({ contentType, content }: ContentInfo): void {
  if (contentType !== encryptedDataType) return
  const { encryptedContentInfo } = parsed('one of its parts cannot be read', () =>
    EncryptedData.fromBER((content as Encodable).toBER()),
  )
  checkIterations(encryptedContentInfo.contentEncryptionAlgorithm)
}

/** PKCS#12 of Windows and of OpenSSL before 3 is encrypted with RC2 or Triple DES, which WebCrypto does not have. */
function checkIterations({ algorithmId, algorithmParams }: AlgorithmIdentifier): void {
  if (algorithmId !== pbes2)
    throw refuse('it is encrypted with RC2 or Triple DES; convert it to AES, for example with OpenSSL 3')
  const iterations = parsed('its encryption is unknown', () => {
    const { keyDerivationFunc } = PBES2Params.fromBER((algorithmParams as Encodable).toBER())
    return PBKDF2Params.fromBER((keyDerivationFunc.algorithmParams as Encodable).toBER()).iterationCount
  })
  if (!(iterations <= maxKeyIterations))
    throw refuse(`its encryption asks for more than ${maxKeyIterations} iterations`)
}

/** The names that WebCrypto has for the curves of RFC 5480, with a hash function of the same strength. */
const curves = new Map([
  ['1.2.840.10045.3.1.7', { namedCurve: 'P-256', hash: 'SHA-256' }],
  ['1.3.132.0.34', { namedCurve: 'P-384', hash: 'SHA-384' }],
  ['1.3.132.0.35', { namedCurve: 'P-521', hash: 'SHA-512' }],
])

type KeyAlgorithm =
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: string }
  | { readonly name: 'ECDSA'; readonly hash: string; readonly namedCurve: string }

function algorithmOf({ privateKeyAlgorithm }: PrivateKeyInfo): KeyAlgorithm {
  const { algorithmId, algorithmParams } = privateKeyAlgorithm
  if (algorithmId === rsaEncryption) return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const curve = algorithmId === ecPublicKey ? curves.get(String(algorithmParams?.valueBlock)) : undefined
  if (curve === undefined) throw refuse('its key is neither RSA nor one of the curves P-256, P-384 and P-521')
  return { name: 'ECDSA', ...curve }
}

async function importKey(info: PrivateKeyInfo) {
  const algorithm = algorithmOf(info)
  const der = info.toSchema().toBER()
  const key = await orRefused('its private key cannot be read', () =>
    crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']),
  )
  const { modulusLength = 0 } = key.algorithm as { modulusLength?: number }
  if (modulusLength > maxModulusBits) throw refuse(`its key has more than ${maxModulusBits} bits`)
  return { key, algorithm, hash: algorithm.hash }
}

/** The certificate whose public key belongs to the private one, which a trial shows. */
async function certificateOf(
  key: SigningKey,
  algorithm: KeyAlgorithm,
  certificates: readonly Certificate[],
): Promise<Certificate> {
  const text = new TextEncoder().encode('platen')
  const signature = await orRefused('its private key cannot sign', () =>
    crypto.subtle.sign(algorithm, key, text),
  )
  for (const certificate of certificates) {
    const publicKey = certificate.subjectPublicKeyInfo.toSchema().toBER()
    try {
      const verifying = await crypto.subtle.importKey('spki', publicKey, algorithm, false, ['verify'])
      if (await crypto.subtle.verify(algorithm, verifying, signature, text)) return certificate
    } catch {
      // a certificate of another kind of key
    }
  }
  throw new AppError('sign.certificate', { because: 'none that was sent belongs to the private key' })
}

const commonName = '2.5.4.3'

function nameOf({ subject }: Certificate): string {
  const names = subject.typesAndValues
  const { value } = names.find(({ type }) => type === commonName) ?? names[0] ?? {}
  return value === undefined ? '' : String(value.valueBlock.value)
}
