import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OriginConfig, readConfig } from '../../origin/config.ts'
import { putFontIndex } from './font-index.ts'

/**
 * The configuration of an origin that listens on a free port, with its data in a folder of its own. Engines start when a
 * test uses them.
 */
export async function testConfig(
  changes: Partial<OriginConfig> = {},
): Promise<{ readonly config: OriginConfig; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-origin-'))
  const { config } = readConfig(['--port', '0', '--workdir', folder, '--logLevel', 'silent'], {})
  putFontIndex(config.dataDir)
  return {
    config: { ...config, prewarm: false, ...changes },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
