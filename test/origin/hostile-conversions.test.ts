/**
 * Documents that are broken or mean ill, in every engine but the offices (`bad-conversions.test.ts`): each ends in an
 * error of the catalogue, or in what is left of it, within its time, and the engine works on.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import {
  type Asked,
  asked,
  endless,
  fixture,
  hugePicturePdf,
  others,
  sealed,
} from '../cases/hostile/conversions.ts'
import { spoilers } from '../helpers/bad-files.ts'
import { notOfKind } from '../helpers/content-kind.ts'
import { docxOf, hugePng, odtOf, pictureInText, pictureRelation } from '../helpers/docx.ts'
import { legible } from '../helpers/legible.ts'
import { useServices } from '../helpers/origin-services.ts'
import { slowdown } from '../helpers/processor-time.ts'
import { useTemporary } from '../helpers/temporary.ts'
import { flat } from '../plugins/engines/libreoffice/samples.ts'

const services = useServices({ warm: true })

async function convert(
  { from, to, letter, source }: Asked,
  deadlineMs = 200_000,
  // As a request ends.
  signal = AbortSignal.timeout(deadlineMs + 200),
): Promise<{ readonly bytes: Uint8Array; readonly warnings: readonly unknown[] }> {
  const given = source()
  const made = await services().converter.convert({
    source: fromBytes(typeof given === 'string' ? new TextEncoder().encode(given) : given),
    from,
    to,
    ...(letter !== undefined && { letter }),
    // A PDF that stays one is only opened where something is done to it.
    ...(from === 'pdf' && to === 'pdf' && { options: { Watermark: 'Draft' } }),
    deadline: Date.now() + deadlineMs,
    signal,
  })
  return { bytes: await bytesOf(made.value), warnings: made.warnings }
}

const bytesIn = ({ source }: Asked): Uint8Array => {
  const given = source()
  return typeof given === 'string' ? new TextEncoder().encode(given) : given
}
const named = (one: Asked) => `${one.engine}: ${one.from} to ${one.to}` as const
const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )

/** The errors that may blame a document; any other one is a defect of the service. */
const documented = [
  'convert.document',
  'convert.failed',
  'convert.password',
  'convert.memory',
  'package.not-a-zip',
  'package.damaged',
  'package.encrypted',
  'pdf.broken',
]

/** Either a complete file of its type, or an error that blames the document. */
async function expectWholeOrTold(one: Asked): Promise<string> {
  try {
    const { bytes, warnings } = await convert(one)
    // A document of which nothing could be read.
    if (bytes.length === 0 && warnings.length > 0) return 'told'
    // Several pages come as an archive.
    if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) expect(await notOfKind(one.to, bytes)).toBeUndefined()
    return 'whole'
  } catch (error) {
    expect(error instanceof AppError ? error.code : String(error)).toBeOneOf(documented)
    return 'told'
  }
}

describe.each(asked.map((one) => [named(one), one] as const))('%s', (_, one) => {
  it('damaged files end in a complete document or an error of the catalogue', async () => {
    await Promise.all(
      spoilers.map(([, spoil]) => expectWholeOrTold({ ...one, source: () => spoil(bytesIn(one)) })),
    )
  })

  it('reports files of another type, and files with a password', async () => {
    const made = Object.entries(others).map(async ([kind, source]) =>
      kind === one.from ? [] : [kind, await expectWholeOrTold({ ...one, source })],
    )
    expect((await Promise.all(made)).filter(([, how]) => how === 'whole')).toEqual([])
    const locked = sealed[one.from]
    if (locked === undefined) return
    const code = await codeOf(convert({ ...one, source: () => fixture(locked) }))
    expect(code).toBeOneOf(['convert.password', 'package.encrypted', 'pdf.encrypted'])
  })

  it('ends at an expired deadline, and when the caller disconnects', async () => {
    const late = await codeOf(convert(one, 1, AbortSignal.timeout(1)))
    // What takes no time at all may be done by then.
    const slow = one.letter !== undefined || (one.from === 'pdf' && one.to === 'png')
    expect(late).toBeOneOf(slow ? ['convert.timeout'] : ['convert.timeout', 'no error'])
    const gone = AbortSignal.abort(new AppError('api.aborted'))
    expect(await codeOf(convert(one, 9000, gone))).toBe('api.aborted')
  })

  it('converts a valid document afterwards', async () => {
    expect(await expectWholeOrTold(one)).toBe('whole')
  })
})

const longParagraphs = () =>
  docxOf(`<w:p><w:r><w:t>${'words of a long document '.repeat(12)}</w:t></w:r></w:p>`.repeat(40_000))
it.each(['I', 'L'])('a document that needs long ends in time, engine %s', async (letter) => {
  const source = await longParagraphs()
  const long = { engine: letter, from: 'docx', to: 'pdf', letter }
  expect(await codeOf(convert({ ...long, source: () => source }, 1000))).toBe('convert.timeout')
  const letterFile = () => fixture('templates/letter/template.docx')
  expect(await expectWholeOrTold({ ...long, source: letterFile })).toBe('whole')
})

it.each(endless.map(([one, deadlineMs]) => [named(one), one, deadlineMs] as const))(
  'a document that needs long ends in time, %s',
  async (_, one, deadlineMs) => {
    const slow = slowdown()
    const started = performance.now()
    expect(await codeOf(convert(one, deadlineMs))).toBe('convert.timeout')
    expect(performance.now() - started).toBeLessThan(deadlineMs + 4000 * slow)
  },
)

describe('a picture of 500 megapixels', () => {
  const picture = () => hugePng(25_000, 20_000)
  const inPage = () =>
    `<p>text</p><img src="data:image/png;base64,${Buffer.from(picture()).toString('base64')}">`
  it.each<
    readonly [string, string, string | undefined, () => Promise<Uint8Array | string> | Uint8Array | string]
  >([
    ['html', 'png', 'C', inPage],
    ['docx', 'pdf', 'I', huge],
    ['docx', 'md', undefined, huge],
    ['md', 'html', undefined, () => `x ${inPage()}`],
    ['pdf', 'png', undefined, hugePicturePdf],
  ])('%s to %s, engine %s: within its time, and the engine works on', async (from, to, letter, make) => {
    const source = await make()
    const slow = slowdown()
    const started = performance.now()
    const code = await codeOf(
      convert(
        { engine: '', from, to, ...(letter !== undefined && { letter }), source: () => source },
        25_000,
      ),
    )
    expect(code).toBeOneOf(['no error', 'convert.timeout', 'convert.crashed', ...documented])
    expect(performance.now() - started).toBeLessThan(25_000 + 3_000 * slow)
    const fine = asked.find((one) => one.from === from) as Asked
    expect(await expectWholeOrTold(fine)).toBe('whole')
  })

  function huge(): Promise<Uint8Array> {
    return docxOf(pictureInText, {
      'word/_rels/document.xml.rels': pictureRelation,
      'word/media/image1.png': picture(),
    })
  }
})

describe('documents that reach out', () => {
  let hits = 0
  const server = createServer((_, response) => {
    hits += 1
    response.end('secret')
  })
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const linked = (address: string) =>
    docxOf(pictureInText.replace('r:embed', 'r:link'), {
      'word/_rels/document.xml.rels': pictureRelation
        .replace('media/image1.png', address)
        .replace(/(Target="[^"]*")/, '$1 TargetMode="External"'),
    })
  const page = (address: string) =>
    `<html><head><link rel="stylesheet" href="${address}"></head><body><p>kept</p><img src="${address}"><iframe src="${address}"></iframe><object data="${address}"></object><embed src="${address}"></body></html>`
  const frame = (address: string) =>
    `<text:p>kept<draw:frame text:anchor-type="as-char" svg:width="2cm" svg:height="2cm"><draw:image xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad" xlink:href="${address}"/></draw:frame></text:p>`
  const sources: readonly (readonly [string, (address: string) => Promise<Uint8Array> | string])[] = [
    ['docx', linked],
    ['odt', (address) => odtOf(frame(address))],
    ['fodt', (address) => flat('text', 'text', frame(address))],
    ['html', page],
    ['md', (address) => `kept ![x](${address})\n\n${page(address)}`],
    [
      'svg',
      (address) =>
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99"><image href="${address}" width="9" height="9"/><use xlink:href="${address}#x"/><text y="50">kept</text></svg>`,
    ],
  ]
  const routes: Readonly<Record<string, readonly (readonly [to: string, letter?: string])[]>> = {
    docx: [['pdf', 'L'], ['pdf', 'I'], ['pdf', 'O'], ['md'], ['latex'], ['odt']],
    odt: [['pdf', 'L'], ['pdf', 'I'], ['md'], ['latex'], ['docx']],
    fodt: [
      ['pdf', 'L'],
      ['txt', 'L'],
    ],
    html: [['pdf', 'C'], ['png', 'C'], ['pdf', 'L'], ['docx'], ['xlsx'], ['pptx'], ['txt']],
    md: [['pdf', 'C'], ['pdf', 'L'], ['docx'], ['txt']],
    svg: [
      ['pdf', 'C'],
      ['png', 'C'],
    ],
  }
  const rows = sources.flatMap(([from, make]) =>
    (routes[from] ?? []).map(([to, letter]) => [from, to, letter ?? 'any', make] as const),
  )

  const place = useTemporary()

  it.each(rows)('%s to %s by %s: nothing inside is asked', async (from, to, letter, make) => {
    const addresses = [
      `${base}/a.png`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      '/etc/passwd',
    ]
    if (from === 'svg') addresses.pop()
    // Engine O needs seconds for each: the network is off for all of its programs.
    for (const address of letter === 'O' ? addresses.slice(0, 1) : addresses) {
      const source = await make(address)
      hits = 0
      const named = letter === 'any' ? {} : { letter }
      const { bytes } = await convert({ engine: '', from, to, ...named, source: () => source })
      expect(hits).toBe(0)
      expect(await legible(place(), bytes)).not.toMatch(/root:.:0:0|secret/)
    }
  })
})
