import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { foreignFiles, hasLeftovers } from '../../../../plugins/engines/libreoffice/bridge-unit.ts'
import {
  docxWithFont,
  flatWithFont,
  htmlWithFont,
  invoice,
  odtWithFont,
  odtWithFormula,
  rtfWithFont,
  withoutDates,
} from '../../../helpers/embedded-fonts.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { createOffice } from './office.ts'

const office = createOffice()
afterAll(() => office.engine.stop?.())

const deadlineMs = 120_000
const pdfOf = async (source: Uint8Array, from: string) =>
  withoutDates((await office.convert(source, from, 'pdf', { deadlineMs })).bytes)

/** What the document of somebody else is, and the document that must not show any of it. */
const pairs: readonly (readonly [
  string,
  string,
  () => Promise<Uint8Array> | Uint8Array,
  () => Promise<Uint8Array>,
])[] = [
  ['a font of a DOCX under a usual name', 'docx', () => docxWithFont('Arial'), invoice],
  ['a font of an ODT under a usual name', 'odt', () => odtWithFont('Arial'), invoice],
  ['a font of a flat ODT under a usual name', 'fodt', () => flatWithFont('Arial'), invoice],
  ['a font of an RTF file under a usual name', 'rtf', () => rtfWithFont('Arial'), invoice],
  ['a font of a page under a usual name', 'html', () => htmlWithFont('Arial'), invoice],
  [
    'a symbol that a formula defines',
    'odt',
    () => odtWithFormula('%own', 'own'),
    () => odtWithFormula('%own'),
  ],
]

describe('what one document leaves for the next', () => {
  it.each(pairs)('is not %s', async (_name, from, other, mine) => {
    const document = await mine()
    const format = mine === invoice ? 'docx' : 'odt'
    const before = await pdfOf(document, format)
    await pdfOf(await other(), from)
    expect(await pdfOf(document, format)).toBe(before)
  })

  it('is not its fonts although the document is set in them', async () => {
    const { bytes } = await office.convert(await docxWithFont('Arial'), 'docx', 'pdf', { deadlineMs })
    expect(Buffer.from(bytes).toString('latin1')).toContain('LiberationMono')
  })

  it('is nothing after ordinary documents: one office serves them all', async () => {
    await pdfOf(await invoice(), 'docx')
    const before = office.engine.stats()?.pids
    for (const [text, from] of [
      ['a', 'txt'],
      ['<p>a</p>', 'html'],
      ['a,1', 'csv'],
    ] as const)
      await office.convert(text, from, 'pdf', { deadlineMs })
    await pdfOf(await odtWithFormula('a + b'), 'odt')
    await pdfOf(await invoice(), 'docx')
    expect(office.engine.stats()?.pids).toEqual(before)
  })

  it('is searched in the profile: an office that has kept a file serves no other caller', async () => {
    await pdfOf(await invoice(), 'docx')
    const [pid] = office.engine.stats()?.pids ?? []
    // The second unit, if there is one, is for documents that are known to leave something.
    for (const unit of readdirSync(office.folder).filter((name) => name.startsWith('platen-'))) {
      const fonts = join(office.folder, unit, 'profile', 'user', 'temp', 'embeddedfonts', 'fromdocs')
      mkdirSync(fonts, { recursive: true })
      writeFileSync(join(fonts, 'Any.ttf'), '')
    }
    await pdfOf(await invoice(), 'docx')
    await pdfOf(await invoice(), 'docx')
    expect(office.engine.stats()?.pids).not.toContain(pid)
  })
})

describe('leftovers in a profile', () => {
  const profile = temporaryFolder('leftovers')
  const put = (path: string) => {
    mkdirSync(dirname(join(profile, 'user', path)), { recursive: true })
    writeFileSync(join(profile, 'user', path), '')
  }

  it('are files that were not there before, but those of the office itself', async () => {
    put('autotext/mytexts.bau')
    const before = await foreignFiles(profile)
    put('registrymodifications.xcu')
    put('48rcfK')
    put('GraphicsRenderTests.log')
    put('uno_packages/cache/log.txt')
    expect(await hasLeftovers(profile, before)).toBe(false)
    put('wordbook/standard.dic')
    expect(await hasLeftovers(profile, before)).toBe(true)
  })

  it('are what cannot be reported', async () => {
    expect(await hasLeftovers(join(profile, 'missing'), [])).toBe(true)
  })
})
