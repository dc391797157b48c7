import { expect, it } from 'vitest'
import { createApp } from '../../origin/app.ts'
import { keyFiles } from '../../origin/auth/key-files.ts'
import { signToken } from '../../origin/auth/sign-token.ts'
import { createServices } from '../../origin/services.ts'
import { testConfig } from '../helpers/origin-config.ts'

it('GET /status?full=1 names every engine, and what engine O found', async () => {
  const { config, remove } = await testConfig({ mergeWorkers: 1, authentication: true })
  const services = await createServices(config)
  const app = createApp(services)
  try {
    const expiresAt = Math.floor(Date.now() / 1000) + 60
    const claims = { issuer: 'test', audience: 'service', expiresAt }
    const token = await signToken(keyFiles(config.workdir).privateKey, claims)
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${url}/status?full=1`, { headers: { authorization: `Bearer ${token}` } })
    const { engines } = (await answer.json()) as {
      engines: { letter?: string; ok: boolean; using?: string }[]
    }
    expect(
      engines
        .map(({ letter }) => letter)
        .filter(Boolean)
        .sort(),
    ).toEqual(['C', 'I', 'L', 'O'])
    expect(engines.find(({ letter }) => letter === 'O')).toMatchObject({
      ok: true,
      using: 'Calligra, AbiWord, Gnumeric',
    })
  } finally {
    app.server.closeAllConnections()
    await app.close()
    await services.stop()
    await remove()
  }
})
