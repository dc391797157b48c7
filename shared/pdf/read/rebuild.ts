import { BrokenPdf, type PdfLimits, readable, tooLarge } from '../model/limits.ts'
import { isName, PdfDict, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import type { Inflater } from './filters.ts'
import { declaredStreamEnd, isTextAt, readIndirect } from './indirect.ts'
import { isSpace, Parser } from './parser.ts'
import type { CrossReference, ObjectLocation } from './xref.ts'

/**
 * Finds the objects of a file whose cross-reference is wrong by searching for `12 0 obj`. The last object with a number wins,
 * as if each were an update of the previous one. Streams with a correct length are skipped, since they may contain another
 * file. Throws BrokenPdf if there is no catalogue.
 */
export function rebuildCrossReference(
  bytes: Uint8Array,
  limits: PdfLimits,
  inflater: Inflater,
): CrossReference {
  const locations = new Map<number, ObjectLocation>()
  const trailer = new PdfDict()
  let catalog: number | undefined
  let objects = 0
  const add = (id: number, location: ObjectLocation) => {
    if (++objects > limits.objects) throw tooLarge('objects', limits.objects)
    locations.set(id, location)
  }
  for (let from = 0; ; ) {
    const keyword = nextKeyword(bytes, from)
    if (keyword === undefined) break
    from = keyword.after
    if (keyword.kind === 'trailer') {
      const dictionary = readable(() => new Parser(bytes, keyword.after, limits.depth).value())
      if (dictionary instanceof PdfDict) addTrailer(trailer, dictionary)
      continue
    }
    add(keyword.id, { at: keyword.at })
    const parser = new Parser(bytes, keyword.after, limits.depth)
    const value = readable(() => parser.value())
    if (!(value instanceof PdfDict)) continue
    from = declaredStreamEnd(bytes, parser, value.get('Length')) ?? from
    const type = value.get('Type')
    if (isName(type, 'Catalog')) catalog = keyword.id
    else if (isName(type, 'XRef')) addTrailer(trailer, value)
    else if (isName(type, 'ObjStm')) {
      const stream = readable(
        () => readIndirect(bytes, keyword.at, limits.depth, lengthIn(bytes, limits, locations)).value,
      )
      const inside = stream instanceof PdfStream ? readable(() => idsInside(stream, inflater)) : undefined
      for (const id of inside ?? []) add(id, { container: keyword.id })
    }
  }
  if (catalog === undefined && trailer.get('Root') === null) throw new BrokenPdf('it has no catalogue')
  if (!(trailer.get('Root') instanceof PdfRef)) trailer.set('Root', new PdfRef(catalog ?? 0))
  return { locations, trailer }
}

/** Adds the entries of a later trailer, which replace those of earlier ones. */
function addTrailer(trailer: PdfDict, later: PdfDict): void {
  for (const key of ['Root', 'Info', 'ID', 'Encrypt']) {
    const value = later.get(key)
    if (value !== null) trailer.set(key, value)
  }
}

/** Resolves references among the objects found so far, for the lengths of streams. */
function lengthIn(bytes: Uint8Array, limits: PdfLimits, locations: ReadonlyMap<number, ObjectLocation>) {
  return (value: PdfValue): PdfValue => {
    if (!(value instanceof PdfRef)) return value
    const location = locations.get(value.id)
    if (location == null || !('at' in location)) return null
    return readable(() => readIndirect(bytes, location.at, limits.depth, () => null).value) ?? null
  }
}

function idsInside(stream: PdfStream, inflater: Inflater): readonly number[] {
  const content = inflater.content(stream, (value) => value)
  return content === undefined ? [] : objectStreamIndex(stream.dict, content).map(({ id }) => id)
}

/** The head of an object stream: which objects it holds, and where. ISO 32000-2, 7.5.7. */
export function objectStreamIndex(
  dict: PdfDict,
  content: Uint8Array,
): readonly { readonly id: number; readonly at: number }[] {
  const count = dict.get('N')
  const first = dict.get('First')
  if (typeof count !== 'number' || typeof first !== 'number')
    throw new BrokenPdf('an object stream has no index')
  const parser = new Parser(content, 0, 1)
  const objects: { id: number; at: number }[] = []
  for (let index = 0; index < count; index++) {
    const id = parser.integer()
    const offset = parser.integer()
    if (id === undefined || offset === undefined) break
    objects.push({ id, at: first + offset })
  }
  return objects
}

/** `after` is the offset after the keyword. */
type KeywordMatch =
  | { readonly kind: 'trailer'; readonly after: number }
  | { readonly kind: 'object'; readonly id: number; readonly at: number; readonly after: number }

/** The next `12 0 obj` or `trailer` from an offset on. */
function nextKeyword(bytes: Uint8Array, from: number): KeywordMatch | undefined {
  for (let at = from; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === 116 && isTextAt(bytes, at, 'trailer')) return { kind: 'trailer', after: at + 7 }
    if (code === 111 && bytes[at + 1] === 98 && bytes[at + 2] === 106) {
      const generation = numberBefore(bytes, at)
      const id = generation && numberBefore(bytes, generation.at)
      if (id !== undefined) return { kind: 'object', id: id.value, at: id.at, after: at + 3 }
    }
  }
  return undefined
}

function numberBefore(bytes: Uint8Array, end: number): { value: number; at: number } | undefined {
  let at = end
  while (at > 0 && end - at < 16 && isSpace(bytes[at - 1])) at--
  const last = at
  while (at > 0 && last - at < 10 && (bytes[at - 1] ?? 0) >= 48 && (bytes[at - 1] ?? 0) <= 57) at--
  if (at === last) return undefined
  let value = 0
  for (let index = at; index < last; index++) value = value * 10 + (bytes[index] ?? 0) - 48
  return { value, at }
}
