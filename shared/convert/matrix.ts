import { stageRules } from '../pdf/stage/option-table.ts'
import type { Conversion, EnginePlugin } from '../plugin/contract.ts'
import type { FormatId } from '../plugin/values.ts'
import { closureOf } from './closure.ts'
import type { EngineConversion } from './graph.ts'

/** One pair of formats that a route of any length connects. */
export interface FormatPair {
  readonly from: FormatId
  readonly to: FormatId
  /** Letters that `converter` may name for it, in alphabetical order. Empty when only helpers convert it. */
  readonly converters: readonly string[]
  readonly engines: readonly string[] // their titles
  /** The fidelity of the most faithful route. */
  readonly fidelity: Conversion['fidelity']
  /** Names of `formatOptions` that one of its engines or the post-processing applies, sorted. */
  readonly options: readonly string[]
}

const bestFirst = ['exact', 'high', 'basic'] as const
/** The options that post-processing applies to the PDF of every engine. */
const stageOptions = Object.keys(stageRules)
interface PairParts {
  readonly letters: Set<string>
  readonly options: Set<string>
  fidelity: Conversion['fidelity']
}

/**
 * Every pair of formats that the conversions of present engines connect, sorted by source and target. `named` returns
 * whether a request can name a format: engines also list variants (`docm`) that are read and written under the name of
 * another format (`docx`).
 */
export function conversionMatrix(
  conversions: readonly EngineConversion[],
  plugins: readonly EnginePlugin[],
  named: (id: FormatId) => boolean = () => true,
): readonly FormatPair[] {
  const titles = new Map(
    plugins.flatMap(({ letter, title }) => (letter === undefined ? [] : [[letter, title]])),
  )
  const absent = new Set(plugins.filter((plugin) => plugin.absent).map(({ id }) => id))
  const present = conversions.filter(({ engine }) => !absent.has(engine))
  const pairs = new Map<string, PairParts>()
  for (const { from, to, letter, fidelity, options = [] } of closureOf(present)) {
    if (!named(from) || !named(to)) continue
    const key = `${from} ${to}`
    const pair = pairs.get(key) ?? { letters: new Set(), options: new Set(postProcessed(to)), fidelity }
    pairs.set(key, pair)
    if (letter !== undefined) pair.letters.add(letter)
    for (const option of options) pair.options.add(option)
    if (bestFirst.indexOf(fidelity) < bestFirst.indexOf(pair.fidelity)) pair.fidelity = fidelity
  }
  return [...pairs]
    .map(([key, { letters, fidelity, options }]) => {
      const [from = '', to = ''] = key.split(' ')
      const converters = [...letters].sort()
      const engines = converters.map((letter) => titles.get(letter) ?? letter)
      return { from, to, converters, engines, fidelity, options: [...options].sort() }
    })
    .sort((a, b) => a.from.localeCompare(b.from) || a.to.localeCompare(b.to))
}

function postProcessed(to: FormatId): readonly string[] {
  return to === 'pdf' ? stageOptions : []
}
