import { nearestName } from '../../nearest-name.ts'
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
 * All formatters by name, in alphabetical order. A family is a module, and all formatters that it exports are
 * registered: a new formatter is a new exported constant.
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

/** Every formatter by its name. */
export const formatters: ReadonlyMap<string, Formatter> = new Map(
  families
    .flatMap((family) => Object.values<unknown>(family).filter(isFormatter))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((formatter) => [formatter.name, formatter]),
)

/**
 * The formatter whose name is nearest to a misspelt one, if one is near. Of equally near ones the first of the
 * registry.
 */
export function suggest(name: string): string | undefined {
  return nearestName(name, formatters.keys())
}

function isFormatter(exported: unknown): exported is Formatter {
  return typeof exported === 'object' && exported !== null && 'kind' in exported && 'run' in exported
}
