/**
 * LaTeX and BibTeX. `latex.ts` writes the document that the format's reader gives; `citations-odt.ts` and
 * `citations-docx.ts` find the works a document cites, `bibtex.ts` writes them.
 */
import { AppError } from '../../../shared/errors/app-error.ts'
import { zipStream } from '../../../shared/office/zip-stream.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import { type Conversion, defineEngine, type Host, type Made } from '../../../shared/plugin/contract.ts'
import {
  type IgnoredOptions,
  ignoredOptions,
  ignoredWarnings,
} from '../../../shared/plugin/ignored-options.ts'
import { defaultLimits } from '../../../shared/template/limits.ts'
import { writeBibtex } from './bibtex.ts'
import { citationsOfDocx } from './citations-docx.ts'
import { citationsOfOdt } from './citations-odt.ts'
import { writeLatex } from './latex.ts'

const title = 'TeX'

const conversions: readonly Conversion[] = ['docx', 'odt'].flatMap((from) => [
  { from, to: 'latex', fidelity: 'high', cost: 20 },
  { from, to: 'bib', fidelity: 'high', cost: 10 },
])

export default defineEngine<object, IgnoredOptions>({
  kind: 'engine',
  contract: 1,
  id: 'tex',
  title,
  sides: ['origin'],
  conversions,
  settings: { json: { type: 'object' }, parse: () => ({ ok: true, value: {} }) },
  options: ignoredOptions,
  create: (_, host) => ({
    async convert({ source, from, to, options }, signal) {
      if (!conversions.some((pair) => pair.from === from && pair.to === to))
        throw new AppError('convert.pair', { engine: title, from, to })
      const bytes = await bytesOf(source)
      signal.throwIfAborted()
      const made = to === 'bib' ? bibliography(host, from, bytes) : await latex(host, from, bytes)
      return { ...made, warnings: [...ignoredWarnings(options, to), ...made.warnings] }
    },
  }),
})

function bibliography({ codec }: Host, from: string, bytes: Uint8Array): Made {
  const found = from === 'odt' ? citationsOfOdt(bytes, codec) : citationsOfDocx(bytes, codec)
  const value = fromBytes(new TextEncoder().encode(writeBibtex(found)))
  if (found.length > 0) return { value, warnings: [] }
  return { value, warnings: [{ code: 'convert.no-citations', message: 'The document cites no works.' }] }
}

/** One file, or a zip of it and the pictures that it shows. */
async function latex(host: Host, from: string, bytes: Uint8Array): Promise<Made> {
  const reader = host.format(from)?.reader
  if (reader === undefined) throw new AppError('convert.pair', { engine: title, from, to: 'latex' })
  const { value: document, warnings } = reader.read(bytes, { codec: host.codec, limits: defaultLimits })
  const { text, pictures } = writeLatex(document)
  const file = new TextEncoder().encode(text)
  if (pictures.size === 0) return { value: fromBytes(file), warnings }
  async function* files() {
    yield { name: 'document.tex', bytes: file, compress: true }
    for (const [name, picture] of pictures) yield { name, bytes: picture, compress: false }
  }
  const archive = new Response(zipStream(files(), host.codec, host.now()))
  return { value: fromBytes(new Uint8Array(await archive.arrayBuffer())), format: 'zip', warnings }
}
