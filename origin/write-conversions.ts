/**
 * Writes `edge/origin-conversions.json`: the conversions that an origin of this version offers. From it the
 * edge knows, even without an origin, which conversions would need one.
 */
import { writeFile } from 'node:fs/promises'
import { buildGraph } from '../shared/convert/graph.ts'
import { createRegistry } from '../shared/plugin/registry.ts'
import { closureOf } from '../shared/remote/closure.ts'
import { plugins } from './plugins.ts'

const target = new URL('../edge/origin-conversions.json', import.meta.url)

/** The file's content, with one conversion per line so that diffs are readable. */
export function conversionsText(): string {
  const rows = closureOf(buildGraph(createRegistry(plugins).engines()).arrows)
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
}

if (process.argv[1] === import.meta.filename) await writeFile(target, conversionsText())
