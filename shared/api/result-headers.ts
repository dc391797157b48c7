import type { FontsReport } from '../plugin/fonts-report.ts'
import type { Warning } from '../plugin/values.ts'

/** Response headers that report warnings and fonts. */

/**
 * The codes of the warnings in order of first occurrence, with a count for those that occur repeatedly: `a,
 * b;count=2`.
 */
export function warningHeader(warnings: readonly Warning[]): string {
  const counts = new Map<string, number>()
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].map(([code, count]) => (count === 1 ? code : `${code};count=${count}`)).join(', ')
}

/** The maximum length of the header in characters. Common proxies reject header blocks of more than 8 KB. */
const maxLength = 6_000

/**
 * The report as JSON in ASCII. Its lists are shortened until it fits into a header, which `cut: true`
 * indicates.
 */
export function fontsHeader({ requested, used, substituted, missing }: FontsReport): string {
  const complete = ascii({ requested, used, substituted, missing })
  if (complete.length <= maxLength) return complete
  for (let maxItems = 64; maxItems >= 1; maxItems >>= 1) {
    const shortened = ascii({
      requested: requested.slice(0, maxItems),
      used: used.slice(0, maxItems),
      substituted: substituted.slice(0, maxItems),
      missing: missing.slice(0, maxItems),
      cut: true,
    })
    if (shortened.length <= maxLength) return shortened
  }
  return ascii({ requested: [], used: [], substituted: [], missing: [], cut: true })
}

const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
