/**
 * The structure of a tagged PDF. Its elements are built from the document in its own order (`structure-tree.ts`), receive
 * their content while pages are painted, and are written at the end. Content without an element is an artifact: headers and
 * footers, borders, repeated table rows. ISO 32000-2, 14.7-14.8; ISO 14289-1.
 */
import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import type { Item } from '../../layout/frame.ts'
import type { ItemOwners } from '../../layout/ownership.ts'
import type { ContentWriter } from './content-writer.ts'
import { type Edges, element, type StructureElement, type StructureTree } from './structure-tree.ts'
import { num, reference, textString } from './syntax.ts'

export interface Structure {
  /**
   * The element that an item belongs to; undefined for an artifact. `enclosing` is the element of the
   * enclosing group.
   */
  owner(item: Item, enclosing: StructureElement | undefined): StructureElement | undefined
  page(index: number): PageTags
  /** The /StructParent key of a link annotation, assigned once its object number is known. */
  annotate(page: number, annotation: number, owner: StructureElement | undefined): number
  /** An element for a form field, after what its owner has so far. */
  formElement(owner: StructureElement | undefined): StructureElement
  /** The /StructParent key of the annotation of a form field, whose element is `form`. */
  annotateField(page: number, annotation: number, form: StructureElement): number
  /** Writes the structure. Returns the entries for the document catalogue. */
  finish(file: PdfFile, pageIds: readonly number[]): string
}

/** Tags the content of one page. */
export interface PageTags {
  begin(out: ContentWriter, owner: StructureElement | undefined): void
  close(out: ContentWriter): void
  /** Extends the area that an element covers. Only illustrations keep it, as their bounding box. */
  cover(owner: StructureElement, edges: Edges): void
}

export function createStructure<Text extends object, Picture extends object, Target extends object>(
  tree: StructureTree<Text, Picture>,
  ownership: ItemOwners<Text, Picture, Target>,
): Structure {
  const painted = new Set<Item>()
  const figures = new Map<Picture, StructureElement>()
  const links = new Map<Target, StructureElement>()
  const owners: StructureElement[][] = [] // of the marked contents of each page
  const annotated: StructureElement[] = []
  let pages = 0

  const attached = (child: StructureElement, parent: StructureElement, first = false): StructureElement => {
    if (first) parent.children.unshift(child)
    else parent.children.push(child)
    return child
  }
  const ofText = (inlines: Text): StructureElement | undefined => {
    if (tree.artifacts.has(inlines)) return undefined
    let paragraph = tree.paragraphs.get(inlines)
    if (paragraph === undefined) {
      // Layout has split a paragraph in two. Append the other half to the document rather than lose it.
      paragraph = attached(element('P', tree.root), tree.root)
      tree.paragraphs.set(inlines, paragraph)
    }
    return paragraph
  }
  const ofDrawing = (
    drawing: Picture,
    enclosing: StructureElement | undefined,
  ): StructureElement | undefined => {
    const illustration = tree.illustrationOf(drawing)
    const parent = tree.drawings.get(drawing) ?? enclosing
    if (parent === undefined || illustration === undefined) return enclosing
    let figure = figures.get(drawing)
    if (figure === undefined) {
      figure = attached(element(illustration.role, parent), parent)
      figure.alternative = illustration.alternative
      figures.set(drawing, figure)
    }
    return figure
  }
  const ofLabel = (paragraph: StructureElement): StructureElement => {
    const item = tree.items.get(paragraph)
    if (item === undefined) return paragraph
    item.label ??= attached(element('Lbl', item), item, true)
    return item.label
  }
  const ofLink = (link: Target, parent: StructureElement): StructureElement => {
    let linkElement = links.get(link)
    if (linkElement === undefined || linkElement.parent !== parent) {
      linkElement = attached(element('Link', parent), parent)
      links.set(link, linkElement)
    }
    return linkElement
  }

  return {
    owner(item, enclosing) {
      if (item.kind !== 'group') {
        if (painted.has(item) || ownership.leaders.has(item)) return undefined
        painted.add(item)
      }
      const inlines = ownership.paragraphs.get(item)
      const drawing = ownership.drawings.get(item)
      const link = ownership.links.get(item)
      let owner = inlines === undefined ? enclosing : ofText(inlines)
      if (inlines !== undefined && owner === undefined) return undefined
      if (drawing !== undefined) owner = ofDrawing(drawing, owner)
      if (owner === undefined) return undefined
      if (ownership.labels.has(item)) owner = ofLabel(owner)
      return link === undefined ? owner : ofLink(link, owner)
    },
    page(index) {
      pages = Math.max(pages, index + 1)
      const elements: StructureElement[] = []
      owners[index] = elements
      return pageTags(index, elements)
    },
    annotate(page, annotation, owner) {
      let link = owner
      if (link?.role !== 'Link') link = attached(element('Link', owner ?? tree.root), owner ?? tree.root)
      link.children.push({ page, annotation })
      annotated.push(link)
      return pages + annotated.length - 1
    },
    formElement(owner) {
      const parent = owner ?? tree.root
      return attached(element('Form', parent), parent)
    },
    annotateField(page, annotation, form) {
      form.children.push({ page, annotation })
      annotated.push(form)
      return pages + annotated.length - 1
    },
    finish: (file, pageIds) => writeStructure(file, { root: tree.root, pageIds, owners, annotated }),
  }
}

/** The tags of one page. `elements` receives the element of each marked content; the index is its identifier. */
function pageTags(page: number, elements: StructureElement[]): PageTags {
  /** Whether a marked content is open, and the element of the last one. */
  let open = false
  let last: StructureElement | undefined
  const close = (out: ContentWriter): void => {
    if (open) out.ascii('EMC\n')
    open = false
  }
  return {
    close,
    cover(owner, edges) {
      if (owner.box !== undefined && owner.box.page !== page) return
      owner.box = { page, edges: unionOf(owner.box?.edges, edges) }
    },
    begin(out, owner) {
      if (open && owner === last) return
      close(out)
      if (owner === undefined) out.ascii('/Artifact BMC\n')
      else {
        out.ascii(`/${owner.role}<</MCID ${elements.length}>>BDC\n`)
        owner.children.push({ page, markedContent: elements.length })
        elements.push(owner)
      }
      open = true
      last = owner
    },
  }
}

interface WrittenStructure {
  readonly root: StructureElement
  readonly pageIds: readonly number[]
  /** The elements of the marked contents, page by page. */
  readonly owners: readonly (readonly StructureElement[])[]
  /** The elements of annotations, whose keys follow those of the pages. */
  readonly annotated: readonly StructureElement[]
}

/** Writes the elements and the trees that lead to them. Returns the entries of the catalogue. */
function writeStructure(file: PdfFile, { root, pageIds, owners, annotated }: WrittenStructure): string {
  const rootId = file.reserve()
  const ids = new Map<StructureElement, number>()
  number(root, file, ids)
  const idOf = (structureElement: StructureElement): string => reference(ids.get(structureElement) ?? rootId)
  const named: { readonly name: string; readonly id: number }[] = []
  for (const [structureElement, id] of ids) {
    const name =
      structureElement.role === 'Note' ? `(note-${String(named.length + 1).padStart(6, '0')})` : undefined
    if (name !== undefined) named.push({ name, id })
    file.set(id, bodyOf(structureElement, { ids, rootId, pageIds, name }))
  }
  const rows = owners.map((elements, page) => `${page}[${elements.map(idOf).join(' ')}]`)
  const annotations = annotated.map(
    (structureElement, at) => `${owners.length + at} ${idOf(structureElement)}`,
  )
  const parents = file.add(`<</Nums[${[...rows, ...annotations].join('\n')}]>>`)
  const idTree =
    named.length === 0
      ? ''
      : `/IDTree<</Names[${named.map(({ name, id }) => `${name}${reference(id)}`).join('')}]>>`
  file.set(
    rootId,
    `<</Type/StructTreeRoot/K ${idOf(root)}/ParentTree ${reference(parents)}` +
      `/ParentTreeNextKey ${owners.length + annotated.length}${idTree}>>`,
  )
  return `/MarkInfo<</Marked true>>/StructTreeRoot ${reference(rootId)}`
}

function unionOf(first: Edges | undefined, second: Edges): Edges {
  if (first === undefined) return second
  return [
    Math.min(first[0], second[0]),
    Math.min(first[1], second[1]),
    Math.max(first[2], second[2]),
    Math.max(first[3], second[3]),
  ]
}

/** Whether an element has a bounding box (ISO 32000-1, 14.8.5.4.3). */
export function isIllustration({ role }: StructureElement): boolean {
  return role === 'Figure' || role === 'Formula'
}

const cellRoles: ReadonlySet<string> = new Set(['TR', 'TD', 'TH'])

/**
 * Assigns object numbers to elements with content, parents first. In a table with content, empty cells keep
 * their place.
 */
function number(structureElement: StructureElement, file: PdfFile, ids: Map<StructureElement, number>): void {
  ids.set(structureElement, file.reserve())
  for (const child of structureElement.children) {
    if ('role' in child && (cellRoles.has(child.role) || hasContent(child))) number(child, file, ids)
  }
}

/** Whether anything was drawn for an element. Cached on first use. */
function hasContent(structureElement: StructureElement): boolean {
  structureElement.held ??= structureElement.children.some((child) => !('role' in child) || hasContent(child))
  return structureElement.held
}

interface StructureIds {
  readonly ids: ReadonlyMap<StructureElement, number>
  readonly rootId: number
  readonly pageIds: readonly number[]
  readonly name: string | undefined
}

function bodyOf(structureElement: StructureElement, { ids, rootId, pageIds, name }: StructureIds): string {
  const first = structureElement.children.find((child) => !('role' in child)) as
    | { readonly page: number }
    | undefined
  const children: string[] = []
  let annotated = false
  for (const child of structureElement.children) {
    if ('role' in child) {
      const id = ids.get(child)
      if (id !== undefined) children.push(reference(id))
    } else if ('markedContent' in child) {
      const page = reference(pageIds[child.page] ?? 0)
      children.push(
        child.page === first?.page
          ? String(child.markedContent)
          : `<</Type/MCR/Pg ${page}/MCID ${child.markedContent}>>`,
      )
    } else {
      annotated = true
      children.push(
        `<</Type/OBJR/Pg ${reference(pageIds[child.page] ?? 0)}/Obj ${reference(child.annotation)}>>`,
      )
    }
  }
  // A link without an annotation becomes ordinary text.
  const role = structureElement.role === 'Link' && !annotated ? 'Span' : structureElement.role
  const parent = structureElement.parent === undefined ? rootId : ids.get(structureElement.parent)!
  return (
    `<</Type/StructElem/S/${role}/P ${reference(parent)}` +
    `${first === undefined ? '' : `/Pg ${reference(pageIds[first.page] ?? 0)}`}` +
    `${structureElement.title ? `/T${textString(structureElement.title)}` : ''}` +
    `${children.length === 0 ? '' : `/K[${children.join(' ')}]`}${structureElement.alternative ? `/Alt${textString(structureElement.alternative)}` : ''}` +
    `${name === undefined ? '' : `/ID${name}`}${attributesOf(structureElement)}>>`
  )
}

function attributesOf({
  role,
  columns = 1,
  rows = 1,
  scope = 'Column',
  numbering = 'None',
  box,
}: StructureElement): string {
  if (role === 'L') return `/A<</O/List/ListNumbering/${numbering}>>`
  if (box !== undefined) return `/A<</O/Layout/Placement/Block/BBox[${box.edges.map(num).join(' ')}]>>`
  if (role !== 'TD' && role !== 'TH') return ''
  const entries = [
    columns > 1 ? `/ColSpan ${columns}` : '',
    rows > 1 ? `/RowSpan ${rows}` : '',
    role === 'TH' ? `/Scope/${scope}` : '',
  ].join('')
  return entries === '' ? '' : `/A<</O/Table${entries}>>`
}
