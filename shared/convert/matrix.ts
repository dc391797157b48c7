import { isSecurityOrMark, optionNames } from '../pdf/stage/options.ts'
import type { Conversion, EnginePlugin } from '../plugin/contract.ts'
import type { FormatId } from '../plugin/values.ts'
import { closureOf } from './closure.ts'
import type { EngineConversion } from './graph.ts'
import { pageOptionNames } from './page-options.ts'

/** One pair of formats that a route of any length connects. */
export interface FormatPair {
  readonly from: FormatId
  readonly to: FormatId
  /** Letters that `converter` may name for it, in alphabetical order. Empty when only helpers convert it. */
  readonly converters: readonly string[]
  readonly engines: readonly string[] // their titles
  /** The fidelity of the most faithful route. */
  readonly fidelity: Conversion['fidelity']
  /** Names of the `formatOptions` that have an effect on it. */
  readonly options: readonly string[]
}

const bestFirst = ['exact', 'high', 'basic'] as const
const pictureOptions: Readonly<Record<FormatId, readonly string[]>> = {
  jpg: ['PixelWidth', 'PixelHeight', 'ColorMode', 'Quality'],
  png: ['PixelWidth', 'PixelHeight', 'ColorMode', 'Compression', 'Interlaced', 'Translucent'],
  webp: ['PixelWidth', 'PixelHeight'],
}
const csvOptions = ['fieldSeparator', 'textDelimiter', 'characterSet', 'escapeFormulae']

/**
 * Every pair of formats that the conversions connect, sorted by source and target. `named` says whether a request can
 * name a format: engines also list variants (`docm`) that are read and written under the name of another (`docx`).
 */
export function conversionMatrix(
  conversions: readonly EngineConversion[],
  plugins: readonly EnginePlugin[],
  named: (id: FormatId) => boolean = () => true,
): readonly FormatPair[] {
  const titles = new Map(
    plugins.flatMap(({ letter, title }) => (letter === undefined ? [] : [[letter, title]])),
  )
  const pairs = new Map<string, { readonly letters: Set<string>; fidelity: Conversion['fidelity'] }>()
  for (const { from, to, letter, fidelity } of closureOf(conversions)) {
    if (!named(from) || !named(to)) continue
    const key = `${from} ${to}`
    const pair = pairs.get(key) ?? { letters: new Set<string>(), fidelity }
    pairs.set(key, pair)
    if (letter !== undefined) pair.letters.add(letter)
    if (bestFirst.indexOf(fidelity) < bestFirst.indexOf(pair.fidelity)) pair.fidelity = fidelity
  }
  return [...pairs]
    .map(([key, { letters, fidelity }]) => {
      const [from = '', to = ''] = key.split(' ')
      const converters = [...letters].sort()
      const engines = converters.map((letter) => titles.get(letter) ?? letter)
      return { from, to, converters, engines, fidelity, options: optionsFor(to, converters) }
    })
    .sort((a, b) => a.from.localeCompare(b.from) || a.to.localeCompare(b.to))
}

/**
 * The options of an output (specification 4.9). The office suite supports all options of PDF, and every engine those of
 * security and watermarks. The browser adds those of the page.
 */
function optionsFor(to: FormatId, converters: readonly string[]): readonly string[] {
  if (to === 'pdf') {
    const engineOptions = converters.includes('L') ? optionNames : optionNames.filter(isSecurityOrMark)
    return converters.includes('C') ? [...engineOptions, ...pageOptionNames] : engineOptions
  }
  if (to === 'csv') return csvOptions
  return pictureOptions[to] ?? []
}
