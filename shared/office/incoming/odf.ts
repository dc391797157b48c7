/**
 * OpenDocument, as parts of a package and as one flat file (ODF 1.3 part 3, 19.917: xlink:href). The target of an
 * href is loaded with the document, except where the element is a hyperlink.
 */

import { editXml, type StartTag } from '../../xml/edit-tags.ts'
import type { LinkKind, ScannedContent } from './findings.ts'
import { nowhere } from './findings.ts'
import { loadedByFormula } from './formulas.ts'

const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
export const xlinkUri = 'http://www.w3.org/1999/xlink'
export const drawUri = `${urn}drawing:1.0`
const officeUri = `${urn}office:1.0`
const chartUri = `${urn}chart:1.0`
const uris = {
  calcext: 'urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0',
  config: `${urn}config:1.0`,
  draw: drawUri,
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

/** Hyperlinks, which users follow but conversions do not. */
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

/** Parts of a package, or of an object inside it, that contain addresses, fonts or symbols. */
export const isOdfPart = (name: string): boolean =>
  /(?:^|\/)(?:content|styles|settings|meta)\.xml$/.test(name)

/** Returns the part of a package with its external addresses replaced; undefined when it has none. */
export const editOdf = (text: string, findings: ScannedContent): string | undefined =>
  editXml(text, (tag) => editOdfTag(tag, false, findings))

/** `flat`: the document is not in a package. */
export function editOdfTag(tag: StartTag, flat: boolean, findings: ScannedContent): void {
  noteLeftovers(tag, findings)
  dropDde(tag, findings)
  dropFormulas(tag, findings)
  const href = tag.attribute(xlinkUri, 'href')
  if (href === undefined) return
  const element = `${tag.uri} ${tag.name}`
  // The picture of a button has an address of its own (form:image-data); the href of a button is a hyperlink.
  if (clicked.has(element) || isInsidePackage(element, href.value) || !isOutside(href.value, flat)) return
  href.replace(nowhere)
  findings.drop(kinds.get(element) ?? 'file')
}

function noteLeftovers(tag: StartTag, findings: ScannedContent): void {
  if (tag.uri === uris.svg && tag.name === 'font-face-uri') findings.hasEmbeddedFonts = true
  if (tag.uri === uris.config && tag.attribute(uris.config, 'name')?.value === 'Symbols')
    findings.hasFormulaSymbols = true
}

/**
 * A DDE link requests data from a running program (ODF 1.3 part 3, 14.6.5). It occurs in tables, sections and the
 * declarations of fields.
 */
function dropDde(tag: StartTag, findings: ScannedContent): void {
  if (!tag.name.startsWith('dde-')) return
  let dropped = false
  for (const name of ['dde-application', 'dde-topic', 'dde-item']) {
    const attribute = tag.attribute(uris.office, name)
    attribute?.replace('')
    dropped ||= attribute !== undefined
  }
  if (dropped) findings.drop('data source')
}

/** Attributes that are formulas, by the namespace of element and attribute: of cells, names, checks, fields, conditions. */
const formulas: ReadonlyMap<string, readonly string[]> = new Map([
  [uris.table, ['formula', 'expression', 'condition']],
  [uris.text, ['formula']],
  [uris.style, ['condition']],
  [uris.calcext, ['value']],
])

/** Without its formula, a cell or a field shows its last value. */
function dropFormulas(tag: StartTag, findings: ScannedContent): void {
  for (const name of formulas.get(tag.uri) ?? []) {
    const formula = tag.attribute(tag.uri, name)
    const kind = formula === undefined ? undefined : loadedByFormula(formula.value, 'odf')
    if (formula === undefined || kind === undefined) continue
    formula.remove()
    findings.drop(kind)
  }
}

/**
 * A chart refers to the enclosing document as the source of its data (ODF 1.3 part 3, 11.1: chart:chart); no file is
 * read for it.
 */
function isInsidePackage(element: string, href: string): boolean {
  return element === `${chartUri} chart` && /^\.\.\/?$/.test(href.trim())
}

/** Fragments, data URLs and, in a package, paths within it are internal. */
function isOutside(href: string, flat: boolean): boolean {
  const address = href.trim()
  if (address === '' || /^(?:#|data:)/i.test(address)) return false
  if (flat || /^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(address)) return true
  return address.replaceAll('\\', '/').split('/').includes('..')
}
