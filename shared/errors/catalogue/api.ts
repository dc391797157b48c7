import type { Entry } from '../entry.ts'

/** The HTTP contract: requests, authentication, ids. Texts are the customer's contract, section 7. */
export const apiErrors = {
  'api.content-type': {
    status: 400,
    blame: 'caller',
    message: '"Content-Type" header is not "application/json"',
  },
  'api.id.invalid': {
    status: 400,
    blame: 'caller',
    message: 'Invalid or undefined TemplateId or RenderId in the URL',
    wire: 'w115',
  },
  'api.not-found': { status: 404, blame: 'caller', message: 'Not found' },
  'api.internal': { status: 500, blame: 'us', message: 'Server Error.' },
} as const satisfies Record<string, Entry>
