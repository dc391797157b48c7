import { Agent, request } from 'node:http'
import { pureCodec } from '../../edge/codec.ts'
import { nodeCodec } from '../../origin/codec.ts'
import { formats } from '../../origin/formats.ts'
import { defaultLimits } from '../../shared/limits.ts'
import type { Codec } from '../../shared/plugin/values.ts'
import { createMergeEngine } from '../../shared/template/merge.ts'
import { letterData, letterTemplate } from '../helpers/bench-templates.ts'
import { edgeTarget } from '../helpers/edge-target.ts'
import { openOrigin, resident, type Side } from './origin-process.ts'
import { markdownTable, median, quantile, short } from './statistics.ts'

const rounds = 15
const perRound = 20
const listed = { templates: 250, versions: 40 }

interface Answer {
  readonly status: number
  readonly body: Buffer
  readonly ms: number
}
/**
 * What the service adds to a merge: the stored flow with download=true on a letter that is cached, over a connection that
 * is kept, against the same merge in this process, in turn. Then lists and renders among many versions, and the memory
 * that an upload of 20 MB takes.
 */
export async function httpSuite(): Promise<object> {
  const template = await letterTemplate()
  const figures: Record<string, unknown> = {}
  const rows: string[][] = []
  for (const [name, open, codec] of [
    ['origin', openOrigin, nodeCodec],
    ['edge in workerd', edgeTarget, pureCodec],
  ] as const) {
    const side = await open()
    try {
      const { here, there, way } = await overhead(side, template, mergeHere(template, codec))
      const extra = median(there) - median(here)
      const own = there.map((ms, at) => ms - way[at]!) // each over the call that followed it
      figures[name] = {
        here: median(here),
        there: median(there),
        extra,
        way: median(way),
        own: median(own) - median(here),
      }
      rows.push([
        `${name}: stored flow over the merge`,
        short(extra),
        short(quantile(there, 0.95) - median(here)),
        name === 'origin' ? '3' : '–',
      ])
      // Of it: the connection, and at the edge what Miniflare puts in front of the Worker, which production does not have.
      rows.push([
        `${name}: the way there and back, to a 404`,
        short(median(way)),
        short(quantile(way, 0.95)),
        '–',
      ])
      rows.push([
        `${name}: stored flow over the merge and the way`,
        short(median(own) - median(here)),
        short(quantile(own, 0.95) - median(here)),
        name === 'origin' ? '–' : '5',
      ])
      if (name === 'origin') Object.assign(figures, await lists(side, rows), await largeUpload(side, rows))
    } finally {
      await side.stop()
    }
  }
  console.log(`\n## HTTP\n\n${markdownTable(['ms, unless said otherwise', 'p50', 'p95', 'bar'], rows)}`)
  return figures
}

/** With the codec of the side: an isolate has no native DEFLATE. */
function mergeHere(template: Uint8Array, codec: Codec): () => Promise<number> {
  const engine = createMergeEngine({
    codec,
    formats: (id) => formats.find((format) => format.id === id),
    limits: defaultLimits,
    cacheBytes: 64 * 1024 * 1024,
  })
  const options = { lang: 'en', timezone: 'UTC', now: Date.now(), languageLevel: 5_999_999 }
  const text = JSON.stringify(letterData)
  return async () => {
    const started = performance.now()
    await engine.merge(
      { template: { hash: 'letter', bytes: template, format: 'docx' }, data: { text }, options },
      new AbortController().signal,
    )
    return performance.now() - started
  }
}

async function overhead(side: Side, template: Uint8Array, merge: () => Promise<number>) {
  const id = await upload(side, template)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const body = Buffer.from(JSON.stringify({ data: letterData }))
  const render = async () => {
    const answer = await send(side, 'POST', `/render/${id}?download=true`, {
      agent,
      body,
      type: 'application/json',
    })
    if (answer.status !== 200 || answer.body.subarray(0, 2).toString() !== 'PK')
      throw new Error(answer.body.toString())
    return answer.ms
  }
  const here: number[] = []
  const there: number[] = []
  const way: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (let time = 0; time < perRound; time++) {
      const [one, other] = [await merge(), await render()]
      const { ms } = await send(side, 'GET', '/nowhere', { agent })
      if (round === 0) continue
      here.push(one)
      there.push(other)
      way.push(ms)
    }
  }
  agent.destroy()
  return { here, there, way }
}

async function lists(side: Side, rows: string[][]): Promise<object> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const fewId = await upload(side, 'Few {d.a}', { versioning: 'true', name: 'few' }, agent)
  let manyId = ''
  for (let at = 0; at < listed.templates; at++) {
    const own = {
      versioning: 'true',
      name: `Letter ${at} of the range`,
      category: `c${at % 20}`,
      tags: `["t${at % 30}"]`,
    }
    const id = await upload(side, `Letter ${at} {d.a}`, own, agent)
    manyId ||= id
    const more = Array.from({ length: listed.versions - 1 }, (_, version) =>
      upload(side, `Letter ${at}.${version} {d.a}`, { ...own, id }, agent),
    )
    await Promise.all(more)
  }
  const figures: Record<string, number> = {}
  const first = JSON.parse((await send(side, 'GET', '/templates?limit=100', { agent })).body.toString()) as {
    nextCursor: string
  }
  const calls: Readonly<Record<string, string>> = {
    'first page': '/templates?limit=100',
    'next page': `/templates?limit=100&cursor=${first.nextCursor}`,
    'versions of one': `/templates?id=${manyId}&includeVersions=true`,
    'all versions, a page': '/templates?includeVersions=true',
    'search by name': '/templates?search=letter%20117',
    'fuzzy search': '/templates?search=lettre%20117%20rang',
    'by category': '/templates?category=c7',
    categories: '/templates/categories',
    tags: '/templates/tags',
  }
  for (const [name, path] of Object.entries(calls)) {
    const times: number[] = []
    for (let time = 0; time < 30; time++) {
      const answer = await send(side, 'GET', path, { agent })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.body}`)
      if (time > 3) times.push(answer.ms)
    }
    figures[name] = median(times)
    rows.push([
      `list among ${listed.templates} × ${listed.versions}: ${name}`,
      short(median(times)),
      short(quantile(times, 0.95)),
      '20',
    ])
  }
  const body = Buffer.from('{"data":{"a":1}}')
  const renders = new Map<string, number[]>([
    [fewId, []],
    [manyId, []],
  ])
  for (let time = 0; time < 100; time++)
    for (const [id, times] of renders) {
      const answer = await send(side, 'POST', `/render/${id}?download=true`, {
        agent,
        body,
        type: 'application/json',
      })
      if (time > 10) times.push(answer.ms)
    }
  agent.destroy()
  const [few, many] = [...renders.values()].map(median)
  rows.push([
    `render by Template ID: 1 version, ${listed.versions} versions`,
    `${short(few!)}, ${short(many!)}`,
    '–',
    'equal',
  ])
  return { lists: figures, renderFew: few, renderMany: many }
}

/** The most that the process held above what it held before, while one file of 20 MB came in. */
async function largeUpload(side: Side, rows: string[][]): Promise<object> {
  const bytes = Buffer.alloc(20_000_000, 'The quick brown fox jumps over the lazy dog. ')
  const ways = {
    form: () => upload(side, bytes, {}),
    base64: async () => {
      const body = Buffer.from(JSON.stringify({ template: bytes.toString('base64') }))
      const answer = await send(side, 'POST', '/template', { body, type: 'application/json' })
      if (answer.status !== 200) throw new Error(answer.body.toString())
    },
  }
  const figures: Record<string, number> = {}
  for (const [way, run] of Object.entries(ways)) {
    bytes.write(way, 0)
    await new Promise((resolve) => setTimeout(resolve, 1500)) // what is garbage goes first
    const before = resident(side.pid!)
    let most = before
    const timer = setInterval(() => (most = Math.max(most, resident(side.pid!))), 2)
    await run()
    clearInterval(timer)
    figures[`upload20mb-${way}`] = (most - before) / 1024
    rows.push([`MB held for an upload of 20 MB, as ${way}`, short((most - before) / 1024), '–', '64'])
  }
  return figures
}

async function upload(
  side: Side,
  file: Uint8Array | string,
  fields: Readonly<Record<string, string>> = { versioning: 'true' },
  agent?: Agent,
): Promise<string> {
  const head = Object.entries(fields)
    .map(([name, value]) => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
  const body = Buffer.concat([
    Buffer.from(`${head}--B\r\nContent-Disposition: form-data; name="template"\r\n\r\n`),
    Buffer.from(file),
    Buffer.from('\r\n--B--\r\n'),
  ])
  const answer = await send(side, 'POST', '/template', {
    body,
    type: 'multipart/form-data; boundary=B',
    agent,
  })
  if (answer.status !== 200) throw new Error(answer.body.toString())
  const { data } = JSON.parse(answer.body.toString()) as { data: { id?: string; templateId: string } }
  return data.id ?? data.templateId
}

function send(
  { url }: Side,
  method: string,
  path: string,
  {
    agent,
    body,
    type,
  }: { readonly agent?: Agent | undefined; readonly body?: Buffer; readonly type?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': type, 'content-length': body.length }
    const started = performance.now()
    const outgoing = request(url + path, { method, headers, ...(agent && { agent }) }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          body: Buffer.concat(chunks),
          ms: performance.now() - started,
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
