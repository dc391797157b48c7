import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf, runProgram } from './run-program.ts'

export const signingFolder = new URL('../fixtures/signing/', import.meta.url)

/** A key of `test/fixtures/signing` as a request has it: PEM, or PKCS#12 as base64. */
export function signingFixture(name: string): string {
  return readFileSync(new URL(name, signingFolder), name.endsWith('.p12') ? 'base64' : 'utf8')
}

/** What Poppler says of the signatures of a PDF, in their order. `place`: a folder for files of this call. */
export function signaturesOf(place: string, bytes: Uint8Array): readonly ReadonlyMap<string, string>[] {
  mkdirSync(place, { recursive: true })
  const path = join(place, 'signed.pdf')
  writeFileSync(path, bytes)
  const { status, stdout: printed } = outputOf('pdfsig', ['-nocert', path])
  const stdout = printed.toString()
  if (status !== 0 && !stdout.includes('does not contain any signatures')) throw new Error(stdout)
  return stdout
    .split(/^Signature #\d+:$/m)
    .slice(1)
    .map((part) => {
      const lines = [...part.matchAll(/^ {2}- ([^:\n]+?)(?:: (.*))?$/gm)]
      return new Map(lines.map(([, name = '', value = '']) => [name, value]))
    })
}

/** The signature itself: the DER of its CMS, and the bytes that it covers. */
export function signatureParts(bytes: Uint8Array): {
  readonly der: Uint8Array
  readonly content: Uint8Array
} {
  const text = Buffer.from(bytes).toString('latin1')
  const found = [...text.matchAll(/\/ByteRange \[(\d+) +(\d+) +(\d+) +(\d+) *\]/g)].at(-1)
  const [first = 0, firstLength = 0, second = 0, secondLength = 0] = (found ?? []).slice(1).map(Number)
  const digits = text.slice(first + firstLength + 1, second - 1)
  const padded = Buffer.from(digits, 'hex')
  const content = Buffer.concat([
    bytes.subarray(first, first + firstLength),
    bytes.subarray(second, second + secondLength),
  ])
  const length = padded[1] === 0x82 ? 4 + padded.readUInt16BE(2) : 2 + (padded[1] ?? 0)
  return { der: padded.subarray(0, length), content }
}

/** Verifies a detached CMS signature with OpenSSL, against the authority of the fixtures. Throws for one that is wrong. */
export function verifyWithOpenssl(place: string, der: Uint8Array, content: Uint8Array): string {
  mkdirSync(place, { recursive: true })
  const paths = { der: join(place, 'signature.der'), content: join(place, 'content') }
  writeFileSync(paths.der, der)
  writeFileSync(paths.content, content)
  const authority = new URL('ca.pem', signingFolder).pathname
  const verify = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', paths.der, '-content', paths.content]
  runProgram('openssl', [...verify, '-CAfile', authority, '-purpose', 'any', '-out', '/dev/null'])
  return runProgram('openssl', ['cms', '-cmsout', '-print', '-inform', 'DER', '-in', paths.der]).toString()
}
