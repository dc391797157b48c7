import { AppError } from '../../shared/errors/app-error.ts'
import type { ByteSource } from '../../shared/plugin/contract.ts'
import type { Blobs } from '../../shared/ports/blobs.ts'
import { ownAccount } from '../../shared/services/services.ts'

/** The store of templates that an operator has written, by names that are theirs to use as names of files. */
export interface TemplateStore {
  readonly write?: ((name: string, source: ByteSource) => Promise<void>) | undefined
  /** undefined: there is none. */
  readonly read?: ((name: string) => Promise<ByteSource | undefined>) | undefined
  readonly delete?: ((name: string) => Promise<void>) | undefined
}

/**
 * Blobs whose templates, once they have their name, go to the operator's store and come from it. What that does not have
 * is looked for in the store below: templates from before, or all of them where nothing is written elsewhere.
 */
export function hookedBlobs(inner: Blobs, store: TemplateStore): Blobs {
  return {
    ...inner,
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
      const found = name === undefined ? undefined : await store.read?.(name)
      return found ?? inner.get(key)
    },
    async delete(key) {
      const name = nameOf(key)
      if (name !== undefined) await store.delete?.(name)
      await inner.delete(key)
    },
  }
}

/** 'self/templates/<64 hex>' -> the id; templates of other accounts have theirs before it, since ids may be equal. */
function nameOf(key: string): string | undefined {
  const [, account, id] = /^([^/]+)\/templates\/([0-9a-f]{64})$/.exec(key) ?? []
  return account === ownAccount ? id : account && `${account}-${id}`
}
