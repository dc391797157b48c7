/**
 * Removes references to pages that were removed from a document: bookmarks, named destinations, links and structure elements.
 * The pages themselves are dropped afterwards, so a remaining reference would be null. ISO 32000-2, 12.3, 12.5.6.5, 14.7.
 */
import { pushAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { nameTree, nameTreeEntries, numberTreeEntries } from '../model/name-tree.ts'
import type { PdfPage } from '../model/pages.ts'
import { dict, isName, PdfDict, PdfName, PdfRef, PdfString, type PdfValue } from '../model/values.ts'

/** `removed`: the object numbers of removed pages and of annotations that are on no other page. Removed links are added. */
export function pruneReferences(
  document: PdfDocument,
  remaining: readonly PdfPage[],
  removed: Set<number>,
): void {
  if (removed.size === 0) return
  const { catalog } = document
  const leadsAway = createTargetTest(document, removed)
  for (const page of remaining) pruneLinks(document, page, leadsAway, removed)
  pruneOutline(document, leadsAway)
  const opening = document.resolve(catalog.get('OpenAction'))
  if (opening instanceof PdfDict ? leadsAway(opening) : Array.isArray(opening) && isGone(opening, removed))
    catalog.delete('OpenAction')
  pruneNames(document, removed)
  pruneStructure(document, removed)
}

/** Whether a destination is on a removed page. */
function isGone(destination: PdfValue, removedIds: ReadonlySet<number>): boolean {
  const target = Array.isArray(destination) ? destination[0] : undefined
  return target instanceof PdfRef && removedIds.has(target.id)
}

/** The array of a destination. The value of a name may also be a dictionary that contains it. ISO 32000-2, 12.3.2.4. */
function destinationArray(document: PdfDocument, value: PdfValue): PdfValue {
  const resolved = document.resolve(value)
  return resolved instanceof PdfDict ? document.resolve(resolved.get('D')) : resolved
}

type TargetTest = (holder: PdfDict) => boolean

/** Whether a bookmark, link or action leads to a removed page of this document. */
function createTargetTest(document: PdfDocument, removedIds: ReadonlySet<number>): TargetTest {
  const { catalog } = document
  const legacy = document.dictAt(catalog, 'Dests')
  const names = document.dictAt(catalog, 'Names')
  const named = new Map(names === undefined ? [] : nameTreeEntries(document, names.get('Dests')))
  const leadsAway = (value: PdfValue): boolean => {
    const destination = document.resolve(value)
    if (destination instanceof PdfString)
      return isGone(destinationArray(document, named.get(destination.raw) ?? null), removedIds)
    if (destination instanceof PdfName)
      return isGone(destinationArray(document, legacy?.get(destination.text) ?? null), removedIds)
    return isGone(destination, removedIds)
  }
  return (holder) => {
    if (holder.get('Dest') !== null) return leadsAway(holder.get('Dest'))
    const action = document.dictAt(holder, 'A') ?? holder
    return isName(document.resolve(action.get('S')), 'GoTo') && leadsAway(action.get('D'))
  }
}

function pruneLinks(
  document: PdfDocument,
  page: PdfPage,
  leadsAway: TargetTest,
  removedIds: Set<number>,
): void {
  const annotations = document.resolve(page.dict.get('Annots'))
  if (!Array.isArray(annotations)) return
  const rest = annotations.filter((value) => {
    const annotation = document.resolve(value)
    const isLink =
      annotation instanceof PdfDict && isName(document.resolve(annotation.get('Subtype')), 'Link')
    if (!isLink || !leadsAway(annotation)) return true
    if (value instanceof PdfRef) removedIds.add(value.id)
    return false
  })
  if (rest.length < annotations.length) page.dict.set('Annots', rest)
}

interface ListedObject {
  readonly ref: PdfRef
  readonly dict: PdfDict
}

/** Removes bookmarks of removed pages. Their children take their position. */
function pruneOutline(document: PdfDocument, leadsAway: TargetTest): void {
  const outline = document.dictAt(document.catalog, 'Outlines')
  const outlineRef = document.catalog.get('Outlines')
  if (outline === undefined || !(outlineRef instanceof PdfRef)) return
  const seen = new Set<PdfDict>()
  let isChanged = false

  const childrenBelow = (parent: PdfDict, depth: number): ListedObject[] => {
    const items: ListedObject[] = []
    let next = parent.get('First')
    for (let item = document.resolve(next); item instanceof PdfDict && next instanceof PdfRef; ) {
      if (seen.has(item)) break
      seen.add(item)
      const hadChildren = item.get('First') !== null
      const children = depth < document.limits.depth ? childrenBelow(item, depth + 1) : []
      const isHeading = item.get('Dest') === null && item.get('A') === null
      if (leadsAway(item)) {
        isChanged = true
        pushAll(items, children)
      } else if (isHeading && hadChildren && children.length === 0) isChanged = true
      else {
        chain(next, item, children)
        items.push({ ref: next, dict: item })
      }
      next = item.get('Next')
      item = document.resolve(next)
    }
    return items
  }
  const top = childrenBelow(outline, 0)
  if (!isChanged) return
  // The links between items are rewritten from the top down, now that the remaining items are known.
  if (top.length > 0) chain(outlineRef, outline, top)
  else {
    document.catalog.delete('Outlines')
    if (isName(document.resolve(document.catalog.get('PageMode')), 'UseOutlines'))
      document.catalog.delete('PageMode')
  }

  function chain(ref: PdfRef, parent: PdfDict, children: readonly ListedObject[]): void {
    const before = document.resolve(parent.get('Count'))
    const isClosed = typeof before === 'number' && before < 0
    for (const key of ['First', 'Last', 'Count']) parent.delete(key)
    const [first, last] = [children[0], children.at(-1)]
    if (first === undefined || last === undefined) return
    let shown = children.length
    for (const [index, child] of children.entries()) {
      child.dict.set('Parent', ref)
      link(child.dict, 'Prev', children[index - 1])
      link(child.dict, 'Next', children[index + 1])
      const below = child.dict.get('Count')
      if (typeof below === 'number' && below > 0) shown += below
    }
    parent
      .set('First', first.ref)
      .set('Last', last.ref)
      .set('Count', isClosed ? -shown : shown)
  }
}

function link(item: PdfDict, key: 'Prev' | 'Next', neighbour: ListedObject | undefined): void {
  if (neighbour === undefined) item.delete(key)
  else item.set(key, neighbour.ref)
}

function pruneNames(document: PdfDocument, removedIds: ReadonlySet<number>): void {
  const { catalog } = document
  const names = document.dictAt(catalog, 'Names')
  const leadsAway = (value: PdfValue) => isGone(destinationArray(document, value), removedIds)
  if (names !== undefined) {
    const entries = nameTreeEntries(document, names.get('Dests'))
    const rest = entries.filter(([, value]) => !leadsAway(value))
    if (rest.length < entries.length) {
      const copy = names.copy()
      if (rest.length > 0) copy.set('Dests', document.put(nameTree(rest)))
      else copy.delete('Dests')
      catalog.set('Names', copy)
    }
  }
  const legacy = document.dictAt(catalog, 'Dests')
  for (const [name, value] of [...(legacy?.entries ?? [])]) if (leadsAway(value)) legacy?.delete(name)
}

/** The maximum depth to which the structure is searched. Deeper elements are kept. */
const maxDepth = 300

/** Removes what the structure says about pages and annotations with these object numbers. */
export function pruneStructure(document: PdfDocument, removedIds: ReadonlySet<number>): void {
  const root = document.dictAt(document.catalog, 'StructTreeRoot')
  if (root === undefined) return
  const isRefToGone = (value: PdfValue) => value instanceof PdfRef && removedIds.has(value.id)
  const dropped = new Set<PdfDict>()
  /** Elements that were visited. In a damaged file several elements, or the element itself, may have one as their child. */
  const seen = new Set<PdfDict>()

  /** Removes children that belong to removed pages. Returns whether the element has remaining children. */
  const prune = (element: PdfDict, depth: number): boolean => {
    const content = element.get('K')
    if (content === null || depth > maxDepth) return true
    if (seen.has(element)) return !dropped.has(element)
    seen.add(element)
    const list = document.resolve(content)
    const children = Array.isArray(list) ? list : [content]
    const page = element.get('Pg')
    const rest = children.filter((child) => {
      const resolved = document.resolve(child)
      if (typeof resolved === 'number') return !isRefToGone(page)
      if (!(resolved instanceof PdfDict)) return true
      const type = document.resolve(resolved.get('Type'))
      if (isName(type, 'MCR') || isName(type, 'OBJR'))
        return (
          !isRefToGone(resolved.get('Pg') === null ? page : resolved.get('Pg')) &&
          !isRefToGone(resolved.get('Obj'))
        )
      if (prune(resolved, depth + 1)) return true
      dropped.add(resolved)
      return false
    })
    if (isRefToGone(page)) element.delete('Pg')
    if (rest.length === 0) return false
    // A table row keeps its empty cells, because the cells after them would otherwise move to other columns.
    const isRow = isName(document.resolve(element.get('S')), 'TR')
    if (rest.length < children.length && !isRow) element.set('K', rest)
    else if (isRow) for (const child of children) emptied(child)
    return true
  }
  const emptied = (child: PdfValue): void => {
    const cell = document.resolve(child)
    if (cell instanceof PdfDict && dropped.delete(cell)) cell.delete('K')
  }
  if (!prune(root, 0)) root.delete('K')
  pruneTrees(document, root, dropped, removedIds)
}

/** Removes entries of the parent tree and of the identifiers that lead to removed elements. */
function pruneTrees(
  document: PdfDocument,
  root: PdfDict,
  dropped: ReadonlySet<PdfDict>,
  removedIds: ReadonlySet<number>,
): void {
  const keys = new Set<number>()
  for (const id of removedIds) {
    const holder = document.resolve(new PdfRef(id))
    const parentKeys =
      holder instanceof PdfDict ? [holder.get('StructParents'), holder.get('StructParent')] : []
    for (const key of parentKeys) if (typeof key === 'number') keys.add(key)
  }
  const parents = numberTreeEntries(document, root.get('ParentTree'))
  if (parents.some(([key]) => keys.has(key))) {
    const rest = parents.filter(([key]) => !keys.has(key)).sort(([a], [b]) => a - b)
    root.set('ParentTree', document.put(dict({ Nums: rest.flat() })))
  }
  const elements = nameTreeEntries(document, root.get('IDTree'))
  const stays = ([, value]: readonly [string, PdfValue]) => {
    const element = document.resolve(value)
    return !(element instanceof PdfDict && dropped.has(element))
  }
  if (elements.every(stays)) return
  const rest = elements.filter(stays)
  if (rest.length > 0) root.set('IDTree', document.put(nameTree(rest)))
  else root.delete('IDTree')
}
