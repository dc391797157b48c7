/** Puts operators behind and over the contents of pages, whose graphics state they must not depend on. ISO 32000-2, 7.8.2. */
import { binaryBytes, concatBytes } from '../../bytes.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { BrokenPdf } from '../model/limits.ts'
import { dict, name, PdfDict, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { Inflater } from '../read/filters.ts'
import { zlib } from '../write/zlib.ts'
import { type Balance, contentBalance } from './watermark/content-balance.ts'

/**
 * How many bytes of unpacked content are checked for unbalanced q and Q, in a file and in one stream. Content beyond that
 * is assumed to be balanced. Real files stay far below.
 */
const maxContent = 256 * 1024 * 1024
const maxContentOfStream = 32 * 1024 * 1024
const even: Balance = { lowest: 0, end: 0 }

/** Wraps the contents of pages. Equal pages share the streams of what is added. */
export function createContentsWrapper(document: PdfDocument, codec: Codec) {
  const balances = createBalances(document, codec)
  const joined = createJoiner(document, codec)
  const streams = new Map<string, PdfRef>()
  const stream = (operators: string): PdfRef => {
    const existing = streams.get(operators)
    if (existing !== undefined) return existing
    const added = document.put(new PdfStream(new PdfDict(), binaryBytes(operators)))
    streams.set(operators, added)
    return added
  }
  /**
   * Adds operators within the one content stream of the page, so that deleting a stream takes the page's own content away too.
   * Contents that cannot be decoded, or are too large, stay as they are, between streams of their own.
   */
  return (page: PdfDict, { below = '', above = '' }: { below?: string; above?: string }): void => {
    const contents = contentsOf(document, page.get('Contents'))
    const { lowest, end } = balances(contents)
    const before = `${below}${'q\n'.repeat(1 - lowest)}`
    const after = `\n${'Q\n'.repeat(1 - lowest + end)}${above}`
    page.set('Contents', joined(contents, before, after) ?? [stream(before), ...contents, stream(after)])
  }
}

/** The content streams of a page, in order. */
function contentsOf(document: PdfDocument, value: PdfValue): readonly PdfValue[] {
  const resolved = document.resolve(value)
  if (Array.isArray(resolved)) return resolved.filter((item) => document.resolve(item) instanceof PdfStream)
  return resolved instanceof PdfStream ? [value] : []
}

/** Bytes of all contents that are joined with their watermarks in one file. */
const maxJoined = 64 * 1024 * 1024

/** Makes one stream of the contents of a page with operators before and after; undefined where that is not possible. */
function createJoiner(document: PdfDocument, codec: Codec) {
  const inflater = new Inflater(codec, maxJoined)
  const joinedByKey = new Map<string, PdfRef>()
  let left = maxJoined
  return (contents: readonly PdfValue[], before: string, after: string): PdfRef | undefined => {
    // Streams are indirect objects always (ISO 32000-2, 7.3.8), so their numbers name the contents.
    const key = [
      ...contents.map((content) => (content instanceof PdfRef ? content.id : 0)),
      before,
      after,
    ].join(' ')
    const joinedContents = joinedByKey.get(key)
    if (joinedContents !== undefined) return joinedContents
    const parts: Uint8Array[] = [binaryBytes(before)]
    try {
      for (const content of contents) {
        const stream = document.resolve(content)
        const bytes =
          stream instanceof PdfStream
            ? inflater.content(stream, document.resolve, maxContentOfStream)
            : undefined
        if (bytes === undefined) return undefined
        parts.push(bytes, lineEnd)
      }
    } catch (error) {
      if (error instanceof BrokenPdf || error instanceof AppError) return undefined
      throw error
    }
    parts.push(binaryBytes(after))
    const size = parts.reduce((sum, part) => sum + part.length, 0)
    left -= size
    if (left < 0) return undefined
    const head = dict({ Filter: name('FlateDecode') })
    const joined = document.put(new PdfStream(head, zlib(codec, concatBytes(parts, size))))
    joinedByKey.set(key, joined)
    return joined
  }
}

/** Streams of one page follow each other as if with a space between them. ISO 32000-2, 7.7.3.3. */
const lineEnd = Uint8Array.of(10)

function createBalances(document: PdfDocument, codec: Codec): (contents: readonly PdfValue[]) => Balance {
  const inflater = new Inflater(codec, maxContent)
  const balanceByKey = new Map<string, Balance>()
  return (contents) => {
    const key = contents.map((content) => (content instanceof PdfRef ? content.id : 0)).join(' ')
    const balance = balanceByKey.get(key) ?? measure(contents)
    balanceByKey.set(key, balance)
    return balance
  }

  function measure(contents: readonly PdfValue[]): Balance {
    const streams: Uint8Array[] = []
    for (const content of contents) {
      const stream = document.resolve(content)
      if (!(stream instanceof PdfStream)) continue
      try {
        const bytes = inflater.content(stream, document.resolve, maxContentOfStream)
        if (bytes === undefined) return even
        streams.push(bytes)
      } catch (error) {
        // Viewers show what they can of a damaged page, so the page stays and counts as balanced.
        if (error instanceof BrokenPdf || error instanceof AppError) return even
        throw error
      }
    }
    return contentBalance(streams)
  }
}
