import type { Codec } from '../plugin/contract.ts'
import { contentOperators } from './content-operators.ts'
import type { PdfDocument } from './document.ts'
import { readable } from './limits.ts'
import type { PdfPage } from './pages.ts'
import { binaryBytes, binaryText, dict, name, PdfDict, PdfRef, PdfStream, type PdfValue } from './values.ts'
import { zlib } from './zlib.ts'

const paths = new Set('m re'.split(' '))
const painted = new Set('f F f* B B* b b* S s'.split(' '))
const drawn = new Set('Do sh BI'.split(' '))
const shown = new Set(['Tj', 'TJ', "'", '"'])
const largestContent = 64 * 1024 * 1024

/**
 * Gives every mark of the pages a meaning, as PDF/UA demands: what an engine drew outside of its structure becomes an
 * artifact, and text a paragraph behind the others, in the order it is drawn. Returns how many texts that were.
 * ISO 14289-1, 7.1; ISO 32000-2, 14.6-14.8.
 */
export function tagTheRest(document: PdfDocument, pages: readonly PdfPage[], codec: Codec): number {
  const structure = openStructure(document)
  if (structure === undefined) return 0
  let texts = 0
  for (const page of pages) {
    const content = contentOf(document, page)
    if (content === undefined) continue
    const tagged = tagContent(content, structure.nextId(page, content))
    if (tagged === undefined) continue
    const head = dict({ Filter: name('FlateDecode') })
    page.dict.set('Contents', document.put(new PdfStream(head, zlib(codec, binaryBytes(tagged.content)))))
    structure.add(page, tagged.ids)
    texts += tagged.ids.length
  }
  structure.close()
  return texts
}

function contentOf(document: PdfDocument, page: PdfPage): string | undefined {
  const contents = document.resolve(page.dict.get('Contents'))
  const parts: string[] = []
  for (const one of Array.isArray(contents) ? contents : [contents]) {
    const stream = document.resolve(one)
    if (!(stream instanceof PdfStream)) continue
    const bytes = readable(() => document.inflater.content(stream, document.resolve, largestContent))
    if (bytes === undefined) return undefined
    parts.push(binaryText(bytes))
  }
  return parts.join('\n')
}

interface Tagged {
  readonly content: string
  readonly ids: readonly number[] // of the texts
}

/** Undefined: everything has its meaning already. */
export function tagContent(content: string, firstId: number): Tagged | undefined {
  const insertions: { readonly at: number; readonly words: string }[] = []
  const ids: number[] = []
  const wrap = (from: number, to: number, opening: string) =>
    insertions.push({ at: from, words: `${opening}\n` }, { at: to, words: '\nEMC\n' })
  const artifact = (from: number, to: number) => wrap(from, to, '/Artifact BMC')
  const paragraph = (from: number, to: number) => {
    const id = firstId + ids.length
    ids.push(id)
    wrap(from, to, `/P <</MCID ${id}>> BDC`)
  }
  const marks: boolean[] = [] // whether each open mark gives a meaning
  const covered = () => marks.some(Boolean)
  let path = -1
  let text:
    | { readonly from: number; marked: boolean; readonly bare: [from: number, to: number][] }
    | undefined
  for (const { name: operator, from, to } of contentOperators(content)) {
    if (operator === 'BDC' || operator === 'BMC') {
      const operands = content.slice(from, to)
      // Properties may also stand under a name of the page's resources.
      marks.push(/^\/Artifact\b|\/MCID\b|^\/(?!OC\s)\S+\s+\/\S/.test(operands))
      if (text !== undefined) text.marked = true
    } else if (operator === 'EMC') marks.pop()
    else if (operator === 'BT') text = { from, marked: false, bare: [] }
    else if (operator === 'ET' && text !== undefined) {
      if (text.bare.length > 0 && !text.marked) paragraph(text.from, to)
      else for (const [start, end] of text.bare) paragraph(start, end)
      text = undefined
    } else if (paths.has(operator) && path < 0) path = from
    else if (operator === 'n') path = -1
    else if (painted.has(operator)) {
      if (!covered()) artifact(path < 0 ? from : path, to)
      path = -1
    } else if (drawn.has(operator) && !covered()) artifact(from, to)
    else if (shown.has(operator) && text !== undefined && !covered()) text.bare.push([from, to])
  }
  if (insertions.length === 0) return undefined
  let made = ''
  let last = 0
  // What ends at a place comes before what begins there; the order of insertion says so for all but whole texts.
  for (const { at, words } of insertions.sort((a, b) => a.at - b.at)) {
    made += content.slice(last, at) + words
    last = at
  }
  return { content: made + content.slice(last), ids }
}

/** The tree of elements and the way back from content to them. Undefined: none, or one too large to be kept flat. */
function openStructure(document: PdfDocument) {
  const root = document.dictAt(document.catalog, 'StructTreeRoot')
  if (root === undefined) return undefined
  const parents = document.dictAt(root, 'ParentTree') ?? dict({})
  if (parents.get('Kids') !== null) return undefined
  const listed = document.resolve(parents.get('Nums'))
  const numbers = Array.isArray(listed) ? [...listed] : []
  const top = topElement(document, root)
  const kids: PdfValue[] = []
  const placeOf = (page: PdfPage): number => {
    const key = page.dict.get('StructParents')
    const at = typeof key === 'number' ? numbers.indexOf(key) : -1
    return at % 2 === 0 ? at + 1 : -1
  }
  const ownersOf = (page: PdfPage): readonly PdfValue[] => {
    const owners = document.resolve(numbers[placeOf(page)] ?? null)
    return Array.isArray(owners) ? owners : []
  }
  return {
    nextId(page: PdfPage, content: string): number {
      let next = ownersOf(page).length
      for (const [, id] of content.matchAll(/\/MCID\s+(\d{1,9})/g)) next = Math.max(next, Number(id) + 1)
      return next
    },
    add(page: PdfPage, ids: readonly number[]): void {
      if (ids.length === 0) return
      const owners = [...ownersOf(page)]
      for (const id of ids) {
        const pg = page.id === 0 ? undefined : new PdfRef(page.id)
        const made = dict({ Type: name('StructElem'), S: name('P'), P: top.ref, Pg: pg, K: id })
        const element = document.put(made)
        while (owners.length < id) owners.push(null)
        owners[id] = element
        kids.push(element)
      }
      const place = placeOf(page)
      if (place > 0) numbers[place] = owners
      else {
        const key =
          Math.max(-1, ...numbers.filter((one, at) => at % 2 === 0 && typeof one === 'number').map(Number)) +
          1
        page.dict.set('StructParents', key)
        numbers.push(key, owners)
        root.set('ParentTreeNextKey', key + 1)
      }
    },
    close(): void {
      if (kids.length === 0) return
      const before = document.resolve(top.element.get('K'))
      const known = Array.isArray(before) ? before : before === null ? [] : [top.element.get('K')]
      top.element.set('K', [...known, ...kids])
      root.set('ParentTree', document.put(parents.copy().set('Nums', numbers)))
    },
  }
}

/** Where elements are added: the one that holds the document, else the root itself. */
function topElement(
  document: PdfDocument,
  root: PdfDict,
): { readonly element: PdfDict; readonly ref: PdfValue } {
  const kids = root.get('K')
  const list = document.resolve(kids)
  const only = Array.isArray(list) ? (list.length === 1 ? list[0]! : null) : kids
  const element = document.resolve(only)
  if (element instanceof PdfDict && element.get('S') !== null) return { element, ref: only }
  return { element: root, ref: document.catalog.get('StructTreeRoot') }
}
