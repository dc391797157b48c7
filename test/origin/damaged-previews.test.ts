import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServer } from '../../origin/server.ts'
import { base64 } from '../contract/http/client.ts'
import { docxOf, paragraph } from '../helpers/docx.ts'
import { testConfig } from '../helpers/origin-config.ts'

/** Files of a folder and the folders below it. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

it.each([
  ['other bytes', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([7])])],
  ['fewer bytes', (bytes: Buffer) => bytes.subarray(0, 40)],
  ['no bytes', () => Buffer.alloc(0)],
])('a stored preview with %s is drawn again', async (_, damage) => {
  const { config, remove } = await testConfig()
  const server = await startServer(config)
  try {
    const uploaded = await fetch(`${server.url}/template`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ template: base64(await docxOf(paragraph('one'))), versioning: true }),
    })
    const { data } = (await uploaded.json()) as { readonly data: { readonly id: string } }
    const preview = async () => {
      const answer = await fetch(`${server.url}/template/${data.id}/preview?width=64`)
      return [answer.status, Buffer.from(await answer.arrayBuffer())] as const
    }
    const [status, first] = await preview()
    expect(status).toBe(200)
    const [stored = ''] = (await filesBelow(config.workdir)).filter((path) => path.includes('/previews/'))
    await writeFile(stored, damage(await readFile(stored)))
    expect(await preview()).toEqual([200, first])
    // The damaged file was replaced.
    expect((await readFile(stored)).subarray(-first.length)).toEqual(first)
  } finally {
    await server.stop()
    await remove()
  }
})
