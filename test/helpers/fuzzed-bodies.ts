/** Requests with bodies, made from the structure that the service knows and then bent. Seeded: the same in every run. */
import { gzipSync } from 'node:zlib'
import { renderFields } from '../../shared/schemas/render.ts'
import { heavyBodies } from './heavy-bodies.ts'
import { damaged, oneOf, type Random, randomJson, randomNumbers } from './random-json.ts'

export interface FuzzedRequest {
  readonly what: string
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Bytes that are written at once. */
  readonly pieceBytes: number
}

const template = (random: Random) =>
  JSON.stringify(
    oneOf(random, [
      btoa('Hello {d.name}'),
      btoa('{d[i].a}{d[i+1].a}'),
      btoa(`{d.${'a.'.repeat(random(50))}b:upperCase()}`),
      btoa('<html><body>{d.name}</body></html>'),
      `data:text/plain;base64,${btoa('{c.now}')}`,
      btoa('PK\u0003\u0004'),
      '!!!!',
      '',
    ]),
  )

/** Values that each field of a render may hold, right and wrong. */
const values: Readonly<Record<string, (random: Random) => string>> = {
  data: (random) => randomJson(random),
  complement: (random) => randomJson(random),
  template,
  convertTo: (random) =>
    oneOf(random, [
      '"txt"',
      '"html"',
      '"nothing"',
      '{"formatName":"txt"}',
      `{"formatName":"html","formatOptions":${randomJson(random)}}`,
      randomJson(random),
    ]),
  enum: (random) => oneOf(random, ['{"a":["x","y"]}', '{}', '[]', randomJson(random)]),
  translations: (random) =>
    oneOf(random, ['{"fr":{"a":"b"}}', '{"__proto__":{"a":"b"}}', randomJson(random)]),
  currencyRates: (random) => oneOf(random, ['{"EUR":1,"USD":1e999}', '{"__proto__":1}', randomJson(random)]),
  failOn: (random) => oneOf(random, ['["IMAGE_URL_ERROR"]', '[]', randomJson(random)]),
  batchSplitBy: (random) => oneOf(random, ['"d"', '"d.a"', '"d.__proto__"', randomJson(random)]),
  preReleaseFeatureIn: (random) => oneOf(random, ['4022011', '"5004002"', '1e400', randomJson(random)]),
}

const metadata: Readonly<Record<string, (random: Random) => string>> = {
  template,
  name: (random) => oneOf(random, ['"a"', `"${'x'.repeat(random(400))}"`, randomJson(random)]),
  tags: (random) =>
    oneOf(random, ['["a","b","a"]', `[${'"a",'.repeat(random(300))}"b"]`, randomJson(random)]),
  category: (random) => randomJson(random),
  sample: (random) =>
    oneOf(random, ['[{"data":{"a":1}}]', '[]', `[{"data":${randomJson(random)}}]`, randomJson(random)]),
  deployedAt: (random) => oneOf(random, ['1', '"42000000000"', '-1', '1e400', randomJson(random)]),
  versioning: (random) => oneOf(random, ['true', '"True"', randomJson(random)]),
  id: (random) => oneOf(random, ['"123"', '"9223372036854775808"', randomJson(random)]),
  origin: (random) => randomJson(random),
  __proto__: (random) => randomJson(random),
}

export function* fuzzedRequests(count: number, seed: number): Generator<FuzzedRequest> {
  const random = randomNumbers(seed)
  for (let at = 0; at < count; at++) yield fuzzedRequest(random, at)
}

function fuzzedRequest(random: Random, at: number): FuzzedRequest {
  const kind = random(10)
  const isForm = kind === 9
  const path =
    kind < 6
      ? '/render/template?download=true'
      : kind === 6
        ? oneOf(random, ['/template/lint', '/template/schema'])
        : kind === 7
          ? '/template/123456789'
          : '/template'
  const text = isForm
    ? form(random)
    : kind < 7
      ? renderText(random)
      : objectOf(random, metadata, Object.keys(metadata))
  const bent = oneOf(random, [text, text, damaged(random, text)])
  const plain = new TextEncoder().encode(bent)
  const isPacked = random(8) === 0
  const type = isForm ? 'multipart/form-data; boundary=xx' : 'application/json'
  return {
    what: `request ${at}: ${kind === 7 ? 'PATCH' : 'POST'} ${path} ${bent.slice(0, 300)}`,
    method: kind === 7 ? 'PATCH' : 'POST',
    path,
    headers: {
      'content-type': random(20) === 0 ? 'text/plain' : type,
      ...(isPacked && { 'content-encoding': 'gzip' }),
      ...(random(6) === 0 && { 'service-version': oneOf(random, ['3', '4', '5', 'x']) }),
    },
    body: isPacked ? new Uint8Array(gzipSync(plain)) : plain,
    pieceBytes: random(4) === 0 && plain.length < 4000 ? 1 + random(20) : 65_536,
  }
}

function renderText(random: Random): string {
  if (random(25) === 0) return oneOf(random, Object.values(heavyBodies))(1 + random(200_000))
  return objectOf(random, values, [
    ...Object.keys(renderFields),
    'other',
    '__proto__',
    'constructor',
    '\\u0064ata',
  ])
}

function objectOf(
  random: Random,
  known: Readonly<Record<string, (random: Random) => string>>,
  names: readonly string[],
): string {
  const parts = [`"template":${template(random)}`, `"data":${randomJson(random)}`].slice(
    random(4) === 0 ? 1 : 0,
  )
  for (let left = random(6); left > 0; left--) {
    const name = oneOf(random, names)
    parts.push(
      `"${name}":${(Object.hasOwn(known, name) ? known[name] : undefined)?.(random) ?? randomJson(random)}`,
    )
  }
  return `{${parts.join(oneOf(random, [',', ' ,\n']))}}`
}

function form(random: Random): string {
  const end = oneOf(random, ['\r\n', '\n'])
  const parts = Array.from({ length: random(5) }, () => {
    const name = oneOf(random, [...Object.keys(metadata), '', 'other'])
    return { name, value: metadata[name]?.(random) ?? randomJson(random) }
  })
  const written = [...parts, { name: 'template', value: 'Hello {d.name}' }, ...parts.slice(0, random(2))].map(
    ({ name, value }) =>
      `--xx${end}Content-Disposition: form-data; name="${name}"${oneOf(random, ['', '; filename="a.txt"', "; filename*=UTF-8''%", ';'.repeat(200)])}${end}${end}${value}${end}`,
  )
  return `${written.join('')}--xx--${end}`
}
