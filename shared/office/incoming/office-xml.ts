/**
 * Flat XML of Microsoft's offices: Word 2003 (WordprocessingML), Excel 2003 (SpreadsheetML), and a package of Office Open
 * XML written as one file. Packages keep the same addresses in their relationships, which `opc.ts` reads.
 */
import { isAddress } from './fields.ts'
import type { Findings, LinkKind } from './findings.ts'
import { editRelationship } from './opc.ts'
import type { StartTag } from './xml-edits.ts'

const word = 'http://schemas.microsoft.com/office/word/2003/wordml'
const excel = 'urn:schemas-microsoft-com:office:excel'
const vml = 'urn:schemas-microsoft-com:vml'
const office = 'urn:schemas-microsoft-com:office:office'

/** Elements of Word whose one attribute is an address. */
const ofWord: ReadonlyMap<string, readonly [attribute: string, LinkKind]> = new Map([
  ['attachedTemplate', ['val', 'template']],
  ['subDoc', ['link', 'text']],
  ['sourceFileName', ['val', 'text']],
  ['dataSource', ['val', 'data source']],
  ['headerSource', ['val', 'data source']],
  ['connectString', ['val', 'data source']],
  ['udl', ['val', 'data source']],
])
/** Elements of Excel whose content is an address, or what is asked for there. */
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
/** A picture that the document holds itself (w:binData) has such an address. */
const isInside = (address: string): boolean => /^\s*(?:wordml:|data:|cid:|#|$)/i.test(address)

export function editOfficeTag(tag: StartTag, findings: Findings): void {
  editRelationship(tag, findings)
  if (tag.uri === word) editWord(tag, findings)
  if (tag.uri === vml && pictures.has(tag.name)) editPicture(tag, findings)
  if (tag.uri === excel) editExcel(tag, findings)
}

function editExcel(tag: StartTag, findings: Findings): void {
  const kind = ofExcel.get(tag.name)
  if (kind === undefined) return
  tag.dropContent()
  // What stands in a table's query is dropped with it.
  if (!tag.parents.some(({ uri, name }) => uri === excel && ofExcel.has(name))) findings.drop(kind)
}

function editWord(tag: StartTag, findings: Findings): void {
  const [attribute, kind] = ofWord.get(tag.name) ?? []
  if (attribute === undefined || kind === undefined) return
  const address = tag.attribute(word, attribute)
  if (address === undefined || address.value === '') return
  address.replace('')
  // Word names the template that a document was made with, which is on the disk of its author.
  if (kind !== 'template' || isAddress(address.value)) findings.drop(kind)
}

function editPicture(tag: StartTag, findings: Findings): void {
  let dropped = false
  for (const [uri, name] of pictureAddresses) {
    const address = tag.attribute(uri, name)
    if (address === undefined || isInside(address.value)) continue
    address.replace('')
    dropped = true
  }
  if (dropped) findings.drop('picture')
}
