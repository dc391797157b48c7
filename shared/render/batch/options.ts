import { securityOptionNames } from '../../pdf/stage/options.ts'
import type { FormatOptions } from '../request.ts'
import type { BatchRequest } from './split.ts'

/**
 * The options of a batch in two. Passwords and permissions of a joined PDF are set once, on the whole: encrypted reports
 * could not be joined. All other options apply to each report, as if it had been asked for alone.
 */
export function splitOptions(
  { output }: BatchRequest,
  options: FormatOptions | undefined,
): { readonly each?: FormatOptions; readonly whole?: FormatOptions } {
  if (options === undefined) return {}
  if (output === 'zip') return { each: options }
  const { each = [], whole } = Object.groupBy(Object.entries(options), ([name]) =>
    securityOptionNames.includes(name) ? 'whole' : 'each',
  )
  return { each: Object.fromEntries(each), ...(whole !== undefined && { whole: Object.fromEntries(whole) }) }
}
