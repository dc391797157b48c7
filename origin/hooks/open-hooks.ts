import type { EventEmitter } from 'node:events'
import type { VerifyKey } from '../../shared/auth/keys.ts'
import type { ByteSource, Log } from '../../shared/plugin/contract.ts'
import type { Blobs } from '../../shared/ports/blobs.ts'
import type { Clock, RenderHooks } from '../../shared/ports/index.ts'
import { callHook, type Hook } from './call-hook.ts'
import { currentExchange } from './exchange.ts'
import { hookedBlobs } from './hooked-blobs.ts'
import { issuerKeys } from './issuers.ts'
import type { HookFiles } from './load-hooks.ts'
import { asFile, isMissing, sourceOf } from './values.ts'

/** The hooks of the operator in the form that the origin uses. */
export interface Hooks {
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
 * Wraps the functions of the hook files: adds the request and response, the timeout, and files for byte
 * sources.
 */
export function openHooks(
  files: HookFiles,
  parts: {
    readonly timeoutMs: number
    readonly clock: Clock
    readonly log: Log
    /** Creates the folder for files that are passed to hooks. */
    readonly folder: () => Promise<string>
  },
): Hooks {
  const { timeoutMs, clock, log } = parts
  const { storage = {}, middlewares, authentication } = files
  const call = (name: string, hook: Hook, ...args: readonly unknown[]) =>
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
  const read = (name: string, hook: Hook) => async (id: string) => {
    try {
      return await sourceOf(await call(name, hook, id), name)
    } catch (error) {
      if (isMissing((error as Error).cause)) return undefined
      throw error
    }
  }
  const { writeTemplate, readTemplate, deleteTemplate, beforeRender, afterRender, readRender } = storage

  return {
    blobs: (inner) =>
      hookedBlobs(inner, {
        write:
          writeTemplate &&
          ((id, source) => withFile(source, '', (path) => call('writeTemplate', writeTemplate, id, path))),
        read: readTemplate && read('readTemplate', readTemplate),
        delete: deleteTemplate && (async (id) => void (await call('deleteTemplate', deleteTemplate, id))),
      }),
    render: {
      namesTemplates: writeTemplate !== undefined || readTemplate !== undefined,
      beforeRender:
        beforeRender &&
        (async (templateId, body) => {
          const changed = await call('beforeRender', beforeRender, templateId, body)
          return isObject(changed) ? changed : body
        }),
      afterRender:
        afterRender &&
        ((render, source) =>
          withFile(source, render.extension, (path) => call('afterRender', afterRender, render, path))),
      readRender: readRender && read('readRender', readRender),
    },
    keysFor:
      authentication &&
      issuerKeys({ ask: (claims) => call('getPublicKey', authentication.getPublicKey, claims), clock, log }),
    async before() {
      for (const middleware of middlewares?.before ?? []) {
        await Promise.race([call('before', middleware), answered()])
        if (isAnswered()) return
      }
    },
    async after() {
      for (const middleware of middlewares?.after ?? []) {
        try {
          await call('after', middleware)
        } catch (error) {
          log.error('hooks.after', { error })
        }
      }
    },
  }
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
