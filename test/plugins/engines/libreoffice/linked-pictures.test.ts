import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createPinnedTransport } from '../../../../origin/net/pinned-fetch.ts'
import { createOutbound } from '../../../../shared/net/outbound.ts'
import type { DownloadLimits } from '../../../../shared/ports/index.ts'
import { documentsWithLinks } from '../../../helpers/documents-with-links.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice, officeHost } from './office.ts'

const picture = readFileSync(new URL('../../../fixtures/images/rgb.png', import.meta.url))
const hits: string[] = []
const server = createServer((request, response) => {
  hits.push(request.url ?? '')
  if (request.url === '/missing') response.writeHead(404)
  response.end(request.url === '/text' ? 'no picture' : picture)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const folder = temporaryFolder('linked-pictures')

function officeThat(allowPrivate: boolean, limits?: DownloadLimits) {
  const policy = { allowPrivate }
  const transport = createPinnedTransport(policy)
  const outbound = createOutbound({ policy, transport, userAgent: 'test', ...(limits && { limits }) })
  return createOffice({}, { ...officeHost(), outbound })
}
const open = officeThat(true)
const closed = officeThat(false)
const narrow = officeThat(true, { files: 20, totalBytes: 10, timeoutMs: 6_000, atOnce: 15 })
afterAll(async () => {
  await Promise.all([open, closed, narrow].map(({ engine }) => engine.stop?.()))
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const named = async (path: string, name: string) => {
  const documents = await documentsWithLinks({ http: `${origin}${path}`, file: 'file:///nonexistent' })
  const found = documents.find(([title]) => title === name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return found[1]
}
/** Width and height of the pictures in a PDF. */
function picturesIn(pdf: Uint8Array): string[] {
  const path = join(folder, 'made.pdf')
  writeFileSync(path, pdf)
  const lines = execFileSync('pdfimages', ['-list', path], { encoding: 'utf8' }).split('\n').slice(2)
  return lines.flatMap((line) => /^ *\d+ +\d+ +image +(\d+ +\d+)/.exec(line)?.[1]?.replace(/ +/, ' ') ?? [])
}
const size = [`${picture.readUInt32BE(16)} ${picture.readUInt32BE(20)}`]

describe('pictures that a document names', () => {
  it.each(['a picture of a DOCX', 'a picture of a PPTX', 'a picture of an ODT'])(
    'are fetched where that is allowed, and embedded: %s',
    async (name) => {
      hits.length = 0
      const { from, bytes } = await named('/a.png', name)
      const made = await open.convert(bytes, from, 'pdf')
      expect(hits).toEqual(['/a.png'])
      expect(picturesIn(made.bytes)).toEqual(size)
      expect(made.warnings).toEqual([])
    },
  )

  it.each([
    ['the policy forbids it', closed, '/a.png', [], 'calls to its address are not allowed'],
    ['nobody has them', open, '/missing', ['/missing'], 'a server answered with status 404'],
    ['they are none', open, '/text', ['/text'], 'the server sent no picture that an office reads'],
    ['they are too large', narrow, '/a.png', ['/a.png'], 'the files of a page are larger than 10 bytes'],
  ] as const)('are dropped with the reason where %s', async (_name, office, path, asked, reason) => {
    for (const name of ['a picture of a DOCX', 'a picture of an ODT']) {
      hits.length = 0
      const { from, bytes } = await named(path, name)
      const made = await office.convert(bytes, from, 'pdf')
      expect(hits).toEqual(asked)
      expect(picturesIn(made.bytes)).toEqual([])
      expect(made.warnings).toEqual([
        {
          code: 'picture.not-loaded',
          message: `One link of the document to a picture outside of it was not followed: ${reason}.`,
        },
      ])
    }
  })
})
