import { startServer } from '../../origin/server.ts'
import { httpContract } from '../contract/http/suite.ts'
import { testConfig } from '../helpers/origin-config.ts'

httpContract('origin, embedded', async () => {
  const { config, remove } = await testConfig()
  const server = await startServer(config)
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await remove()
    },
  }
})
