import { describe, expect, it } from 'vitest'
import web from '../../../../plugins/engines/web/index.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { engineUnder, originHost } from '../../../helpers/engines.ts'

const { convert } = engineUnder(web, originHost(undefined, []))
const blanks = ' '.repeat(100_000)
const list = (count: number, one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n))

/** Each is small; by patterns that try every way, or by calls as deep as the text is long, it would never end. */
const texts: readonly (readonly [what: string, from: string, to: string, text: string, holds?: string])[] = [
  ['brackets of a type that never ends', 'xhtml', 'html', `<!DOCTYPE html ${'[]'.repeat(500)}`],
  ['scripts without an end', 'xhtml', 'html', '<script>'.repeat(100_000)],
  ['sections without an end', 'xhtml', 'html', '<![CDATA['.repeat(100_000)],
  ['instructions without an end', 'xhtml', 'html', '<?'.repeat(300_000)],
  ['blanks in a heading', 'md', 'html', `# one${blanks}two\n`, 'two'],
  ['a head that never ends', 'md', 'html', `---\n${'-a: b\n'.repeat(60)}`],
  ['blanks in a head', 'md', 'html', `---\ntitle: one${blanks}two\n---\ntext\n`, 'two</title>'],
  ['a note that refers to itself', 'md', 'fodt', 'Text[^1].\n\n[^1]: See [^1].\n', 'See '],
  [
    'each note refers twice to the next',
    'md',
    'fodt',
    `Text[^0].\n\n${list(50, (n) => `[^${n}]: a[^${n + 1}] b[^${n + 1}]\n\n`).join('')}[^50]: End.\n`,
  ],
  ['many paragraphs', 'html', 'txt', '<p>x'.repeat(150_000), 'x\n\nx'],
  ['many rows of text', 'html', 'txt', `<table>${'<tr><td>x'.repeat(130_000)}</table>`, 'x\nx'],
  ['many rows of a sheet', 'html', 'fods', `<table>${'<tr><td>x'.repeat(130_000)}</table>`, 'x</text:p>'],
  ['many tables of one name', 'html', 'fods', `<h1>Same</h1>${'<table><tr><td>x</table>'.repeat(20_000)}`],
  ['blanks in a listing', 'html', 'txt', `<pre>a${blanks}b</pre>`, ' b'],
  ['blanks in a cell', 'html', 'txt', `<table><tr><td><pre>a${blanks}b</pre></table>`, ' b'],
  ['blanks in a cell', 'html', 'md', `<table><tr><td><pre>a${blanks}b</pre></table>`, ' b'],
  ['words in words', 'html', 'txt', `${'<span>'.repeat(250)}<i>deep</i>`, 'deep'],
  ['blank words', 'docbook', 'html', `<article><para>${' <emphasis/>'.repeat(100_000)}</para></article>`],
  ['blank lines', 'docbook', 'html', `<article><screen>a${'\n '.repeat(100_000)}b</screen></article>`, ' b'],
  [
    'cells without end',
    'docbook',
    'fodt',
    '<article><informaltable><tr><td colspan="Infinity" rowspan="-5">x</td></tr></informaltable></article>',
    '>x<',
  ],
  ['lines far in', 'xml', 'txt', `${'<a>'.repeat(500)}${'<b/>'.repeat(200_000)}${'</a>'.repeat(500)}`],
]

describe('ends soon, in a text or in an error of the catalogue', () => {
  for (const [what, from, to, source, holds] of texts)
    it(`${what}: ${from} to ${to}`, async () => {
      const begun = process.cpuUsage()
      const made = await convert(source, from, to).then(
        ({ bytes }) => new TextDecoder().decode(bytes),
        (error: unknown) => error,
      )
      expect(process.cpuUsage(begun).user / 1000, 'ms').toBeLessThan(20_000)
      if (typeof made === 'string') {
        expect(made).not.toMatch(/NaN|Infinity|undefined/)
        expect(made.includes(holds ?? ''), holds).toBe(true)
      } else {
        expect(made).toBeInstanceOf(AppError)
        expect(holds, (made as AppError).message).toBeUndefined()
      }
    })
})
