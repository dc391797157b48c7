import type { Warning } from '../plugin/contract.ts'
import type { FontsReport } from '../plugin/fonts-report.ts'

/** What answers say in headers beside their bodies. */

/** Codes in the order of their first warning, each with how many there were when there were several: `a, b;count=2`. */
export function warningHeader(warnings: readonly Warning[]): string {
  const counts = new Map<string, number>()
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].map(([code, count]) => (count === 1 ? code : `${code};count=${count}`)).join(', ')
}

/** Proxies refuse long headers. */
const longest = 6_000

/** The report as JSON in ASCII; lists are cut until it fits, and `cut` says so. */
export function fontsHeader(report: FontsReport): string {
  const { requested, used, substituted, missing } = report
  const whole = ascii(report)
  if (whole.length <= longest) return whole
  for (let most = 64; most >= 1; most >>= 1) {
    const some = ascii({
      requested: requested.slice(0, most),
      used: used.slice(0, most),
      substituted: substituted.slice(0, most),
      missing: missing.slice(0, most),
      cut: true,
    })
    if (some.length <= longest) return some
  }
  return ascii({ requested: [], used: [], substituted: [], missing: [], cut: true })
}

const ascii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
