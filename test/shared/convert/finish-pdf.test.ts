import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { createConverter } from '../../../shared/convert/converter.ts'
import { createPdfFinisher } from '../../../shared/convert/finish-pdf.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import { createPdfOperations } from '../../../shared/pdf/operations.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import {
  type ConvertJob,
  defineEngine,
  defineFormat,
  type EnginePlugin,
} from '../../../shared/plugin/contract.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import type { TextRequest } from '../../../shared/plugin/text-drawing.ts'
import type { Schema } from '../../../shared/plugin/values.ts'
import { testHost } from '../../helpers/host.ts'
import { ask, officePdf, repeatableRandom } from '../../helpers/pdf.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const place = useTemporary()
const operations = () => createPdfOperations({ codec: nodeCodec, random: repeatableRandom() })
const formats = [
  defineFormat({ kind: 'format', id: 'docx', family: 'document', extensions: ['docx'], mime: ['a/docx'] }),
  defineFormat({ kind: 'format', id: 'pdf', family: 'document', extensions: ['pdf'], mime: ['a/pdf'] }),
  defineFormat({ kind: 'format', id: 'txt', family: 'text', extensions: ['txt'], mime: ['a/txt'] }),
]
const orientation = officePdf('page-orientation')

/** An engine that returns a real PDF and records its job. */
function setUp(
  properties: object,
  { second, ...more }: { readonly finishesOutput?: boolean; readonly second?: object } = {},
) {
  const jobs: ConvertJob[] = []
  const anything = (json: object): Schema<unknown> => ({
    json: { ...json },
    parse: (value) => ({ ok: true, value }),
  })
  const press = (id: string, letter: string, title: string, cost: number, known: object) =>
    defineEngine({
      kind: 'engine',
      contract: 1,
      id,
      letter,
      title,
      sides: ['origin'],
      conversions: [
        { from: 'docx', to: 'pdf', fidelity: 'exact', cost },
        { from: 'docx', to: 'txt', fidelity: 'exact', cost },
      ],
      settings: anything({}),
      options: anything({ type: 'object', properties: known }),
      create: () => ({
        async convert(job) {
          jobs.push(job)
          return { value: fromBytes(orientation), warnings: [] }
        },
      }),
      ...more,
    })
  const engines = [press('press', 'P', 'The press', 1, properties)]
  if (second !== undefined) engines.push(press('second', 'S', 'Second', 9, second))
  const registry = createRegistry([...formats, ...engines])
  const finisher = createPdfFinisher({ registry, pdf: operations() })
  const converter = createConverter({ registry, host: testHost(formats), settings: {}, finisher })
  const convert = async (
    from: string,
    to: string,
    options: Record<string, unknown>,
    { signal, letter }: { readonly signal: AbortSignal; readonly letter?: string } = new AbortController(),
  ) => {
    const source = fromBytes(orientation)
    const deadline = Date.now() + 9000
    const done = await converter.convert({
      source,
      from,
      to,
      options,
      deadline,
      signal,
      ...(letter && { letter }),
    })
    return { ...done, bytes: await bytesOf(done.value) }
  }
  return { convert, jobs, converter, registry }
}

describe('the step behind every engine', () => {
  it('keeps passwords and watermarks from the engine', async () => {
    const { convert, jobs } = setUp({ Zoom: {} })
    const options = { Zoom: 50, Watermark: 'DRAFT', EncryptFile: true, DocumentOpenPassword: 'x' }
    const { bytes, engines, warnings } = await convert('docx', 'pdf', options)
    expect(jobs[0]!.options).toEqual({ Zoom: 50 })
    expect(engines).toEqual(['press'])
    expect(warnings).toEqual([])
    expect(await ask(place(), bytes, 'qpdf', '--check', '--password=x', '@')).toContain('R = 6')
  })
  it('chooses pages when the engine cannot', async () => {
    const { convert, jobs } = setUp({})
    const { bytes } = await convert('docx', 'pdf', { PageRange: '2' })
    expect(jobs[0]!.options).toEqual({})
    expect(await ask(place(), bytes, 'pdfinfo', '@')).toMatch(/Pages: +1\n/)
  })
  it('leaves pages to an engine that can', async () => {
    const { convert, jobs } = setUp({ PageRange: {} })
    const { bytes } = await convert('docx', 'pdf', { PageRange: '2' })
    expect(jobs[0]!.options).toEqual({ PageRange: '2' })
    expect(bytes).toEqual(orientation)
  })
  it('leaves the plain watermark of an archive to an engine that has it', async () => {
    const { convert, jobs } = setUp({ Watermark: {}, SelectPdfVersion: {} })
    const options = { Watermark: 'x', SelectPdfVersion: 2 }
    const { bytes } = await convert('docx', 'pdf', options)
    expect(await ask(place(), bytes, 'pdftotext', '@', '-')).toBe(
      await ask(place(), orientation, 'pdftotext', '@', '-'),
    )
    expect(jobs[0]!.options).toEqual(options)
    await expect(setUp({}).convert('docx', 'pdf', options)).rejects.toThrow(
      'Watermark: cannot be combined with PDF/A',
    )
  })
  it('leaves everything to an engine that finishes what it makes', async () => {
    const { convert, jobs } = setUp({}, { finishesOutput: true })
    const options = { Watermark: 'DRAFT', Zoom: 50 }
    expect((await convert('docx', 'pdf', options)).bytes).toEqual(orientation)
    expect(jobs[0]!.options).toEqual(options)
  })
  it('warns about options that the engine does not have', async () => {
    const { warnings } = await setUp({}).convert('docx', 'pdf', { ExportNotes: false })
    expect(warnings.map(({ message }) => message)).toEqual([
      'Option ExportNotes is not supported by The press.',
    ])
  })
  it('does not warn about options whose value is the default', async () => {
    const options = { ExportNotes: true, Quality: 90, SelectPdfVersion: 0, PDFUACompliance: false }
    const { warnings, bytes } = await setUp({}).convert('docx', 'pdf', options)
    expect(warnings).toEqual([])
    expect(bytes).toEqual(orientation)
  })
  it('shows an engine no option that it does not have', async () => {
    const { convert, jobs } = setUp({ Zoom: {} })
    await convert('docx', 'pdf', { Zoom: 50, ExportNotes: false })
    expect(jobs[0]!.options).toEqual({ Zoom: 50 })
  })
  it.each([
    [{ ExportNotes: 'yes' }, 'Invalid option ExportNotes: must be true or false.'],
    [{ FormsType: 9 }, 'Invalid option FormsType: must be an integer from 0 to 3.'],
    [{ MaxImageResolution: 100 }, 'must be one of 75, 150, 300, 600, 1200.'],
    [{ OpenBookmarkLevels: 2.5 }, 'OpenBookmarkLevels: must be an integer from -1 to 10.'],
  ])('checks %j also where the engine ignores it', async (options, message) => {
    await expect(setUp({}).convert('docx', 'pdf', options)).rejects.toThrow(message)
  })
  it.each([
    [{ SelectPdfVersion: 1 }, 'SelectPdfVersion: cannot be 1 with The press, which cannot make PDF/A.'],
    [{ SelectPdfVersion: 4 }, 'SelectPdfVersion: cannot be 4 with The press, which cannot make PDF/A.'],
    [{ PDFUACompliance: true }, 'PDFUACompliance: cannot be true with The press, which cannot make PDF/UA.'],
  ])('never returns a file without %j when it was requested', async (options, message) => {
    const { convert, jobs } = setUp({})
    await expect(convert('docx', 'pdf', options)).rejects.toThrow(message)
    expect(jobs).toEqual([])
  })
  it('chooses the engine that can make PDF/A unless another is named', async () => {
    const able = { SelectPdfVersion: {}, PDFUACompliance: {} }
    const { convert, jobs } = setUp({}, { second: able })
    expect((await convert('docx', 'pdf', {})).engines).toEqual(['press'])
    const made = await convert('docx', 'pdf', { SelectPdfVersion: 2 })
    expect([made.engines, made.warnings]).toEqual([['second'], []])
    expect(jobs.at(-1)!.options).toEqual({ SelectPdfVersion: 2 })
    await expect(
      convert('docx', 'pdf', { SelectPdfVersion: 2 }, { signal: new AbortController().signal, letter: 'P' }),
    ).rejects.toThrow(
      'SelectPdfVersion: cannot be 2 with The press, which cannot make PDF/A; Second (converter S) can.',
    )
  })
  it.each([
    [15, '1.6', [{ code: 'pdf.version' }]], // the press writes 1.6
    [16, '1.6', []],
    [17, '1.7', []],
    [20, '2.0', []],
  ])('writes version %d as %s behind an engine that writes another', async (wanted, version, warnings) => {
    const made = await setUp({}).convert('docx', 'pdf', { SelectPdfVersion: wanted })
    expect(new TextDecoder('latin1').decode(made.bytes.subarray(0, 8))).toBe(`%PDF-${version}`)
    expect(made.warnings).toMatchObject(warnings)
  })
  it('warns that encryption needs a later PDF version than requested', async () => {
    const options = { SelectPdfVersion: 16, EncryptFile: true, DocumentOpenPassword: 'x' }
    const { bytes, warnings } = await setUp({}).convert('docx', 'pdf', options)
    expect(new TextDecoder('latin1').decode(bytes.subarray(0, 8))).toBe('%PDF-1.7')
    expect(warnings.map(({ message }) => message)).toEqual([
      'The file is PDF 1.7 instead of 1.6: encryption with AES-256 requires it.',
    ])
  })
  it('does not parse the PDF for options without effect', async () => {
    const { convert, jobs } = setUp({ ExportNotes: {}, SelectPdfVersion: {} })
    const options = { ExportNotes: true, SelectPdfVersion: 0, Watermark: 'COPY' }
    expect((await convert('pdf', 'pdf', options)).engines).toEqual([])
    expect(jobs).toEqual([])
  })
  it('needs no engine for a PDF that stays one', async () => {
    const { convert, jobs } = setUp({ PageRange: {} })
    const { bytes, engines } = await convert('pdf', 'pdf', { PageRange: '1', Watermark: 'COPY' })
    expect(engines).toEqual([])
    expect(jobs).toEqual([])
    expect(await ask(place(), bytes, 'pdfinfo', '@')).toMatch(/Pages: +1\n/)
  })
  it.each([
    [{ Watermarks: [{ text: '' }] }, 'Invalid option Watermarks[0].text'],
    [{ Wattermark: 'x' }, 'Invalid option Wattermark: there is no such option.'],
    [{ EncryptFile: true }, 'Invalid option DocumentOpenPassword: must be given with EncryptFile.'],
  ])('refuses %j before any work', async (options, message) => {
    const { convert, jobs } = setUp({})
    await expect(convert('docx', 'pdf', options)).rejects.toThrow(message)
    expect(jobs).toEqual([])
  })
  it('reports an expired deadline', async () => {
    const late = { signal: AbortSignal.abort(new DOMException('late', 'TimeoutError')) }
    await expect(setUp({}).convert('pdf', 'pdf', { Watermark: 'x' }, late)).rejects.toThrow(
      'Timeout while converting pdf to pdf.',
    )
  })
  it('accepts the options that conversions of another host list', () => {
    const plan = (options: readonly string[]) => {
      const conversions = [{ from: 'ics', to: 'pdf', fidelity: 'high', cost: 1, options } as const]
      const { registry } = setUp({})
      const [press] = registry.engines()
      const host = defineEngine({ ...press!, id: 'host', letter: 'H', conversions })
      const hosts = createRegistry([...formats, host])
      const finisher = createPdfFinisher({ registry: hosts, pdf: operations() })
      return () => finisher.plan('pdf', { Gap: 'A5' })
    }
    expect(plan(['Gap'])).not.toThrow()
    expect(plan([])).toThrow('Invalid option Gap: there is no such option')
  })
  it('checks options while there is no document yet', () => {
    const { converter } = setUp({})
    expect(() => converter.checkOptions('pdf', { Changes: 9 })).toThrow('Invalid option Changes')
    expect(() => converter.checkOptions('txt', { Changes: 9 })).not.toThrow()
  })
  it('stays away from other outputs', async () => {
    const { convert, jobs } = setUp({})
    await convert('docx', 'txt', { Watermark: 'x', anything: 1 })
    expect(jobs[0]!.options).toEqual({ Watermark: 'x', anything: 1 })
  })
})

describe('a watermark in characters that the fonts of a host lack', () => {
  const anything: Schema<unknown> = { json: {}, parse: (value) => ({ ok: true, value }) }
  const engine = (id: string, cost: number, more: object, does: object = {}) =>
    defineEngine({
      kind: 'engine',
      contract: 1,
      id,
      title: id,
      sides: ['edge'],
      conversions: ['docx', 'pdf'].map((from) => ({ from, to: 'pdf', fidelity: 'exact', cost }) as const),
      settings: anything,
      options: { ...anything, json: { properties: { PDFUACompliance: {}, UseTaggedPDF: {} } } },
      create: () => ({
        convert: async () => ({ value: fromBytes(orientation), warnings: [] }),
        ...does,
      }),
      ...more,
    })
  const missing = { code: 'pdf.watermark-characters', message: 'No font has these.' }
  const local = engine(
    'local',
    1,
    { letter: 'I', selfAssessing: true, conformable: true, drawsText: true },
    {
      drawText: async ({ archive }: TextRequest) => {
        if (archive !== undefined) throw new AppError('pdf.promise', { because: 'no font has these' })
        return { value: orientation, warnings: [missing] }
      },
    },
  )
  const remote = engine('remote', 9, { finishesOutput: true })
  const absent = { ...remote, absent: true as const }
  const broken = engine(
    'broken',
    9,
    { finishesOutput: true },
    { convert: () => Promise.reject(new AppError('convert.crashed', { engine: 'It' })) },
  )
  const printer = engine('printer', 9, {})
  const made = async (engines: readonly EnginePlugin[], options: object, terms: object) => {
    const registry = createRegistry([...formats, ...engines])
    const finisher = createPdfFinisher({ registry, pdf: operations() })
    const converter = createConverter({ registry, host: testHost(formats), settings: {}, finisher })
    const source = fromBytes(orientation)
    const request = { source, from: 'docx', to: 'pdf', deadline: Date.now() + 9000, ...terms }
    const { signal } = new AbortController()
    const done = await converter.convert({
      ...request,
      signal,
      options: { Watermarks: [{ text: '机密' }], ...options },
    })
    return [done.engines, done.warnings.map(({ code }) => code)]
  }
  const archive = { PDFUACompliance: true }
  const auto = { auto: true }
  it.each([
    ['is left to a host with other fonts', [local, remote], {}, auto, ['remote'], []],
    ['is left to it in a file that must conform too', [local, remote], archive, auto, ['remote'], []],
    ['stays where an engine was named', [local, remote], {}, { letter: 'I' }, ['local'], [missing.code]],
    ['stays where no other host finishes', [local, printer], {}, auto, ['local'], [missing.code]],
  ])('%s', async (_, engines, options, terms, by, codes) => {
    expect(await made(engines, options, terms)).toEqual([by, codes])
  })
  it.each([
    ['of a PDF is drawn by a host with other fonts', [local, remote], ['remote'], []],
    ['of a PDF stays where that host is not configured', [local, absent], [], [missing.code]],
    ['of a PDF stays where that host fails', [local, broken], [], [missing.code]],
    ['of a PDF stays where no other host finishes', [local, printer], [], [missing.code]],
  ])('%s', async (_, engines, by, codes) => {
    expect(await made(engines, {}, { from: 'pdf' })).toEqual([by, codes])
  })
  it('is conformed by that host without a word about redrawing', async () => {
    expect(await made([local, remote], { SelectPdfVersion: 2 }, { from: 'pdf' })).toEqual([['remote'], []])
  })
  it('is refused in a file that must conform where there is no other host', async () => {
    await expect(made([local], archive, auto)).rejects.toMatchObject({ code: 'pdf.promise' })
  })
})
