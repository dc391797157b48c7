import { securityOptionNames } from '../../pdf/stage/options.ts'
import type { FormatOptions } from '../request.ts'
import type { BatchRequest } from './split.ts'

/**
 * Splits the options of a batch. Passwords and permissions of a joined PDF are set once, on the joined file (`joined`),
 * because encrypted reports could not be joined. All other options apply to each report, as in a render of one item.
 */
export function splitOptions(
  { output }: BatchRequest,
  options: FormatOptions | undefined,
): { readonly each?: FormatOptions; readonly joined?: FormatOptions } {
  if (options === undefined) return {}
  if (output === 'zip') return { each: options }
  const { each = [], whole } = Object.groupBy(Object.entries(options), ([name]) =>
    securityOptionNames.includes(name) ? 'whole' : 'each',
  )
  return { each: Object.fromEntries(each), ...(whole !== undefined && { joined: Object.fromEntries(whole) }) }
}
