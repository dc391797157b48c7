import { readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installNpmPackages } from '../../../origin/setup/npm-packages.mjs'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { base64, createClient, sha256, type Target, unique } from './client.ts'

/** What its README promises, as far as it is used here. */
interface Sdk {
  setOptions(options: Readonly<Record<string, unknown>>): void
  setApiVersion(version: number): void
  addTemplatePromise(path: string, payload?: string): Promise<string>
  getTemplatePromise(templateId: string): Promise<Uint8Array>
  delTemplatePromise(templateId: string): Promise<unknown>
  renderPromise(
    template: string,
    data: object,
  ): Promise<{ readonly content: Uint8Array; readonly filename: string }>
}

const folder = new URL('../../sdk/', import.meta.url).pathname

/**
 * The client that npm has for the established API, unchanged but for its base address (docs/migration.md). The service is
 * started with SERVICE_HEADER_ALIASES=carbone.
 */
export function sdkContract(name: string, start: () => Promise<Target>): void {
  describe(`published SDK: ${name}`, () => {
    let target: Target
    let files: string
    let sdk: Sdk
    beforeAll(async () => {
      const said: string[] = []
      expect([await installNpmPackages(folder, (line: string) => said.push(line)), said]).toEqual([
        true,
        expect.any(Array),
      ])
      target = await start()
      files = temporaryFolder('platen-sdk')
      sdk = fresh('token')
      // It waits a few seconds for an answer, and a busy machine needs some to wake the first thread.
      await createClient(target.url).post('/render/template', { template: btoa('{d.a}'), data: {} })
    })
    afterAll(async () => {
      await target?.stop()
      await rm(files, { recursive: true, force: true })
    })
    const fresh = (token: string, options: Readonly<Record<string, unknown>> = {}): Sdk => {
      const made = createRequire(folder)('carbone-sdk')(token) as Sdk
      made.setOptions({ carboneUrl: `${target.url}/`, ...options })
      return made
    }
    const file = async (text: string) => {
      const path = join(files, `${unique('t')}.txt`)
      await writeFile(path, text)
      return path
    }
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

    it('uploads, gives the id that it has computed, downloads and deletes', async () => {
      const content = `${unique('sdk')} {d.a}`
      const id = await sdk.addTemplatePromise(await file(content))
      expect(id).toBe(await sha256(content))
      expect(text(await sdk.getTemplatePromise(id))).toBe(content)
      await sdk.delTemplatePromise(id)
      expect((await createClient(target.url).get(`/template/${id}`)).status).toBe(404)
    })

    it('a payload goes into the id', async () => {
      const content = unique('sdk')
      expect(await sdk.addTemplatePromise(await file(content), 'salt')).toBe(await sha256('salt', content))
    })

    it('renders by id, with the name of the report', async () => {
      const id = await sdk.addTemplatePromise(await file(`${unique('x')} {d.name}`))
      const { content, filename } = await sdk.renderPromise(id, {
        data: { name: 'Ann' },
        reportName: 'for {d.name} = é',
      })
      expect(text(content)).toMatch(/ Ann$/)
      expect(decodeURIComponent(filename)).toBe('for Ann = é.txt')
    })

    it('renders a file that it has to upload first, and one that is known by its hash', async () => {
      const path = await file(`${unique('first')} {d.a}`)
      for (const a of [1, 2, 3])
        expect(text((await sdk.renderPromise(path, { data: { a } })).content)).toMatch(new RegExp(` ${a}$`))
    })

    it('renders a Word document to the byte as another client gets it', async () => {
      const path = new URL('../../fixtures/templates/letter/', import.meta.url).pathname
      const data = JSON.parse(await readFile(join(path, 'data.json'), 'utf8')) as object
      const template = await readFile(join(path, 'template.docx'))
      const expected = async (body: object) => {
        const answer = await fetch(`${target.url}/render/template?download=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ template: base64(template), data, ...body }),
        })
        return sha256(await answer.bytes())
      }
      // Before the SDK asks for the same, since it waits only a few seconds for an answer.
      const docx = await expected({})
      const pdf = await expected({ convertTo: 'pdf', converter: 'I' })
      const { content } = await sdk.renderPromise(join(path, 'template.docx'), { data })
      expect(await sha256(content)).toBe(docx)
      const made = await sdk.renderPromise(join(path, 'template.docx'), {
        data,
        convertTo: 'pdf',
        converter: 'I',
      })
      expect([made.filename, await sha256(made.content)]).toEqual(['report.pdf', pdf])
    })

    it('its version header is read: without data, version 4 is refused and version 5 converts', async () => {
      const id = await sdk.addTemplatePromise(await file(`${unique('v')} {d.a}`))
      const four = fresh('token')
      four.setApiVersion(4)
      await expect(four.renderPromise(id, {})).rejects.toThrow(/Missing "data" property in body/)
      const five = fresh('token')
      five.setApiVersion(5)
      expect(text((await five.renderPromise(id, {})).content)).toMatch(/\{d\.a\}$/)
    })

    it('its extra headers are read: an upload may say when it is deleted', async () => {
      const mine = fresh('token', { headers: { 'carbone-template-delete-after': 86_400 } })
      const id = await mine.addTemplatePromise(await file(unique('after')))
      const [row] = (await createClient(target.url).get(`/templates?versionId=${id}`)).body.data
      expect(row.expireAt - Date.now() / 1000).toBeGreaterThan(80_000)
    })

    it('browsers may send its headers, and responses vary by them', async () => {
      const client = createClient(target.url)
      const preflight = await client.send('OPTIONS', '/render/template', {
        headers: {
          origin: 'https://a.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'carbone-version,service-version,other-version',
        },
      })
      expect(preflight.headers.get('access-control-allow-headers')).toBe('carbone-version, service-version')
      const { headers } = await client.get('/status')
      expect(headers.get('vary')).toBe('Origin, service-version, carbone-version')
      expect(headers.get('access-control-expose-headers')).toContain('carbone-warning')
      // Ours wins where both are there.
      const both = { 'carbone-version': '4', 'service-version': '5' }
      expect((await client.post('/render/template', { template: btoa('x') }, both)).status).toBe(200)
      expect(
        (await client.post('/render/template', { template: btoa('x') }, { 'carbone-version': '4' })).status,
      ).toBe(422)
    })

    it('errors reach its caller with the message of the service', async () => {
      await expect(sdk.getTemplatePromise('f'.repeat(64))).rejects.toThrow()
      await expect(sdk.delTemplatePromise('f'.repeat(64))).rejects.toThrow(/Template not found/)
      await expect(sdk.renderPromise('f'.repeat(64), { data: {} })).rejects.toThrow(/Template not found/)
      const id = await sdk.addTemplatePromise(await file(`${unique('e')} {d.a}`))
      await expect(sdk.renderPromise(id, { data: {}, convertTo: 'nonsense' })).rejects.toThrow(
        /Unable to generate the document/,
      )
      const noise = join(files, 'noise.docx')
      await writeFile(
        noise,
        new Uint8Array(500).map((_, at) => (at * 7919) & 255),
      )
      await expect(sdk.addTemplatePromise(noise)).rejects.toThrow(/Template format not supported/)
    })
  })
}
