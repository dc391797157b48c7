import { existsSync, readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Log } from '../../shared/plugin/contract.ts'
import type { Hook } from './call-hook.ts'

/** The exports of the files in the folder `plugin/`. Missing files and exports are absent. */
export interface HookFiles {
  readonly storage?: Readonly<Partial<Record<(typeof storageHooks)[number], Hook>>>
  readonly middlewares?: { readonly before: readonly Hook[]; readonly after: readonly Hook[] }
  readonly authentication?: { readonly getPublicKey: Hook }
}

const storageHooks = [
  'writeTemplate',
  'readTemplate',
  'deleteTemplate',
  'beforeRender',
  'afterRender',
  'readRender',
] as const
const extensions = ['.js', '.mjs', '.cjs', '.ts']

/**
 * Loads `plugin/storage.js`, `plugin/middlewares.js` and `plugin/authentication.js` of a working folder.
 * Throws an error with a message for the operator when a file cannot be loaded or has no usable export:
 * without it, the service might do what the hook is meant to prevent.
 */
export async function loadHookFiles(workdir: string, log: Log): Promise<HookFiles> {
  const folder = join(workdir, 'plugin')
  const [storage, middlewares, authentication] = await Promise.all([
    load(folder, 'storage', storageHooks, log),
    load(folder, 'middlewares', ['before', 'after'], log),
    load(folder, 'authentication', ['getPublicKey'], log),
  ])
  return {
    ...(storage && { storage: functionsOf(storage) }),
    ...(middlewares && {
      middlewares: { before: listOf(middlewares, 'before'), after: listOf(middlewares, 'after') },
    }),
    ...(authentication && { authentication: functionsOf(authentication) as { getPublicKey: Hook } }),
  }
}

interface Loaded {
  readonly shown: string // for messages: 'plugin/storage.js'
  readonly found: Readonly<Record<string, unknown>>
}

/** Loads one file and checks the names of its exports. Undefined when there is no such file. */
async function load(
  folder: string,
  name: string,
  names: readonly string[],
  log: Log,
): Promise<Loaded | undefined> {
  const files = extensions
    .map((extension) => name + extension)
    .filter((file) => existsSync(join(folder, file)))
  const [file] = files
  if (file === undefined) return undefined
  if (files.length > 1)
    throw new Error(`There are plugin/${files.join(' and plugin/')}: which of them is meant? Keep one.`)
  const shown = `plugin/${file}`
  const exported = await importFile(join(folder, file), shown)
  const known = Object.entries(exported).filter(([key]) => names.includes(key))
  if (known.length === 0) throw new Error(`${shown} exports none of ${names.join(', ')}.`)
  const others = Object.keys(exported).filter((key) => !names.includes(key) && key !== 'default')
  if (others.length > 0) log.warn('hooks.unknown', { file: shown, exports: others })
  log.info('hooks.loaded', { file: shown, exports: known.map(([key]) => key) })
  return { shown, found: Object.fromEntries(known) }
}

/** The named exports, and the properties of `module.exports` or of a default export that is an object. */
async function importFile(path: string, shown: string): Promise<Record<string, unknown>> {
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
    throw new Error(`${shown} cannot be loaded: ${message}`, { cause })
  }
}

/**
 * Loads a CommonJS file from a folder whose package.json declares ES modules. The load hook applies to this
 * file and to those below the same folder that it requires, except packages.
 */
function requireFile(path: string): unknown {
  const folder = pathToFileURL(dirname(path)).href
  const hooks = registerHooks({
    load(url, context, next) {
      const isOperators =
        url.startsWith(`${folder}/`) && url.endsWith('.js') && !url.includes('/node_modules/')
      if (!isOperators) return next(url, context)
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

function functionsOf({ shown, found }: Loaded): Record<string, Hook> {
  for (const [name, value] of Object.entries(found))
    if (typeof value !== 'function') throw new Error(`${shown}: ${name} is not a function.`)
  return found as Record<string, Hook>
}

function listOf({ shown, found }: Loaded, name: string): readonly Hook[] {
  const value = found[name] ?? []
  if (!Array.isArray(value) || value.some((each) => typeof each !== 'function'))
    throw new Error(`${shown}: ${name} is not a list of functions.`)
  return value as readonly Hook[]
}
