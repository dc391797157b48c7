import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import plugin from '../../../../plugins/engines/office-alt/index.ts'
import { packagedDrivers } from '../../../../plugins/engines/office-alt/packaged.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { silentLog } from '../../../helpers/host.ts'
import { legible } from '../../../helpers/legible.ts'
import { slowdown } from '../../../helpers/processor-time.ts'
import { useTemporary } from '../../../helpers/temporary.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'
import { pdfFile } from '../libreoffice/pdf-files.ts'
import { createAlternative, fixture, programHost, samples } from './alternative.ts'

const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
const folder = temporaryFolder('office-alt-path')
chmodSync(folder, 0o755)
const place = useTemporary()
const path = process.env['PATH']
afterEach(() => {
  process.env['PATH'] = path
})
/** Puts a program of this name before all others. */
function fake(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  process.env['PATH'] = `${folder}${delimiter}${path}`
}

describe('offices that distributions package', () => {
  const host = programHost()
  const never = new AbortController().signal
  const words = { docx: /Berlin|Dear|Invoice|\{d\./, xlsx: /[A-Z]\w+/, pptx: /[A-Z]\w+/ }

  it.each(
    packagedDrivers(host).flatMap((driver) =>
      driver.formats.map((from) => [driver.title, from, driver] as const),
    ),
  )('%s makes PDF of %s', async (_, from, driver) => {
    expect(await driver.isAvailable()).toBe(true)
    const bytes = samples[from as keyof typeof samples]
    const made = pdfFile(await driver.convert({ from, bytes, deadline: Date.now() + 200_000, signal: never }))
    expect(made.ask('qpdf', '--check')).toContain('PDF Version')
    expect(made.ask('pdftotext', '-')).toMatch(words[from as keyof typeof words])
  })

  it('gives all pages of a long document, not the empty one that comes first, and leaves nothing', async () => {
    const alternative = createAlternative()
    // Where D-Bus puts its sockets, whatever the folder for temporary files is.
    const sockets = () => readdirSync('/tmp').filter((name) => name.startsWith('dbus-'))
    const before = new Set(sockets())
    const made = pdfFile(
      await alternative.convert(
        fixture('corpus/suffolklitlab__CompelDiscoveryWithInstructions.docx'),
        'docx',
      ),
    )
    expect(Number(/^Pages: +(\d+)/m.exec(made.ask('pdfinfo'))?.[1])).toBeGreaterThan(1)
    expect(readdirSync(alternative.folder)).toEqual([])
    expect(sockets().filter((name) => !before.has(name))).toEqual([])
  })

  it('is found without starting a process, so a slow machine finds it too', async () => {
    const host = programHost()
    const slow = {
      ...host,
      runProgram: () => Promise.reject(new AppError('convert.timeout', { doing: 'it' })),
    }
    expect(await Promise.all(packagedDrivers(slow).map((driver) => driver.isAvailable()))).toEqual([
      true,
      true,
      true,
    ])
  })

  it('names what an office that is installed lacks', async () => {
    for (const name of ['calligrawords', 'calligrasheets', 'calligrastage']) fake(name, 'exit 1')
    process.env['PATH'] = folder
    const warned: unknown[] = []
    const log = { ...silentLog, warn: (event: string, facts?: unknown) => void warned.push([event, facts]) }
    const found = await Promise.all(packagedDrivers({ ...host, log }).map((driver) => driver.isAvailable()))
    expect(found).toEqual([false, false, false])
    expect(warned).toEqual([
      ['office-alt.program-missing', { engine: 'Calligra', missing: 'dbus-run-session' }],
    ])
  })

  it('names the program that it found', async () => {
    expect(await createAlternative().engine.health?.()).toEqual({
      ok: true,
      using: 'Calligra, AbiWord, Gnumeric',
    })
  })
})

describe('when a program fails', () => {
  it('the next one makes the document: it hangs, it ends with an error, it writes half a file, it is killed', async () => {
    for (const script of ['sleep 6000', 'exit 1', 'echo "%PDF-1.4 half" > made.pdf', 'kill -9 $$']) {
      fake('calligrawords', script)
      const made = pdfFile(
        await createAlternative().convert(samples.docx, 'docx', { deadlineMs: 6000 * slowdown() }),
      )
      expect(made.ask('pdfinfo')).toMatch(/Pages: +1/)
    }
  })

  it('ends at the deadline when the last one hangs, and leaves nothing', async () => {
    fake('calligrastage', 'sleep 6100')
    const alternative = createAlternative()
    expect(await codeOf(alternative.convert(samples.pptx, 'pptx', { deadlineMs: 1500 }))).toBe(
      'convert.timeout',
    )
    expect(readdirSync(alternative.folder)).toEqual([])
  })

  it('ends when the caller aborts', async () => {
    fake('calligrastage', 'sleep 6200')
    const alternative = createAlternative()
    const control = new AbortController()
    const running = codeOf(alternative.convert(samples.pptx, 'pptx', { signal: control.signal }))
    setTimeout(() => control.abort(new Error('gone')), 300)
    expect(await running).toBe('Error: gone')
    expect(readdirSync(alternative.folder)).toEqual([])
  })

  it('x2t comes before the others where it is installed', async () => {
    fake('x2t', 'case "$1" in *.docx) printf "%%PDF-1.4\\nfrom x2t\\n%%%%EOF\\n" > "$2";; *) exit 91;; esac')
    const alternative = createAlternative()
    expect((await alternative.engine.health?.()) ?? {}).toMatchObject({
      using: expect.stringMatching(/^x2t, /),
    })
    expect(Buffer.from(await alternative.convert(samples.docx, 'docx')).toString()).toContain('from x2t')
    // What it refuses is tried by the next.
    const next = await legible(place(), await alternative.convert(samples.xlsx, 'xlsx'))
    expect(next).not.toContain('from x2t')
  })

  it('reports when the last program is killed with half a file written', async () => {
    fake('calligrasheets', 'exit 1')
    fake('ssconvert', 'printf "%%PDF-1.4 half" > made.pdf; kill -9 $$')
    const alternative = createAlternative()
    expect(await codeOf(alternative.convert(samples.xlsx, 'xlsx'))).toBe('convert.crashed')
    expect(readdirSync(alternative.folder)).toEqual([])
  })
})

describe('without any', () => {
  it('says what to do', async () => {
    process.env['PATH'] = join(folder, 'nothing')
    const alternative = createAlternative()
    expect(await alternative.engine.health?.()).toMatchObject({
      ok: false,
      because: expect.stringContaining('SERVICE_OFFICE_ALT_URL'),
    })
    expect(await codeOf(alternative.convert(samples.docx, 'docx'))).toBe('convert.engine-off')
  })
})

describe('documents that cannot be read', () => {
  const alternative = createAlternative()
  const cut = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length * 0.6))
  it.each([
    ['an empty file', new Uint8Array(0), 'docx', 'convert.document'],
    ['rubbish', Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919) & 255), 'docx', 'convert.document'],
    ['a truncated DOCX', cut(samples.docx), 'docx', 'convert.document'],
    ['a truncated XLSX', cut(samples.xlsx), 'xlsx', 'convert.document'],
    ['a truncated PPTX', cut(samples.pptx), 'pptx', 'convert.document'],
    ['a sheet that is said to be a text', samples.xlsx, 'docx', 'convert.document'],
    ['a text that is said to be slides', samples.docx, 'pptx', 'convert.document'],
    ['a DOCX with a password', fixture('office/sealed.docx'), 'docx', 'convert.password'],
    ['an XLSX with a password', fixture('office/sealed.xlsx'), 'xlsx', 'convert.password'],
    ['a PPTX with a password', fixture('office/sealed.pptx'), 'pptx', 'convert.password'],
    ['a pair it does not have', samples.docx, 'odt', 'convert.pair'],
  ])('%s', async (_, bytes, from, code) => {
    expect(await codeOf(alternative.convert(bytes, from))).toBe(code)
  })
})

it.each([
  [{ url: 'docs.example.org' }, 'url'],
  [{ callback: 'ftp://x' }, 'callback'],
  [{ x2t: 7 }, 'x2t'],
])('settings %j are refused', (settings, name) => {
  const checked = plugin.settings.parse(settings)
  expect(checked.ok ? [] : checked.issues.map(({ path: one }) => one)).toEqual([name])
})
