import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../edge/app.ts'
import { createServices } from '../../edge/services.ts'
import { docsContract } from '../contract/http/docs.ts'

docsContract('workerd', async (on) => {
  const settings = { ...env, SERVICE_DOCS: String(on) }
  const app = createApp(await createServices(settings))
  return {
    async fetch(path, init) {
      const context = createExecutionContext()
      const answer = await app.fetch(new Request(`http://edge.example${path}`, init), settings, context)
      await waitOnExecutionContext(context)
      return answer
    },
  }
})
