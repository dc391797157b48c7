import type { OriginConfig } from '../../origin/config.ts'
import { startServer } from '../../origin/server.ts'
import type { Target } from '../contract/http/client.ts'
import { testConfig } from './origin-config.ts'

/** An origin that listens, for the contract suites. */
export async function originTarget(changes: Partial<OriginConfig> = {}): Promise<Target> {
  const { config, remove } = await testConfig(changes)
  const server = await startServer(config)
  return {
    url: server.url,
    stop: async () => {
      await server.stop()
      await remove()
    },
  }
}
