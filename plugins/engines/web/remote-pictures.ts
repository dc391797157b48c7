/**
 * Pictures of the web in Markdown and in pages that become DocBook. They are fetched before the text is parsed, because
 * parsing runs in a thread without network access, and inserted into the parsed tree.
 */
import type { Root, RootContent } from 'hast'
import { measureImage, pictureTypes } from '../../../shared/images/measure.ts'
import { downloadLimits } from '../../../shared/net/downloads.ts'
import { MissingFiles, PageFiles, type PageFilesScope } from '../../../shared/net/page-files.ts'
import { toBase64 } from '../../../shared/plugin/base64.ts'
import type { FetchedPicture } from '../../../shared/plugin/incoming.ts'
import type { Warning } from '../../../shared/plugin/values.ts'

export type RemotePictures = ReadonlyMap<string, FetchedPicture>

/** The beginning of an address: of a destination, of a definition (CommonMark 0.31, 6.3 and 4.7) or of an attribute. */
const addresses = /(\]\(\s{0,9}<?|\]:\s{0,9}<?|\bsrc\s{0,9}=\s{0,9}["']?)(https?:[^\s"'<>]{1,8000})/gi
/** Labels of images: the text, and the name of the definition where it has another one. */
const imageLabels = /!\[([^[\]]{0,300})\](?:\[([^[\]]{1,300})\])?/g
const maxLabel = 300 // characters
/** Maximum number of addresses of a text that are examined. A render fetches far fewer. */
const maxAddresses = 5_000

/**
 * Fetches all potential pictures of a text, by address. An address in a code listing looks the same, so failures are
 * returned, and `insertPictures` reports those of actual pictures.
 */
export async function fetchPictures(text: string, scope: PageFilesScope): Promise<RemotePictures> {
  const queue = new Set<string>()
  const labels = new Set<string>()
  for (const { 1: label = '', 2: name = label } of text.matchAll(imageLabels)) labels.add(name.toLowerCase())
  let seen = 0
  for (const { 1: opening = '', 2: rest = '', index } of text.matchAll(addresses)) {
    if (++seen > maxAddresses) break
    const isPicture =
      !opening.startsWith(']') || isImage(text, index, opening[1] === ':' ? labels : undefined)
    const url = isPicture ? addressOf(balanced(rest).replaceAll('&amp;', '&')) : undefined
    if (url !== undefined) queue.add(url)
  }
  const pictures = new Map<string, FetchedPicture>()
  const files = new PageFiles(scope)
  const waiting = [...queue]
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift())
      pictures.set(url, await files.loadPicture(url))
  }
  const concurrency = scope.outbound === undefined ? 1 : downloadLimits(scope.outbound).atOnce
  await Promise.all(Array.from({ length: concurrency }, work))
  return pictures
}

/** Inserts fetched pictures into the images of a tree. Returns warnings about those that could not be fetched. */
export function insertPictures(tree: Root, pictures: RemotePictures | undefined): readonly Warning[] {
  const missing = new MissingFiles()
  if (pictures === undefined) return []
  // A page may show one picture many times.
  const embedded = new Map<string, string>()
  const nodes: RootContent[] = [...tree.children]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (node.type !== 'element') continue
    for (const child of node.children) nodes.push(child)
    const { tagName, properties } = node
    const url = tagName === 'img' ? addressOf(String(properties['src'] ?? '')) : undefined
    if (url === undefined) continue
    const dataUrl = embedded.get(url)
    if (dataUrl !== undefined) {
      properties['src'] = dataUrl
      continue
    }
    const file = pictures.get(url) ?? { failed: 'its address was not recognized' }
    const kind = 'failed' in file ? undefined : measureImage(file.bytes)?.kind
    if ('failed' in file) missing.add(true, file.failed)
    else if (kind === undefined) missing.add(true, 'the server sent no picture of a known type')
    else {
      const source = `data:${pictureTypes[kind]};base64,${toBase64(file.bytes)}`
      embedded.set(url, source)
      properties['src'] = source
    }
  }
  return missing.warnings()
}

/** Whether the label that ends at `end` is that of an image or, with `used`, of a definition that an image uses. */
function isImage(text: string, end: number, used: ReadonlySet<string> | undefined): boolean {
  let start = end - 1
  for (let depth = 1; start > end - maxLabel && start >= 0; start--) {
    if (text[start] === ']') depth++
    else if (text[start] === '[') depth--
    if (depth === 0) break
  }
  if (text[start] !== '[') return false
  return used?.has(text.slice(start + 1, end).toLowerCase()) ?? text[start - 1] === '!'
}

/** The part of a destination before the parenthesis that ends it. */
function balanced(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth < 0) return text.slice(0, at)
  }
  return text
}

/** One spelling for each address, whatever was percent-encoded in it. */
function addressOf(url: string): string | undefined {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).href : undefined
}
