import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../edge/app.ts'
import { createServices } from '../../edge/services.ts'
import { failingStoresContract } from '../contract/http/failing-stores.ts'

failingStoresContract('workerd', async (change) => {
  const app = createApp(change(await createServices(env)))
  return {
    async fetch(path, init) {
      const context = createExecutionContext()
      const answer = await app.fetch(new Request(`http://edge.example${path}`, init), env, context)
      // What follows an answer waits until its body was read.
      const whole = new Response(await answer.arrayBuffer(), answer)
      await waitOnExecutionContext(context)
      return whole
    },
    close: async () => {},
  }
})
