/**
 * Generates `edge/origin-conversions.json`: the conversions that an origin of this version offers. It lets the edge
 * determine, even without an origin, which conversions require one. `npm run generate` writes it.
 */

import { closureOf } from '../shared/convert/closure.ts'
import { buildGraph } from '../shared/convert/graph.ts'
import { createRegistry } from '../shared/plugin/registry.ts'
import { plugins } from './plugins.ts'

/** The file's content, with one conversion per line so that diffs are readable. */
export function conversionsText(): string {
  const rows = closureOf(buildGraph(createRegistry(plugins).engines()).conversions)
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
}
