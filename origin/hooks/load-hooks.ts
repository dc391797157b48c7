import { existsSync, readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pluginDefect } from '../../shared/plugin/check-plugins.ts'
import { type HookPlugin, storageHookNames } from '../../shared/plugin/hooks.ts'
import type { Log } from '../../shared/plugin/values.ts'

/** Each file of `plugin/`, the plugin that its exports make, and the names that it may export. */
const files = {
  storage: { kind: 'storage', exports: storageHookNames },
  middlewares: { kind: 'middleware', exports: ['before', 'after'] },
  authentication: { kind: 'keys', exports: ['getPublicKey'] },
} as const satisfies Record<string, { kind: HookPlugin['kind']; exports: readonly string[] }>
const extensions = ['.js', '.mjs', '.cjs', '.ts']

/**
 * Loads `plugin/storage.js`, `plugin/middlewares.js` and `plugin/authentication.js` of a working folder, each as
 * the plugin that a module of `SERVICE_PLUGINS` could export too. Throws an error with a message for the
 * operator when a file cannot be loaded or does not fit: without it, the service might do what the hook is
 * meant to prevent.
 */
export async function loadHookFiles(workdir: string, log: Log): Promise<readonly HookPlugin[]> {
  const folder = join(workdir, 'plugin')
  const names = Object.keys(files) as (keyof typeof files)[]
  const loaded = await Promise.all(names.map((name) => load(folder, name, log)))
  return loaded.flatMap((plugin) => plugin ?? [])
}

/** Loads one file and checks its exports. Undefined when there is no such file. */
async function load(folder: string, name: keyof typeof files, log: Log): Promise<HookPlugin | undefined> {
  const paths = extensions
    .map((extension) => name + extension)
    .filter((file) => existsSync(join(folder, file)))
  const [file] = paths
  if (file === undefined) return undefined
  if (paths.length > 1)
    throw new Error(`There are plugin/${paths.join(' and plugin/')}: which of them is meant? Keep one.`)
  const displayPath = `plugin/${file}`
  const { kind, exports: names } = files[name]
  const exported = Object.entries(await importFile(join(folder, file), displayPath))
  const isHookName = ([key]: readonly [string, unknown]) => (names as readonly string[]).includes(key)
  const hooks = exported.filter(isHookName)
  if (hooks.length === 0) throw new Error(`${displayPath} exports none of ${names.join(', ')}.`)
  const plugin = { ...Object.fromEntries(hooks), kind, contract: 1, id: name }
  const defect = pluginDefect(plugin)
  if (defect !== undefined) throw new Error(`${displayPath}: ${defect}.`)
  const unknownNames = exported.filter((entry) => !isHookName(entry)).map(([key]) => key)
  if (unknownNames.length > 0) log.warn('hooks.unknown', { file: displayPath, exports: unknownNames })
  log.info('hooks.loaded', { file: displayPath, exports: hooks.map(([key]) => key) })
  return plugin as unknown as HookPlugin
}

/** The named exports, and the properties of `module.exports` or of a default export that is an object. */
async function importFile(path: string, displayPath: string): Promise<Record<string, unknown>> {
  try {
    const module = (await import(pathToFileURL(path).href).catch((error: unknown) => {
      if (error instanceof ReferenceError && / is not defined in ES module scope/.test(error.message))
        return requireFile(path)
      throw error
    })) as Record<string, unknown>
    const { default: defaultExport, 'module.exports': _same, ...named } = module
    return { ...(typeof defaultExport === 'object' ? defaultExport : {}), ...named }
  } catch (cause) {
    const { message } = cause as Error
    throw new Error(`${displayPath} cannot be loaded: ${message}`, { cause })
  }
}

/**
 * Loads a CommonJS file from a folder whose package.json declares ES modules. The load hook applies to this
 * file and to those below the same folder that it requires, except packages.
 */
function requireFile(path: string): unknown {
  const folder = pathToFileURL(dirname(path)).href
  const hooks = registerHooks({
    load(url, context, nextLoad) {
      const isOperators =
        url.startsWith(`${folder}/`) && url.endsWith('.js') && !url.includes('/node_modules/')
      if (!isOperators) return nextLoad(url, context)
      const source = readFileSync(fileURLToPath(url), 'utf8')
      const format = /^[ \t]*(?:import\b(?!\s*\()|export\b)/m.test(source) ? 'module' : 'commonjs'
      return { format, source, shortCircuit: true }
    },
  })
  try {
    const exported: unknown = createRequire(import.meta.url)(path)
    return { default: exported }
  } finally {
    hooks.deregister()
  }
}
