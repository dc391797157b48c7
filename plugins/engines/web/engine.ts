import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { XmlFault } from '../../../shared/document/xml-cursor.ts'
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
import { bytesOf, fromBytes } from '../../../shared/plugin/byte-source.ts'
import type { Conversion, Engine, FormatId, Host, Outcome, Warning } from '../../../shared/plugin/contract.ts'
import { decodeMarkup } from '../../../shared/plugin/decode-markup.ts'
import { type IgnoredOptions, ignoredWarnings } from '../../../shared/plugin/ignored-options.ts'
import { defaultLimits } from '../../../shared/template/limits.ts'
import { fromXhtml } from './from-xhtml.ts'
import { documentOfPage } from './page/page.ts'
import { readDocbook } from './read-docbook.ts'
import { readMarkdown } from './read-markdown.ts'
import { readXml } from './read-xml.ts'

export const title = 'Markup'

const texts = ['txt', 'text', 'etext', 'text10'] as const

/**
 * ms for a typical page. Markdown becomes an office document by OpenDocument rather than by HTML, whose import knows no
 * styles; a page becomes a picture by HTML. Markdown and text keep less than they are made from: basic, so that no
 * document goes through them on its way to another format.
 */
export const conversions: readonly Conversion[] = [
  { from: 'md', to: 'html', fidelity: 'exact', cost: 10 },
  { from: 'md', to: 'html10', fidelity: 'exact', cost: 10 },
  { from: 'md', to: 'fodt', fidelity: 'exact', cost: 5 },
  ...['html', 'xhtml'].flatMap((from): Conversion[] => [
    { from, to: 'md', fidelity: 'basic', cost: 40 },
    { from, to: 'fodt', fidelity: 'high', cost: 10 },
    { from, to: 'fods', fidelity: 'high', cost: 10 },
    ...texts.map((to): Conversion => ({ from, to, fidelity: 'basic', cost: 10 })),
  ]),
  { from: 'html', to: 'html10', fidelity: 'exact', cost: 10 },
  { from: 'xhtml', to: 'html', fidelity: 'exact', cost: 10 },
  { from: 'xhtml', to: 'html10', fidelity: 'exact', cost: 10 },
  // XML that nobody knows is shown as it is written; articles and books of DocBook as what they say.
  ...['xml', 'docbook'].flatMap((from): Conversion[] => [
    { from, to: 'html', fidelity: from === 'xml' ? 'exact' : 'high', cost: 10 },
    { from, to: 'html10', fidelity: from === 'xml' ? 'exact' : 'high', cost: 10 },
    { from, to: 'fodt', fidelity: from === 'xml' ? 'exact' : 'high', cost: 5 },
    { from, to: 'md', fidelity: 'basic', cost: 40 },
    ...texts.map((to): Conversion => ({ from, to, fidelity: 'basic', cost: 10 })),
  ]),
  ...['docx', 'odt'].map((from): Conversion => ({ from, to: 'md', fidelity: 'basic', cost: 60 })),
  // The office drops lists in lists and listings on the way there.
  ...['docx', 'odt', 'html', 'xhtml', 'md'].map(
    (from): Conversion => ({ from, to: 'docbook', fidelity: 'high', cost: 30 }),
  ),
]

/** Larger texts keep everybody waiting for seconds, for a result nobody can read. */
const mostBytes = 8 * 2 ** 20
/** Pictures that stand in a page are handed on as they are. */
const mostWithPictures = 64 * 2 ** 20
const pictures = /data:image\/[\w.+-]+;base64,[\w+/=%]+/gi

export function createWebEngine(_settings: object, host: Host): Engine<IgnoredOptions> {
  return {
    async convert({ source, from, to, options, deadline }, signal) {
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
      const { value, warnings } = await shallow(from, () => convertMarkup(host, bytes, { from, to }, pause))
      return {
        value: fromBytes(new TextEncoder().encode(value)),
        warnings: [...warnings, ...ignoredWarnings(options, to)],
      }
    },
  }
}

/** Trees are walked by calls, also in the libraries: what is nested thousands deep is no text of a person. */
async function shallow<T>(from: FormatId, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(from, 'its elements are nested too deeply')
    if (error instanceof XmlFault) throw unreadable(from, 'it is no XML that can be read')
    throw error
  }
}

async function convertMarkup(
  host: Host,
  bytes: Uint8Array,
  { from, to }: { readonly from: FormatId; readonly to: FormatId },
  pause: () => Promise<void>,
): Promise<Outcome<string>> {
  if (bytes.length === 0) throw unreadable(from, 'it is empty')
  if (from === 'docx' || from === 'odt') return fromOffice(host, bytes, { from, to })
  const most = to === 'fodt' ? mostWithPictures : mostBytes
  if (bytes.length > most) throw unreadable(from, `it has more than ${most / 2 ** 20} MB`)
  const text = decodeMarkup(bytes)
  if (most > mostBytes && text.replace(pictures, '').length > mostBytes)
    throw unreadable(from, `it has more than ${mostBytes / 2 ** 20} MB besides its pictures`)
  if (text.slice(0, 4096).includes('\0')) throw unreadable(from, 'it is not text')
  if (from === 'md') return { value: await fromMarkdown(text, to, pause), warnings: [] }
  if (from === 'xml' || from === 'docbook') return { value: fromXml(text, from, to), warnings: [] }
  if (from === 'xhtml' && to.startsWith('html')) return { value: fromXhtml(text), warnings: [] }
  if (to === 'fodt') return documentOfPage(from === 'xhtml' ? fromXhtml(text) : text)
  return fromPage(text, to)
}

/** Whatever it holds must be XML: what a template got wrong is said, with its line. */
function fromXml(source: string, from: FormatId, to: FormatId): string {
  const checked = readXml(source)
  if (!checked.ok) throw unreadable(from, `it is no well-formed XML, ${checked.because}`)
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

async function fromMarkdown(text: string, to: FormatId, pause: () => Promise<void>): Promise<string> {
  const { tree, title: name, language } = await readMarkdown(text, pause)
  if (to === 'fodt' || to === 'docbook') {
    const write = to === 'fodt' ? writeOdf : writeDocbook
    return write(flowOf(tree, { ...(name && { title: name }), ...(language && { language }) }))
  }
  return htmlPage({ title: name ?? '', language, body: `${toHtml(tree)}\n` })
}

const tablesOnly: Warning = {
  code: 'web.tables-only',
  message: 'Sheets hold the tables of the document: text outside of them was left out.',
}

function fromPage(text: string, to: FormatId): Outcome<string> {
  if (to === 'html10') return { value: text, warnings: [] }
  const flow = flowOf(fromHtml(text))
  if (to === 'md') return { value: writeMarkdown(flow), warnings: [] }
  if (to === 'docbook') return { value: writeDocbook(flow), warnings: [] }
  if (to !== 'fods') return { value: writeText(flow), warnings: [] }
  const { sheets, leftOut } = sheetsOf(flow)
  return { value: sheets, warnings: leftOut ? [tablesOnly] : [] }
}

function fromOffice(
  host: Host,
  bytes: Uint8Array,
  { from, to }: { readonly from: FormatId; readonly to: FormatId },
): Outcome<string> {
  const { reader } = host.format(from) ?? {}
  if (reader === undefined) throw new AppError('convert.pair', { engine: title, from, to })
  const read = reader.read(bytes, { codec: host.codec, limits: defaultLimits })
  const { flow, warnings }: { flow: Flow; warnings: readonly Warning[] } = flowOfDocument(read.value)
  const value = to === 'md' ? writeMarkdown(flow) : writeDocbook(flow)
  return { value, warnings: [...read.warnings, ...warnings] }
}

function unreadable(from: FormatId, because: string): AppError {
  return new AppError('convert.document', { engine: title, from, because })
}
