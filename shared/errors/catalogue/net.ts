import type { CatalogueEntry } from '../entry.ts'

/**
 * Outbound calls, such as webhooks, remote images and appended files, whose messages never contain addresses,
 * and the communication between the edge and its origins.
 */
export const netErrors = {
  'net.refused': {
    status: 500,
    blame: 'caller',
    message: 'A URL may not be called from here: {because}.',
    hint: 'Use an http or https URL of a public host.',
  },
  'net.timeout': { status: 500, blame: 'caller', message: 'A URL did not answer within {ms} ms.' },
  'net.too-large': { status: 500, blame: 'caller', message: 'A URL answered with more than {limit} bytes.' },
  'net.redirects': { status: 500, blame: 'caller', message: 'A URL redirects more than {limit} times.' },
  'net.failed': { status: 500, blame: 'caller', message: 'A URL could not be reached ({reason}).' },
  'origin.down': {
    status: 502,
    blame: 'engine',
    message: 'No origin server could take this conversion.',
    hint: 'Send the request again in a moment.',
  },
  'origin.secret': {
    status: 500,
    blame: 'us',
    message: 'SERVICE_ORIGIN_SECRET has fewer than 32 bytes.',
    hint: 'Set the same secret at the edge and its origins. `openssl rand -base64 32` makes one.',
  },
  'origin.refused': { status: 401, blame: 'caller', message: 'This request has no valid signature.' },
  'origin.invalid': { status: 400, blame: 'caller', message: 'This request is not a conversion job.' },
} as const satisfies Record<string, CatalogueEntry>
