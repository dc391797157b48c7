/**
 * Hides the text of a PDF. Conversions to office documents use the rest as a background behind text that stays editable.
 * ISO 32000-2, 9.3.6 (text rendering modes).
 */
import { binaryBytes, binaryText } from '../../bytes.ts'
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { pdfLimits, readable } from '../model/limits.ts'
import { readPages } from '../model/pages.ts'
import { PdfDict, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { openPdf } from '../read/open.ts'
import { writePdf } from '../write/writer.ts'

export interface WithoutText {
  readonly pdf: Uint8Array
  /** Whether each page paints anything besides text. */
  readonly painted: readonly boolean[]
}

/** How deep forms may call each other. */
const maxDepth = 8

/** Makes text invisible but keeps it, because it moves the position of what follows. Throws as `openPdf` does. */
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

/** The unpacked streams of a content. Returns undefined when one cannot be unpacked; the content then stays as it is. */
export function contentsOf(document: PdfDocument, value: PdfValue): readonly Uint8Array[] | undefined {
  const resolved = document.resolve(value)
  const parts = Array.isArray(resolved) ? resolved : [resolved]
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

/**
 * Hides the text of form XObjects, which pages and other forms draw by name. Returns whether any of them paints something
 * else.
 */
function hideForms(
  document: PdfDocument,
  resources: PdfDict | undefined,
  seen: Map<number, boolean>,
  depth: number,
): boolean {
  const objects = resources === undefined ? undefined : document.dictAt(resources, 'XObject')
  if (objects === undefined || depth > maxDepth) return false
  let paints = false
  for (const reference of objects.entries.values()) {
    const form = document.resolve(reference)
    if (!(reference instanceof PdfRef) || !(form instanceof PdfStream)) continue
    const earlier = seen.get(reference.id)
    if (earlier !== undefined) {
      paints ||= earlier
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

/** Begins every text object in the invisible mode 3 and replaces later changes of the mode. Strings are skipped. */
function hideText(content: string): { readonly content: string; readonly paints: boolean } {
  let paints = false
  const hidden = content.replace(
    /\((?:\\[\s\S]|[^\\()])*\)|(?<![^\s\])>])BT(?=[\s(<[/])|(?<=\s)\d\s+Tr(?=[\s(<[/])|(?<=[\s\])>])(?:f\*?|F|S|s|B\*?|b\*?|sh|Do|EI)(?=\s|$)/g,
    (match) => {
      if (match.startsWith('(')) return match
      if (match === 'BT') return 'BT 3 Tr'
      if (match.endsWith('Tr')) return '3 Tr'
      // `Do` paints a form, which may be empty: `hideForms` checks that.
      if (match !== 'Do') paints = true
      return match
    },
  )
  return { content: hidden, paints }
}
