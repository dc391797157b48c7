import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostedContract } from '../contract/http/hosted.ts'
import { edgeTarget } from '../helpers/edge-target.ts'
import { accountCommands, platen } from '../helpers/platen-cli.ts'

/** The Worker as a hosted service; its accounts are made with wrangler in the database that it has open. */
hostedContract('edge in workerd', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-hosted-'))
  await platen(folder, 'generate-keys')
  const keys = await readFile(join(folder, 'config', 'key.pub'), 'utf8')
  const edge = await edgeTarget({
    SERVICE_HOSTED: 'true',
    SERVICE_AUTHENTICATION_PUBLIC_KEY: keys.replaceAll('\n', '\\n'),
  })
  const command = accountCommands(folder)
  const d1 = ['--d1', 'local', '--persist-to', edge.state]
  return {
    url: edge.url,
    platen: (name = '', ...args) => command(name, ...args, ...(name === 'accounts' ? d1 : [])),
    stop: async () => {
      await edge.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
