import type { CatalogueEntry } from '../entry.ts'

/** Formatters and the locale data they need. */
export const formatterErrors = {
  'formatter.text-too-long': {
    status: 500,
    blame: 'caller',
    message: 'The formatter "{formatter}" would produce a text of more than {max} characters.',
    hint: 'Use a smaller length, or a shorter replacement or separator.',
  },
  'formatter.value-too-deep': {
    status: 500,
    blame: 'caller',
    message: 'The formatter "{formatter}" was given data that is nested too deeply.',
    hint: 'Print a smaller part of the data.',
  },
} as const satisfies Record<string, CatalogueEntry>
