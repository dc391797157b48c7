import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { expect, it } from 'vitest'
import * as client from '../../client/built/index.js'
import worker from '../../edge/worker.ts'
import { expected, useEverything } from '../client/scenario.ts'

/** The client in an isolate, as a Worker uses it with a service binding, against the edge. */
it('a Worker: everything that a program does with it', async () => {
  const settings = { ...env, SERVICE_LOG_LEVEL: 'silent' } as typeof env
  const binding = async (url: string, init: RequestInit): Promise<Response> => {
    const context = createExecutionContext()
    const request = new Request(url, init) as Request<unknown, IncomingRequestCfProperties>
    const response = await worker.fetch(request, settings, context)
    void waitOnExecutionContext(context)
    return response
  }
  const seen = await useEverything(client, { url: 'https://edge.example', fetch: binding })
  expect(seen).toEqual(expected)
})
