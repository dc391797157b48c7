import { exportSPKI, generateKeyPair } from 'jose'
import { expect, it } from 'vitest'
import { readConfig } from '../../../origin/config.ts'
import { studioContract } from '../../contract/http/studio.ts'
import { originTarget } from '../../helpers/origin-target.ts'

studioContract(
  'origin',
  async ({ studio, user = '', publicKey = '' }) => {
    const target = await originTarget({
      studio,
      studioUser: user,
      authentication: publicKey !== '',
      authenticationPublicKey: publicKey,
    })
    return { fetch: (path, init) => fetch(target.url + path, init), stop: target.stop }
  },
  async () => exportSPKI((await generateKeyPair('ES512', { extractable: true })).publicKey),
)

it('is off unless it is switched on, by command line or environment', () => {
  const read = (args: readonly string[], environment: Record<string, string> = {}) => {
    const { studio, studioUser } = readConfig(args, environment).config
    return [studio, studioUser]
  }
  expect(read([])).toEqual([false, ''])
  expect(read(['-s', '-S', 'ann:secret'])).toEqual([true, 'ann:secret'])
  expect(read(['--studio', '--studioUser=a:b=c'])).toEqual([true, 'a:b=c'])
  expect(read([], { SERVICE_STUDIO: 'true', SERVICE_STUDIO_USER: 'a:b' })).toEqual([true, 'a:b'])
})
