/**
 * The structure of a tagged PDF: elements made of the document in its own order (`structure-tree.ts`), given their
 * content while pages are painted, written at the end. What belongs to no element is an artifact: headers and footers,
 * borders, repeated rows of tables. ISO 32000-2, 14.7-14.8; ISO 14289-1.
 */
import type { Inline, Link } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Item } from '../../layout/frame.ts'
import type { Ownership } from '../../layout/ownership.ts'
import type { ContentWriter } from './content-writer.ts'
import type { PdfFile } from './pdf-file.ts'
import { type Edges, type Element, element, type StructureTree } from './structure-tree.ts'
import { num, reference, textString } from './syntax.ts'

export interface Structure {
  /** The element an item belongs to; undefined: an artifact. `around`: that of the group it stands in. */
  owner(item: Item, around: Element | undefined): Element | undefined
  page(index: number): PageTags
  /** The key of a link's annotation for /StructParent, once its object is known. */
  annotate(page: number, annotation: number, owner: Element | undefined): number
  /** What the catalogue says. */
  finish(file: PdfFile, pageIds: readonly number[]): string
}

/** The marks of one page's content. */
export interface PageTags {
  mark(out: ContentWriter, owner: Element | undefined): void
  close(out: ContentWriter): void
  /** What an element covers of the page grows. Only illustrations keep it. */
  cover(owner: Element, edges: Edges): void
}

export function createStructure(tree: StructureTree, ownership: Ownership): Structure {
  const painted = new Set<Item>()
  const figures = new Map<Drawing, Element>()
  const links = new Map<Link, Element>()
  const owners: Element[][] = [] // of the marks of each page
  const annotated: Element[] = []
  let pages = 0

  const attached = (made: Element, parent: Element, first = false): Element => {
    if (first) parent.kids.unshift(made)
    else parent.kids.push(made)
    return made
  }
  const ofText = (inlines: readonly Inline[]): Element | undefined => {
    if (tree.artifacts.has(inlines)) return undefined
    let found = tree.paragraphs.get(inlines)
    if (found === undefined) {
      // Layout parted a paragraph in two: its other half is read behind the rest rather than lost.
      found = attached(element('P', tree.root), tree.root)
      tree.paragraphs.set(inlines, found)
    }
    return found
  }
  const ofDrawing = (drawing: Drawing, around: Element | undefined): Element | undefined => {
    const role = roleOf(drawing)
    const parent = tree.drawings.get(drawing) ?? around
    if (parent === undefined || role === undefined) return around
    let figure = figures.get(drawing)
    if (figure === undefined) {
      figure = attached(element(role, parent), parent)
      figure.alternative = drawing.description
      figures.set(drawing, figure)
    }
    return figure
  }
  const ofLabel = (paragraph: Element): Element => {
    const item = tree.items.get(paragraph)
    if (item === undefined) return paragraph
    item.label ??= attached(element('Lbl', item), item, true)
    return item.label
  }
  const ofLink = (link: Link, parent: Element): Element => {
    let found = links.get(link)
    if (found === undefined || found.parent !== parent) {
      found = attached(element('Link', parent), parent)
      links.set(link, found)
    }
    return found
  }

  return {
    owner(item, around) {
      if (item.kind !== 'group') {
        if (painted.has(item) || ownership.leaders.has(item)) return undefined
        painted.add(item)
      }
      const inlines = ownership.paragraphs.get(item)
      const drawing = ownership.drawings.get(item)
      const link = ownership.links.get(item)
      let owner = inlines === undefined ? around : ofText(inlines)
      if (inlines !== undefined && owner === undefined) return undefined
      if (drawing !== undefined) owner = ofDrawing(drawing, owner)
      if (owner === undefined) return undefined
      if (ownership.labels.has(item)) owner = ofLabel(owner)
      return link === undefined ? owner : ofLink(link, owner)
    },
    page(index) {
      pages = Math.max(pages, index + 1)
      const marks: Element[] = []
      owners[index] = marks
      let open = false
      let last: Element | undefined
      const close = (out: ContentWriter) => {
        if (open) out.ascii('EMC\n')
        open = false
      }
      return {
        close,
        cover(owner, edges) {
          if (owner.box !== undefined && owner.box.page !== index) return
          owner.box = { page: index, edges: around(owner.box?.edges, edges) }
        },
        mark(out, owner) {
          if (open && owner === last) return
          close(out)
          if (owner === undefined) out.ascii('/Artifact BMC\n')
          else {
            out.ascii(`/${owner.role}<</MCID ${marks.length}>>BDC\n`)
            owner.kids.push({ page: index, mark: marks.length })
            marks.push(owner)
          }
          open = true
          last = owner
        },
      }
    },
    annotate(page, annotation, owner) {
      let link = owner
      if (link?.role !== 'Link') link = attached(element('Link', owner ?? tree.root), owner ?? tree.root)
      link.kids.push({ page, annotation })
      annotated.push(link)
      return pages + annotated.length - 1
    },
    finish(file, pageIds) {
      const rootId = file.reserve()
      const ids = new Map<Element, number>()
      number(tree.root, file, ids)
      const named: { readonly name: string; readonly id: number }[] = []
      for (const [one, id] of ids) {
        const name = one.role === 'Note' ? `(note-${String(named.length + 1).padStart(6, '0')})` : undefined
        if (name !== undefined) named.push({ name, id })
        file.set(id, bodyOf(one, { ids, rootId, pageIds, name }))
      }
      const rows = owners.map(
        (marks, page) => `${page}[${marks.map((one) => reference(ids.get(one)!)).join(' ')}]`,
      )
      const notes = annotated.map((one, at) => `${pages + at} ${reference(ids.get(one)!)}`)
      const parents = file.add(`<</Nums[${[...rows, ...notes].join('\n')}]>>`)
      const idTree =
        named.length === 0
          ? ''
          : `/IDTree<</Names[${named.map(({ name, id }) => `${name}${reference(id)}`).join('')}]>>`
      file.set(
        rootId,
        `<</Type/StructTreeRoot/K ${reference(ids.get(tree.root)!)}/ParentTree ${reference(parents)}` +
          `/ParentTreeNextKey ${pages + annotated.length}${idTree}>>`,
      )
      return `/MarkInfo<</Marked true>>/StructTreeRoot ${reference(rootId)}`
    },
  }
}

function around(one: Edges | undefined, other: Edges): Edges {
  if (one === undefined) return other
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ]
}

/** What has a box around it. ISO 32000-1, 14.8.5.4.3. */
export function isIllustration({ role }: Element): boolean {
  return role === 'Figure' || role === 'Formula'
}

/** Undefined: its text has a structure of its own, or it is decoration. */
function roleOf({ content, description }: Drawing): 'Figure' | 'Formula' | undefined {
  if (content.kind === 'math') return 'Formula'
  if (content.kind === 'ruby') return undefined
  if (content.kind !== 'shape' && content.kind !== 'group') return 'Figure'
  return description === undefined || description === '' ? undefined : 'Figure'
}

const cellRoles: ReadonlySet<string> = new Set(['TR', 'TD', 'TH'])

/** Elements that hold something get numbers, the outer ones first. Cells stay, empty or not, in a table that is kept. */
function number(one: Element, file: PdfFile, ids: Map<Element, number>): void {
  ids.set(one, file.reserve())
  for (const kid of one.kids) {
    if ('role' in kid && (cellRoles.has(kid.role) || holds(kid))) number(kid, file, ids)
  }
}

/** Whether anything was drawn for an element; found once. */
function holds(one: Element): boolean {
  one.held ??= one.kids.some((kid) => !('role' in kid) || holds(kid))
  return one.held
}

interface Place {
  readonly ids: ReadonlyMap<Element, number>
  readonly rootId: number
  readonly pageIds: readonly number[]
  readonly name: string | undefined
}

function bodyOf(one: Element, { ids, rootId, pageIds, name }: Place): string {
  const first = one.kids.find((kid) => !('role' in kid)) as { readonly page: number } | undefined
  const kids: string[] = []
  let annotated = false
  for (const kid of one.kids) {
    if ('role' in kid) {
      const id = ids.get(kid)
      if (id !== undefined) kids.push(reference(id))
    } else if ('mark' in kid) {
      const page = reference(pageIds[kid.page]!)
      kids.push(kid.page === first?.page ? String(kid.mark) : `<</Type/MCR/Pg ${page}/MCID ${kid.mark}>>`)
    } else {
      annotated = true
      kids.push(`<</Type/OBJR/Pg ${reference(pageIds[kid.page]!)}/Obj ${reference(kid.annotation)}>>`)
    }
  }
  // A link that leads nowhere is text.
  const role = one.role === 'Link' && !annotated ? 'Span' : one.role
  const parent = one.parent === undefined ? rootId : ids.get(one.parent)!
  return (
    `<</Type/StructElem/S/${role}/P ${reference(parent)}` +
    `${first === undefined ? '' : `/Pg ${reference(pageIds[first.page]!)}`}` +
    `${kids.length === 0 ? '' : `/K[${kids.join(' ')}]`}${one.alternative ? `/Alt${textString(one.alternative)}` : ''}` +
    `${name === undefined ? '' : `/ID${name}`}${attributesOf(one)}>>`
  )
}

function attributesOf({ role, columns = 1, rows = 1, numbering = 'None', box }: Element): string {
  if (role === 'L') return `/A<</O/List/ListNumbering/${numbering}>>`
  if (box !== undefined) return `/A<</O/Layout/Placement/Block/BBox[${box.edges.map(num).join(' ')}]>>`
  if (role !== 'TD' && role !== 'TH') return ''
  const entries = [
    columns > 1 ? `/ColSpan ${columns}` : '',
    rows > 1 ? `/RowSpan ${rows}` : '',
    role === 'TH' ? '/Scope/Column' : '',
  ].join('')
  return entries === '' ? '' : `/A<</O/Table${entries}>>`
}
