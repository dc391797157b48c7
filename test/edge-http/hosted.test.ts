import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import { hostedContract } from '../contract/http/hosted.ts'
import { databaseFile, edgeTarget } from '../helpers/edge-target.ts'
import { accountCommands, platen } from '../helpers/platen-cli.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { executeAsWrangler } from '../helpers/wrangler-execute.ts'

let file = ''
vi.mock('../../origin/cli/wrangler.ts', () => ({
  wrangler: (args: readonly string[]) => executeAsWrangler(file, args),
}))

/**
 * The Worker as a hosted service. Commands that insert, read and update reach its open database once through wrangler,
 * which starts workerd again for each statement. For all others the same statements run on the same file in this process.
 */
hostedContract('edge in workerd', async () => {
  const folder = temporaryFolder('platen-hosted')
  await platen(folder, 'generate-keys')
  const keys = await readFile(join(folder, 'config', 'key.pub'), 'utf8')
  const edge = await edgeTarget({
    SERVICE_HOSTED: 'true',
    SERVICE_AUTHENTICATION_PUBLIC_KEY: keys.replaceAll('\n', '\\n'),
  })
  file = databaseFile(edge)
  const options = ['--d1', 'local', '--persist-to', edge.state]
  return {
    url: edge.url,
    platen: accountCommands(folder, { options, asProcess: ['create', 'token', 'close'] }),
    stop: async () => {
      await edge.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
