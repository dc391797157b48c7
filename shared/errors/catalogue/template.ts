import type { Entry } from '../entry.ts'

/** Opening a template, compiling its tags, running it. */
export const templateErrors = {
  'template.tag.unclosed': {
    status: 500,
    blame: 'caller',
    message: 'Tag {tag} is never closed.',
    hint: 'Add {expected} after it.',
  },
} as const satisfies Record<string, Entry>
