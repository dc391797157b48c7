import { existsSync, statSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AnyPlugin, outputDefects, pluginDefect } from '../shared/plugin/check-plugins.ts'
import type { Plugin } from '../shared/plugin/contract.ts'
import { guardFormat } from '../shared/plugin/guard-format.ts'
import type { HookPlugin } from '../shared/plugin/hooks.ts'
import type { PluginRoute } from '../shared/plugin/routes.ts'
import type { Log } from '../shared/plugin/values.ts'

export interface ExternalPlugins {
  readonly plugins: readonly Plugin[]
  readonly hooks: readonly HookPlugin[]
  readonly routes: readonly PluginRoute[]
}

/**
 * Loads the plugins that `SERVICE_PLUGINS` names: packages, files, or folders with an index file, relative to
 * the working folder. A module default-exports one plugin or a list of them. Throws an error that names the
 * module when it cannot be used: a service that started without a configured plugin would fail later, with a
 * less clear error.
 */
export async function loadExternalPlugins(
  names: readonly string[],
  folder: string,
  log: Pick<Log, 'error'>,
): Promise<ExternalPlugins> {
  if (names.length > 0) resolvePluginKit()
  const loaded: AnyPlugin[] = []
  for (const name of names) {
    const exported: unknown = await importPlugin(name, folder)
    const list = Array.isArray(exported) ? exported : [exported]
    if (list.length === 0) throw new Error(`Plugin module "${name}": the default export is an empty list.`)
    for (const plugin of list) {
      const defect = pluginDefect(plugin)
      if (defect !== undefined) throw new Error(`Plugin module "${name}": ${defect}.`)
      loaded.push(plugin as AnyPlugin)
    }
  }
  return {
    plugins: loaded.flatMap((plugin) => {
      if (plugin.kind === 'format') return guardFormat(plugin, log)
      return plugin.kind === 'engine' ? plugin : []
    }),
    hooks: loaded.filter(isHook),
    routes: loaded.flatMap((plugin) => (plugin.kind === 'routes' ? plugin.routes : [])),
  }
}

const isHook = (plugin: AnyPlugin): plugin is HookPlugin =>
  plugin.kind === 'storage' || plugin.kind === 'middleware' || plugin.kind === 'keys'

/**
 * The plugins of the product and those from outside. Throws when an outside engine makes a format that none of
 * them declares, because every request for it would fail.
 */
export function joinPlugins(builtIn: readonly Plugin[], external: readonly Plugin[]): readonly Plugin[] {
  const plugins = [...builtIn, ...external]
  const externalIds = new Set(external.map(({ id }) => id))
  const defects = outputDefects(plugins, ({ id }) => externalIds.has(id))
  if (defects.length > 0) throw new Error(defects.join(' '))
  return plugins
}

let isKitResolved = false

/**
 * Makes `import … from 'platen/plugin'` work in every file of this process. A plugin outside of the repository
 * need not install the service as a package, and has the same `PluginError` as the service.
 */
function resolvePluginKit(): void {
  if (isKitResolved) return
  isKitResolved = true
  const url = new URL('../shared/plugin-kit/index.ts', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === 'platen/plugin' ? { url, shortCircuit: true } : nextResolve(specifier, context),
  })
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
