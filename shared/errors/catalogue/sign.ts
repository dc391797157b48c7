import type { CatalogueEntry } from '../entry.ts'

/** Signatures of PDF files. */
export const signErrors = {
  'sign.key': {
    status: 400,
    blame: 'caller',
    message: 'The key of the signature cannot be used: {because}.',
    hint: 'Send PEM with a private key and its certificates, or PKCS#12 as base64 with its password.',
  },
  'sign.certificate': {
    status: 400,
    blame: 'caller',
    message: 'The certificate of the signature cannot be used: {because}.',
    hint: 'Send a certificate that belongs to the private key and is valid now.',
  },
  'sign.no-key': {
    status: 400,
    blame: 'caller',
    message: 'This service has no key of its own to sign with.',
    hint: 'Send one in "sign.key", or set SERVICE_SIGN_KEY.',
  },
  'sign.no-timestamps': {
    status: 400,
    blame: 'caller',
    message: 'This service has no time-stamp server of its own.',
    hint: 'Send its address in "sign.timestamp", or set SERVICE_TIMESTAMP_URL.',
  },
  'sign.timestamp': {
    status: 500,
    blame: 'caller',
    message: 'The time-stamp server did not return a time stamp: {because}.',
    hint: 'Use another server, or sign without a time stamp.',
  },
  'sign.not-pdf': {
    status: 400,
    blame: 'caller',
    message: 'Only a PDF can be signed.',
    hint: 'Add "convertTo": "pdf", or leave out "sign".',
  },
  'sign.encrypted': {
    status: 400,
    blame: 'caller',
    message: 'A PDF cannot be both signed and encrypted here.',
    hint: 'Leave out "sign", or the options EncryptFile and RestrictPermissions.',
  },
  'sign.unsignable': {
    status: 500,
    blame: 'document',
    message: 'This PDF cannot be signed: {because}.',
    hint: 'Open the file in the program that made it and save it again.',
  },
} as const satisfies Record<string, CatalogueEntry>
