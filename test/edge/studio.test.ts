import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { exportSPKI, generateKeyPair } from 'jose'
import { createApp } from '../../edge/app.ts'
import { createServices } from '../../edge/services.ts'
import { studioContract } from '../contract/http/studio.ts'

studioContract(
  'workerd',
  async ({ studio, user = '', publicKey }) => {
    const settings = {
      ...env,
      SERVICE_STUDIO: String(studio),
      SERVICE_STUDIO_USER: user,
      ...(publicKey !== undefined && {
        SERVICE_AUTHENTICATION: 'true',
        SERVICE_AUTHENTICATION_PUBLIC_KEY: publicKey,
      }),
    }
    const app = createApp(await createServices(settings))
    return {
      async fetch(path, init) {
        const context = createExecutionContext()
        const answer = await app.fetch(new Request(`http://edge.example${path}`, init), settings, context)
        await waitOnExecutionContext(context)
        return answer
      },
    }
  },
  async () => exportSPKI((await generateKeyPair('ES512', { extractable: true })).publicKey),
)
