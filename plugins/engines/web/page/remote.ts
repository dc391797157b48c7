/**
 * What a page names and does not hold: pictures and style sheets, fetched under the operator's policy and put into the page, so
 * that all that comes after is pure. As a browser, which shows the same page, would.
 */
import { measureImage } from '../../../../shared/images/measure.ts'
import { downloadLimits } from '../../../../shared/net/downloads.ts'
import { PageFiles, type PageFilesScope } from '../../../../shared/net/page-files.ts'
import { toBase64 } from '../../../../shared/plugin/base64.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { ByteSource, ConvertJob, Host, Outcome, Warning } from '../../../../shared/plugin/contract.ts'
import { decodeMarkup } from '../../../../shared/plugin/decode-markup.ts'

const longestTag = 20_000
const relative = {
  failed: 'its address is relative, and the page has none; use absolute or data: addresses',
} as const

interface Wanted {
  readonly start: number
  readonly end: number
  readonly tag: string
  readonly kind: 'picture' | 'sheet'
  readonly url: string
  /** The value of the attribute that names it, within `tag`. */
  readonly value: readonly [start: number, end: number]
}

/** Before a page becomes a document. Other outputs keep the addresses. */
export async function preparePage(
  {
    source,
    from,
    to,
    egressAuthorization,
  }: Pick<ConvertJob, 'source' | 'from' | 'to' | 'egressAuthorization'>,
  { outbound }: Host,
  signal: AbortSignal,
): Promise<Outcome<ByteSource>> {
  const whole = { value: source, warnings: [] }
  if (to !== 'fodt' || (from !== 'html' && from !== 'xhtml')) return whole
  const bytes = await bytesOf(source)
  const html = decodeMarkup(bytes)
  const { value, warnings } = await withRemoteFiles(html, {
    outbound,
    authorization: egressAuthorization,
    signal,
  })
  signal.throwIfAborted()
  // The mark says how it is written whatever the page says of itself.
  return value === html
    ? { value: source, warnings }
    : { value: fromBytes(encoder.encode(`\ufeff${value}`)), warnings }
}

const encoder = new TextEncoder()

/** The page with what it names, and what could not be loaded, without addresses. */
export async function withRemoteFiles(html: string, scope: PageFilesScope): Promise<Outcome<string>> {
  const wanted = wantedBy(html)
  const addresses = [...new Set(wanted.map((one) => one.url))]
  const files = new Map<string, { readonly bytes: Uint8Array; readonly type: string }>()
  const refused = new Map<string, number>()
  const page = new PageFiles(scope)
  const load = async (url: string) => {
    const loaded = /^https?:/i.test(url) ? await page.load(url) : relative
    if ('failed' in loaded) refused.set(loaded.failed, (refused.get(loaded.failed) ?? 0) + 1)
    else files.set(url, loaded)
  }
  const atOnce = scope.outbound === undefined ? 1 : downloadLimits(scope.outbound).atOnce
  const queue = [...addresses]
  const work = async () => {
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) await load(url)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  let out = ''
  let from = 0
  for (const { start, end, tag, kind, url, value } of wanted) {
    const file = files.get(url)
    if (file === undefined) continue
    out += html.slice(from, start)
    from = end
    if (kind === 'picture')
      out += `${tag.slice(0, value[0])}"data:${typeOf(file)};base64,${toBase64(file.bytes)}"${tag.slice(value[1])}`
    else out += `<style>${new TextDecoder().decode(file.bytes).replace(/<\//g, '<\\/')}</style>`
  }
  return { value: out + html.slice(from), warnings: [...refused].map(warningOf) }
}

function warningOf([because, count]: readonly [string, number]): Warning {
  const what = count === 1 ? 'One file' : `${count} files`
  return { code: 'web.not-loaded', message: `${what} that the page names could not be loaded: ${because}.` }
}

/** Tags one after the other, so that a page without an end of a tag costs no more than its length. */
function wantedBy(html: string): readonly Wanted[] {
  const wanted: Wanted[] = []
  const opening = /<(img|link)(?=[\s/])/gi
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const start = found.index
    const end = html.indexOf('>', start) + 1
    if (end === 0) break
    opening.lastIndex = end
    const tag = html.slice(start, end)
    if (tag.length > longestTag) continue
    const sheet = found[1]?.toLowerCase() === 'link'
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
    wanted.push({ start, end, tag, kind: sheet ? 'sheet' : 'picture', url, value: [at - quoted.length, at] })
  }
  return wanted
}

function typeOf({ bytes, type }: { readonly bytes: Uint8Array; readonly type: string }): string {
  const kind = measureImage(bytes)?.kind
  if (kind !== undefined) return kind === 'svg' ? 'image/svg+xml' : `image/${kind}`
  return /^image\/[\w.+-]+/.exec(type)?.[0] ?? 'image/png'
}
