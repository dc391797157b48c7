import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import type { Warning } from '../../../../../shared/plugin/values.ts'
import type { FramePageLabel, OutlineEntry, Page } from '../../layout/frame.ts'
import type { PageTargets } from './content.ts'
import type { Structure } from './structure.ts'
import { addressString, num, reference, textString } from './syntax.ts'

/** The positions of bookmarks by name; the first one of a name wins. */
export type Destinations = ReadonlyMap<string, string>

export function collectDestinations(
  pageIds: readonly number[],
  targets: readonly PageTargets[],
): Map<string, string> {
  const destinations = new Map<string, string>()
  for (const [index, { bookmarks }] of targets.entries()) {
    for (const { id, x, y } of bookmarks) {
      if (destinations.has(id)) continue
      destinations.set(id, `[${reference(pageIds[index] ?? 0)}/XYZ ${num(x)} ${num(y)} null]`)
    }
  }
  return destinations
}

/** The schemes that a link may use. A link with any other scheme becomes text, since it may run a script. */
const followed = /^(https?|mailto|tel|ftp|sftp|sms|news|urn|file):/i
const maxShownAddress = 60 // the maximum number of characters of an address in a warning

/** Writes the annotations of the links of a page. Returns their object numbers. ISO 32000-2, 12.5.6.5. */
export function linkAnnotations(
  file: PdfFile,
  targets: PageTargets,
  destinations: Destinations,
  {
    tagged,
    warn,
  }: {
    readonly tagged?: { readonly structure: Structure; readonly page: number } | undefined
    /** Receives a warning for each address that no link may use. */
    readonly warn?: ((warning: Warning) => void) | undefined
  } = {},
): readonly number[] {
  const ids: number[] = []
  for (const { href, box, owner } of targets.links) {
    const action = actionOf(href, destinations)
    if (action === undefined && !href.startsWith('#')) warn?.(deadLink(href))
    if (action === undefined || box[2] <= box[0] || box[3] <= box[1]) continue
    const id = file.reserve()
    const tagging =
      tagged === undefined
        ? ''
        : `/Contents${textString(href)}/StructParent ${tagged.structure.annotate(tagged.page, id, owner)}`
    file.set(
      id,
      `<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]/Rect[${box.map(num).join(' ')}]${action}${tagging}>>`,
    )
    ids.push(id)
  }
  return ids
}

function actionOf(href: string, destinations: Destinations): string | undefined {
  if (href.startsWith('#')) {
    const destination = destinations.get(href.slice(1))
    return destination === undefined ? undefined : `/Dest${destination}`
  }
  const address = addressOf(href)
  return address === undefined ? undefined : `/A<</S/URI/URI${addressString(address)}>>`
}

/**
 * The address of a link as a URI; undefined for one of a scheme that no link may use. Paths of Windows become file URIs
 * (RFC 8089, E.2 and E.3); addresses without a scheme stay relative to the file.
 */
function addressOf(href: string): string | undefined {
  if (/^[a-z]:[\\/]/i.test(href)) return `file:///${href.replaceAll('\\', '/')}`
  if (href.startsWith('\\\\')) return `file:${href.replaceAll('\\', '/')}`
  if (/^[a-z][a-z\d+.-]*:/i.test(href)) return followed.test(href) ? href : undefined
  return href === '' ? undefined : href.replaceAll('\\', '/')
}

function deadLink(href: string): Warning {
  const shortened = href.length > maxShownAddress ? `${href.slice(0, maxShownAddress)}…` : href
  return {
    code: 'layout.link-dropped',
    message: `The link to ${JSON.stringify(shortened)} became text, because it is not an address that links of a PDF may open.`,
  }
}

interface OutlineNode {
  readonly id: number
  readonly entry: OutlineEntry
  readonly children: OutlineNode[]
}

/** Writes the outline tree; undefined when the document has no headings. ISO 32000-2, 12.3.3. */
export function writeOutline(
  file: PdfFile,
  outline: readonly OutlineEntry[],
  destinations: Destinations,
): number | undefined {
  const entries = outline.filter(({ bookmark }) => destinations.has(bookmark))
  if (entries.length === 0) return undefined
  const root = file.reserve()
  const top: OutlineNode[] = []
  const open: OutlineNode[] = []
  for (const entry of entries) {
    while (open.length > 0 && open.at(-1)!.entry.level >= entry.level) open.pop()
    const node: OutlineNode = { id: file.reserve(), entry, children: [] }
    const siblings = open.at(-1)?.children ?? top
    siblings.push(node)
    open.push(node)
  }
  const count = writeLevel(file, top, root, destinations)
  file.set(
    root,
    `<</Type/Outlines/First ${reference(top[0]!.id)}/Last ${reference(top.at(-1)!.id)}/Count ${count}>>`,
  )
  return root
}

/**
 * Writes one level and what is below it. Returns how many entries are visible when everything is expanded. The
 * recursion is as deep as the outline levels, which are few.
 */
function writeLevel(
  file: PdfFile,
  nodes: readonly OutlineNode[],
  parent: number,
  destinations: Destinations,
): number {
  let count = 0
  for (const [index, { id, entry, children }] of nodes.entries()) {
    const previous = nodes[index - 1]
    const next = nodes[index + 1]
    const below = children.length === 0 ? 0 : writeLevel(file, children, id, destinations)
    const family =
      children.length === 0
        ? ''
        : `/First ${reference(children[0]!.id)}/Last ${reference(children.at(-1)!.id)}/Count ${below}`
    file.set(
      id,
      `<</Title${textString(entry.title)}/Parent ${reference(parent)}/Dest${destinations.get(entry.bookmark)!}` +
        `${previous ? `/Prev ${reference(previous.id)}` : ''}${next ? `/Next ${reference(next.id)}` : ''}${family}>>`,
    )
    count += 1 + below
  }
  return count
}

const styles = {
  decimal: '/S/D',
  roman: '/S/r',
  ROMAN: '/S/R',
  alpha: '/S/a',
  ALPHA: '/S/A',
  none: '',
} as const

/** The page labels as a number tree; '' when pages are simply counted from 1. ISO 32000-2, 12.4.2. */
export function pageLabels(pages: readonly Pick<Page, 'label'>[]): string {
  const ranges: string[] = []
  let previous: FramePageLabel | undefined
  for (const [index, page] of pages.entries()) {
    const label: FramePageLabel = page.label ?? { style: 'decimal', number: index + 1 }
    const continues =
      previous !== undefined &&
      previous.style === label.style &&
      previous.prefix === label.prefix &&
      (label.style === 'none' || previous.number + 1 === label.number)
    if (!continues) {
      const prefix = label.prefix ? `/P${textString(label.prefix)}` : ''
      const start = label.number > 0 ? Math.floor(label.number) : 1
      ranges.push(`${index}<<${styles[label.style]}${prefix}/St ${start}>>`)
    }
    previous = label
  }
  const isDefault = ranges.length <= 1 && (ranges[0] ?? '0<</S/D/St 1>>') === '0<</S/D/St 1>>'
  return isDefault ? '' : `/PageLabels<</Nums[${ranges.join('')}]>>`
}

/**
 * Writes a named destination for each bookmark, so that other documents can link to it. A name tree must be
 * sorted.
 */
export function namedDestinations(destinations: Destinations, write: (bookmark: string) => string): string {
  if (destinations.size === 0) return ''
  const names = [...destinations].map(([bookmark, destination]) => ({
    name: write(bookmark),
    place: destination,
  }))
  names.sort((a, b) => (sortKey(a.name) < sortKey(b.name) ? -1 : 1))
  return `/Names<</Dests<</Names[${names.map(({ name, place: destination }) => `${name}${destination}`).join('')}]>>>>`
}

/** Name trees are sorted by the bytes of the decoded strings, whichever syntax they are written in. */
function sortKey(written: string): string {
  if (written.startsWith('(')) return written.slice(1, -1)
  let bytes = ''
  for (let at = 1; at + 2 < written.length; at += 2) {
    bytes += String.fromCharCode(Number.parseInt(written.slice(at, at + 2), 16))
  }
  return bytes
}
