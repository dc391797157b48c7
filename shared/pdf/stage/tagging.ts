import { binaryBytes, binaryText } from '../../bytes.ts'
import { maxOf } from '../../extremes.ts'
import type { Codec } from '../../plugin/values.ts'
import { pushAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { readable } from '../model/limits.ts'
import type { PdfPage } from '../model/pages.ts'
import { dict, isName, name, PdfDict, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { contentOperators } from '../read/content-operators.ts'
import { zlib } from '../write/zlib.ts'
import { topElement } from './structure-top.ts'

const operatorsByRole = [
  ['begin-sequence', 'BDC BMC'],
  ['end-sequence', 'EMC'],
  ['begin-text', 'BT'],
  ['end-text', 'ET'],
  ['show-text', `Tj TJ ' "`],
  ['begin-path', 'm re'],
  ['drop-path', 'n'],
  ['paint-path', 'f F f* B B* b b* S s'],
  ['paint-object', 'Do sh BI'],
] as const
/** What the operators of content streams do that open, close or draw something (ISO 32000-2, annex A). */
const roles = new Map(
  operatorsByRole.flatMap(([role, operators]) => operators.split(' ').map((name) => [name, role] as const)),
)
const maxContentBytes = 64 * 1024 * 1024

/**
 * Tags everything that the pages draw, as PDF/UA requires. Graphics that an engine drew outside of its structure become
 * artifacts, which assistive software skips. Text becomes paragraphs after the existing elements, in drawing order, since
 * skipping it would hide content. So do forms with text if `readsForms` is set; in a file with structure, such forms are
 * watermarks. Returns the number of these paragraphs. ISO 14289-1, 7.1; ISO 32000-2, 14.6-14.8.
 */
export function tagTheRest(
  document: PdfDocument,
  pages: readonly PdfPage[],
  codec: Codec,
  { readsForms = false }: { readonly readsForms?: boolean } = {},
): number {
  const structure = openStructure(document)
  if (structure === undefined) return 0
  let texts = 0
  for (const page of pages) {
    const content = contentOf(document, page)
    if (content === undefined) continue
    const tagged = tagContent(
      content,
      structure.nextId(page, content),
      readsForms ? formsWithText(document, page) : undefined,
    )
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
  for (const content of Array.isArray(contents) ? contents : [contents]) {
    const stream = document.resolve(content)
    if (!(stream instanceof PdfStream)) continue
    const bytes = readable(() => document.inflater.content(stream, document.resolve, maxContentBytes))
    if (bytes === undefined) return undefined
    parts.push(binaryText(bytes))
  }
  return parts.join('\n')
}

interface Tagged {
  readonly content: string
  readonly ids: readonly number[] // of the texts
}

/** The names of the forms on a page that show text and have no structure: they are read, not skipped. */
function formsWithText(document: PdfDocument, page: PdfPage): ReadonlySet<string> {
  const names = new Set<string>()
  /** The depth at which a form was found to show no text. */
  const silent = new Map<PdfStream, number>()
  const showsText = (form: PdfStream, depth: number): boolean => {
    if (depth > maxFormDepth || form.dict.get('StructParents') !== null) return false
    if ((silent.get(form) ?? Number.POSITIVE_INFINITY) <= depth) return false
    silent.set(form, depth)
    const bytes = readable(() => document.inflater.content(form, document.resolve, maxContentBytes))
    if (bytes === undefined) return false
    const content = binaryText(bytes)
    for (const { name } of contentOperators(content)) if (roles.get(name) === 'show-text') return true
    const inner = document.dictAt(form.dict, 'Resources')
    return inner !== undefined && formsOf(document, inner).some(([, form]) => showsText(form, depth + 1))
  }
  const resources = document.resolve(page.inherited.get('Resources') ?? null)
  if (!(resources instanceof PdfDict)) return names
  for (const [called, form] of formsOf(document, resources)) if (showsText(form, 0)) names.add(called)
  return names
}

const maxFormDepth = 4

function formsOf(document: PdfDocument, resources: PdfDict): readonly (readonly [string, PdfStream])[] {
  return [...(document.dictAt(resources, 'XObject')?.entries ?? [])].flatMap(([called, value]) => {
    const drawn = document.resolve(value)
    const isForm = drawn instanceof PdfStream && isName(document.resolve(drawn.dict.get('Subtype')), 'Form')
    return isForm ? [[called, drawn] as const] : []
  })
}

/**
 * Tags one content stream. Returns undefined if everything in it is already tagged. `firstId` is a free MCID, and `textForms`
 * are the names of forms that are text.
 */
export function tagContent(
  content: string,
  firstId: number,
  textForms: ReadonlySet<string> = new Set(),
): Tagged | undefined {
  const ranges = untaggedRanges(content, textForms)
  if (ranges.length === 0) return undefined
  const ids: number[] = []
  const insertions = ranges.flatMap(({ kind, from, to }): Insertion[] => {
    let opening = '/Artifact BMC'
    if (kind === 'paragraph') {
      const id = firstId + ids.length
      ids.push(id)
      opening = `/P <</MCID ${id}>> BDC`
    }
    return [
      { at: from, markup: `${opening}\n` },
      { at: to, markup: '\nEMC\n' },
    ]
  })
  return { content: withInsertions(content, insertions), ids }
}

/** Content that no marked-content sequence tags, [from, to) in a content stream. */
interface UntaggedRange {
  readonly kind: 'artifact' | 'paragraph'
  readonly from: number
  readonly to: number
}

/** A text object (BT to ET) that is being read. */
interface OpenText {
  readonly from: number
  /** Whether a marked-content sequence begins in it, so that it cannot be tagged as one. */
  hasSequence: boolean
  /** The operators in it that show text outside of tagged sequences. */
  readonly untagged: { readonly from: number; readonly to: number }[]
}

/** Finds what has to be tagged: text as paragraphs, all other painting as artifacts. */
function untaggedRanges(content: string, textForms: ReadonlySet<string>): readonly UntaggedRange[] {
  const ranges: UntaggedRange[] = []
  /** The open marked-content sequences, with whether each tags its content. Layers (/OC) do not. */
  const openSequences: boolean[] = []
  const isTagged = () => openSequences.some(Boolean)
  let pathStart: number | undefined
  let text: OpenText | undefined
  for (const { name, from, to } of contentOperators(content)) {
    switch (roles.get(name)) {
      case 'begin-sequence':
        openSequences.push(tagsContent(content.slice(from, to)))
        if (text !== undefined) text.hasSequence = true
        break
      case 'end-sequence':
        openSequences.pop()
        break
      case 'begin-text':
        text = { from, hasSequence: false, untagged: [] }
        break
      case 'end-text':
        if (text !== undefined) pushAll(ranges, paragraphsOf(text, to))
        text = undefined
        break
      case 'begin-path':
        pathStart ??= from
        break
      case 'drop-path':
        pathStart = undefined
        break
      case 'paint-path':
        if (!isTagged()) ranges.push({ kind: 'artifact', from: pathStart ?? from, to })
        pathStart = undefined
        break
      case 'paint-object':
        if (!isTagged()) ranges.push({ kind: kindOfObject(content.slice(from, to), textForms), from, to })
        break
      case 'show-text':
        if (!isTagged()) text?.untagged.push({ from, to })
        break
    }
  }
  return ranges
}

/**
 * Whether a marked-content sequence tags its content, by BDC or BMC with its operands. The properties may also be a name in the
 * resources of the page. Such content counts as tagged.
 */
const tagsContent = (opening: string): boolean => /^\/Artifact\b|\/MCID\b|^\/(?!OC\s)\S+\s+\/\S/.test(opening)

function kindOfObject(painting: string, textForms: ReadonlySet<string>): UntaggedRange['kind'] {
  const form = /\/(\S+)\s+Do$/.exec(painting)?.[1]
  return form !== undefined && textForms.has(form) ? 'paragraph' : 'artifact'
}

/**
 * A text object without sequences becomes one paragraph. In any other each operator does, because a sequence around the
 * object would contain those in it.
 */
function paragraphsOf({ from, hasSequence, untagged }: OpenText, to: number): readonly UntaggedRange[] {
  if (untagged.length === 0) return []
  const ranges = hasSequence ? untagged : [{ from, to }]
  return ranges.map((range) => ({ kind: 'paragraph', ...range }))
}

interface Insertion {
  readonly at: number
  readonly markup: string
}

/**
 * If one sequence ends where the next begins, the end must come first. The order of the insertions ensures that, because the
 * sort is stable.
 */
function withInsertions(content: string, insertions: readonly Insertion[]): string {
  let result = ''
  let copied = 0
  for (const { at, markup } of insertions.toSorted((a, b) => a.at - b.at)) {
    result += content.slice(copied, at) + markup
    copied = at
  }
  return result + content.slice(copied)
}

/**
 * Opens the structure tree and its parent tree for additions. Returns undefined when there is no structure, or when the
 * parent tree has several nodes and would have to be rebuilt.
 */
function openStructure(document: PdfDocument) {
  const root = document.dictAt(document.catalog, 'StructTreeRoot')
  if (root === undefined) return undefined
  const parents = document.dictAt(root, 'ParentTree') ?? dict({})
  if (parents.get('Kids') !== null) return undefined
  const listed = document.resolve(parents.get('Nums'))
  const numbers = Array.isArray(listed) ? [...listed] : []
  const top = topElement(document, root)
  const children: PdfValue[] = []
  const insertionAt = (page: PdfPage): number => {
    const key = page.dict.get('StructParents')
    const at = typeof key === 'number' ? numbers.indexOf(key) : -1
    return at % 2 === 0 ? at + 1 : -1
  }
  const ownersOf = (page: PdfPage): readonly PdfValue[] => {
    const owners = document.resolve(numbers[insertionAt(page)] ?? null)
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
        const paragraph = dict({ Type: name('StructElem'), S: name('P'), P: top.ref, Pg: pg, K: id })
        const element = document.put(paragraph)
        while (owners.length < id) owners.push(null)
        owners[id] = element
        children.push(element)
      }
      const parentKey = insertionAt(page)
      if (parentKey > 0) numbers[parentKey] = owners
      else {
        const key =
          Math.max(
            -1,
            maxOf(numbers.filter((number, at) => at % 2 === 0 && typeof number === 'number').map(Number)),
          ) + 1
        page.dict.set('StructParents', key)
        numbers.push(key, owners)
        root.set('ParentTreeNextKey', key + 1)
      }
    },
    close(): void {
      if (children.length === 0) return
      const before = document.resolve(top.element.get('K'))
      const existing = Array.isArray(before) ? before : before === null ? [] : [top.element.get('K')]
      top.element.set('K', [...existing, ...children])
      root.set('ParentTree', document.put(parents.copy().set('Nums', numbers)))
    },
  }
}
