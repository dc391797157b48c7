import type { EnginePlugin, FormatPlugin } from './contract.ts'
import { type HookPlugin, storageHookNames } from './hooks.ts'
import type { RoutesPlugin } from './routes.ts'
import type { FormatFamily } from './values.ts'

/**
 * The checks of plugins at start: of one plugin by itself, and of all plugins of a host together. What they
 * find would otherwise show in a request, as an error that no caller can act on.
 */
export type AnyPlugin = FormatPlugin | EnginePlugin | HookPlugin | RoutesPlugin

type UncheckedPlugin = Readonly<Record<string, unknown>>

const families: Readonly<Record<FormatFamily, true>> = {
  document: true,
  spreadsheet: true,
  presentation: true,
  graphics: true,
  web: true,
  text: true,
  image: true,
  data: true,
}
const fidelities: readonly unknown[] = ['exact', 'high', 'basic']

/** The end of a sentence about each kind of plugin that does not fit the contract; undefined when it fits. */
const defects: Readonly<Record<AnyPlugin['kind'], (plugin: UncheckedPlugin) => string | undefined>> = {
  format: formatDefect,
  engine: engineDefect,
  storage: storageDefect,
  middleware: middlewareDefect,
  routes: routesDefect,
  keys: ({ getPublicKey }) => (isFunction(getPublicKey) ? undefined : 'has no function getPublicKey'),
}

/** Describes what is wrong with a plugin from outside, as a sentence without its full stop; undefined when it fits. */
export function pluginDefect(plugin: unknown): string | undefined {
  if (!isObject(plugin)) return 'the default export is not a plugin'
  const { kind, id, contract } = plugin
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9-]*$/.test(id))
    return 'a plugin has no valid id: use lower-case letters, digits and dashes'
  const defectOf =
    typeof kind === 'string' && Object.hasOwn(defects, kind) ? defects[kind as 'format'] : undefined
  if (defectOf === undefined)
    return `plugin "${id}" has the kind ${String(kind)}, which is none of ${Object.keys(defects).join(', ')}`
  const name = `${String(kind)} "${id}"`
  if (contract !== 1 && !(kind === 'format' && contract === undefined))
    return `${name} is written for contract ${String(contract)}, and this service has contract 1`
  const defect = defectOf(plugin)
  return defect === undefined ? undefined : `${name} ${defect}`
}

/** Names and letters that two plugins of a host have, and kinds that exclude each other, as sentences. */
export function duplicateDefects(plugins: readonly AnyPlugin[]): readonly string[] {
  return [
    ...sharedValues(plugins, 'format', 'id'),
    ...sharedValues(plugins, 'engine', 'id'),
    ...sharedValues(plugins, 'engine', 'letter'),
    ...sharedValues(plugins, 'storage', 'kind'),
    ...sharedValues(plugins, 'keys', 'kind'),
  ]
}

/** Plugins of one kind that have the same value where it must be unique. */
function sharedValues(
  plugins: readonly AnyPlugin[],
  kind: AnyPlugin['kind'],
  field: string,
): readonly string[] {
  const firstIds = new Map<unknown, string>() // the id of the first plugin with each value
  return plugins.flatMap((plugin) => {
    const value: unknown = Reflect.get(plugin, field)
    if (plugin.kind !== kind || value === undefined) return []
    const firstId = firstIds.get(value)
    firstIds.set(value, firstId ?? plugin.id)
    if (firstId === undefined) return []
    if (field === 'id') return [`Two ${kind} plugins are called "${plugin.id}".`]
    const subject = `The ${kind} plugins "${firstId}" and "${plugin.id}"`
    return field === 'kind'
      ? [`${subject} exclude each other: a service can have only one.`]
      : [`${subject} have the same ${field} ${String(value)}.`]
  })
}

/**
 * Outputs of the checked engines that no request can name, as sentences. One that another conversion starts from
 * may lack a format, since routes lead through it.
 */
export function outputDefects(
  plugins: readonly AnyPlugin[],
  isChecked: (engine: EnginePlugin) => boolean,
): readonly string[] {
  const engines = plugins.filter((plugin) => plugin.kind === 'engine')
  const formats = new Set(plugins.flatMap((plugin) => (plugin.kind === 'format' ? plugin.id : [])))
  const sources = new Set(engines.flatMap(({ conversions }) => conversions.map(({ from }) => from)))
  return engines.filter(isChecked).flatMap(({ id, conversions }) => {
    const outputs = new Set(conversions.map(({ to }) => to))
    return [...outputs]
      .filter((to) => !formats.has(to) && !sources.has(to))
      .map(
        (to) =>
          `Engine "${id}" converts to ${to}, which no format declares: add a plugin of kind "format" for it.`,
      )
  })
}

function routesDefect({ routes }: UncheckedPlugin): string | undefined {
  if (!Array.isArray(routes) || routes.length === 0) return 'lists no routes'
  for (const route of routes as readonly UncheckedPlugin[]) {
    const { method, path, scope, run } = isObject(route) ? route : ({} as UncheckedPlugin)
    if (method !== 'GET' && method !== 'POST') return 'has a route whose method is neither GET nor POST'
    if (typeof path !== 'string' || !/^(?:\/[\w.-]+)+$/.test(path))
      return 'has a route without a path such as /a/b'
    if (scope !== 'open' && scope !== 'account')
      return `has a route ${path} whose scope is neither open nor account`
    if (!isFunction(run)) return `has a route ${path} without a function run`
  }
  return undefined
}

function formatDefect({
  family,
  extensions,
  mime,
  template,
  reader,
  flow,
  ...optionalFunctions
}: UncheckedPlugin): string | undefined {
  if (!isListOf(extensions, (text) => /^[^.\s/]+$/.test(text))) return 'lists no extensions without a dot'
  if (!isListOf(mime, (text) => /^[^\s/]+\/[^\s/]+$/.test(text))) return 'lists no media types'
  if (typeof family !== 'string' || !Object.hasOwn(families, family))
    return `has no family: one of ${Object.keys(families).join(', ')}`
  if (template !== undefined && !isFunction((template as UncheckedPlugin | null)?.['open']))
    return 'has a template without a function open'
  if (reader !== undefined && !isFunction((reader as UncheckedPlugin | null)?.['read']))
    return 'has a reader without a function read'
  if (flow !== undefined && !isFunction((flow as UncheckedPlugin | null)?.['read']))
    return 'has a flow without a function read'
  const wrong = ['sniff', 'plainCopy', 'printOptions'].find(
    (name) => optionalFunctions[name] !== undefined && !isFunction(optionalFunctions[name]),
  )
  return wrong === undefined ? undefined : `has a ${wrong} that is not a function`
}

function engineDefect(engine: UncheckedPlugin): string | undefined {
  const { title, letter, sides, conversions, create, settings, options } = engine
  if (typeof title !== 'string' || title.trim() === '') return 'has no title'
  if (letter !== undefined && !/^[A-Z]$/.test(String(letter))) return 'has a letter other than A to Z'
  if (!Array.isArray(conversions) || conversions.length === 0) return 'lists no conversions'
  const wrong = conversions.findIndex((conversion) => !isConversion(conversion))
  if (wrong >= 0)
    return `has a conversion (number ${wrong + 1}) without from, to, fidelity (exact, high or basic) or cost (milliseconds)`
  if (!Array.isArray(sides) || !sides.includes('origin')) return 'does not run on the origin'
  if (!isFunction(create)) return 'has no function create'
  for (const [name, schema] of Object.entries({ settings, options }))
    if (!isObject(schema) || !isFunction(schema['parse']) || !isObject(schema['json']))
      return `has no schema of its ${name}: an object with json and parse`
  return undefined
}

function isConversion(value: unknown): boolean {
  if (!isObject(value)) return false
  const { from, to, fidelity, cost } = value
  return (
    typeof from === 'string' &&
    typeof to === 'string' &&
    fidelities.includes(fidelity) &&
    typeof cost === 'number' &&
    cost >= 0
  )
}

function storageDefect(plugin: UncheckedPlugin): string | undefined {
  const hookNames = storageHookNames.filter((name) => Reflect.get(plugin, name) !== undefined)
  if (hookNames.length === 0) return `has none of ${storageHookNames.join(', ')}`
  const wrong = hookNames.find((name) => !isFunction(Reflect.get(plugin, name)))
  return wrong === undefined ? undefined : `has a ${wrong} that is not a function`
}

function middlewareDefect({ before, after }: UncheckedPlugin): string | undefined {
  if (before === undefined && after === undefined) return 'has neither before nor after'
  for (const [name, list] of Object.entries({ before, after }))
    if (list !== undefined && !(Array.isArray(list) && list.every(isFunction)))
      return `has a ${name} that is not a list of functions`
  return undefined
}

function isListOf(value: unknown, isValid: (text: string) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === 'string' && isValid(item))
  )
}

function isObject(value: unknown): value is UncheckedPlugin {
  return typeof value === 'object' && value !== null
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
