import { existsSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '../shared/plugin/contract.ts'

/**
 * Loads the plugins that `SERVICE_PLUGINS` names: packages, files, or folders with an index file, relative to
 * the working folder. A module default-exports one plugin or a list of them. Throws an error that names the
 * module when it cannot be used: a service that started without a configured plugin would fail later, with a
 * less clear error.
 */
export async function loadExternalPlugins(
  names: readonly string[],
  folder: string,
): Promise<readonly Plugin[]> {
  const loaded: Plugin[] = []
  for (const name of names) {
    const exported: unknown = await importPlugin(name, folder)
    const plugins = Array.isArray(exported) ? exported : [exported]
    if (plugins.length === 0) throw new Error(`Plugin module "${name}" exports an empty list.`)
    for (const plugin of plugins) {
      const defect = defectOf(plugin)
      if (defect !== undefined) throw new Error(`Plugin module "${name}" ${defect}.`)
      loaded.push(plugin as Plugin)
    }
  }
  return loaded
}

async function importPlugin(name: string, folder: string): Promise<unknown> {
  const specifier = locate(name, folder)
  try {
    const module = (await import(specifier)) as { default?: unknown }
    return module.default
  } catch (error) {
    throw new Error(`Plugin module "${name}" cannot be loaded: ${(error as Error).message}`, { cause: error })
  }
}

function locate(name: string, folder: string): string {
  const looksLikePath = isAbsolute(name) || name.startsWith('.')
  const path = resolve(folder, name)
  if (!looksLikePath && !existsSync(path)) return name // an npm package
  if (existsSync(path) && statSync(path).isDirectory()) {
    const index = ['index.ts', 'index.mjs', 'index.js'].map((file) => join(path, file)).find(existsSync)
    return pathToFileURL(index ?? join(path, 'index.js')).href
  }
  return pathToFileURL(path).href
}

/**
 * Checks the properties that the registry and the conversion planner read before a plugin is first used.
 * Returns what is wrong as the end of a sentence, or undefined.
 */
function defectOf(plugin: unknown): string | undefined {
  if (typeof plugin !== 'object' || plugin === null) return 'has no plugin as its default export'
  const { kind, id, contract, conversions, create, settings, options, extensions, mime, sides } =
    plugin as Record<string, unknown>
  if (typeof id !== 'string' || !/^[a-z0-9][a-z0-9-]*$/.test(id)) return 'has a plugin without a usable id'
  if (kind === 'format') {
    const listed = (value: unknown) => Array.isArray(value) && value.length > 0
    return listed(extensions) && listed(mime) ? undefined : `: format "${id}" lacks extensions or mime`
  }
  if (kind !== 'engine') return `: plugin "${id}" is neither a format nor an engine`
  if (contract !== 1)
    return `: engine "${id}" is written for contract ${String(contract)}, this service has 1`
  if (!Array.isArray(conversions)) return `: engine "${id}" lists no conversions`
  if (!Array.isArray(sides) || !sides.includes('origin')) return `: engine "${id}" does not run on the origin`
  if (typeof create !== 'function') return `: engine "${id}" has no create function`
  if (!isSchema(settings) || !isSchema(options))
    return `: engine "${id}" has no schema for settings or options`
  return undefined
}

function isSchema(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && typeof (value as { parse?: unknown }).parse === 'function'
  )
}
