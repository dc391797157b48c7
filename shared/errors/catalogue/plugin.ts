import type { CatalogueEntry } from '../entry.ts'

/**
 * Engines and formats that fail. A plugin chooses one of the codes `plugin.*` and writes the message, which the
 * caller sees; the cause of any other error is only logged.
 */
export const pluginErrors = {
  'engine.failed': {
    status: 500,
    blame: 'engine',
    message: '{engine} failed while converting {from} to {to}.',
    hint: 'The log of the service has the cause.',
  },
  'format.failed': {
    status: 500,
    blame: 'us',
    message: 'The plugin for {format} files failed.',
    hint: 'The log of the service has the cause.',
  },
  'plugin.request': { status: 400, blame: 'caller', message: '{because}' },
  'plugin.unauthorized': { status: 401, blame: 'caller', message: '{because}' },
  'plugin.forbidden': { status: 403, blame: 'caller', message: '{because}' },
  'plugin.not-found': { status: 404, blame: 'caller', message: '{because}' },
  'plugin.document': { status: 500, blame: 'document', message: '{because}' },
  'plugin.unavailable': { status: 500, blame: 'engine', message: '{because}' },
} as const satisfies Record<string, CatalogueEntry>
