import { afterAll, beforeAll } from 'vitest'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { testConfig } from './origin-config.ts'

/** The services of an origin for all tests of a file; there from `beforeAll` on. `warm`: their engines run by then. */
export function useServices({ warm = false } = {}): () => OriginServices {
  let services: OriginServices
  let remove: () => Promise<void>
  beforeAll(async () => {
    const prepared = await testConfig()
    remove = prepared.remove
    services = await createServices(prepared.config)
    if (warm) await services.converter.warm()
  })
  afterAll(async () => {
    services.beginStop()
    await services.stop()
    await remove()
  })
  return () => services
}
