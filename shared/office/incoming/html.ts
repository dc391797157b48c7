/**
 * HTML before an office program reads it. HTML parsers differ, and that of an office program is older than the
 * standard. A page that may contain external references is therefore rewritten from the tree that was checked, so
 * that the program reads the same content.
 */

import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5'
import { pushAll } from '../../push-all.ts'
import { XmlFault } from '../../xml/cursor.ts'
import type { LinkKind, ScannedContent } from './findings.ts'

type HtmlNode = DefaultTreeAdapterTypes.Node
type HtmlElement = DefaultTreeAdapterTypes.Element

/** Attributes whose address is loaded with the page. */
const loading: ReadonlyMap<string, LinkKind> = new Map([
  ['src', 'picture'],
  ['srcset', 'picture'],
  ['imagesrcset', 'picture'],
  ['background', 'picture'],
  ['poster', 'picture'],
  ['lowsrc', 'picture'],
  ['dynsrc', 'sound or film'],
  ['data', 'object'],
  ['code', 'object'],
  ['codebase', 'object'],
  ['archive', 'object'],
  ['classid', 'object'],
  ['manifest', 'file'],
])
/** Elements whose href is only followed by users, or is only the base of other addresses. */
const clicked: ReadonlySet<string> = new Set(['a', 'area', 'base'])

const mayLoad = new RegExp(
  `(?:${[...loading.keys()].join('|')})\\s*=(?!\\s*["']?\\s*(?:data:|cid:|#))|<\\s*link|refresh|url\\s*\\((?!\\s*["']?\\s*(?:data:|#))|@import`,
  'i',
)
const cssAddress = /url\((?!\s*["']?\s*(?:data:|#))[^)]*\)/gi
const cssImport = /@import[^;]*;?/gi

/** Returns the page without the resources that it would load; undefined for a page that cannot load any. */
export function editHtml(text: string, findings: ScannedContent): string | undefined {
  // Fonts that would be fetched are dropped together with their address.
  if (/@font-face/i.test(text) && /data:(?:application|font)/i.test(text)) findings.hasEmbeddedFonts = true
  // An escape in a style sheet may represent any letter of the searched words.
  if (!mayLoad.test(text) && !(text.includes('\\') && /style/i.test(text))) return undefined
  try {
    const page = parse(text, { scriptingEnabled: false })
    clean(page, findings)
    return serialize(page)
  } catch (error) {
    // The serializer is recursive.
    if (error instanceof RangeError) throw new XmlFault('its elements are nested too deeply')
    throw error
  }
}

/** Walks the tree without recursion, since the author of the document determines its depth. */
function clean(root: HtmlNode, findings: ScannedContent): void {
  const waiting: HtmlNode[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('attrs' in node) cleanElement(node, findings)
    if ('content' in node) waiting.push(node.content)
    if (!('childNodes' in node)) continue
    // Office programs interpret conditional comments.
    node.childNodes = node.childNodes.filter((child) => child.nodeName !== '#comment' && !isDropped(child))
    pushAll(waiting, node.childNodes)
  }
}

function isDropped(node: HtmlNode): boolean {
  if (node.nodeName === 'script') return true
  if (node.nodeName !== 'meta' || !('attrs' in node)) return false
  const names = node.attrs.map(({ name }) => name)
  const equivalent = node.attrs
    .find(({ name }) => name === 'http-equiv')
    ?.value.trim()
    .toLowerCase()
  // The file is written in UTF-8.
  return names.includes('charset') || equivalent === 'content-type' || equivalent === 'refresh'
}

function cleanElement(element: HtmlElement, findings: ScannedContent): void {
  element.attrs = element.attrs.filter(({ name, value }) => {
    const kind =
      loading.get(name) ?? (name === 'href' && !clicked.has(element.tagName) ? 'style sheet' : undefined)
    if (kind === undefined || isInside(value)) return true
    findings.drop(element.tagName === 'iframe' || element.tagName === 'frame' ? 'text' : kind)
    return false
  })
  for (const attribute of element.attrs)
    if (attribute.name === 'style') attribute.value = cleanCss(attribute.value, findings)
  if (element.tagName !== 'style') return
  for (const child of element.childNodes)
    if ('value' in child && child.nodeName === '#text') child.value = cleanCss(child.value, findings)
}

const isInside = (address: string): boolean => /^\s*(?:data:|cid:|#|$)/i.test(address)

function cleanCss(css: string, findings: ScannedContent): string {
  // An escape may represent any letter of the searched words.
  return css
    .replaceAll('\\', '')
    .replace(cssImport, () => {
      findings.drop('style sheet')
      return ''
    })
    .replace(cssAddress, () => {
      findings.drop('picture')
      return 'url(about:invalid)'
    })
}
