import { pushAll, spliceAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { nameTree, nameTreeEntries, numberTreeEntries } from '../model/name-tree.ts'
import { textOfString } from '../model/text-string.ts'
import { dict, isName, name, PdfDict, PdfName, PdfRef, PdfString, type PdfValue } from '../model/values.ts'
import type { Copier, CopyChanges, JoinSide } from './copy.ts'
import { createUsedNames, type UsedNames } from './names.ts'

export interface StructureJoiner {
  /** The changes to copies of the other file's objects. */
  prepare(other: PdfDocument): Pick<CopyChanges, 'parentKeyOffset' | 'adjustStructure'>
  /** Makes references to the root of the other tree point to the root of this one. Must precede all copying. */
  aliasRoot(other: PdfDocument, copy: Copier): void
  add(other: PdfDocument, copy: Copier, side: JoinSide): void
  finish(): void
}

/** The new names of the element identifiers, roles and classes of one file. Names that do not change are not listed. */
interface Renamed {
  readonly ids: Map<string, string>
  readonly roles: Map<string, string>
  readonly classes: Map<string, string>
}

/**
 * Joins structure trees. The top elements of all files become children of one root. Pages and annotations refer to their
 * elements by a number in the parent tree, and every file counts from zero, so the numbers of later files are increased.
 * Roles and classes that two files define differently get a numeric suffix. ISO 32000-2, 14.7.
 */
export function joinStructure(document: PdfDocument): StructureJoiner {
  return new JoinedStructure(document)
}

class JoinedStructure implements StructureJoiner {
  readonly #document: PdfDocument
  /** The root of the joined tree. It is created when the first file with a structure is added. */
  #root: PdfDict | undefined
  #rootRef: PdfRef | undefined
  readonly #children: PdfValue[]
  /** The entries of the parent tree by number. */
  readonly #parents: Map<number, PdfValue>
  /** The first number of the parent tree that no file uses. */
  #nextParentKey = 0
  readonly #elementsById: Map<string, PdfValue>
  readonly #usedIds: UsedNames
  readonly #roleMap: Map<string, PdfValue>
  readonly #usedRoles: UsedNames
  readonly #classMap: Map<string, PdfValue>
  readonly #usedClasses: UsedNames
  /** The new names of the file that `prepare` was last called for; `add` follows for the same file. */
  #renamed: Renamed = { ids: new Map(), roles: new Map(), classes: new Map() }
  /** Whether another file added elements, so that the root must be rewritten. */
  #isChanged = false

  constructor(document: PdfDocument) {
    const root = rootOf(document)
    this.#document = document
    this.#root = root
    this.#children = root === undefined ? [] : childrenOf(document, root)
    this.#parents = new Map(root && numberTreeEntries(document, root.get('ParentTree')))
    for (const key of this.#parents.keys()) this.#nextParentKey = Math.max(this.#nextParentKey, key + 1)
    this.#elementsById = new Map(root && nameTreeEntries(document, root.get('IDTree')))
    this.#usedIds = createUsedNames(this.#elementsById.keys())
    this.#roleMap = new Map(root && document.dictAt(root, 'RoleMap')?.entries)
    this.#usedRoles = createUsedNames(this.#roleMap.keys())
    this.#classMap = new Map(root && document.dictAt(root, 'ClassMap')?.entries)
    this.#usedClasses = createUsedNames(this.#classMap.keys())
  }

  prepare(other: PdfDocument): Pick<CopyChanges, 'parentKeyOffset' | 'adjustStructure'> {
    const otherRoot = rootOf(other)
    if (otherRoot === undefined) return { parentKeyOffset: undefined, adjustStructure: () => {} }
    const renamed: Renamed = { ids: new Map(), roles: new Map(), classes: new Map() }
    for (const [id] of nameTreeEntries(other, otherRoot.get('IDTree')))
      renamed.ids.set(id, this.#usedIds.claim(id))
    for (const [role, value] of other.dictAt(otherRoot, 'RoleMap')?.entries ?? []) {
      const [existing, target] = [
        this.#document.resolve(this.#roleMap.get(role) ?? null),
        other.resolve(value),
      ]
      const isSame = existing instanceof PdfName && target instanceof PdfName && existing.text === target.text
      if (!isSame) renamed.roles.set(role, this.#usedRoles.claim(role))
    }
    for (const key of other.dictAt(otherRoot, 'ClassMap')?.entries.keys() ?? [])
      renamed.classes.set(key, this.#usedClasses.claim(key))
    this.#renamed = renamed
    return {
      parentKeyOffset: this.#nextParentKey,
      adjustStructure: (copied) => adjust(copied, renamed),
    }
  }

  aliasRoot(other: PdfDocument, copy: Copier): void {
    const otherRoot = other.catalog.get('StructTreeRoot')
    if (otherRoot instanceof PdfRef) copy.alias(otherRoot.id, this.#open().rootRef)
  }

  add(other: PdfDocument, copy: Copier, side: JoinSide): void {
    const otherRoot = rootOf(other)
    if (otherRoot === undefined) return
    const { root, rootRef } = this.#open()
    this.#addElements(other, otherRoot, { copy, side, rootRef })
    this.#addParents(other, otherRoot, copy)
    this.#addNames(other, otherRoot, copy)
    this.#addNamespaces(other.resolve(otherRoot.get('Namespaces')), root, copy)
    const { catalog } = this.#document
    if (catalog.get('MarkInfo') === null) catalog.set('MarkInfo', copy.value(other.catalog.get('MarkInfo')))
    this.#isChanged = true
  }

  finish(): void {
    if (!this.#isChanged) return
    const { root } = this.#open()
    root.set('K', this.#children)
    const numbers = [...this.#parents].sort(([a], [b]) => a - b).flat()
    root.set('ParentTree', this.#document.put(dict({ Nums: numbers })))
    root.set('ParentTreeNextKey', this.#nextParentKey)
    if (this.#elementsById.size > 0) root.set('IDTree', this.#document.put(nameTree(this.#elementsById)))
    if (this.#roleMap.size > 0) root.set('RoleMap', new PdfDict(this.#roleMap))
    if (this.#classMap.size > 0) root.set('ClassMap', new PdfDict(this.#classMap))
  }

  /** The root of the joined tree and the reference to it, both created where the document had none. */
  #open(): { readonly root: PdfDict; readonly rootRef: PdfRef } {
    this.#root ??= dict({ Type: name('StructTreeRoot') })
    if (this.#rootRef === undefined) {
      const { catalog } = this.#document
      const declared = catalog.get('StructTreeRoot')
      this.#rootRef = declared instanceof PdfRef ? declared : this.#document.put(this.#root)
      catalog.set('StructTreeRoot', this.#rootRef)
    }
    return { root: this.#root, rootRef: this.#rootRef }
  }

  /** Copies the top elements of the other tree. They declare the language of their file if it differs. */
  #addElements(
    other: PdfDocument,
    otherRoot: PdfDict,
    { copy, side, rootRef }: { readonly copy: Copier; readonly side: JoinSide; readonly rootRef: PdfRef },
  ): void {
    const added = childrenOf(other, otherRoot).map((child) => copy.value(child))
    const language = differingLanguage(this.#document, other)
    for (const child of added) {
      const element = this.#document.resolve(child)
      if (!(element instanceof PdfDict)) continue
      element.set('P', rootRef)
      if (language !== undefined && element.get('Lang') === null) element.set('Lang', language)
    }
    if (side === 'start') spliceAll(this.#children, 0, 0, added)
    else pushAll(this.#children, added)
  }

  /** Copies the parent tree, its numbers raised by the offset that `prepare` announced. */
  #addParents(other: PdfDocument, otherRoot: PdfDict, copy: Copier): void {
    const offset = this.#nextParentKey
    for (const [key, value] of numberTreeEntries(other, otherRoot.get('ParentTree'))) {
      this.#parents.set(key + offset, copy.value(value))
      this.#nextParentKey = Math.max(this.#nextParentKey, key + offset + 1)
    }
    const declaredNext = other.resolve(otherRoot.get('ParentTreeNextKey'))
    if (typeof declaredNext === 'number')
      this.#nextParentKey = Math.max(this.#nextParentKey, declaredNext + offset)
  }

  /** Copies identifiers, roles and classes under their new names. */
  #addNames(other: PdfDocument, otherRoot: PdfDict, copy: Copier): void {
    const { ids, roles, classes } = this.#renamed
    for (const [id, element] of nameTreeEntries(other, otherRoot.get('IDTree')))
      this.#elementsById.set(ids.get(id) ?? id, copy.value(element))
    for (const [role, value] of other.dictAt(otherRoot, 'RoleMap')?.entries ?? []) {
      // A role that maps to another role of the same file uses the new name of that role.
      const target = other.resolve(value)
      const mapped = target instanceof PdfName ? roles.get(target.text) : undefined
      this.#roleMap.set(roles.get(role) ?? role, mapped === undefined ? copy.value(target) : name(mapped))
    }
    for (const [key, value] of other.dictAt(otherRoot, 'ClassMap')?.entries ?? [])
      this.#classMap.set(classes.get(key) ?? key, copy.value(value))
  }

  #addNamespaces(namespaces: PdfValue, root: PdfDict, copy: Copier): void {
    if (!Array.isArray(namespaces)) return
    const existing = this.#document.resolve(root.get('Namespaces'))
    const added = namespaces.map((namespace) => copy.value(namespace))
    root.set('Namespaces', [...(Array.isArray(existing) ? existing : []), ...added])
  }
}

const rootOf = (document: PdfDocument): PdfDict | undefined =>
  document.dictAt(document.catalog, 'StructTreeRoot')

function childrenOf(document: PdfDocument, root: PdfDict): PdfValue[] {
  const children = root.get('K')
  const list = document.resolve(children)
  if (Array.isArray(list)) return [...list]
  return list === null ? [] : [children]
}

/** The language of the other file if it differs from that of this file. Its elements must then declare it themselves. */
function differingLanguage(document: PdfDocument, other: PdfDocument): PdfString | undefined {
  const [language, otherLanguage] = [document, other].map((source) =>
    source.resolve(source.catalog.get('Lang')),
  )
  if (!(otherLanguage instanceof PdfString)) return undefined
  return language instanceof PdfString && textOfString(language) === textOfString(otherLanguage)
    ? undefined
    : otherLanguage
}

/**
 * Applies the new names to a copied dictionary. Structure elements are recognized among others with /S by their parent
 * (/P), attribute dictionaries by their owner (/O). ISO 32000-2, 14.7.2, 14.7.6.
 */
function adjust(copied: PdfDict, { ids, roles, classes }: Renamed): void {
  const [role, id, headers] = [copied.get('S'), copied.get('ID'), copied.get('Headers')]
  if (copied.get('P') !== null && role instanceof PdfName) {
    copied.set('S', name(roles.get(role.text) ?? role.text))
    if (id instanceof PdfString) copied.set('ID', new PdfString(ids.get(id.raw) ?? id.raw))
    const rename = (value: PdfValue): PdfValue =>
      value instanceof PdfName ? name(classes.get(value.text) ?? value.text) : value
    const assigned = copied.get('C')
    if (assigned !== null) copied.set('C', Array.isArray(assigned) ? assigned.map(rename) : rename(assigned))
  }
  if (isName(copied.get('O'), 'Table') && Array.isArray(headers)) {
    const renamedHeaders = headers.map((header) =>
      header instanceof PdfString ? new PdfString(ids.get(header.raw) ?? header.raw) : header,
    )
    copied.set('Headers', renamedHeaders)
  }
}
