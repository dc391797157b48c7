import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../../origin/cli/command.ts'
import { convertCommand } from '../../../origin/cli/convert.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { docxOf } from '../../helpers/docx.ts'
import { useServices } from '../../helpers/origin-services.ts'
import { platen } from '../../helpers/platen-cli.ts'
import { useTemporary } from '../../helpers/temporary.ts'
import { flatSlides } from '../../plugins/engines/libreoffice/samples.ts'

const temporary = useTemporary()
const main = new URL('../../../origin/cli/main.ts', import.meta.url).pathname
const isFile = /^(a|b|broken|missing|slides?|out)(\.|$)/
const letter = new URL('../../fixtures/templates/letter/template.docx', import.meta.url)
const head = async (path: string) => (await readFile(path)).subarray(0, 8).toString('latin1')

describe('platen convert', () => {
  let folder = ''
  const convert = (...args: readonly string[]) =>
    platen(folder, 'convert', ...args.map((one) => (isFile.test(one) ? join(folder, one) : one)))
  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    for (const name of ['a.docx', 'b.docx']) await copyFile(letter, join(folder, name))
    await writeFile(join(folder, 'slides.fodp'), flatSlides)
    await writeFile(join(folder, 'broken.docx'), (await readFile(letter)).subarray(0, 2000))
  })

  it('one file, with a pinned engine and options', async () => {
    const options = [
      '--option',
      'SelectPdfVersion=17',
      '--option',
      'Watermarks=[{"text":"COPY","anchor":"top"}]',
    ]
    const { code, err } = await convert('a.docx', 'out.pdf', '--converter', 'L', ...options)
    expect([code, err]).toEqual([0, ''])
    expect(await head(join(folder, 'out.pdf'))).toBe('%PDF-1.7')
    // Options that are text stay text where they look like numbers.
    const digits = [
      '--option',
      'PageRange=1',
      '--option',
      'EncryptFile=true',
      '--option',
      'DocumentOpenPassword=1234',
    ]
    expect(await convert('a.docx', 'out.pdf', '--converter', 'I', ...digits)).toMatchObject({
      code: 0,
      err: '',
    })
  })

  it('keeps the index of the fonts of this machine for later commands', async () => {
    const index = new URL('../../../.cache/cli/fonts-system.json', import.meta.url)
    await rm(index, { force: true })
    expect(await convert('a.docx', 'out.pdf', '--converter', 'I')).toMatchObject({ code: 0, err: '' })
    expect(existsSync(index)).toBe(true)
  })

  it('whichever engine can draw all of it', async () => {
    expect(await convert('a.docx', 'out.pdf', '--converter', 'auto')).toMatchObject({ code: 0, err: '' })
    expect(await head(join(folder, 'out.pdf'))).toMatch(/^%PDF/)
  })

  it('writes many files beside their sources; one that fails sets the exit code and does not stop the others', async () => {
    const files = ['a.docx', 'broken.docx', 'missing.docx', 'b.docx']
    const { code, err } = await convert('--to', 'pdf', '--converter', 'I', ...files)
    expect(code).toBe(1)
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/broken.docx: /),
      expect.stringMatching(/missing.docx: Cannot read .*missing.docx/),
    ])
    for (const name of ['a.pdf', 'b.pdf']) expect(await head(join(folder, name))).toMatch(/^%PDF/)
    expect(existsSync(join(folder, 'broken.pdf'))).toBe(false)
  })

  it('patterns that no shell has expanded', async () => {
    const { code, err } = await convert('--to', 'txt', join(folder, '[ab].docx'))
    expect([code, err]).toEqual([0, ''])
    for (const name of ['a.txt', 'b.txt'])
      expect((await readFile(join(folder, name))).length).toBeGreaterThan(9)
    expect(await convert('--to', 'txt', join(folder, '*.nothing'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/No file matches .*\*\.nothing/),
    })
  })

  it('--hard-refresh rebuilds a table of contents', async () => {
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
    const contents = `<w:p>${mark('begin')}<w:r><w:instrText>TOC \\o "1-3"</w:instrText></w:r>${mark('separate')}<w:r><w:t>Old entry</w:t></w:r>${mark('end')}</w:p>`
    await writeFile(join(folder, 'out.docx'), await docxOf(contents))
    for (const [flag, shown] of [
      ['--hard-refresh', false],
      ['--converter=I', true],
    ] as const) {
      expect((await convert('out.docx', 'out.pdf', '--converter', 'I', flag)).code).toBe(0)
      const text = spawnSync('pdftotext', [join(folder, 'out.pdf'), '-'], { encoding: 'utf8' }).stdout
      expect(text.includes('Old entry')).toBe(shown)
    }
  })

  it('slides become numbered pictures', async () => {
    expect((await convert('slides.fodp', 'slide.png')).code).toBe(0)
    for (const name of ['slide-1.png', 'slide-2.png'])
      expect(await head(join(folder, name))).toMatch(/^\x89PNG/)
  })

  it('shows a progress bar on a terminal, and messages on lines of their own', async () => {
    const command = `${process.execPath} ${main} convert --to pdf --converter I ${['b.docx', 'broken.docx', 'a.docx'].map((name) => join(folder, name)).join(' ')}`
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      input: '',
    })
    expect(status).toBe(1)
    const lines = stdout.split(/\r\n/).map((line) => line.replace(/^.*\x1b\[K/s, ''))
    expect(lines[0]).toMatch(/broken\.docx: /)
    expect(lines[1]).toMatch(/^█+ 3\/3 /)
    expect(stdout).toMatch(/░+ 0\/3 b\.docx/)
  })

  it.each<[string, readonly string[], number, RegExp]>([
    ['no output', ['a.docx'], 2, /convert takes IN and OUT/],
    ['an unknown output', ['a.docx', 'out.nothing'], 1, /output format nothing is not known/],
  ])('%s: code and message', async (_, args, code, message) => {
    const done = await convert(...args)
    expect(done.code).toBe(code)
    expect(done.err).toMatch(message)
  })
})

/** `main.ts` makes code 2 of a UsageError and 1 of every other, as two processes above have shown. */
describe('what platen convert refuses', () => {
  const services = useServices()
  let folder = ''
  beforeAll(async () => {
    folder = temporary()
    await mkdir(folder)
    await copyFile(letter, join(folder, 'a.docx'))
    await writeFile(join(folder, 'broken.docx'), (await readFile(letter)).subarray(0, 2000))
  })

  it.each<[string, readonly string[], typeof AppError | typeof UsageError, RegExp]>([
    ['an output without extension', ['a.docx', 'out'], UsageError, /no extension/],
    [
      'an output that nobody writes',
      ['a.docx', 'out.pages'],
      AppError,
      /cannot convert docx to pages: the format of Pages/,
    ],
    [
      'an option of the wrong type',
      ['a.docx', 'out.pdf', '--option', 'Zoom=big'],
      AppError,
      /Invalid option Zoom: must be an integer from 10 to 1600/,
    ],
    [
      'a folder that is not there',
      ['a.docx', 'out/there.pdf', '--converter', 'I'],
      UsageError,
      /Cannot write .*there.pdf: there is no such folder/,
    ],
    [
      'an option without a value',
      ['a.docx', 'out.pdf', '--option', 'Zoom'],
      UsageError,
      /--option takes name=value/,
    ],
    ['a damaged file', ['broken.docx', 'out.pdf', '--converter', 'I'], AppError, /./],
    [
      'two files of one name',
      ['--to', 'pdf', 'a.docx', 'a.odt'],
      UsageError,
      /Two files would become .*a.pdf/,
    ],
    [
      'a pair that the engine does not have',
      ['a.docx', 'out.xlsx', '--converter', 'I'],
      AppError,
      /cannot convert docx to xlsx/,
    ],
  ])('%s', async (_, args, kind, message) => {
    const paths = args.map((one) => (isFile.test(one) ? join(folder, one) : one))
    const error = await convertCommand.run(services(), paths).then(
      () => 'no error',
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(kind)
    expect((error as Error).message).toMatch(message)
  })
})
