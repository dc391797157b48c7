/** Writes the conversions of this version's origin for the edge: what it offers, or says it would need an origin for. */
import { writeFile } from 'node:fs/promises'
import { buildGraph } from '../shared/convert/graph.ts'
import { createRegistry } from '../shared/plugin/registry.ts'
import { closureOf } from '../shared/remote/closure.ts'
import { plugins } from './plugins.ts'

const target = new URL('../edge/origin-conversions.json', import.meta.url)

/** One conversion a line, so that a change can be read. */
export function conversionsText(): string {
  const rows = closureOf(buildGraph(createRegistry(plugins).engines()).arrows)
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
}

if (process.argv[1] === import.meta.filename) await writeFile(target, conversionsText())
