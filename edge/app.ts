import { Hono } from 'hono'
import { createApi } from '../shared/api/api.ts'
import type { Services } from '../shared/services/services.ts'
import { mount, pathOf } from './mount.ts'

/** Creates the HTTP application of the Worker for one set of services. */
export function createApp(services: Services): Hono {
  const app = new Hono({ getPath: pathOf })
  const { headerAliases: aliases, requestTimeoutMs: bodyTimeoutMs = 300_000 } = services.settings
  mount(app, createApi(services), { aliases, bodyTimeoutMs })
  return app
}
