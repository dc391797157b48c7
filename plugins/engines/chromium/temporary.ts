import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a temporary folder, for a host that provides none. Its name contains the process and the machine that made
 * it, so that the cleanup at the start of a service finds what a killed one left behind.
 */
export function temporaryFolder(): Promise<string> {
  const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
  return mkdtemp(join(tmpdir(), `platen-web-${machine}-${process.pid}-`))
}
