import { env } from 'cloudflare:test'
import { afterAll, expect, it } from 'vitest'
import { pureCodec } from '../../edge/codec.ts'
import { openFontsNow } from '../../edge/fonts.ts'
import { createOriginPlugin } from '../../edge/origin-client.ts'
import originConversions from '../../edge/origin-conversions.json' with { type: 'json' }
import { createOrigins } from '../../edge/origins.ts'
import { plugins } from '../../edge/plugins.ts'
import { createConverter } from '../../shared/convert/converter.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'
import type { Conversion, EnginePlugin } from '../../shared/plugin/contract.ts'
import { createRegistry } from '../../shared/plugin/registry.ts'
import { wordFile } from '../cases/reference/word.ts'

const asset = async (name: string): Promise<Uint8Array | undefined> => {
  const answer = await env.FONTS.fetch(`https://assets.invalid/${name}`)
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
}
const quiet = () => {}
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
const origin = createOriginPlugin({
  origins: createOrigins({ urls: [], log, now: Date.now }),
  secret: '',
  conversions: originConversions as readonly Conversion[],
  now: Date.now,
})
const registry = createRegistry([...plugins, origin as EnginePlugin])
const fonts = (await openFontsNow({ bucket: env.BLOBS, asset, codec: pureCodec }))()
const converter = createConverter({
  registry,
  host: {
    format: registry.format,
    asset,
    fonts: () => fonts,
    codec: pureCodec,
    log,
    now: Date.now,
  },
  settings: {},
})
afterAll(() => converter.stop())

const made = async (body: string) => {
  const converted = await converter.convert({
    source: fromBytes(await wordFile({ body })),
    from: 'docx',
    to: 'pdf',
    auto: true,
    deadline: Date.now() + 200_000,
    signal: new AbortController().signal,
  })
  const bytes = await bytesOf(converted.value)
  return { ...converted, start: new TextDecoder().decode(bytes.subarray(0, 5)) }
}
const text = '<w:p><w:r><w:t>text</w:t></w:r></w:p>'

/** An edge without any origin. */
it('draws with its own engine when no engine is named', async () => {
  const { letters, start, warnings } = await made(text)
  expect([letters, start, warnings]).toEqual([['I'], '%PDF-', []])
})
it('draws what it can with warnings when it cannot draw everything', async () => {
  const { letters, start, warnings } = await made(`${text}<w:altChunk/>`)
  expect([letters, start]).toEqual([['I'], '%PDF-'])
  expect(warnings.map(({ code }) => code)).toEqual(['convert.beyond', 'read.embedded-document'])
})

it('draws boxes for characters that its fonts lack, since there is no origin to ask', async () => {
  const { letters, start, warnings } = await made(`${text}<w:p><w:r><w:t>&#x12000;</w:t></w:r></w:p>`)
  expect([letters, start]).toEqual([['I'], '%PDF-'])
  expect(warnings.map(({ code }) => code)).toEqual(['convert.beyond', 'font.missing-glyphs'])
})
