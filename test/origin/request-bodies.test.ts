/** No body occupies the thread that serves everybody, whatever is in it. `test/fuzz/bodies.ts` is the long form. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fuzzedRequests } from '../helpers/fuzzed-bodies.ts'
import { heavyBodies } from '../helpers/heavy-bodies.ts'
import { type MeasuredOrigin, startMeasuredOrigin } from '../helpers/measured-origin.ts'
import { sendFuzzed, wrongWith } from '../helpers/send-fuzzed.ts'

let origin: MeasuredOrigin
beforeAll(async () => {
  origin = await startMeasuredOrigin({ mergeWorkers: 1 })
})
afterAll(() => origin.stop())

const post = (path: string, body: string, pieceBytes = 65_536) =>
  sendFuzzed(origin.url, {
    what: path,
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(body),
    pieceBytes,
  })

const megabytes = 4
/**
 * CPU time of the serving thread for a megabyte of body: at most 30 on an idle machine, 70 where others compete for its
 * cores. What this guards against cost 200 to 700.
 */
const maxMsPerMegabyte = 120

describe('CPU time of the serving thread', () => {
  beforeAll(() => post('/render/template', heavyBodies['rows of data']!(megabytes * 1_048_576)))

  for (const [name, make] of Object.entries(heavyBodies))
    it(`${name}`, async () => {
      await origin.figures()
      const { status } = await post('/render/template?download=true', make(megabytes * 1_048_576))
      const { cpuMs } = await origin.figures()
      expect(status).toBeOneOf([200, 400, 413, 500])
      expect(cpuMs / megabytes).toBeLessThan(maxMsPerMegabyte)
    })

  it('a body in pieces of one byte costs a constant more for each', async () => {
    const body = heavyBodies['rows of data']!(40_000)
    await origin.figures()
    expect((await post('/render/template', body, 1)).status).toBe(200)
    const { cpuMs } = await origin.figures()
    expect(cpuMs).toBeLessThan(4000)
  })
})

/** What the serving thread does with these texts took minutes when it grew with the square of their length. */
const maxTextMs = 2_000

const texts = [
  [
    'a name of a file with a million marks on one letter',
    '/render/template?download=true',
    {
      template: btoa('Hi'),
      fileType: 'txt',
      data: { name: `a${'\u0301\u0316'.repeat(500_000)}` },
      reportName: '{d.name}',
    },
  ],
  [
    'texts of a case that occur nearly everywhere in a document',
    '/template/check',
    {
      template: btoa(`${'ab'.repeat(200_000)} {d.name}`),
      cases: [
        {
          name: 'repeats',
          request: { data: { name: 'Ann' } },
          expect: { contains: Array.from({ length: 10 }, (_, at) => `aa${'ab'.repeat(490 + at)}`) },
        },
      ],
    },
  ],
] as const

describe('texts that repeat', () => {
  it.each(texts)('%s', async (_, path, body) => {
    await origin.figures()
    expect((await post(path, JSON.stringify(body))).status).toBe(200)
    expect((await origin.figures()).cpuMs).toBeLessThan(maxTextMs)
  })
})

describe('bent bodies', () => {
  it('each of 200 malformed bodies ends in a document or an error of the catalogue', async () => {
    const wrong: string[] = []
    for (const request of fuzzedRequests(200, 20)) {
      const found = await sendFuzzed(origin.url, request).then(wrongWith, (error: unknown) => String(error))
      if (found !== undefined) wrong.push(`${found} ${request.what}`)
    }
    expect(wrong).toEqual([])
    expect((await fetch(`${origin.url}/status`)).status).toBe(200)
  })
})
