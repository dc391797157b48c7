import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../origin/codec.ts'
import { createPdfFinisher } from '../../../shared/convert/finish-pdf.ts'
import { createConverter } from '../../../shared/convert/run.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { type ConvertJob, defineEngine, defineFormat, type Schema } from '../../../shared/plugin/contract.ts'
import { createRegistry } from '../../../shared/plugin/registry.ts'
import { testHost } from '../../helpers/host.ts'
import { ask, officePdf, repeatableRandom } from '../../helpers/pdf.ts'
import { useTemporary } from '../../helpers/temporary.ts'

const place = useTemporary()
const formats = [
  defineFormat({ kind: 'format', id: 'docx', family: 'document', extensions: ['docx'], mime: ['a/docx'] }),
  defineFormat({ kind: 'format', id: 'pdf', family: 'document', extensions: ['pdf'], mime: ['a/pdf'] }),
  defineFormat({ kind: 'format', id: 'txt', family: 'text', extensions: ['txt'], mime: ['a/txt'] }),
]
const orientation = officePdf('page-orientation')

/** An engine that answers with a real PDF and tells what it was asked. */
function setUp(properties: object, more: { readonly finishesOutput?: boolean } = {}) {
  const jobs: ConvertJob[] = []
  const anything = (json: object): Schema<unknown> => ({
    json: { ...json },
    parse: (value) => ({ ok: true, value }),
  })
  const engine = defineEngine({
    kind: 'engine',
    contract: 1,
    id: 'press',
    letter: 'P',
    title: 'The press',
    sides: ['origin'],
    conversions: [
      { from: 'docx', to: 'pdf', fidelity: 'exact', cost: 1 },
      { from: 'docx', to: 'txt', fidelity: 'exact', cost: 1 },
    ],
    settings: anything({}),
    options: anything({ type: 'object', properties }),
    create: () => ({
      async convert(job) {
        jobs.push(job)
        return { value: fromBytes(orientation), warnings: [] }
      },
    }),
    ...more,
  })
  const registry = createRegistry([...formats, engine])
  const finisher = createPdfFinisher({ registry, codec: nodeCodec, random: repeatableRandom() })
  const converter = createConverter({ registry, host: testHost(formats), settings: {}, finisher })
  const convert = async (
    from: string,
    to: string,
    options: Record<string, unknown>,
    { signal } = new AbortController(),
  ) => {
    const source = fromBytes(orientation)
    const done = await converter.convert({ source, from, to, options, deadline: Date.now() + 9000, signal })
    return { ...done, bytes: await bytesOf(done.value) }
  }
  return { convert, jobs, converter }
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
    expect((await convert('docx', 'pdf', options)).bytes).toEqual(orientation)
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
  it('tells which options the engine does not have', async () => {
    const { warnings } = await setUp({}).convert('docx', 'pdf', { ExportNotes: false })
    expect(warnings.map(({ message }) => message)).toEqual([
      'Option ExportNotes is not supported by The press.',
    ])
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
  it('says so when the time is over', async () => {
    const late = { signal: AbortSignal.abort(new DOMException('late', 'TimeoutError')) } as AbortController
    await expect(setUp({}).convert('pdf', 'pdf', { Watermark: 'x' }, late)).rejects.toThrow(
      'Timeout while converting pdf to pdf.',
    )
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
