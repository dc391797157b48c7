import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import JSZip from 'jszip'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice, type Office } from './office.ts'
import { flatDrawing, flatSheet, flatSlides, flatText } from './samples.ts'

const folder = temporaryFolder('legacy-test')
let office: Office
beforeAll(async () => {
  office = createOffice()
  await office.engine.start?.()
})
afterAll(async () => {
  await office.engine.stop?.()
  rmSync(folder, { recursive: true, force: true })
})

const sources = { fodt: flatText, fods: flatSheet, fodp: flatSlides, fodg: flatDrawing } as const

/** Reads files by a plain office of the command line, which knows nothing of how they were made. */
async function readBack(
  to: string,
  files: readonly (readonly [from: keyof typeof sources, format: string])[],
): Promise<Record<string, string>> {
  const made = join(folder, to)
  mkdirSync(made, { recursive: true })
  const paths: string[] = []
  for (const [from, format] of files) {
    const path = join(
      folder,
      `${format}.${format.replace(/^(xls|xlt)\d+$/, '$1').replace(/^doc\d+$/, 'doc')}`,
    )
    writeFileSync(path, (await office.convert(sources[from], from, format)).bytes)
    paths.push(path)
  }
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  execFileSync('soffice', [profile, '--headless', '--convert-to', to, '--outdir', made, ...paths], {
    stdio: 'ignore',
    // It writes text in the encoding of the system, which on a machine without a locale has no umlauts.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  return Object.fromEntries(
    files.map(([, format]) => [format, readFileSync(join(made, `${format}.${to}`), 'utf8')]),
  )
}

describe('formats of older programs', () => {
  it('hold the text, as another office reads them', async () => {
    const read = await readBack('txt', [
      ['fodt', 'sxw'],
      ['fodt', 'stw'],
      ['fodt', 'doc6'],
      ['fodt', 'doc95'],
    ])
    for (const [format, text] of Object.entries(read)) {
      expect(text, format).toContain('Quarterly report')
      expect(text, format).toContain('Grüße, naïve façade: 12 €.')
      expect(text, format).toContain('Price')
    }
  })

  it.each(['doc6', 'doc95', 'doc'])('%s warns that it is RTF with the extension of Word', async (to) => {
    const { bytes, warnings } = await office.convert(flatText, 'fodt', to)
    const isRtf = new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '{\\rtf'
    expect(warnings.some(({ code }) => code === 'convert.rtf-as-doc')).toBe(isRtf)
    expect(isRtf).toBe(to !== 'doc')
  })

  it('hold the cells and formulas', async () => {
    const formats = ['sxc', 'stc', 'xls5', 'xls95', 'xlt5', 'xlt95']
    const read = await readBack(
      'fods',
      formats.map((format) => ['fods', format] as const),
    )
    for (const format of formats) {
      expect(read[format], format).toContain('Größe')
      expect(read[format], format).toMatch(/table:formula="of:=\[\.\$?B\$?1\]\*2"[^>]*office:value="40"/)
    }
  })

  it('hold the slides and drawings', async () => {
    const read = await readBack('fodp', [
      ['fodp', 'sxi'],
      ['fodp', 'potm'],
    ])
    for (const [format, xml] of Object.entries(read)) {
      expect(xml.match(/<draw:page /g), format).toHaveLength(2)
      expect(xml, format).toContain('First slide')
    }
    const drawn = await readBack('fodg', [
      ['fodg', 'sxd'],
      ['fodp', 'odg'],
    ])
    expect(drawn['sxd']).toContain('Box')
    expect(drawn['odg']).toContain('First slide')
    expect(drawn['odg']?.match(/<draw:page /g)).toHaveLength(2)
  })

  it.each([
    ['fodp', 'sxi', 'sti', 'First slide'],
    ['fodg', 'sxd', 'std', 'Box'],
  ] as const)(
    'from %s, a template (%s, %s) differs in its kind alone',
    async (from, plain, template, text) => {
      // The office no longer reads templates of these types.
      const [one, other] = await Promise.all(
        [plain, template].map(async (to) =>
          JSZip.loadAsync((await office.convert(sources[from], from, to)).bytes),
        ),
      )
      const content = (zip: JSZip | undefined) => zip?.file('content.xml')?.async('string')
      expect(await content(other)).toBe(await content(one))
      expect(await content(other)).toContain(text)
      expect(await other?.file('mimetype')?.async('string')).toBe(
        `${await one?.file('mimetype')?.async('string')}.template`,
      )
    },
  )

  it('the output is BIFF 5 of Excel 5 and 95, not BIFF 8 of Excel 97', async () => {
    for (const format of ['xls5', 'xls95', 'xlt5', 'xlt95']) {
      const { bytes } = await office.convert(flatSheet, 'fods', format)
      const names = Buffer.from(bytes).toString('latin1')
      expect(names, format).toContain('B\0o\0o\0k\0')
      expect(names, format).not.toContain('W\0o\0r\0k\0b\0o\0o\0k\0')
      // BOF of BIFF 5, of the workbook's globals.
      expect(names, format).toContain('\x09\x08\x08\0\0\x05\x05\0')
    }
  })

  it('packages of OpenOffice.org 1 speak its XML throughout', async () => {
    const { bytes } = await office.convert(flatText, 'fodt', 'sxw')
    const zip = await JSZip.loadAsync(bytes)
    const content = (await zip.file('content.xml')?.async('string')) ?? ''
    expect(content).toContain('xmlns:office="http://openoffice.org/2000/office"')
    expect(content).toMatch(/<office:document-content[^>]+office:class="text" office:version="1.0"/)
    expect(content).not.toContain('oasis:names:tc:opendocument:xmlns:text')
    const manifest = (await zip.file('META-INF/manifest.xml')?.async('string')) ?? ''
    expect(manifest).not.toContain('oasis')
    const listed = [...manifest.matchAll(/full-path="([^"]+)"/g)].map(([, path]) => path)
    for (const path of listed.filter((one) => !one?.endsWith('/')))
      expect(zip.file(path ?? ''), path).not.toBeNull()
    expect(Object.keys(zip.files).some((name) => name.startsWith('Pictures/'))).toBe(true)
  })

  it('a drawing made of slides declares its type everywhere', async () => {
    const zip = await JSZip.loadAsync((await office.convert(flatSlides, 'fodp', 'odg')).bytes)
    for (const part of ['mimetype', 'META-INF/manifest.xml', 'content.xml'])
      expect(await zip.file(part)?.async('string'), part).not.toMatch(
        /opendocument\.presentation"?$|office:presentation>/,
      )
  })
})
