import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BrowserEngine, createEngine as createBrowser } from '../../plugins/engines/chromium/engine.ts'
import chromium from '../../plugins/engines/chromium/index.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import { canMount } from '../helpers/allowed.ts'
import { spoilers } from '../helpers/bad-files.ts'
import { docxOf, hugePng, pictureInText, pictureRelation } from '../helpers/docx.ts'
import { engineUnder, originHost } from '../helpers/engines.ts'
import { useServices } from '../helpers/origin-services.ts'
import { useTemporary } from '../helpers/temporary.ts'
import { createOffice } from '../plugins/engines/libreoffice/office.ts'
import { flatText, sampleOf } from '../plugins/engines/libreoffice/samples.ts'

const services = useServices({ warm: true })

async function convert(source: Uint8Array, from: string, to: string, letter?: string, deadlineMs = 200_000) {
  const made = await services().converter.convert({
    source: fromBytes(source),
    from,
    to,
    ...(letter !== undefined && { letter }),
    deadline: Date.now() + deadlineMs,
    signal: AbortSignal.timeout(deadlineMs + 5000),
  })
  return bytesOf(made.value)
}
const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
const fixture = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/${path}`, import.meta.url)))
const isPdf = (bytes: Uint8Array) => /^%PDF-[\s\S]+%%EOF\s*$/.test(Buffer.from(bytes).toString('latin1'))
const make = (source: Uint8Array, from: string, to: string) => convert(source, from, to, 'L')
const samples = new Map<string, Uint8Array>()
/** Made once for all ways to spoil it. */
async function sample(format: string): Promise<Uint8Array> {
  const made = samples.get(format) ?? (await sampleOf(format, make))
  samples.set(format, made)
  return made.slice()
}
const alive = async (letter: string) =>
  expect(isPdf(await convert(fixture('templates/letter/template.docx'), 'docx', 'pdf', letter))).toBe(true)

const documented = new Set([
  'no error',
  'convert.document',
  'convert.failed',
  'convert.password',
  'convert.crashed',
  'pdf.broken',
])
const readable = 'docx doc odt rtf txt html xlsx xls ods csv pptx ppt odp odg pdf'.split(' ')

describe('spoiled files of every format, engine L', () => {
  it.each(readable.flatMap((format) => spoilers.map(([what, spoil]) => [format, what, spoil] as const)))(
    '%s: %s',
    async (format, _, spoil) => {
      const target = format === 'pdf' ? 'odg' : 'pdf'
      const code = await codeOf(convert(spoil(await sample(format)), format, target, 'L'))
      expect(documented, code).toContain(code)
    },
  )
  it('converts a valid document afterwards', () => alive('L'))
})

describe('spoiled files, engine O', () => {
  const inputs = {
    docx: 'templates/letter/template.docx',
    xlsx: 'real/aspose-cells__FinancialPlan.xlsx',
    pptx: 'real/unstructured-io__sample-presentation.pptx',
  }
  it.each(
    Object.entries(inputs).flatMap(([format, path]) =>
      spoilers.map(([what, spoil]) => [format, what, path, spoil] as const),
    ),
  )('%s: %s', async (format, _, path, spoil) => {
    const code = await codeOf(convert(spoil(fixture(path)), format, 'pdf', 'O'))
    expect(new Set([...documented, 'convert.timeout', 'convert.engine-off']), code).toContain(code)
  })
  it('converts a valid document afterwards', () => alive('O'))
})

describe('a picture of 500 megapixels', () => {
  it.each(['L', 'O'])('ends in a document or an error of the catalogue, engine %s', async (letter) => {
    const source = await docxOf(pictureInText, {
      'word/_rels/document.xml.rels': pictureRelation,
      'word/media/image1.png': hugePng(25_000, 20_000),
    })
    // AbiWord works on it for half a minute, and is stopped in the midst of it.
    const code = await codeOf(convert(source, 'docx', 'pdf', letter, 8_000))
    expect(new Set([...documented, 'convert.memory', 'convert.timeout']), code).toContain(code)
    await alive(letter)
  })
})

describe('a temp folder that is full', () => {
  const place = useTemporary()
  /** A file system of this size. Some containers do not allow mounting. */
  function small(size: string): string {
    const folder = place()
    mkdirSync(folder, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', folder])
    // Programs run as other users where we are root.
    chmodSync(dirname(folder), 0o755)
    return folder
  }
  const fill = (folder: string) => {
    try {
      writeFileSync(join(folder, 'full'), new Uint8Array(64 * 2 ** 20))
    } catch {
      // The file system is full, as intended.
    }
  }

  it.runIf(canMount())('fails with convert.disk, and works again when there is space', async () => {
    const scratchDir = small('24m')
    const office = createOffice({ scratchDir, bootTimeoutMs: 60_000 })
    try {
      await office.engine.start?.()
      expect(isPdf((await office.convert(flatText, 'fodt', 'pdf')).bytes)).toBe(true)
      fill(scratchDir)
      // Streams need no disk space; what is written through a file does.
      const code = await codeOf(office.convert(flatText, 'fodt', 'pdf', { deadlineMs: 60_000 }))
      expect(
        new Set(['no error', 'convert.failed', 'convert.crashed', 'convert.engine-off', 'convert.disk']),
        code,
      ).toContain(code)
      rmSync(join(scratchDir, 'full'))
      expect(isPdf((await office.convert(flatText, 'fodt', 'pdf')).bytes)).toBe(true)
    } finally {
      await office.engine.stop?.()
      expect(readdirSync(scratchDir)).toEqual([])
      execFileSync('umount', ['--lazy', scratchDir])
    }
  })

  it.runIf(canMount())('is reported by engine C, which needs no folder for pictures', async () => {
    const folder = small('48m')
    const usual = process.env['TMPDIR']
    const { convert: draw, engine } = engineUnder<BrowserEngine>(
      { ...chromium, create: createBrowser },
      originHost(),
    )
    process.env['TMPDIR'] = folder
    const html = '<p>x</p>'
    try {
      expect(isPdf((await draw(html, 'html', 'pdf')).bytes)).toBe(true)
      fill(folder)
      expect(await codeOf(draw(html, 'html', 'pdf'))).toBe('convert.disk')
      expect((await draw(html, 'html', 'png')).bytes.length).toBeGreaterThan(100)
      rmSync(join(folder, 'full'))
      expect(isPdf((await draw(html, 'html', 'pdf')).bytes)).toBe(true)
    } finally {
      await engine.stop?.()
      if (usual === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = usual
      execFileSync('umount', ['--lazy', folder])
    }
  })

  it.runIf(canMount())('fails each conversion when it is too small from the start', async () => {
    const scratchDir = small('64k')
    fill(scratchDir)
    const office = createOffice({ scratchDir, bootTimeoutMs: 8_000 })
    try {
      expect(await codeOf(office.convert(flatText, 'fodt', 'pdf', { deadlineMs: 60_000 }))).toMatch(
        /^convert\.(engine-off|disk)$/,
      )
    } finally {
      await office.engine.stop?.()
      execFileSync('umount', ['--lazy', scratchDir])
    }
  })
})
