import type { CatalogueEntry } from '../entry.ts'

/** The keys that an operator configured for checking tokens. The errors for requests are in `api.ts`. */
export const authErrors = {
  'auth.keys': {
    status: 500,
    blame: 'us',
    message: 'Tokens cannot be checked: {because}.',
    hint: 'Provide public keys as PEM blocks ("BEGIN PUBLIC KEY") of the types P-521, P-384, P-256, Ed25519 or RSA with 2048 bits or more.',
  },
} as const satisfies Record<string, CatalogueEntry>
