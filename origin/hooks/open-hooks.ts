import type { EventEmitter } from 'node:events'
import type { VerifyKey } from '../../shared/auth/keys.ts'
import { duplicateDefects } from '../../shared/plugin/check-plugins.ts'
import type { HookPlugin, MiddlewarePlugin, storageHookNames } from '../../shared/plugin/hooks.ts'
import type { ByteSource, Log } from '../../shared/plugin/values.ts'
import type { Blobs } from '../../shared/ports/blobs.ts'
import type { Clock, RenderHooks } from '../../shared/ports/index.ts'
import { callHook, type HookFunction, type HookName } from './call-hook.ts'
import { currentExchange } from './exchange.ts'
import { hookedBlobs } from './hooked-blobs.ts'
import { issuerKeys } from './issuers.ts'
import { asFile, isMissing, sourceOf } from './values.ts'

/** The hooks of the operator in the form that the origin uses. */
export interface OpenedHooks {
  readonly render: RenderHooks
  blobs(inner: Blobs): Blobs
  /** Gets the keys for the claims of a token. Absent: tokens are verified with the keys of the service. */
  readonly keysFor?:
    | ((claims: Readonly<Record<string, unknown>>) => Promise<readonly VerifyKey[]>)
    | undefined
  /**
   * Runs the middlewares before a request is processed, in order. Ends early if one responds. Throws like
   * `callHook`.
   */
  before(): Promise<void>
  /** Runs the middlewares after the response has been sent. Their errors are only logged. */
  after(): Promise<void>
}

/**
 * Wraps the functions of the hook plugins: adds the request and response, the timeout, and files for byte
 * sources. Throws when two plugins exclude each other.
 */
export function openHooks(
  plugins: readonly HookPlugin[],
  parts: {
    readonly timeoutMs: number
    readonly clock: Clock
    readonly log: Log
    /** Creates the folder for files that are passed to hooks. */
    readonly folder: () => Promise<string>
  },
): OpenedHooks {
  const { timeoutMs, clock, log } = parts
  const defects = duplicateDefects(plugins)
  if (defects.length > 0) throw new Error(defects.join(' '))
  const storage = plugins.find((plugin) => plugin.kind === 'storage')
  const keys = plugins.find((plugin) => plugin.kind === 'keys')
  const middlewares = plugins.filter((plugin) => plugin.kind === 'middleware')
  const call = (name: HookName, hook: HookFunction, ...args: readonly unknown[]) =>
    callHook(name, hook, [...currentExchange(), ...args], timeoutMs)
  let folder: Promise<string> | undefined
  /** Passes a source to `work` as a temporary file. */
  const withFile = async (
    source: ByteSource,
    extension: string,
    work: (path: string) => Promise<unknown>,
  ) => {
    folder ??= parts.folder()
    await asFile(source, { folder: await folder, extension }, work)
  }
  /** A hook of the storage as a function of its arguments. Undefined when the storage lacks it. */
  const storing = (hook: (typeof storageHookNames)[number]) => {
    const work = storage?.[hook] as HookFunction | undefined
    const name = { plugin: storage?.id ?? '', hook }
    return work && ((...args: readonly unknown[]) => call(name, work, ...args))
  }
  const reading = (hook: 'readTemplate' | 'readRender') => {
    const work = storing(hook)
    if (work === undefined) return undefined
    return async (id: string) => {
      try {
        return await sourceOf(await work(id), { plugin: storage?.id ?? '', hook })
      } catch (error) {
        if (isMissing((error as Error).cause)) return undefined
        throw error
      }
    }
  }
  const writeTemplate = storing('writeTemplate')
  const deleteTemplate = storing('deleteTemplate')
  const beforeRender = storing('beforeRender')
  const afterRender = storing('afterRender')
  const readTemplate = reading('readTemplate')

  return {
    blobs: (inner) =>
      hookedBlobs(inner, {
        write: writeTemplate && ((id, source) => withFile(source, '', (path) => writeTemplate(id, path))),
        read: readTemplate,
        delete: deleteTemplate && (async (id) => void (await deleteTemplate(id))),
      }),
    render: {
      namesTemplates: writeTemplate !== undefined || readTemplate !== undefined,
      beforeRender:
        beforeRender &&
        (async (templateId, body) => {
          const changed = await beforeRender(templateId, body)
          return isObject(changed) ? changed : body
        }),
      afterRender:
        afterRender &&
        ((render, source) => withFile(source, render.extension, (path) => afterRender(render, path))),
      readRender: reading('readRender'),
    },
    keysFor:
      keys &&
      issuerKeys({
        keysFor: (claims) => call({ plugin: keys.id, hook: 'getPublicKey' }, keys.getPublicKey, claims),
        clock,
        log,
      }),
    async before() {
      for (const { name, work } of functionsOf(middlewares, 'before')) {
        await Promise.race([call(name, work), answered()])
        if (isAnswered()) return
      }
    },
    async after() {
      for (const { name, work } of functionsOf(middlewares, 'after')) {
        try {
          await call(name, work)
        } catch (error) {
          log.error('hooks.after', { ...name, error })
        }
      }
    },
  }
}

function functionsOf(
  middlewares: readonly MiddlewarePlugin[],
  hook: 'before' | 'after',
): readonly { readonly name: HookName; readonly work: HookFunction }[] {
  return middlewares.flatMap(({ id, [hook]: list = [] }) =>
    list.map((work) => ({ name: { plugin: id, hook }, work })),
  )
}

/** Whether a middleware has ended the response. */
function isAnswered(): boolean {
  const [, res] = currentExchange()
  return (res as { writableEnded?: boolean }).writableEnded === true
}

/**
 * Resolves when the response has been sent, because a middleware that responds need not call its callback.
 */
function answered(): Promise<void> {
  const [, res] = currentExchange()
  return new Promise((resolve) => (res as Partial<EventEmitter>).once?.('finish', resolve))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
