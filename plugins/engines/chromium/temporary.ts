import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A new temporary folder, for a host that gives none. Its name says which process of which machine made it, so that the sweep at
 * the start of a service finds what a killed one left behind.
 */
export function temporaryFolder(): Promise<string> {
  const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
  return mkdtemp(join(tmpdir(), `platen-web-${machine}-${process.pid}-`))
}
