import { Worker } from 'node:worker_threads'
import type { DocPage, Docs } from '../../shared/ports/docs.ts'

/**
 * The documentation of this host. A thread renders the pages when the first one is requested, which takes about two
 * seconds without delaying other requests, and the result is cached. After a failure the next request tries again.
 */
export function openDocs(): Docs {
  let pages: Promise<Readonly<Record<string, DocPage>>> | undefined
  return {
    async page(id) {
      pages ??= inThread().catch((error: unknown) => {
        pages = undefined
        throw error
      })
      const loadedPages = await pages
      return Object.hasOwn(loadedPages, id) ? loadedPages[id] : undefined
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
