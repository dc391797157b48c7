/**
 * XML of Microsoft's office programs: the parts of a package of Office Open XML, such a package written as one file,
 * Word 2003 (WordprocessingML) and Excel 2003 (SpreadsheetML). They share element names, and differ in namespaces.
 */

import { editXml, type StartTag } from '../../xml/edit-tags.ts'
import { isAddress } from './fields.ts'
import type { LinkKind, ScannedContent } from './findings.ts'
import { loadedByFormula } from './formulas.ts'
import { editRelationship } from './opc.ts'
import { WordFields } from './word-fields.ts'

const sheet = 'urn:schemas-microsoft-com:office:spreadsheet'
const excel = 'urn:schemas-microsoft-com:office:excel'
const vml = 'urn:schemas-microsoft-com:vml'
const office = 'urn:schemas-microsoft-com:office:office'

/** Elements of Word whose only attribute is an address. In Office Open XML most of these are relationships. */
const ofWord: ReadonlyMap<string, readonly [attribute: string, LinkKind]> = new Map([
  ['attachedTemplate', ['val', 'template']],
  ['subDoc', ['link', 'text']],
  ['sourceFileName', ['val', 'text']],
  ['dataSource', ['val', 'data source']],
  ['headerSource', ['val', 'data source']],
  ['connectString', ['val', 'data source']],
  ['udl', ['val', 'data source']],
])
/** Elements of Excel whose content is an address, or a request to one. */
const ofExcel: ReadonlyMap<string, LinkKind> = new Map([
  ['Path', 'table'],
  ['FileName', 'table'],
  ['Connection', 'data source'],
  ['QueryTable', 'data source'],
  ['SourceConnectionFile', 'data source'],
])
const pictures: ReadonlySet<string> = new Set(['imagedata', 'image', 'fill', 'stroke'])
const pictureAddresses: readonly (readonly [uri: string, name: string])[] = [
  ['', 'src'],
  [office, 'href'],
  [office, 'althref'],
]
/** Attributes of a workbook's connections (ISO/IEC 29500-1, 18.13) and of its links to programs (18.14.5). */
const ofConnections: ReadonlyMap<string, readonly string[]> = new Map([
  ['connection', ['sourceFile', 'odcFile']],
  ['dbPr', ['connection']],
  ['webPr', ['url', 'editPage']],
  ['textPr', ['sourceFile']],
  ['olapPr', ['localConnection']],
  ['ddeLink', ['ddeService', 'ddeTopic']],
])
/** Elements whose content is a formula: of conditions, checks, names and tables (18.18.35). */
const formulas: ReadonlySet<string> = new Set([
  'formula',
  'formula1',
  'formula2',
  'definedName',
  'calculatedColumnFormula',
  'totalsRowFormula',
])
/** The elements with formulas in Excel 2003. */
const oldFormulas: ReadonlySet<string> = new Set(['Formula', 'Value', 'Value1', 'Value2'])
/** The error value that spreadsheet programs leave in place of a deleted reference. */
const missingReference = '#REF!'

/** Matches elements with any prefix or none. Attributes of these names match as well, which does no harm. */
const element = (names: Iterable<string>): string => `[<:](?:${[...names].join('|')})`
/** A text without any of these words has no element to edit, except for formulas. */
const mayName = new RegExp(
  `<!DOCTYPE|<!doctype|nstrText|fldSimple|Relationship|imagedata|Formula\\s*=|RefersTo\\s*=|${element([...ofConnections.keys(), ...ofWord.keys(), ...ofExcel.keys()])}[\\s>/]|${element(['image', 'fill', 'stroke'])}\\s[^<]*(?:src|href)`,
)
const formulaElement = element(['f', ...formulas, ...oldFormulas])
const hasFormulas = new RegExp(`${formulaElement}[\\s>]`)
/** References, declarations and child elements can hide the text of a formula. */
const hidesFormulas = new RegExp(`&(?:#|apos;)|<!|${formulaElement}(?:\\s[^<>]*)?>[^<]*<[^/]`)

/** Most parts load nothing. This test takes a fraction of the time that reading their elements takes. */
const mayLoad = (text: string): boolean =>
  mayName.test(text) ||
  (hasFormulas.test(text) && (hidesFormulas.test(text) || loadedByFormula(text, 'excel') !== undefined))

/** The address of a picture that the document contains itself (w:binData). */
const isInside = (address: string): boolean => /^\s*(?:wordml:|data:|cid:|#|$)/i.test(address)

/** Edits one text. It keeps state, because a field of Word spans several elements. */
export class OfficeXml {
  readonly #findings: ScannedContent
  readonly #fields: WordFields
  /** Numbers of formulas that cells share (18.3.1.40), whose text was removed with the first cell. */
  readonly #droppedShared = new Set<string>()

  constructor(findings: ScannedContent) {
    this.#findings = findings
    this.#fields = new WordFields(findings)
  }

  visit(tag: StartTag): void {
    const findings = this.#findings
    editRelationship(tag, findings)
    this.#fields.visit(tag)
    editWord(tag, findings)
    editConnection(tag, findings)
    if (tag.uri === vml && pictures.has(tag.name)) editPicture(tag, findings)
    if (tag.uri === excel) editExcel(tag, findings)
    if (tag.uri === sheet) editSheet(tag, findings)
    if (tag.name === 'f') this.#visitFormula(tag)
    else if (formulas.has(tag.name) || (tag.uri === excel && oldFormulas.has(tag.name)))
      tag.onContent(({ value, replace }) => {
        if (isDropped(value, findings)) replace(missingReference)
      })
  }

  end(): void {
    this.#fields.end()
  }

  /** Without its formula, a cell or a chart shows the saved values beside it. */
  #visitFormula(tag: StartTag): void {
    const shared = tag.attribute('', 'si')?.value.trim()
    tag.onContent(({ value, removeElement }) => {
      const text = value.trim()
      const follows = text === '' && shared !== undefined && this.#droppedShared.has(shared)
      if (!follows && !isDropped(text, this.#findings)) return
      if (shared !== undefined) this.#droppedShared.add(shared)
      removeElement()
    })
  }
}

/** Returns the part without the resources that it would load; undefined if it loads nothing. */
export function editOfficeXml(text: string, findings: ScannedContent): string | undefined {
  if (!mayLoad(text)) return undefined
  const office = new OfficeXml(findings)
  return editXml(
    text,
    (tag) => office.visit(tag),
    () => office.end(),
  )
}

function isDropped(formula: string, findings: ScannedContent): boolean {
  const kind = loadedByFormula(formula, 'excel')
  if (kind !== undefined) findings.drop(kind)
  return kind !== undefined
}

/** Formulas of cells and of names in Excel 2003. */
function editSheet(tag: StartTag, findings: ScannedContent): void {
  const formula = tag.attribute(sheet, 'Formula')
  if (formula !== undefined && isDropped(formula.value, findings)) formula.remove()
  const name = tag.attribute(sheet, 'RefersTo')
  if (name !== undefined && isDropped(name.value, findings)) name.replace(`=${missingReference}`)
}

function editConnection(tag: StartTag, findings: ScannedContent): void {
  for (const name of ofConnections.get(tag.name) ?? []) {
    const source = tag.attribute('', name)
    if (source === undefined || source.value === '') continue
    source.replace('')
    findings.drop('data source')
  }
}

function editExcel(tag: StartTag, findings: ScannedContent): void {
  const kind = ofExcel.get(tag.name)
  if (kind === undefined) return
  tag.dropContent()
  // Links inside a table's query are dropped together with the query.
  if (!tag.parents.some(({ uri, name }) => uri === excel && ofExcel.has(name))) findings.drop(kind)
}

function editWord(tag: StartTag, findings: ScannedContent): void {
  const [attribute, kind] = ofWord.get(tag.name) ?? []
  if (attribute === undefined || kind === undefined) return
  const address = tag.attribute(tag.uri, attribute)
  if (address === undefined || address.value === '') return
  address.replace('')
  // Word stores the template that a document was created from, which is on the author's disk.
  if (kind !== 'template' || isAddress(address.value)) findings.drop(kind)
}

function editPicture(tag: StartTag, findings: ScannedContent): void {
  let dropped = false
  for (const [uri, name] of pictureAddresses) {
    const address = tag.attribute(uri, name)
    if (address === undefined || isInside(address.value)) continue
    address.replace('')
    dropped = true
  }
  if (dropped) findings.drop('picture')
}
