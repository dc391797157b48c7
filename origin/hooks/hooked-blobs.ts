import { AppError } from '../../shared/errors/app-error.ts'
import type { ByteSource } from '../../shared/plugin/values.ts'
import type { Blobs } from '../../shared/ports/blobs.ts'
import { ownAccount } from '../../shared/records/accounts.ts'

/** The operator's own store of templates. The names are safe as file names. */
export interface TemplateStore {
  readonly write?: ((name: string, source: ByteSource) => Promise<void>) | undefined
  /** Resolves to undefined when the store has no such template. */
  readonly read?: ((name: string) => Promise<ByteSource | undefined>) | undefined
  readonly delete?: ((name: string) => Promise<void>) | undefined
}

/**
 * Wraps a blob store so that templates are kept in the operator's store. An upload is written to `inner`
 * first and copied to the operator's store when it is moved to its final key. Templates that the operator's
 * store lacks are read from `inner`: those from before the hook was installed, or all if there is no `write`.
 */
export function hookedBlobs(inner: Blobs, store: TemplateStore): Blobs {
  // Deleting several blobs at once would bypass the hook.
  const { deleteMany: _, ...single } = inner
  return {
    ...single,
    put: (key, body) => inner.put(key, body),
    list: (prefix, after) => inner.list(prefix, after),
    async move(from, to) {
      const name = nameOf(to)
      if (name === undefined || store.write === undefined) return inner.move(from, to)
      const source = await inner.get(from)
      if (source === undefined)
        throw new AppError('storage.blobs', {}, { cause: new Error('The blob is not there any more.') })
      await store.write(name, source)
      await inner.delete(from)
    },
    async get(key) {
      const name = nameOf(key)
      const template = name === undefined ? undefined : await store.read?.(name)
      return template ?? inner.get(key)
    },
    async delete(key) {
      const name = nameOf(key)
      if (name !== undefined) await store.delete?.(name)
      await inner.delete(key)
    },
  }
}

/**
 * The name of a template for the operator's store, undefined for other blobs. 'self/templates/<64 hex>'
 * becomes the hexadecimal ID. Templates of other accounts get the account as a prefix, because their IDs may
 * be equal.
 */
function nameOf(key: string): string | undefined {
  const [, account, id] = /^([^/]+)\/templates\/([0-9a-f]{64})$/.exec(key) ?? []
  return account === ownAccount ? id : account && `${account}-${id}`
}
