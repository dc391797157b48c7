import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { zipStream } from '../../../shared/office/zip-stream.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { ConversionResult, Engine, Host } from '../../../shared/plugin/contract.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import { writeBibtex } from './bibtex.ts'
import { citationsOfDocx } from './citations-docx.ts'
import { citationsOfOdt } from './citations-odt.ts'
import { conversions, title } from './conversions.ts'
import { writeLatex } from './latex.ts'

export function createEngine(_settings: object, host: Host): Engine<IgnoredOptions> {
  return {
    async convert({ source, from, to, options }, signal) {
      if (!conversions.some((pair) => pair.from === from && pair.to === to))
        throw new AppError('convert.pair', { engine: title, from, to })
      const bytes = await bytesOf(source)
      signal.throwIfAborted()
      const result = to === 'bib' ? bibliography(host, from, bytes) : await latex(host, from, bytes)
      return { ...result, warnings: [...ignoredWarnings(options, to), ...result.warnings] }
    },
  }
}

function bibliography({ codec }: Host, from: string, bytes: Uint8Array): ConversionResult {
  const citations = from === 'odt' ? citationsOfOdt(bytes, codec) : citationsOfDocx(bytes, codec)
  const value = fromBytes(new TextEncoder().encode(writeBibtex(citations)))
  if (citations.length > 0) return { value, warnings: [] }
  return { value, warnings: [{ code: 'convert.no-citations', message: 'The document cites no works.' }] }
}

/** Returns one file, or a zip of it with its pictures. */
async function latex(host: Host, from: string, bytes: Uint8Array): Promise<ConversionResult> {
  const reader = host.format(from)?.reader
  if (reader === undefined) throw new AppError('convert.pair', { engine: title, from, to: 'latex' })
  const { value: document, warnings } = await reader.read(bytes, { codec: host.codec, limits: defaultLimits })
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
