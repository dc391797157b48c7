import { AppError } from '../../errors/app-error.ts'
import type { Codec, Warning } from '../../plugin/contract.ts'
import type { PdfDocument } from '../document.ts'
import { Inflater } from '../filters.ts'
import { BrokenPdf } from '../limits.ts'
import { type PdfPage, pageGeometry } from '../pages.ts'
import { binaryBytes, dict, name, PdfDict, PdfRef, PdfStream, type PdfValue } from '../values.ts'
import { type Balance, contentBalance } from './content-balance.ts'
import type { Watermark } from './options.ts'
import { drawWatermark } from './place.ts'
import { createFontEncoding, type FontEncoding, type StandardFont } from './standard-font.ts'

/** Contents are looked through for what they leave open; past this the rest is trusted. Real files stay far below. */
const mostContent = 256 * 1024 * 1024
const mostContentOfStream = 32 * 1024 * 1024
const even: Balance = { lowest: 0, end: 0 }

/**
 * Draws watermarks over the pages. Equal ones share their stream; fonts and opacities are made once for the file.
 * Warnings: 'pdf.watermark-characters' when a font lacks some.
 */
export function applyWatermarks(
  document: PdfDocument,
  pages: readonly PdfPage[],
  marks: readonly Watermark[],
  codec: Codec,
): readonly Warning[] {
  const resources = createResources(document, pages, marks)
  const balances = createBalances(document, codec)
  const streams = new Map<string, PdfRef>()
  const stream = (operators: string): PdfRef => {
    const known = streams.get(operators)
    if (known !== undefined) return known
    const made = document.put(new PdfStream(new PdfDict(), binaryBytes(operators)))
    streams.set(operators, made)
    return made
  }
  let missing = 0
  for (const [index, page] of pages.entries()) {
    const number = index + 1
    let drawing = ''
    for (const mark of marks) {
      if (number < mark.fromPage || number > mark.toPage) continue
      const text = mark.text
        .replaceAll('{#PAGE_NUMBER}', String(number))
        .replaceAll('{#PAGE_TOTAL}', String(pages.length))
      const drawn = drawWatermark(
        mark,
        text,
        pageGeometry(document, page),
        resources.encoding(mark.font),
        resources.names(mark),
      )
      drawing += drawn.operators
      missing += drawn.missing
    }
    if (drawing === '') continue
    const contents = contentsOf(document, page.dict.get('Contents'))
    const { lowest, end } = balances(contents)
    const before = stream('q\n'.repeat(1 - lowest))
    const after = stream(`\n${'Q\n'.repeat(1 - lowest + end)}${drawing}`)
    page.dict.set('Contents', [before, ...contents, after])
    page.dict.set('Resources', resources.withOurs(page.inherited.get('Resources') ?? null))
  }
  resources.finish()
  if (missing === 0) return []
  const message = `The watermark fonts lack ${missing} characters of the text: a question mark stands for each.`
  return [{ code: 'pdf.watermark-characters', message }]
}

/** The content streams of a page, in order. */
function contentsOf(document: PdfDocument, value: PdfValue): readonly PdfValue[] {
  const found = document.resolve(value)
  if (Array.isArray(found)) return found.filter((one) => document.resolve(one) instanceof PdfStream)
  return found instanceof PdfStream ? [value] : []
}

function createBalances(document: PdfDocument, codec: Codec): (contents: readonly PdfValue[]) => Balance {
  const inflater = new Inflater(codec, mostContent)
  const known = new Map<string, Balance>()
  return (contents) => {
    const key = contents.map((one) => (one instanceof PdfRef ? one.id : 0)).join(' ')
    const found = known.get(key) ?? measure(contents)
    known.set(key, found)
    return found
  }

  function measure(contents: readonly PdfValue[]): Balance {
    const streams: Uint8Array[] = []
    for (const content of contents) {
      const stream = document.resolve(content)
      if (!(stream instanceof PdfStream)) continue
      try {
        const bytes = inflater.content(stream, document.resolve, mostContentOfStream)
        if (bytes === undefined) return even
        streams.push(bytes)
      } catch (error) {
        // Readers show what they can of such a page; so do we.
        if (error instanceof BrokenPdf || error instanceof AppError) return even
        throw error
      }
    }
    return contentBalance(streams)
  }
}

/** Fonts and opacities under names that no page uses yet. */
function createResources(document: PdfDocument, pages: readonly PdfPage[], marks: readonly Watermark[]) {
  const taken = new Set<string>()
  for (const held of new Set(pages.map((page) => page.inherited.get('Resources')))) {
    const found = document.resolve(held ?? null)
    if (!(found instanceof PdfDict)) continue
    for (const kind of ['Font', 'ExtGState']) {
      for (const key of document.dictAt(found, kind)?.entries.keys() ?? []) taken.add(key)
    }
  }
  let next = 0
  const fresh = (): string => {
    while (taken.has(`Mark${next}`)) next++
    return `Mark${next++}`
  }
  const fonts = new Map<StandardFont, { name: string; ref: PdfRef; dict: PdfDict; encoding: FontEncoding }>()
  const states = new Map<number, { name: string; ref: PdfRef }>()
  for (const { font, opacity } of marks) {
    if (!fonts.has(font)) {
      const made = new PdfDict()
      fonts.set(font, {
        name: fresh(),
        ref: document.put(made),
        dict: made,
        encoding: createFontEncoding(font),
      })
    }
    if (opacity < 1 && !states.has(opacity)) {
      const state = dict({ Type: name('ExtGState'), ca: opacity, CA: opacity })
      states.set(opacity, { name: fresh(), ref: document.put(state) })
    }
  }
  const known = new Map<PdfValue | number, PdfRef>()
  return {
    encoding: (font: StandardFont) => fonts.get(font)!.encoding,
    names: ({ font, opacity }: Watermark) => ({
      font: fonts.get(font)!.name,
      state: states.get(opacity)?.name,
    }),
    /** The resources of a page and ours; pages that shared theirs still do. */
    withOurs(held: PdfValue): PdfRef {
      const key = held instanceof PdfRef ? held.id : held
      const done = known.get(key)
      if (done !== undefined) return done
      const found = document.resolve(held)
      const made = found instanceof PdfDict ? found.copy() : new PdfDict()
      const join = (kind: string, ours: Iterable<{ readonly name: string; readonly ref: PdfRef }>) => {
        const joined = document.dictAt(made, kind)?.copy() ?? new PdfDict()
        for (const one of ours) joined.set(one.name, one.ref)
        if (joined.entries.size > 0) made.set(kind, joined)
      }
      join('Font', fonts.values())
      join('ExtGState', states.values())
      const ref = document.put(made)
      known.set(key, ref)
      return ref
    },
    /** Which characters a font needs is known only now. */
    finish(): void {
      for (const { dict: empty, encoding } of fonts.values()) {
        for (const [key, value] of encoding.dict().entries) empty.set(key, value)
      }
    },
  }
}
