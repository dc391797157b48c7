/** Documents that mean ill occupy threads and processes of their own, never the thread that serves everybody. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endless, rubbish } from '../cases/hostile/conversions.ts'
import { hostileOpen } from '../cases/hostile/open.ts'
import { hostileWord } from '../cases/hostile/word.ts'
import { openFile } from '../cases/reference/open.ts'
import { wordFile } from '../cases/reference/word.ts'
import { docxOf } from '../helpers/docx.ts'
import { type MeasuredOrigin, startMeasuredOrigin } from '../helpers/measured-origin.ts'
import { sendFuzzed, wrongWith } from '../helpers/send-fuzzed.ts'

type Bytes = Uint8Array | string
type Sample = readonly [
  name: string,
  convertTo: string,
  converter: string | undefined,
  make: () => Bytes | Promise<Bytes>,
]

const paragraphs = `<w:p><w:r><w:t>${'words of a long document '.repeat(12)}</w:t></w:r></w:p>`.repeat(20_000)

const samples: readonly Sample[] = [
  ...Object.entries(hostileWord).map(
    ([name, sample]): Sample => [`DOCX: ${name}`, 'pdf', 'I', () => wordFile(sample)],
  ),
  ...Object.entries(hostileOpen).map(
    ([name, sample]): Sample => [`ODT: ${name}`, 'pdf', 'I', () => openFile(sample)],
  ),
  ...endless.map(
    ([{ engine, from, to, letter, source }], at): Sample => [
      `${engine}: ${from} to ${to}, without end (${at})`,
      to,
      letter,
      source,
    ],
  ),
  ['TeX: a DOCX of many paragraphs', 'latex', undefined, () => docxOf(paragraphs)],
  ['TeX: the works that such a DOCX cites', 'bib', undefined, () => docxOf(paragraphs)],
  ['nothing of any kind', 'pdf', 'L', () => rubbish],
]

let origin: MeasuredOrigin
beforeAll(async () => {
  origin = await startMeasuredOrigin({ mergeWorkers: 1, renderTimeout: 3_000, measureDelay: true })
})
afterAll(() => origin.stop())

/** CPU time of the serving thread: for each body, and for each megabyte of it and of its answer. */
const [maxMs, maxMsPerMegabyte] = [400, 60]
const megabyte = 1_048_576

function send(template: Bytes, convertTo: string, converter: string | undefined) {
  const body = JSON.stringify({
    template: Buffer.from(template).toString('base64'),
    data: {},
    convertTo,
    converter,
  })
  const headers = { 'content-type': 'application/json' }
  const path = '/render/template?download=true'
  const bytes = new TextEncoder().encode(body)
  return sendFuzzed(origin.url, {
    what: path,
    method: 'POST',
    path,
    headers,
    body: bytes,
    pieceBytes: 65_536,
  })
}

describe('CPU time of the serving thread', () => {
  const delays: string[] = []
  // The first render of a format compiles it.
  beforeAll(async () => {
    await send(await wordFile({ body: '<w:p/>' }), 'pdf', 'I')
  })
  afterAll(() => console.log(`The event loop stood still for (ms):\n${delays.join('\n')}`))

  it.each(samples)('%s', async (name, convertTo, converter, make) => {
    const template = await make()
    await origin.figures()
    const answer = await send(template, convertTo, converter)
    const { cpuMs, delayMs } = await origin.figures()
    delays.push(`${delayMs.toFixed(0)}, CPU ${cpuMs.toFixed(0)}: ${name}`)
    expect(wrongWith(answer)).toBeUndefined()
    const megabytes = (template.length * 1.4 + answer.body.length) / megabyte
    expect(cpuMs).toBeLessThan(maxMs + maxMsPerMegabyte * megabytes)
  })
})
