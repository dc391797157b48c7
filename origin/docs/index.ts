import { Worker } from 'node:worker_threads'
import type { DocPage, Docs } from '../../shared/api/docs.ts'

/**
 * The documentation of this host. Pages are made by a thread when the first one is asked for, which takes about two
 * seconds of work that nobody else has to wait for, and are kept. A failure is tried again by the next request.
 */
export function openDocs(): Docs {
  let pages: Promise<Readonly<Record<string, DocPage>>> | undefined
  return {
    async page(id) {
      pages ??= inThread().catch((error: unknown) => {
        pages = undefined
        throw error
      })
      const all = await pages
      return Object.hasOwn(all, id) ? all[id] : undefined
    },
  }
}

function inThread(): Promise<Readonly<Record<string, DocPage>>> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('thread.ts', import.meta.url))
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', () => reject(new Error('The thread that makes the pages ended early.')))
  })
}
