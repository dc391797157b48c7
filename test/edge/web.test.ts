import { expect, it } from 'vitest'
import { pureCodec } from '../../edge/codec.ts'
import web from '../../plugins/engines/web/index.ts'
import { bytesOf, fromBytes } from '../../shared/plugin/byte-source.ts'

const quiet = () => {}
const engine = web.create(
  {},
  {
    format: () => undefined,
    asset: async () => undefined,
    codec: pureCodec,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    now: Date.now,
  },
)

async function convert(text: string, from: string, to: string): Promise<string> {
  const source = fromBytes(new TextEncoder().encode(text))
  const job = { source, from, to, options: { names: [] }, deadline: Date.now() + 200_000 }
  const { value } = await engine.convert(job, new AbortController().signal)
  return new TextDecoder().decode(await bytesOf(value))
}

/** The libraries behind it have ways of their own for browsers, which an isolate is not. */
it('Markdown and pages are converted in the isolate', async () => {
  const html = await convert('# A &amp; &copy; *b*\n\n| x |\n|---|\n| 1 |\n\n<b>raw</b>', 'md', 'html')
  expect(html).toContain('<h1>A &#x26; © <em>b</em></h1>')
  expect(html).toContain('<b>raw</b>')
  expect(await convert('<a><b>1</b></a>', 'xml', 'txt')).toBe('<a>\n  <b>1</b>\n</a>\n')
  expect(await convert(html, 'html', 'md')).toContain('# A & © *b*\n\n| x |\n| - |\n| 1 |\n\n**raw**')
  expect(await convert('<p>Gr\u00fc\u00dfe', 'html', 'txt')).toBe('Gr\u00fc\u00dfe\n')
})
