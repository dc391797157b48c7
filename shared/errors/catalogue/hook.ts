import type { CatalogueEntry } from '../entry.ts'

/**
 * Hooks that an operator adds to an origin. A refusal shows the message of the hook; the cause of a failure
 * is only logged.
 */
export const hookErrors = {
  'hook.failed': { status: 500, blame: 'us', message: 'The hook {hook} of plugin {plugin} failed.' },
  'hook.slow': {
    status: 500,
    blame: 'us',
    message: 'The hook {hook} of plugin {plugin} did not finish in time.',
  },
  'hook.refused.400': { status: 400, blame: 'caller', message: '{because}' },
  'hook.refused.401': { status: 401, blame: 'caller', message: '{because}' },
  'hook.refused.402': { status: 402, blame: 'caller', message: '{because}' },
  'hook.refused.403': { status: 403, blame: 'caller', message: '{because}' },
  'hook.refused.404': { status: 404, blame: 'caller', message: '{because}' },
  'hook.refused.409': { status: 409, blame: 'caller', message: '{because}' },
  'hook.refused.413': { status: 413, blame: 'caller', message: '{because}' },
  'hook.refused.422': { status: 422, blame: 'caller', message: '{because}' },
  'hook.refused.429': { status: 429, blame: 'caller', message: '{because}' },
} as const satisfies Record<string, CatalogueEntry>
