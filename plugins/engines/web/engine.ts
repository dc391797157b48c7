import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Flow } from '../../../shared/flow/flow.ts'
import { flowOfDocument } from '../../../shared/flow/from-document.ts'
import { flowOf } from '../../../shared/flow/from-hast.ts'
import { writeDocbook } from '../../../shared/flow/write-docbook.ts'
import { htmlPage, writeHtml } from '../../../shared/flow/write-html.ts'
import { writeMarkdown } from '../../../shared/flow/write-markdown.ts'
import { writeOdf } from '../../../shared/flow/write-odf.ts'
import { sheetsOf } from '../../../shared/flow/write-sheets.ts'
import { writeText } from '../../../shared/flow/write-text.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { ConvertJob, Engine, Host } from '../../../shared/plugin/contract.ts'
import { decodeMarkup } from '../../../shared/plugin/decode-markup.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import type { FormatId, Outcome, Warning } from '../../../shared/plugin/values.ts'
import { XmlFault } from '../../../shared/xml/cursor.ts'
import { conversions, texts, title } from './conversions.ts'
import { fromXhtml } from './from-xhtml.ts'
import { documentOfPage } from './page/page.ts'
import { readDocbook } from './read-docbook.ts'
import { readMarkdown } from './read-markdown.ts'
import { readXml } from './read-xml.ts'
import { insertPictures } from './remote-pictures.ts'

/** Larger texts would occupy the thread for seconds and produce a result that is too large to read. */
const maxBytes = 8 * 2 ** 20
/** Embedded pictures are passed on unchanged. */
const maxWithPictures = 64 * 2 ** 20
const embeddedPictures = /data:image\/[\w.+-]+;base64,[\w+/=%]+/gi

export function createWebEngine(_settings: object, host: Host): Engine<IgnoredOptions> {
  return {
    async convert({ source, from, to, options, deadline, pictures }, signal) {
      if (!conversions.some((pair) => pair.from === from && pair.to === to))
        throw new AppError('convert.pair', { engine: title, from, to })
      const bytes = await bytesOf(source)
      signal.throwIfAborted()
      const pause = async () => {
        await new Promise((resolve) => setTimeout(resolve, 0))
        signal.throwIfAborted()
        if (host.now() > deadline)
          throw new AppError('convert.timeout', { doing: `converting ${from} to ${to}` })
      }
      const { value, warnings } = await shallow(from, () =>
        convertMarkup(host, bytes, { from, to, pictures }, pause),
      )
      return {
        value: fromBytes(new TextEncoder().encode(value)),
        warnings: [...warnings, ...ignoredWarnings(options, to)],
      }
    },
  }
}

/**
 * Trees are walked recursively, also by the libraries, so nesting is limited. Text written by people stays
 * far below the limit.
 */
async function shallow<T>(from: FormatId, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(from, 'its elements are nested too deeply')
    if (error instanceof XmlFault) throw unreadable(from, 'it is not XML that can be read')
    throw error
  }
}

async function convertMarkup(
  host: Host,
  bytes: Uint8Array,
  { from, to, pictures }: Pick<ConvertJob, 'from' | 'to' | 'pictures'>,
  pause: () => Promise<void>,
): Promise<Outcome<string>> {
  if (bytes.length === 0) throw unreadable(from, 'it is empty')
  if (from === 'docx' || from === 'odt') return fromOffice(host, bytes, { from, to })
  if (from === 'pptx' || from === 'odp') return fromSlides(host, bytes, { from, to })
  const limit = to === 'fodt' ? maxWithPictures : maxBytes
  if (bytes.length > limit) throw unreadable(from, `it has more than ${limit / 2 ** 20} MB`)
  const text = decodeMarkup(bytes)
  if (limit > maxBytes && text.replace(embeddedPictures, '').length > maxBytes)
    throw unreadable(from, `it has more than ${maxBytes / 2 ** 20} MB besides its pictures`)
  if (text.slice(0, 4096).includes('\0')) throw unreadable(from, 'it is not text')
  if (from === 'md') return fromMarkdown(text, { to, pictures }, pause)
  if (from === 'xml' || from === 'docbook') return { value: fromXml(text, from, to), warnings: [] }
  if (from === 'xhtml' && to.startsWith('html')) return { value: fromXhtml(text), warnings: [] }
  if (to === 'fodt') return documentOfPage(from === 'xhtml' ? fromXhtml(text) : text)
  return fromPage(text, { to, pictures })
}

/** The page must be well-formed XML. An error, for instance of a template, is reported with its line. */
function fromXml(source: string, from: FormatId, to: FormatId): string {
  const checked = readXml(source)
  if (!checked.ok) throw unreadable(from, `it is not well-formed XML, ${checked.because}`)
  if (from === 'xml' && texts.some((name) => name === to)) return `${checked.text}\n`
  const flow: Flow =
    from === 'docbook'
      ? readDocbook(source)
      : {
          title: checked.root,
          blocks: [{ kind: 'code', text: checked.text, language: 'xml' }],
          pictures: new Map(),
        }
  if (to === 'fodt') return writeOdf(flow)
  if (to === 'md') return writeMarkdown(flow)
  return to.startsWith('html') ? writeHtml(flow) : writeText(flow)
}

async function fromMarkdown(
  text: string,
  { to, pictures }: Pick<ConvertJob, 'to' | 'pictures'>,
  pause: () => Promise<void>,
): Promise<Outcome<string>> {
  const { tree, title: name, language } = await readMarkdown(text, pause)
  if (to === 'fodt' || to === 'docbook') {
    const write = to === 'fodt' ? writeOdf : writeDocbook
    const warnings = insertPictures(tree, pictures)
    const metadata = { ...(name && { title: name }), ...(language && { language }) }
    return { value: write(flowOf(tree, metadata)), warnings }
  }
  return { value: htmlPage({ title: name ?? '', language, body: `${toHtml(tree)}\n` }), warnings: [] }
}

const tablesOnly: Warning = {
  code: 'web.tables-only',
  message: 'Only the tables of the document become sheets; its text outside of tables was omitted.',
}

function fromPage(text: string, { to, pictures }: Pick<ConvertJob, 'to' | 'pictures'>): Outcome<string> {
  if (to === 'html10') return { value: text, warnings: [] }
  const tree = fromHtml(text)
  const warnings = insertPictures(tree, pictures)
  const flow = flowOf(tree)
  if (to === 'md') return { value: writeMarkdown(flow), warnings }
  if (to === 'docbook') return { value: writeDocbook(flow), warnings }
  if (to !== 'fods') return { value: writeText(flow), warnings: [] }
  const { sheets, omitsText } = sheetsOf(flow)
  return { value: sheets, warnings: omitsText ? [tablesOnly] : [] }
}

async function fromOffice(
  host: Host,
  bytes: Uint8Array,
  { from, to }: { readonly from: FormatId; readonly to: FormatId },
): Promise<Outcome<string>> {
  const { reader } = host.format(from) ?? {}
  if (reader === undefined) throw new AppError('convert.pair', { engine: title, from, to })
  const read = await reader.read(bytes, { codec: host.codec, limits: defaultLimits })
  const { flow, warnings }: { flow: Flow; warnings: readonly Warning[] } = flowOfDocument(read.value)
  const value = to === 'md' ? writeMarkdown(flow) : writeDocbook(flow)
  return { value, warnings: [...read.warnings, ...warnings] }
}

async function fromSlides(
  host: Host,
  bytes: Uint8Array,
  { from, to }: { readonly from: FormatId; readonly to: FormatId },
): Promise<Outcome<string>> {
  const { flow: reader } = host.format(from) ?? {}
  if (reader === undefined) throw new AppError('convert.pair', { engine: title, from, to })
  const { value: flow, warnings } = await reader.read(bytes, { codec: host.codec, limits: defaultLimits })
  const write = to === 'md' ? writeMarkdown : to === 'html' ? writeHtml : writeText
  return { value: write(flow), warnings }
}

function unreadable(from: FormatId, because: string): AppError {
  return new AppError('convert.document', { engine: title, from, because })
}
