import { rm } from 'node:fs/promises'
import { type OriginConfig, readConfig } from '../../origin/config.ts'
import { putFontIndex } from './font-index.ts'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * The configuration of an origin that listens on a free port, with its data in a folder of its own. Engines start when a
 * test uses them.
 */
export async function testConfig(
  changes: Partial<OriginConfig> = {},
): Promise<{ readonly config: OriginConfig; remove(): Promise<void> }> {
  const folder = temporaryFolder('platen-origin')
  const { config } = readConfig(['--port', '0', '--workdir', folder, '--logLevel', 'silent'], {})
  putFontIndex(config.dataDir)
  return {
    config: { ...config, prewarm: false, ...changes },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
