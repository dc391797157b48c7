/**
 * Joins a second PDF to a first: its pages with all that hangs on them, its outline, its form fields, its layers.
 * Places that its links name are written into the links, so that equal names of two files do not meet.
 * ISO 32000-2, 7.7.3, 12.3.2, 12.3.3, 12.7.3, 8.11.4.
 */
import type { PdfDocument } from './document.ts'
import { nameTreeEntries } from './name-tree.ts'
import { readPages } from './pages.ts'
import { dict, isName, name, PdfDict, PdfRef, PdfStream, PdfString, type PdfValue } from './values.ts'

/** `document` is changed in place. Throws 'pdf.broken', 'pdf.too-large'. */
export function joinPdf(document: PdfDocument, other: PdfDocument, where: 'start' | 'end'): void {
  const pages = readPages(document).map((page) => flattened(document, page.dict, page.inherited, page.id))
  const copy = copier(document, other)
  const theirs = readPages(other).map((page) => {
    const leaf = page.dict.copy()
    for (const [key, value] of page.inherited) leaf.set(key, value)
    // Structure trees are not joined, article threads run over pages by numbers of their own.
    for (const key of ['Parent', 'StructParents', 'B', 'Tabs']) leaf.delete(key)
    // What refers to the page finds the copy.
    const ref = page.id === 0 ? document.put(null) : copy.reserve(page.id)
    copy.fill(ref, leaf)
    return { ref, dict: document.resolve(ref) as PdfDict }
  })
  const all = where === 'start' ? [...theirs, ...pages] : [...pages, ...theirs]
  const tree = dict({ Type: name('Pages'), Kids: all.map(({ ref }) => ref), Count: all.length })
  const parent = document.put(tree)
  for (const page of all) page.dict.set('Parent', parent)
  document.catalog.set('Pages', parent)
  document.catalog.delete('PageLabels')
  joinForms(document, other, copy, where)
  joinOutlines(document, other, copy, where)
  joinLayers(document, other, copy)
}

function flattened(
  document: PdfDocument,
  leaf: PdfDict,
  inherited: ReadonlyMap<string, PdfValue>,
  id: number,
): { readonly ref: PdfRef; readonly dict: PdfDict } {
  for (const [key, value] of inherited) leaf.set(key, value)
  return { ref: id === 0 ? document.put(leaf) : new PdfRef(id), dict: leaf }
}

interface Copier {
  /** A value of the other file as a value of this one. */
  value(value: PdfValue): PdfValue
  /** A reference to the copy of an object that is filled later. */
  reserve(id: number): PdfRef
  fill(ref: PdfRef, value: PdfDict): void
}

/** Copies on demand and without recursion over objects: each is copied once, cycles and all. */
function copier(document: PdfDocument, other: PdfDocument): Copier {
  const known = new Map<number, PdfRef>()
  const places = namedPlaces(other)
  let waiting: { readonly id: number; readonly ref: PdfRef }[] = []

  const reference = (id: number): PdfRef => {
    let ref = known.get(id)
    if (ref === undefined) {
      ref = document.put(null)
      known.set(id, ref)
      waiting.push({ id, ref })
    }
    return ref
  }
  const shallow = (value: PdfValue): PdfValue => {
    if (value instanceof PdfRef) return reference(value.id)
    if (Array.isArray(value)) return value.map(shallow)
    if (value instanceof PdfDict) return copiedDict(value)
    if (value instanceof PdfStream) return new PdfStream(copiedDict(value.dict), value.bytes)
    return value
  }
  const copiedDict = (from: PdfDict): PdfDict => {
    const made = new PdfDict()
    for (const [key, value] of from.entries) {
      if (key === 'StructParent' || key === 'StructParents') continue
      const place = key === 'Dest' || (key === 'D' && isName(other.resolve(from.get('S')), 'GoTo'))
      made.set(key, shallow(place ? placeOf(value) : key === 'Length' ? other.resolve(value) : value))
    }
    return made
  }
  const placeOf = (value: PdfValue): PdfValue => {
    const found = other.resolve(value)
    const named = found instanceof PdfString ? found.raw : isNameValue(found) ? found.text : undefined
    if (named === undefined) return value
    const place = other.resolve(places().get(named) ?? null)
    return place instanceof PdfDict ? place.get('D') : place
  }
  const settle = () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      document.replace(next.ref.id, shallow(other.resolve(new PdfRef(next.id))))
  }
  return {
    value(value) {
      const copied = shallow(value)
      settle()
      return copied
    },
    reserve(id) {
      const ref = reference(id)
      waiting = waiting.filter((one) => one.ref !== ref)
      return ref
    },
    fill(ref, value) {
      document.replace(ref.id, copiedDict(value))
      settle()
    },
  }
}

const isNameValue = (value: PdfValue): value is Exclude<PdfValue, null> & { readonly text: string } =>
  typeof value === 'object' && value !== null && 'text' in value

function namedPlaces(other: PdfDocument): () => ReadonlyMap<string, PdfValue> {
  let made: Map<string, PdfValue> | undefined
  return () => {
    if (made !== undefined) return made
    made = new Map(other.dictAt(other.catalog, 'Dests')?.entries ?? [])
    const names = other.dictAt(other.catalog, 'Names')
    if (names !== undefined)
      for (const [key, value] of nameTreeEntries(other, names.get('Dests'))) made.set(key, value)
    return made
  }
}

/** Fields keep their look and their values; one whose name is taken gets another. */
function joinForms(document: PdfDocument, other: PdfDocument, copy: Copier, where: 'start' | 'end'): void {
  const theirs = other.dictAt(other.catalog, 'AcroForm')
  const fields = theirs === undefined ? null : other.resolve(theirs.get('Fields'))
  if (theirs === undefined || !Array.isArray(fields) || fields.length === 0) return
  const ours = document.dictAt(document.catalog, 'AcroForm')
  if (ours === undefined) {
    const form = copy.value(theirs) as PdfDict
    form.delete('XFA')
    document.catalog.set('AcroForm', document.put(form))
    return
  }
  const known = document.resolve(ours.get('Fields'))
  const own = Array.isArray(known) ? known : []
  const taken = new Set(own.map((field) => fieldName(document, field)))
  const added = copy.value(fields) as PdfValue[]
  for (const field of added) {
    const found = document.resolve(field)
    if (!(found instanceof PdfDict)) continue
    const called = fieldName(document, found)
    let free = called
    for (let number = 2; taken.has(free); number++) free = `${called}_${number}`
    taken.add(free)
    if (free !== called) found.set('T', new PdfString(free))
    // What the form said of all its fields holds for these alone now.
    for (const key of ['DA', 'Q']) {
      const common = theirs.get(key)
      if (common !== null && found.get(key) === null) found.set(key, copy.value(common))
    }
  }
  ours.set('Fields', where === 'start' ? [...added, ...own] : [...own, ...added])
  const fonts = copy.value(theirs.get('DR'))
  const resources = document.resolve(fonts)
  if (resources instanceof PdfDict) ours.set('DR', mergedResources(document, ours.get('DR'), resources))
}

const fieldName = (document: PdfDocument, field: PdfValue): string => {
  const found = document.resolve(field)
  const named = found instanceof PdfDict ? document.resolve(found.get('T')) : null
  return named instanceof PdfString ? named.raw : ''
}

function mergedResources(document: PdfDocument, ours: PdfValue, theirs: PdfDict): PdfDict {
  const known = document.resolve(ours)
  const merged = known instanceof PdfDict ? known.copy() : new PdfDict()
  for (const [kind, value] of theirs.entries) {
    const mine = document.resolve(merged.get(kind))
    const added = document.resolve(value)
    if (!(mine instanceof PdfDict) || !(added instanceof PdfDict)) {
      if (merged.get(kind) === null) merged.set(kind, value)
      continue
    }
    const both = added.copy()
    for (const [key, one] of mine.entries) both.set(key, one)
    merged.set(kind, both)
  }
  return merged
}

/** The entries of the second outline stand beside those of the first. */
function joinOutlines(document: PdfDocument, other: PdfDocument, copy: Copier, where: 'start' | 'end'): void {
  const theirs = other.dictAt(other.catalog, 'Outlines')
  if (theirs === undefined || !(other.resolve(theirs.get('First')) instanceof PdfDict)) return
  const ours = document.dictAt(document.catalog, 'Outlines')
  const made = document.resolve(copy.value(other.catalog.get('Outlines')))
  if (!(made instanceof PdfDict)) return
  if (ours === undefined || !(document.resolve(ours.get('First')) instanceof PdfDict)) {
    document.catalog.set('Outlines', document.put(made))
    reparent(document, made, document.catalog.get('Outlines'))
    return
  }
  const [first, second] = where === 'start' ? [made, ours] : [ours, made]
  const last = document.resolve(first.get('Last'))
  const next = document.resolve(second.get('First'))
  if (!(last instanceof PdfDict) || !(next instanceof PdfDict)) return
  reparent(document, made, document.catalog.get('Outlines'))
  last.set('Next', second.get('First'))
  next.set('Prev', first.get('Last'))
  const count = (of: PdfDict): number => {
    const shown = document.resolve(of.get('Count'))
    return typeof shown === 'number' ? Math.abs(shown) : 0
  }
  const total = count(first) + count(second)
  ours.set('First', first.get('First')).set('Last', second.get('Last')).set('Count', total)
}

function reparent(document: PdfDocument, outline: PdfDict, parent: PdfValue): void {
  const seen = new Set<PdfDict>()
  for (let item = document.resolve(outline.get('First')); item instanceof PdfDict && !seen.has(item); ) {
    seen.add(item)
    item.set('Parent', parent)
    item = document.resolve(item.get('Next'))
  }
}

/** Layers that are hidden stay hidden. */
function joinLayers(document: PdfDocument, other: PdfDocument, copy: Copier): void {
  const theirs = other.dictAt(other.catalog, 'OCProperties')
  if (theirs === undefined) return
  const added = copy.value(theirs)
  const ours = document.dictAt(document.catalog, 'OCProperties')
  if (ours === undefined || !(added instanceof PdfDict)) {
    document.catalog.set('OCProperties', added)
    return
  }
  const append = (mine: PdfDict, more: PdfDict, key: string) => {
    const a = document.resolve(mine.get(key))
    const b = document.resolve(more.get(key))
    if (Array.isArray(b)) mine.set(key, [...(Array.isArray(a) ? a : []), ...b])
  }
  append(ours, added, 'OCGs')
  const mine = document.dictAt(ours, 'D')
  const more = document.dictAt(added, 'D')
  if (mine !== undefined && more !== undefined)
    for (const key of ['OFF', 'ON', 'Order']) append(mine, more, key)
}
