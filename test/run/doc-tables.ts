/**
 * The tables of the documentation that are made from data: endpoints, conversions, PDF options, settings, packages, errors.
 * They are between `<!-- table:name -->` and `<!-- end -->` in README.md and docs/*.md. `npm run generate` writes them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderOptions } from '../../origin/cli/render.ts'
import { environmentName } from '../../origin/config.ts'
import { plugins } from '../../origin/plugins.ts'
import { type Setting, settingGroups } from '../../origin/settings.ts'
import { packageTable } from '../../origin/setup/system-packages.mjs'
import { routes } from '../../shared/api/routes/index.ts'
import { buildGraph } from '../../shared/convert/graph.ts'
import { conversionMatrix } from '../../shared/convert/matrix.ts'
import { outputTypes, unwritten } from '../../shared/convert/output-types.ts'
import { catalogue } from '../../shared/errors/catalogue.ts'
import type { CatalogueEntry } from '../../shared/errors/entry.ts'
import { pdfOptionRules, stageRules } from '../../shared/pdf/stage/option-table.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import { docPages, root } from '../helpers/markdown-pages.ts'
import { errorAdvice } from './error-advice.ts'
import { pdfOptionMeanings } from './pdf-option-meanings.ts'

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
    Object.entries(settingGroups)
      .map(([title, group]) => `## ${title}\n\n${settingsTable(group)}`)
      .join('\n\n'),
  'render-options': () =>
    table(
      ['option', 'meaning'],
      Object.entries(renderOptions).map(([option, meaning]) => [
        `\`${option}\``,
        meaning.replace(/\{[^}]*\}/g, '`$&`'),
      ]),
    ),
  packages: packageTable,
  'pdf-options': pdfOptionTable,
  'third-parties': thirdPartyTable,
  'errors-requests': () => errorTable('api', 'studio', 'auth'),
  'errors-templates': () => errorTable('template', 'package', 'formatter'),
  'errors-conversions': () => errorTable('convert', 'engine', 'layout', 'font', 'image', 'origin'),
  'errors-pdf': () => errorTable('pdf', 'sign', 'invoice'),
  'errors-network': () => errorTable('net'),
  'errors-storage': () => errorTable('storage'),
  'errors-plugins': () => errorTable('plugin', 'hook', 'format'),
}

/** Every page that has a table, with its tables renewed. */
export function documentationTables(): Map<string, string> {
  const pages = docPages().filter(({ source }) => source.includes('<!-- table:'))
  return new Map(pages.map(({ path, source }) => [path, renewed(source)]))
}

function renewed(page: string): string {
  return page.replace(
    /<!-- table:([\w-]+) -->[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- table:${name} -->\n${tables[name]?.() ?? `No table ${name}.`}\n<!-- end -->`,
  )
}

/** One row for each kind of template: its output types, with the letters of the engines that make them. */
function conversionTable(): string {
  const engines = createRegistry(plugins).engines()
  const pairs = conversionMatrix(buildGraph(engines).conversions, engines)
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
  return table(
    ['from', 'to: engines, then the values of `convertTo` that they make from one or more of these formats'],
    rows,
  )
}

function pdfOptionTable(): string {
  const graph = buildGraph(createRegistry(plugins).engines())
  const applying = (name: string) =>
    new Set(
      graph.conversions.flatMap(({ to, letter, options }) =>
        to === 'pdf' && letter !== undefined && options.includes(name) ? [letter] : [],
      ),
    )
  const rows = Object.entries(pdfOptionRules).map(([name, { json }]) => [
    `\`${name}\``,
    valuesText(json),
    'default' in json ? `\`${String(json['default'])}\`` : '',
    name in stageRules ? 'stage' : [...applying(name)].toSorted().join(' '),
    pdfOptionMeanings[name] ?? `No meaning of ${name} in test/run/pdf-option-meanings.ts.`,
  ])
  return table(['option', 'values', 'default', 'by', 'meaning'], rows)
}

function valuesText(json: Readonly<Record<string, unknown>>): string {
  const { type, minimum, maximum, enum: choices } = json
  if (Array.isArray(choices)) return choices.join(' ')
  if (typeof minimum === 'number' && typeof maximum === 'number') return `${minimum} to ${maximum}`
  return type === 'string' ? 'text' : String(type)
}

/**
 * The errors whose codes begin with one of the families, in the order of the catalogue. The codes of hooks that refuse a
 * request differ in their status alone, so they share a row.
 */
function errorTable(...families: readonly string[]): string {
  const rows = Object.entries<CatalogueEntry>(catalogue)
    .filter(([code]) => families.includes(code.slice(0, code.indexOf('.'))))
    .filter(([code]) => !code.startsWith('hook.refused.') || code === 'hook.refused.400')
    .map(([code, { status, message, hint, wire }]) => {
      const short = wire === undefined || wire === 'w101' ? '' : `\`${wire}\` `
      const advice = hint === undefined || hint === '{advice}' ? errorAdvice[code] : messageText(hint)
      return code === 'hook.refused.400'
        ? ['`hook.refused.<status>`', '400 to 429', 'the message of the hook', advice ?? '']
        : [`${short}\`${code}\``, String(status), messageText(message), advice ?? '']
    })
  return table(['code', 'status', 'message', 'what to do'], rows)
}

/** A message as Markdown text, with an ellipsis for each detail. */
function messageText(message: string): string {
  if (message === '{because}') return 'the message of the plugin'
  if (message === '{what}') return 'which picture could not be loaded, and why'
  const text = message.replace(/\{\w+\}/g, '…').replace(/…\.$/, '…')
  return text.replace(/[[\]<*]/g, String.raw`\$&`)
}

function thirdPartyTable(): string {
  const manifest = (path: string) =>
    JSON.parse(readFileSync(join(root, path), 'utf8')) as {
      version: string
      license: string
      dependencies?: Record<string, string>
    }
  const names = Object.keys(manifest('package.json').dependencies ?? {})
  const rows = names.map((name) => {
    const { version, license } = manifest(`node_modules/${name}/package.json`)
    return [`\`${name}\``, version, license]
  })
  return table(['package', 'version', 'licence'], rows)
}

function defaultText(value: unknown): string {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return 'none'
  return typeof value === 'object' ? 'none' : `\`${String(value)}\``
}

function settingsTable(group: Readonly<Record<string, Setting<unknown>>>): string {
  return table(
    ['command line', 'environment', 'default', 'meaning'],
    Object.entries(group).map(([name, { default: value, description, short }]) => [
      `\`--${name}\`${short === undefined ? '' : ` \`-${short}\``}`,
      `\`${environmentName(name)}\``,
      name === 'mergeWorkers' ? 'one a core' : defaultText(value),
      description,
    ]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
