/**
 * OpenDocument, as parts of a package and as one flat file (ODF 1.3 part 3, 19.917: xlink:href). What an href names is
 * loaded with the document, except where the element is a link for people to click.
 */
import type { Findings, LinkKind } from './findings.ts'
import { nowhere } from './findings.ts'
import { editXml, type StartTag } from './xml-edits.ts'

const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
const xlink = 'http://www.w3.org/1999/xlink'
export const officeUri = `${urn}office:1.0`
const uris = {
  config: `${urn}config:1.0`,
  draw: `${urn}drawing:1.0`,
  form: `${urn}form:1.0`,
  meta: `${urn}meta:1.0`,
  office: officeUri,
  presentation: `${urn}presentation:1.0`,
  script: `${urn}script:1.0`,
  style: `${urn}style:1.0`,
  svg: `${urn}svg-compatible:1.0`,
  table: `${urn}table:1.0`,
  text: `${urn}text:1.0`,
} as const

const inNamespace = (entries: readonly (readonly [keyof typeof uris, ...string[]])[]): ReadonlySet<string> =>
  new Set(entries.flatMap(([prefix, ...names]) => names.map((name) => `${uris[prefix]} ${name}`)))

/** Followed by people, never by a conversion. */
const clicked = inNamespace([
  ['text', 'a'],
  ['draw', 'a', 'area-rectangle', 'area-circle', 'area-polygon'],
  ['form', 'form', 'button', 'image'],
  ['presentation', 'event-listener'],
  ['script', 'event-listener'],
])

const kinds: ReadonlyMap<string, LinkKind> = new Map(
  (
    [
      ['draw', 'image', 'picture'],
      ['draw', 'fill-image', 'picture'],
      ['draw', 'object', 'object'],
      ['draw', 'object-ole', 'object'],
      ['draw', 'applet', 'object'],
      ['draw', 'floating-frame', 'text'],
      ['draw', 'plugin', 'sound or film'],
      ['presentation', 'sound', 'sound or film'],
      ['style', 'background-image', 'picture'],
      ['svg', 'font-face-uri', 'font'],
      ['table', 'table-source', 'table'],
      ['table', 'cell-range-source', 'table'],
      ['text', 'list-level-style-image', 'picture'],
      ['text', 'section-source', 'text'],
      ['form', 'connection-resource', 'data source'],
      ['text', 'connection-resource', 'data source'],
      ['meta', 'template', 'template'],
    ] as const
  ).map(([prefix, name, kind]) => [`${uris[prefix]} ${name}`, kind]),
)

/** Parts of a package, or of an object inside it, that hold addresses, fonts or symbols. */
export const isOdfPart = (name: string): boolean =>
  /(?:^|\/)(?:content|styles|settings|meta)\.xml$/.test(name)

/** The part of a package with addresses outside replaced; undefined when it has none. */
export const editOdf = (text: string, findings: Findings): string | undefined =>
  editXml(text, (tag) => editOdfTag(tag, false, findings))

/** `flat`: there is no package around it. */
export function editOdfTag(tag: StartTag, flat: boolean, findings: Findings): void {
  noteLeftovers(tag, findings)
  if (tag.uri === uris.office && tag.name === 'dde-source') dropDde(tag, findings)
  const href = tag.attribute(xlink, 'href')
  if (href === undefined) return
  const element = `${tag.uri} ${tag.name}`
  // The picture on a button is an address of its own (form:image-data); the href of a button is where it leads.
  if (clicked.has(element) || !isOutside(href.value, flat)) return
  href.replace(nowhere)
  findings.drop(kinds.get(element) ?? 'file')
}

function noteLeftovers(tag: StartTag, findings: Findings): void {
  if (tag.uri === uris.svg && tag.name === 'font-face-uri') findings.hasEmbeddedFonts = true
  if (tag.uri === uris.config && tag.attribute(uris.config, 'name')?.value === 'Symbols')
    findings.hasFormulaSymbols = true
}

/** Asks a running program for data (ODF 1.3 part 3, 14.6.5). */
function dropDde(tag: StartTag, findings: Findings): void {
  for (const name of ['dde-application', 'dde-topic', 'dde-item'])
    tag.attribute(uris.office, name)?.replace('')
  findings.drop('data source')
}

/** Inside are fragments and, in a package, paths that stay in it. */
function isOutside(href: string, flat: boolean): boolean {
  const address = href.trim()
  if (address === '' || address.startsWith('#')) return false
  if (flat || /^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(address)) return true
  return address.replaceAll('\\', '/').split('/').includes('..')
}
