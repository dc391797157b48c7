import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { createConfinement } from '../../../../origin/processes/confine.ts'
import { documentsWithLinks } from '../../../helpers/documents-with-links.ts'
import { ask } from '../../../helpers/pdf.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { binaryDocumentsWithLinks } from './binary-links.ts'
import { createOffice, type Office, officeHost } from './office.ts'

/** A server that must not be called, and a file that must not be read. */
const hits: string[] = []
const server = createServer((request, response) => {
  hits.push(`${request.method} ${request.url}`)
  response.end('canary of the network')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const folder = temporaryFolder('links-test')
const secret = join(folder, 'secret.txt')
writeFileSync(secret, 'canary of the disk\n', { mode: 0o644 })
// As in a container that is given no more rights than usual.
const scriptAt = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const { confine, state } = createConfinement('best', [
  'perl',
  scriptAt('test/helpers/without-namespaces.pl'),
  'perl',
  scriptAt('origin/processes/confine.pl'),
])

const offices: readonly (readonly [string, Office])[] = [
  ['in its jail', createOffice()],
  ['where namespaces are forbidden', createOffice({}, { ...officeHost(), confine })],
]
afterAll(async () => {
  await Promise.all(offices.map(([, office]) => office.engine.stop?.()))
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const http = `http://127.0.0.1:${(server.address() as AddressInfo).port}/canary`
const documents = [
  ...(await documentsWithLinks({ http, file: `file://${secret}` })),
  ...(await binaryDocumentsWithLinks(http)),
]

it('the second office has the fences that need no namespaces, and no others', async () => {
  const user = process.getuid?.() === 0 ? 'own' : 'service'
  expect(await state()).toEqual({ isolation: { user, network: true, files: true, sandbox: false } })
})

describe.each(offices)('links of a document, for an office %s', (_mode, office) => {
  it.each(documents)('are not followed: %s', async (_name, { from, bytes, warned, shows = '' }) => {
    hits.length = 0
    const { bytes: pdf, warnings } = await office.convert(bytes, from, 'pdf', { deadlineMs: 120_000 })
    expect(hits).toEqual([])
    const text = await ask(join(folder, 'made'), pdf, 'pdftotext', '@', '-')
    // What stands behind the address. The address itself is text where a CSV is not computed.
    expect(text).not.toMatch(/canary of the (?:network|disk)/)
    expect(text).toContain(shows)
    const dropped = ['office.link-dropped', 'picture.not-loaded']
    expect(warnings.some(({ code }) => dropped.includes(code))).toBe(warned)
  })
})
