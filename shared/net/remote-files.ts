/**
 * Fetches the pictures and style sheets that a page refers to, under the operator's policy, and inserts them
 * into the page, so that all later steps are pure. It sends the same requests as a browser that shows the
 * page.
 */
import { measureImage } from '../images/measure.ts'
import { toBase64 } from '../plugin/base64.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import { decodeMarkup } from '../plugin/decode-markup.ts'
import type { ByteSource, Outcome } from '../plugin/values.ts'
import { downloadLimits } from './downloads.ts'
import { MissingFiles, PageFiles, type PageFilesScope } from './page-files.ts'

const maxTagLength = 20_000
const relative = {
  failed: 'its address is relative, and the page has none; use absolute or data: addresses',
} as const

interface RemoteReference {
  readonly start: number
  readonly end: number
  readonly tag: string
  readonly kind: 'picture' | 'sheet'
  readonly url: string
  /** The value of the attribute within `tag` that refers to the resource. */
  readonly value: readonly [start: number, end: number]
}

const encoder = new TextEncoder()

/** The same for the bytes of a page. They remain as they are where the page refers to nothing that could be loaded. */
export async function embedRemoteFiles(
  source: ByteSource,
  scope: PageFilesScope,
): Promise<Outcome<ByteSource>> {
  const html = decodeMarkup(await bytesOf(source))
  const { value, warnings } = await withRemoteFiles(html, scope)
  scope.signal.throwIfAborted()
  // The byte order mark declares the encoding, whatever the page declares itself.
  return value === html
    ? { value: source, warnings }
    : { value: fromBytes(encoder.encode(`\ufeff${value}`)), warnings }
}

/** A page of a few bytes may name one large picture a thousand times, and each place holds it whole. */
const maxEmbeddedBytes = 100_000_000

/**
 * Returns the page with its resources, and the kinds of those that could not be loaded, without their
 * addresses.
 */
export async function withRemoteFiles(html: string, scope: PageFilesScope): Promise<Outcome<string>> {
  const references = referencesIn(html)
  /** An address is fetched once, as a picture where any tag uses it as one. */
  const pictures = new Set(references.flatMap(({ kind, url }) => (kind === 'picture' ? [url] : [])))
  const files = new Map<string, { readonly bytes: Uint8Array; readonly type: string }>()
  const missing = new MissingFiles()
  const page = new PageFiles(scope)
  const load = async (url: string) => {
    const isPicture = pictures.has(url)
    const fetched = isPicture ? page.loadPicture : page.load
    const loaded = /^https?:/i.test(url) ? await fetched.call(page, url) : relative
    if ('failed' in loaded) missing.add(isPicture, loaded.failed)
    else files.set(url, loaded)
  }
  const concurrency = scope.outbound === undefined ? 1 : downloadLimits(scope.outbound).atOnce
  const queue = [...new Set(references.map(({ url }) => url))]
  const work = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) await load(url)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  let out = ''
  let from = 0
  let embedded = 0
  const sources = new Map<string, string>() // a page may show one picture many times
  for (const { start, end, tag, kind, url, value } of references) {
    const file = files.get(url)
    if (file === undefined) continue
    embedded += file.bytes.length
    if (embedded > maxEmbeddedBytes) {
      missing.add(kind === 'picture', `the page would hold more than ${maxEmbeddedBytes} bytes of files`)
      continue
    }
    out += html.slice(from, start)
    from = end
    if (kind === 'picture') {
      const source = sources.get(url) ?? `data:${typeOf(file)};base64,${toBase64(file.bytes)}`
      sources.set(url, source)
      out += `${tag.slice(0, value[0])}"${source}"${tag.slice(value[1])}`
    } else out += `<style>${new TextDecoder().decode(file.bytes).replace(/<\//g, '<\\/')}</style>`
  }
  return { value: out + html.slice(from), warnings: missing.warnings() }
}

/** Yields the tags one after the other. An unclosed tag costs no more than its length. */
function referencesIn(html: string): readonly RemoteReference[] {
  const references: RemoteReference[] = []
  const opening = /<(img|link)(?=[\s/])/gi
  for (let match = opening.exec(html); match !== null; match = opening.exec(html)) {
    const start = match.index
    const end = html.indexOf('>', start) + 1
    if (end === 0) break
    opening.lastIndex = end
    const tag = html.slice(start, end)
    if (tag.length > maxTagLength) continue
    const sheet = match[1]?.toLowerCase() === 'link'
    if (sheet && !/\srel\s*=\s*["']?[^"'>]*\bstylesheet\b/i.test(tag)) continue
    const named = (
      sheet ? /\shref\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i : /\ssrc\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i
    ).exec(tag)
    const quoted = named?.[1]
    if (named === null || quoted === undefined) continue
    const url = quoted
      .replace(/^["']|["']$/g, '')
      .trim()
      .replaceAll('&amp;', '&')
    if (url === '' || /^(?:data|cid|about):/i.test(url)) continue
    const at = named.index + named[0].length
    references.push({
      start,
      end,
      tag,
      kind: sheet ? 'sheet' : 'picture',
      url,
      value: [at - quoted.length, at],
    })
  }
  return references
}

function typeOf({ bytes, type }: { readonly bytes: Uint8Array; readonly type: string }): string {
  const kind = measureImage(bytes)?.kind
  if (kind !== undefined) return kind === 'svg' ? 'image/svg+xml' : `image/${kind}`
  return /^image\/[\w.+-]+/.exec(type)?.[0] ?? 'image/png'
}
