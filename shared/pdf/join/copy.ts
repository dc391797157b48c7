import type { PdfDocument } from '../model/document.ts'
import { isName, PdfDict, PdfName, PdfRef, PdfStream, PdfString, type PdfValue } from '../model/values.ts'

/** The changes to the objects of a file when they are copied into another one. */
export interface CopyChanges {
  /** New names of the file's named destinations. Links to a name that is not listed lose their destination. */
  readonly destinations: ReadonlyMap<string, string>
  /** The same for destinations that are named by a name object, as files of PDF 1.1 do. */
  readonly legacyDestinations: ReadonlyMap<string, string>
  /** Added to the keys of the parent tree; undefined removes them, for files without structure. */
  readonly parentKeyOffset: number | undefined
  /** Updates a copied structure element or attribute dictionary in place. */
  adjustStructure(copied: PdfDict): void
}

/** Whether the pages, bookmarks and elements of a file are added before or after all existing ones. */
export type JoinSide = 'start' | 'end'

export interface Copier {
  /** Converts a value of the other file to a value of this file. */
  value(value: PdfValue): PdfValue
  /** Maps references to an object of the other file to an object of this file. */
  alias(id: number, ref: PdfRef): void
  /** Copies a dictionary. Its references are copied by the next call of `value` or `settle`. */
  dictionary(from: PdfDict): PdfDict
  /** Copies everything that copied objects refer to. */
  settle(): void
}

/** Copies on demand and without recursion over objects. Each object is copied once, so cycles end. */
export function createCopier(document: PdfDocument, other: PdfDocument, changes: CopyChanges): Copier {
  const copies = new Map<number, PdfRef>()
  const waiting: { readonly id: number; readonly ref: PdfRef }[] = []

  const reference = (id: number): PdfRef => {
    let ref = copies.get(id)
    if (ref === undefined) {
      ref = document.put(null)
      copies.set(id, ref)
      waiting.push({ id, ref })
    }
    return ref
  }
  const shallow = (value: PdfValue): PdfValue => {
    if (value instanceof PdfRef) return reference(value.id)
    if (Array.isArray(value)) return value.map(shallow)
    if (value instanceof PdfDict) return dictionary(value)
    if (value instanceof PdfStream) return new PdfStream(dictionary(value.dict), value.bytes)
    return value
  }
  const dictionary = (from: PdfDict): PdfDict => {
    const copied = new PdfDict()
    for (const [key, value] of from.entries) {
      if (key === 'StructParent' || key === 'StructParents') {
        const offset = changes.parentKeyOffset
        const parentKey = other.resolve(value)
        if (offset !== undefined && typeof parentKey === 'number') copied.set(key, parentKey + offset)
      } else if (key === 'Length') copied.set(key, other.resolve(value))
      else if (isDestination(key, from)) copied.set(key, shallow(renamed(value)))
      else copied.set(key, shallow(value))
    }
    if (copied.get('S') !== null || copied.get('O') !== null) changes.adjustStructure(copied)
    return copied
  }
  const isDestination = (key: string, from: PdfDict): boolean =>
    key === 'Dest' || (key === 'D' && isName(other.resolve(from.get('S')), 'GoTo'))
  const renamed = (value: PdfValue): PdfValue => {
    const destination = other.resolve(value)
    if (destination instanceof PdfString) {
      const name = changes.destinations.get(destination.raw)
      return name === undefined ? null : new PdfString(name)
    }
    if (destination instanceof PdfName) {
      const name = changes.legacyDestinations.get(destination.text)
      return name === undefined ? null : new PdfName(name)
    }
    return value
  }
  const settle = (): void => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      document.replace(next.ref.id, shallow(other.resolve(new PdfRef(next.id))))
  }
  return {
    value(value) {
      const copied = shallow(value)
      settle()
      return copied
    },
    alias: (id, ref) => void copies.set(id, ref),
    dictionary,
    settle,
  }
}
