import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostedContract } from '../contract/http/hosted.ts'
import { databaseFile, edgeTarget } from '../helpers/edge-target.ts'
import { accountCommands, platen } from '../helpers/platen-cli.ts'

/**
 * The Worker as a hosted service. The first command of each kind reaches its open database through wrangler, which starts
 * workerd again for each statement; the others open the same file.
 */
hostedContract('edge in workerd', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-hosted-'))
  await platen(folder, 'generate-keys')
  const keys = await readFile(join(folder, 'config', 'key.pub'), 'utf8')
  const edge = await edgeTarget({
    SERVICE_HOSTED: 'true',
    SERVICE_AUTHENTICATION_PUBLIC_KEY: keys.replaceAll('\n', '\\n'),
  })
  await mkdir(join(folder, '.data'))
  await symlink(databaseFile(edge), join(folder, '.data', 'service.sqlite'))
  return {
    url: edge.url,
    platen: accountCommands(folder, ['--d1', 'local', '--persist-to', edge.state]),
    stop: async () => {
      await edge.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
