import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ByteSource } from '../../shared/plugin/values.ts'

/**
 * Where the environment names a folder, `KEEP_OUTPUTS`, each different office document that tests make is kept there:
 * `npm run validity` looks at all of them. What hostile templates become is none.
 */
export async function keepOutput(document: ByteSource, format: string): Promise<void> {
  const folder = process.env['KEEP_OUTPUTS']
  if (folder === undefined || !office.has(format)) return
  if (/hostile/.test(expect.getState().testPath ?? '')) return
  const bytes = new Uint8Array(await document.arrayBuffer())
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.${format}`), bytes)
}

const office = new Set(['docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'odg'])
