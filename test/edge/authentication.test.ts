import { env } from 'cloudflare:workers'
import { exportSPKI, generateKeyPair } from 'jose'
import { expect, it } from 'vitest'
import { openAuthentication } from '../../edge/authentication.ts'
import { readConfig } from '../../edge/config.ts'
import { openD1 } from '../../edge/storage/records-d1.ts'

async function open(variables: Readonly<Record<`SERVICE_${string}`, string>>): Promise<string> {
  const parts = { clock: { now: () => Date.now() }, sql: openD1(env.RECORDS) }
  return (await openAuthentication(readConfig(variables, '1.0.0'), parts)) === undefined ? 'off' : 'on'
}

it('is off unless it is switched on', async () => {
  for (const value of ['', ' ', 'false', '0', 'OFF', 'no'])
    expect(await open({ SERVICE_AUTHENTICATION: value })).toBe('off')
  expect(await open({})).toBe('off')
  const { publicKey } = await generateKeyPair('ES512', { extractable: true })
  const SERVICE_AUTHENTICATION_PUBLIC_KEY = await exportSPKI(publicKey)
  for (const value of ['true', '1', ' On ', 'yes'])
    expect(await open({ SERVICE_AUTHENTICATION: value, SERVICE_AUTHENTICATION_PUBLIC_KEY })).toBe('on')
})

it('a misspelt switch and unusable keys refuse every call', async () => {
  const refused = { code: 'auth.keys' }
  await expect(open({ SERVICE_AUTHENTICATION: 'treu' })).rejects.toMatchObject(refused)
  await expect(open({ SERVICE_AUTHENTICATION: 'true' })).rejects.toMatchObject(refused)
  const SERVICE_AUTHENTICATION_PUBLIC_KEY = 'secret'
  const both = { SERVICE_AUTHENTICATION: 'true', SERVICE_AUTHENTICATION_PUBLIC_KEY }
  await expect(open(both)).rejects.toMatchObject(refused)
})
