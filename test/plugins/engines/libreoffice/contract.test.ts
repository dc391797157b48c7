import { expect, it } from 'vitest'
import { filterPairOf } from '../../../../plugins/engines/libreoffice/conversions.ts'
import { stores } from '../../../../plugins/engines/libreoffice/families.ts'
import plugin from '../../../../plugins/engines/libreoffice/index.ts'
import { engineContract } from '../../../contract/engine.ts'
import { officeHost } from './office.ts'
import { longText, sampleOf } from './samples.ts'

/**
 * A pair is a filter that loads and one that stores, with the document of the office between them: a pair can fail because
 * of one of the two, or because of what kind of document the first leaves to the second. So all outputs are made from one
 * source of each kind, and from the formats that most callers have. Every other source is loaded and meets its own format,
 * PDF and a quarter of the outputs, a different quarter each. \`npm run matrix\` converts every pair.
 */
const withAllOutputs = new Set(
  ['fodt', 'paged', 'html', 'pdf', 'fods', 'csv', 'fodp', 'fodg'].concat(['docx', 'xlsx', 'pptx']),
)
const sources = [...new Set(plugin.conversions.map(({ from }) => from))]
const pairs = plugin.conversions.filter(({ from, to }) => {
  const outputs = plugin.conversions.filter((pair) => pair.from === from).map((pair) => pair.to)
  const isOfItsQuarter = (outputs.indexOf(to) + sources.indexOf(from)) % 4 === 0
  return withAllOutputs.has(from) || to === from || to === 'pdf' || isOfItsQuarter
})

it('every filter meets filters of the other kind', () => {
  const kindOf = (from: string, to: string) => filterPairOf(from, to)?.family
  const few = Object.entries(stores).flatMap(([program, outputs]) =>
    Object.keys(outputs).filter(
      (to) => pairs.filter((pair) => pair.to === to && kindOf(pair.from, to) === program).length < 2,
    ),
  )
  expect(few).toEqual([])
  expect(sources.filter((from) => pairs.filter((pair) => pair.from === from).length < 5)).toEqual([])
})

engineContract({
  plugin,
  settings: { factories: 2, queueSize: 2000 },
  host: officeHost(),
  sample: sampleOf,
  pairs,
  slow: { from: 'fodt', to: 'pdf', source: () => new TextEncoder().encode(longText(60_000)) },
  varies: 'files hold the time they were made at and random ids',
})
