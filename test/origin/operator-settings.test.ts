import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OriginConfig } from '../../origin/config.ts'
import { createServices, type OriginServices } from '../../origin/services.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import { testConfig } from '../helpers/origin-config.ts'

/** An origin with these settings, for as long as `work` takes. */
async function withSettings<T>(
  settings: Partial<OriginConfig>,
  work: (services: OriginServices, config: OriginConfig) => Promise<T>,
): Promise<T> {
  const { config, remove } = await testConfig({ mergeWorkers: 1, ...settings })
  const services = await createServices(config)
  try {
    return await work(services, config)
  } finally {
    services.beginStop()
    await services.stop()
    await remove()
  }
}

describe('maxDownloadFileCount', () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'image/svg+xml' })
    response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  })
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it.each([
    [1, 1, ['2 pictures that the page refers to could not be loaded: a page may name at most 1 files.']],
    [2, 2, ['One picture that the page refers to could not be loaded: a page may name at most 2 files.']],
    [20, 3, []],
  ])(
    'of %i: fetches so many files, and reports the others',
    async (maxDownloadFileCount, fetched, reported) => {
      await withSettings({ maxDownloadFileCount, egressAllowPrivate: true }, async ({ converter }) => {
        asked = 0
        const page = ['a', 'b', 'c'].map((name) => `<img src="${base}/${name}.svg">`).join('')
        const { warnings } = await converter.convert({
          source: fromBytes(new TextEncoder().encode(`<p>x</p>${page}`)),
          from: 'html',
          to: 'pdf',
          letter: 'C',
          deadline: Date.now() + 200_000,
          signal: AbortSignal.timeout(200_000),
        })
        expect([asked, warnings.map(({ message }) => message)]).toEqual([fetched, reported])
      })
    },
  )
})
