import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Blobs } from '../../../shared/ports/blobs.ts'
import type { Services } from '../../../shared/services/services.ts'

/** A host that serves what `change` makes of its services. */
export interface StoreHost {
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/** An operation that fails, and the routes that cannot answer without it. */
interface Failure {
  readonly operation: string
  readonly needed: readonly string[]
}
const failures: readonly Failure[] = [
  {
    operation: 'sql.query',
    needed: [
      'upload',
      'fetch a template',
      'change a template',
      'list',
      'categories',
      'tags',
      'render',
      'render and download',
      'render as a batch',
      'render with a webhook',
      'fetch a render',
      'ask for a job',
      'cancel a job',
    ],
  },
  { operation: 'sql.batch', needed: ['upload a version', 'change a template', 'delete a template'] },
  {
    operation: 'blobs.put',
    needed: ['upload a version', 'upload', 'render', 'render as a batch', 'render with a webhook'],
  },
  { operation: 'blobs.get', needed: ['fetch a template', 'fetch a render'] },
  { operation: 'blobs.delete', needed: [] },
  { operation: 'blobs.list', needed: [] },
  { operation: 'queue.send', needed: [] },
]

/** What an operation throws, and the code that the caller gets. */
const causes: readonly (readonly [cause: string, code: string, error: (store: string) => Error])[] = [
  ['is away', 'w210', () => new AppError('storage.unavailable')],
  [
    'fails',
    'w215',
    (store) =>
      new AppError(
        store === 'sql' ? 'storage.records' : store === 'blobs' ? 'storage.blobs' : 'storage.queue',
      ),
  ],
]

/**
 * A store that fails is the fault of the service on every route: 503 with a code and the time to wait, never a mistake of
 * the caller. `open` starts a host whose stores are replaced by `change`.
 */
export function failingStoresContract(
  name: string,
  open: (change: (services: Services) => Services) => Promise<StoreHost>,
): void {
  describe(`stores that fail: ${name}`, () => {
    let host: StoreHost
    let broken: { readonly operation: string; readonly error: (store: string) => Error } | undefined
    let thrown = 0
    const asked = (operation: string) => {
      if (broken?.operation !== operation) return
      thrown++
      throw broken.error(operation.split('.')[0]!)
    }
    const watched = <Store extends object>(label: string, store: Store): Store =>
      new Proxy(store, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key, target)
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => {
            const call = () => {
              asked(`${label}.${String(key)}`)
              return Reflect.apply(value, target, args)
            }
            return key === 'list' || key === 'consume' ? call() : (async () => call())()
          }
        },
      })

    beforeAll(async () => {
      host = await open((services) => {
        // Without `deleteMany`, one name stands for all deletions.
        const { deleteMany: _, ...blobs } = services.blobs
        return {
          ...services,
          sql: watched('sql', services.sql),
          blobs: watched('blobs', blobs as Blobs),
          ...(services.queue !== undefined && { queue: watched('queue', services.queue) }),
        }
      })
    })
    afterAll(() => host?.close())

    const json = (method: string, body: unknown, headers = {}) => ({
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    let count = 0
    /** The files of these templates are new, so that no cache has them. */
    const upload = async (fields: Readonly<Record<string, string>>) => {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.append(field, value)
      form.append('template', new Blob([`{d.a} ${count++}`]), 'x.txt')
      return host.fetch('/template', { method: 'POST', body: form })
    }
    const stored = async () => {
      const answer = (await (await upload({ versioning: 'true' })).json()) as { data: { versionId: string } }
      return answer.data.versionId
    }
    const webhook = { 'service-webhook-url': 'https://hooks.example.com/' }
    /** Each route with what must exist before it is asked. */
    const routes: Readonly<Record<string, () => Promise<() => Promise<Response>>>> = {
      'upload a version': async () => () => upload({ versioning: 'true' }),
      upload: async () => () => upload({}),
      'fetch a template': async () => {
        const id = await stored()
        return () => host.fetch(`/template/${id}`)
      },
      'change a template': async () => {
        const id = await stored()
        return () => host.fetch(`/template/${id}`, json('PATCH', { name: 'other' }))
      },
      'delete a template': async () => {
        const id = await stored()
        return () => host.fetch(`/template/${id}`, { method: 'DELETE' })
      },
      list: async () => () => host.fetch('/templates'),
      categories: async () => () => host.fetch('/templates/categories'),
      tags: async () => () => host.fetch('/templates/tags'),
      render: async () => {
        const id = await stored()
        return () => host.fetch(`/render/${id}`, json('POST', { data: { a: 1 } }))
      },
      'render and download': async () => {
        const id = await stored()
        return () => host.fetch(`/render/${id}?download=true`, json('POST', { data: { a: 1 } }))
      },
      'render as a batch': async () => {
        const id = await stored()
        return () =>
          host.fetch(
            `/render/${id}?download=true`,
            json('POST', { data: { b: [{}, {}] }, batchSplitBy: 'd.b' }),
          )
      },
      'render with a webhook': async () => {
        const id = await stored()
        return () => host.fetch(`/render/${id}`, json('POST', { data: { a: 1 } }, webhook))
      },
      'render what was sent': async () => () =>
        host.fetch('/render/template?download=true', json('POST', { data: {}, template: btoa('{d.a}') })),
      'fetch a render': async () => {
        const made = await host.fetch('/render/template', json('POST', { data: {}, template: btoa('{d.a}') }))
        const { data } = (await made.json()) as { data: { renderId: string } }
        return () => host.fetch(`/render/${data.renderId}`)
      },
      'ask for a job': async () => () => host.fetch(`/jobs/${'A'.repeat(28)}`),
      'cancel a job': async () => () => host.fetch(`/jobs/${'A'.repeat(28)}`, { method: 'DELETE' }),
    }

    describe.each(failures)('$operation', ({ operation, needed }) => {
      it.each(causes)('%s: %s', async (_cause, code, error) => {
        const told: string[] = []
        for (const [route, prepare] of Object.entries(routes)) {
          const ask = await prepare()
          thrown = 0
          broken = { operation, error }
          const answer = await ask().finally(() => {
            broken = undefined
          })
          const body = await answer.text()
          // What needs no answer of the store may fail and be made up for later.
          if (thrown === 0 || answer.ok) continue
          told.push(route)
          expect([route, answer.status, answer.headers.get('retry-after'), JSON.parse(body)]).toEqual([
            route,
            503,
            '1',
            { success: false, code, error: expect.stringMatching(/storage|Another request/) },
          ])
        }
        expect(told).toEqual(expect.arrayContaining([...needed]))
      })
    })

    it('an unexpected failure is 500 on every route, without details', async () => {
      for (const { operation } of failures)
        for (const [route, prepare] of Object.entries(routes)) {
          const ask = await prepare()
          thrown = 0
          broken = { operation, error: () => new TypeError('secret') }
          const answer = await ask().finally(() => {
            broken = undefined
          })
          const body = await answer.text()
          if (thrown === 0 || answer.ok) continue
          expect([operation, route, answer.status, body.includes('secret')]).toEqual([
            operation,
            route,
            500,
            false,
          ])
        }
    })
  })
}
