import { startServer } from '../../origin/server.ts'
import { authenticationContract } from '../contract/http/authentication.ts'
import { hostedContract } from '../contract/http/hosted.ts'
import { testConfig } from '../helpers/origin-config.ts'
import { platen } from '../helpers/platen-cli.ts'

async function hosted(authenticationPublicKey = '') {
  const { config, remove } = await testConfig({ hosted: true, mergeWorkers: 1, authenticationPublicKey })
  await platen(config.workdir, 'generate-keys')
  const server = await startServer(config)
  return {
    url: server.url,
    platen: (...args: readonly string[]) => platen(config.workdir, ...args),
    stop: async () => {
      await server.stop()
      await remove()
    },
  }
}

hostedContract('origin, embedded', () => hosted())

// Accounts apart, once more: now they are kept in the records.
authenticationContract('origin, hosted', async (publicKeys) => {
  const target = await hosted(publicKeys)
  for (const name of ['self', 'first', 'second'])
    await target.platen('accounts', 'create', name, '--credits', 'unlimited')
  return target
})
