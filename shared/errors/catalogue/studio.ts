import type { CatalogueEntry } from '../entry.ts'

/** Access to the template studio. */
export const studioErrors = {
  'studio.unauthorized': {
    status: 401,
    blame: 'caller',
    message: 'The studio of this service needs a name and a password.',
  },
  'studio.user': {
    status: 500,
    blame: 'us',
    message: 'SERVICE_STUDIO_USER does not have the form "name:password".',
    hint: 'Give a name and a password with a colon between them, or leave it empty for an open studio.',
  },
} as const satisfies Record<string, CatalogueEntry>
