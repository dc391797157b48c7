import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'

/** The codes that a plugin may fail with; `../errors/catalogue/plugin.ts` has their status and blame. */
export type PluginErrorCode = Extract<ErrorCode, `plugin.${string}`>

/**
 * The error by which a plugin reports something to the caller, who sees the message and nothing else of it.
 *
 *   throw new PluginError('plugin.document', 'Page 3 has no barcode.')
 *
 * Any other error of a plugin counts as a defect of it: the caller reads that the engine, format or hook
 * failed, and the log has the error. 'plugin.unavailable' lets the next engine try; the other codes end the
 * request.
 */
export class PluginError extends AppError<PluginErrorCode> {
  constructor(code: PluginErrorCode, message: string, extra: { readonly cause?: unknown } = {}) {
    super(code, { because: shownText(message) }, extra)
    this.name = 'PluginError'
  }
}

/** The maximum length of a message of a plugin or hook in a response, in UTF-16 code units. */
const maxMessageLength = 300

/** A message of a plugin as it is safe to show: one line of limited length, never empty. */
export function shownText(message: unknown): string {
  const text = String(message ?? '')
    .replace(/[\u0000-\u0020\u007f]+/g, ' ')
    .trim()
    .slice(0, maxMessageLength)
  return text === '' ? 'Refused.' : text
}
