import * as aggregates from './aggregate.ts'
import * as arrays from './array.ts'
import * as barcodes from './barcode.ts'
import * as charts from './chart.ts'
import * as conditions from './condition.ts'
import * as currencies from './currency.ts'
import * as dates from './date.ts'
import * as files from './files.ts'
import type { Formatter } from './formatter.ts'
import * as htmls from './html.ts'
import * as intervals from './interval.ts'
import * as lookups from './lookup.ts'
import * as numbers from './number.ts'
import * as forms from './pdf-form.ts'
import * as rich from './rich.ts'
import * as signs from './sign.ts'
import * as structures from './structure.ts'
import * as svgs from './svg.ts'
import * as texts from './text.ts'

/**
 * All formatters by name, in alphabetical order. A family is a module: each formatter it exports is found here, so
 * that adding one is adding a constant to its family.
 */
const families = [
  texts,
  numbers,
  currencies,
  dates,
  intervals,
  lookups,
  conditions,
  charts,
  arrays,
  aggregates,
  rich,
  htmls,
  files,
  signs,
  forms,
  barcodes,
  svgs,
  structures,
]

export const formatters: ReadonlyMap<string, Formatter> = new Map(
  families
    .flatMap((family) => Object.values<unknown>(family).filter(isFormatter))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((formatter) => [formatter.name, formatter]),
)

/**
 * The known name nearest to a misspelt one, if one is near. Letter case weighs little, so `upercase` finds
 * `upperCase`. Of equally near names the first of the registry is given.
 */
export function suggest(name: string): string | undefined {
  if (name.length > 40) return undefined
  const most = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let bestDistance = most + 1
  for (const known of formatters.keys()) {
    const distance =
      editDistance(name.toLowerCase(), known.toLowerCase()) + (sameStart(name, known) ? 0 : 0.1)
    if (distance < bestDistance) {
      best = known
      bestDistance = distance
    }
  }
  return best
}

const sameStart = (a: string, b: string): boolean => a.slice(0, 2) === b.slice(0, 2)

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1)
      }
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

function isFormatter(exported: unknown): exported is Formatter {
  return typeof exported === 'object' && exported !== null && 'kind' in exported && 'run' in exported
}
