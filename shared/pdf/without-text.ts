/** A PDF without its text: what stands behind it. ISO 32000-2, 9.3.6 (text rendering modes). */
import type { Codec } from '../plugin/contract.ts'
import { openPdf, type PdfDocument } from './document.ts'
import { pdfLimits, readable } from './limits.ts'
import { readPages } from './pages.ts'
import { binaryBytes, binaryText, PdfDict, PdfRef, PdfStream, type PdfValue } from './values.ts'
import { writePdf } from './writer.ts'

export interface WithoutText {
  readonly pdf: Uint8Array
  /** Of each page: whether anything is painted besides text. */
  readonly painted: readonly boolean[]
}

const deepest = 8

/** Text is kept and set to be invisible, so that nothing else moves. Throws as `openPdf` does. */
export async function withoutText(
  bytes: Uint8Array,
  codec: Codec,
  signal: AbortSignal,
): Promise<WithoutText> {
  const document = openPdf(bytes, codec, pdfLimits)
  const seen = new Map<number, boolean>()
  const painted = readPages(document).map((page) => {
    const { dict, inherited } = page
    const streams = contentsOf(document, dict.get('Contents'))
    if (streams === undefined) return true
    const hidden = hideText(streams.map(binaryText).join('\n'))
    dict.set('Contents', document.put(new PdfStream(new PdfDict(), binaryBytes(hidden.content))))
    const resources = document.resolve(inherited.get('Resources') ?? null)
    const forms = hideForms(document, resources instanceof PdfDict ? resources : undefined, seen, 0)
    return hidden.paints || forms
  })
  const random = (length: number) => new Uint8Array(length)
  return { pdf: await writePdf(document, { codec, random, signal }), painted }
}

/** Undefined: a content that cannot be read here, which then stays as it is. */
export function contentsOf(document: PdfDocument, value: PdfValue): readonly Uint8Array[] | undefined {
  const found = document.resolve(value)
  const parts = Array.isArray(found) ? found : [found]
  const contents: Uint8Array[] = []
  for (const part of parts) {
    const stream = document.resolve(part)
    if (stream === null) continue
    const content = stream instanceof PdfStream ? contentOf(document, stream) : undefined
    if (content === undefined) return undefined
    contents.push(content)
  }
  return contents
}

export function contentOf(document: PdfDocument, stream: PdfStream): Uint8Array | undefined {
  return readable(() => document.inflater.content(stream, document.resolve))
}

/** Forms are contents that pages call by name; they may call others. Returns whether one of them paints. */
function hideForms(
  document: PdfDocument,
  resources: PdfDict | undefined,
  seen: Map<number, boolean>,
  depth: number,
): boolean {
  const objects = resources === undefined ? undefined : document.dictAt(resources, 'XObject')
  if (objects === undefined || depth > deepest) return false
  let paints = false
  for (const reference of objects.entries.values()) {
    const form = document.resolve(reference)
    if (!(reference instanceof PdfRef) || !(form instanceof PdfStream)) continue
    const known = seen.get(reference.id)
    if (known !== undefined) {
      paints ||= known
      continue
    }
    seen.set(reference.id, true)
    const content =
      document.dictAt(form.dict, 'BBox') === undefined && form.dict.get('BBox') === null
        ? undefined
        : contentOf(document, form)
    if (content === undefined) {
      paints = true // a picture
      continue
    }
    const hidden = hideText(binaryText(content))
    const dict = form.dict.copy()
    for (const key of ['Filter', 'DecodeParms', 'Length']) dict.delete(key)
    document.replace(reference.id, new PdfStream(dict, binaryBytes(hidden.content)))
    const inner = hideForms(document, document.dictAt(form.dict, 'Resources'), seen, depth + 1)
    seen.set(reference.id, hidden.paints || inner)
    paints ||= hidden.paints || inner
  }
  return paints
}

/** Every text object begins invisible, and nothing in it makes it visible again. Strings are passed over. */
function hideText(content: string): { readonly content: string; readonly paints: boolean } {
  let paints = false
  const hidden = content.replace(
    /\((?:\\[\s\S]|[^\\()])*\)|(?<![^\s\])>])BT(?=[\s(<[/])|(?<=\s)\d\s+Tr(?=[\s(<[/])|(?<=[\s\])>])(?:f\*?|F|S|s|B\*?|b\*?|sh|Do|EI)(?=\s|$)/g,
    (found) => {
      if (found.startsWith('(')) return found
      if (found === 'BT') return 'BT 3 Tr'
      if (found.endsWith('Tr')) return '3 Tr'
      // A form that is called may paint nothing: it tells for itself.
      if (found !== 'Do') paints = true
      return found
    },
  )
  return { content: hidden, paints }
}
