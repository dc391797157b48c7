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

/** The hooks of an operator, as the parts of an origin use them. */
export interface Hooks {
  readonly render: RenderHooks
  blobs(inner: Blobs): Blobs
  /** Absent: tokens are proven by the keys of the service. */
  readonly keysFor?:
    | ((claims: Readonly<Record<string, unknown>>) => Promise<readonly VerifyKey[]>)
    | undefined
  /** Middlewares before a request is looked at, in their order. Throws as `callHook` does. */
  before(): Promise<void>
  /** Those after its answer has gone; what they throw is for the log. */
  after(): Promise<void>
}

export function openHooks(
  files: HookFiles,
  parts: {
    readonly timeoutMs: number
    readonly clock: Clock
    readonly log: Log
    /** A folder for files that hooks are shown. */
    readonly folder: () => Promise<string>
  },
): Hooks {
  const { timeoutMs, clock, log } = parts
  const { storage = {}, middlewares, authentication } = files
  const call = (name: string, hook: Hook, ...args: readonly unknown[]) =>
    callHook(name, hook, [...currentExchange(), ...args], timeoutMs)
  let folder: Promise<string> | undefined
  /** The source as a file for as long as the work takes. */
  const shown = async (source: ByteSource, extension: string, work: (path: string) => Promise<unknown>) => {
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
          ((id, source) => shown(source, '', (path) => call('writeTemplate', writeTemplate, id, path))),
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
        ((made, source) =>
          shown(source, made.extension, (path) => call('afterRender', afterRender, made, path))),
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

/** Whether a hook has answered the request itself. */
function isAnswered(): boolean {
  const [, res] = currentExchange()
  return (res as { writableEnded?: boolean }).writableEnded === true
}

/** Settles when the answer has gone: one that answers need not call back. */
function answered(): Promise<void> {
  const [, res] = currentExchange()
  return new Promise((resolve) => (res as Partial<EventEmitter>).once?.('finish', resolve))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
