/**
 * The tables of README.md that are made from data: endpoints, conversions, configuration, system packages. They stand
 * between `<!-- table:name -->` and `<!-- end -->`. Run with `--write` to renew them; a test fails when they are old.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { environmentName, options } from '../../origin/config.ts'
import { plugins } from '../../origin/plugins.ts'
import { packageTable } from '../../origin/setup/system-packages.mjs'
import { routes } from '../../shared/api/routes/index.ts'
import { buildGraph } from '../../shared/convert/graph.ts'
import { conversionMatrix } from '../../shared/convert/matrix.ts'
import { outputTypes, unwritten } from '../../shared/convert/output-types.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'

const file = new URL('../../README.md', import.meta.url)

const tables: Readonly<Record<string, () => string>> = {
  endpoints: () =>
    table(
      ['call', 'what it does'],
      routes.flatMap(({ method, path, summary, described }) =>
        described === false ? [] : [[`\`${method} ${path}\``, summary]],
      ),
    ),
  conversions: conversionTable,
  configuration: () =>
    table(
      ['command line', 'environment', 'default', 'meaning'],
      Object.entries(options).map(([name, { default: value, says, short }]) => [
        `\`--${name}\`${short === undefined ? '' : ` \`-${short}\``}`,
        `\`${environmentName(name)}\``,
        name === 'mergeWorkers' ? 'one a core' : defaultText(value),
        says,
      ]),
    ),
  packages: packageTable,
}

export function renewed(readme: string): string {
  return readme.replace(
    /<!-- table:(\w+) -->[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- table:${name} -->\n${tables[name]?.() ?? `No table ${name}.`}\n<!-- end -->`,
  )
}

export function readReadme(): string {
  return readFileSync(file, 'utf8')
}

/** One row a kind of template: the output types of the specification, with the letters of the engines that make them. */
function conversionTable(): string {
  const engines = createRegistry(plugins).engines()
  const pairs = conversionMatrix(buildGraph(engines).arrows, engines)
  const rows = outputTypes.map(({ kind, from, convertTo }) => {
    const byLetters = new Map<string, string[]>()
    for (const value of convertTo) {
      const to = value === 'jpeg' ? 'jpg' : value
      const letters = new Set(
        pairs
          .filter((pair) => from.includes(pair.from) && pair.to === to)
          .flatMap(({ converters }) => converters),
      )
      if (unwritten.has(to)) continue
      const key = [...letters].toSorted().join(' ')
      byLetters.set(key, [...(byLetters.get(key) ?? []), value])
    }
    const cells = [...byLetters].map(([letters, to]) => `**${letters}** ${to.toSorted().join(' ')}`)
    return [`${kind}: ${from.join(' ')}`, cells.join(' · ')]
  })
  return table(['from', '`convertTo`, after the letters of the engines that make it from one of these'], rows)
}

function defaultText(value: unknown): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  return typeof value === 'object' ? 'none' : `\`${String(value)}\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

if (import.meta.main && process.argv.includes('--write')) writeFileSync(file, renewed(readReadme()))
