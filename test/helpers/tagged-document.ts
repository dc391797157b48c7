/** Makes templates of documents that were not written as templates: some texts get tags, two rows become a loop. */
import { type Element, editPackage } from './rewrite-xml.ts'

/** Data for the tags that are written. */
export const tagData = {
  title: 'A & B <c>',
  count: 3.5,
  rows: [
    { n: 'one', v: 1 },
    { n: 'two "2"', v: 2 },
    { n: "three '3'", v: 3.25 },
    { n: 'four', v: 4 },
  ],
}

const contentParts =
  /^(?:word\/(?:document\d*|header\d*|footer\d*|footnotes)|xl\/(?:sharedStrings|worksheets\/\w+)|ppt\/(?:slides|notesSlides)\/\w+|content|styles)\.xml$/

/** Elements that hold characters of the document. */
const isText = ({ uri, local }: Element): boolean =>
  (local === 't' && /wordprocessingml|drawingml|spreadsheetml/.test(uri)) ||
  ((local === 'p' || local === 'span') && uri.includes('opendocument:xmlns:text'))
const rowNames: ReadonlySet<string> = new Set(['tr', 'table-row', 'row'])

/** The document with a tag in every seventh text and a loop over two rows of each table that has such rows. */
export function taggedDocument(bytes: Uint8Array, hasLoops: boolean): Uint8Array {
  return editPackage(bytes, (part, root) => {
    if (!contentParts.test(part)) return
    let texts = 0
    const visit = (node: Element) => {
      if (hasLoops) loopIn(node)
      if (isText(node)) {
        const at = node.children.findIndex((child) => typeof child === 'string' && child.trim() !== '')
        const text = node.children[at]
        const isTagged = typeof text === 'string' && text.includes('{d.')
        if (at >= 0 && !isTagged && texts++ % 7 === 0)
          node.children[at] = `${text} {d.title}${texts % 2 === 0 ? ' {d.count:formatN(1)}' : ''}`
      }
      for (const child of node.children) if (typeof child !== 'string') visit(child)
    }
    visit(root)
  })
}

/** Writes a loop into the first two neighbouring rows that can hold its tags. */
function loopIn(parent: Element): void {
  const rows = parent.children.filter(
    (child): child is Element => typeof child !== 'string' && rowNames.has(child.local),
  )
  for (let at = 1; at + 1 < rows.length; at += 1) {
    const [first, second] = rows.slice(at, at + 2)
    if (first === undefined || second === undefined) return
    if (!areNeighbours(first, second)) continue
    if (writeTag(first, '{d.rows[i].n}') && writeTag(second, '{d.rows[i+1].n}')) return
  }
}

const attributeOf = (node: Element, local: string) =>
  node.attributes.find((each) => each.local === local)?.value

function areNeighbours(first: Element, second: Element): boolean {
  if (first.local !== 'row') return attributeOf(first, 'number-rows-repeated') === undefined
  return Number(attributeOf(first, 'r')) + 1 === Number(attributeOf(second, 'r'))
}

/** Whether the row has a place for the tag: its first text, or the first cell of a row in a sheet. */
function writeTag(row: Element, tag: string): boolean {
  if (row.local === 'row') {
    const cell = row.children.find((child): child is Element => typeof child !== 'string')
    if (cell === undefined) return false
    const make = (local: string, children: (Element | string)[]): Element => ({
      ...cell,
      local,
      attributes: [],
      children,
    })
    const kept = cell.attributes.filter(({ local }) => local === 'r' || local === 's')
    const type = { uri: '', prefix: '', local: 't', value: 'inlineStr', names: undefined }
    row.children[row.children.indexOf(cell)] = {
      ...cell,
      attributes: [...kept, type],
      children: [make('is', [make('t', [tag])])],
    }
    return true
  }
  const text = firstText(row)
  if (text === undefined) return false
  text.children.splice(0, text.children.length, tag)
  return true
}

function firstText(node: Element): Element | undefined {
  for (const child of node.children) {
    if (typeof child === 'string') continue
    if (isText(child) && child.children.some((each) => typeof each === 'string' && each.trim() !== ''))
      return child
    const inside = firstText(child)
    if (inside !== undefined) return inside
  }
  return undefined
}
