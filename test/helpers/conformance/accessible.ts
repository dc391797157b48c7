/** PDF/UA-1, read off the file: what of ISO 14289-1 a program can decide, in our own words; its clause stands first. */
import { contentsOf } from './content.ts'
import { metadataOf, property, taggedProblems } from './metadata.ts'
import { type Dict, isDict, readStructure, type Structure, textOf, type Value } from './structure.ts'

const standard = new Set(
  `Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table
  TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula
  Form`.split(/\s+/),
)
/** Which parents an element may have. */
const parents: Readonly<Record<string, readonly string[]>> = {
  LI: ['L'],
  LBody: ['LI'],
  TR: ['Table', 'THead', 'TBody', 'TFoot'],
  TH: ['TR'],
  TD: ['TR'],
  THead: ['Table'],
  TBody: ['Table'],
  TFoot: ['Table'],
  TOCI: ['TOC'],
}

interface Element {
  readonly id: string
  readonly kind: string
  readonly dict: Dict
  readonly parent: string
}

export function accessibleProblems(bytes: Uint8Array): readonly string[] {
  const pdf = readStructure(bytes)
  const problems = new Set<string>(taggedProblems(pdf))
  const tell: Tell = (clause, problem) => {
    problems.add(`${clause}: ${problem}`)
    return undefined
  }
  const { catalog } = pdf
  const metadata = metadataOf(pdf) ?? ''
  if (property(metadata, 'pdfuaid:part') !== '1') tell('5', 'no mark')
  if ((property(metadata, 'dc:title') ?? '') === '') tell('7.1', 'no title')
  if (pdf.dict(catalog['/ViewerPreferences'])?.['/DisplayDocTitle'] !== true)
    tell('7.1', 'the title is not shown')
  if (pdf.dict(catalog['/MarkInfo'])?.['/Suspects'] === true) tell('7.1', 'suspects')
  if (!/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(textOf(pdf.resolve(catalog['/Lang'])) ?? ''))
    tell('7.2', 'no language')
  if (pdf.trailer['/Encrypt'] !== undefined) tell('7.16', 'encrypted')
  const elements = readElements(pdf, tell)
  checkElements(pdf, elements, tell)
  checkContents(pdf, elements, tell)
  checkAnnotations(pdf, elements, tell)
  checkFonts(pdf, tell)
  return [...problems]
}

type Tell = (clause: string, problem: string) => undefined

function readElements(pdf: Structure, tell: Tell): readonly Element[] {
  const root = pdf.dict(pdf.catalog['/StructTreeRoot']) ?? {}
  const roles = pdf.dict(root['/RoleMap']) ?? {}
  const kindOf = (name: string): string => {
    let kind = name
    for (let hops = 0; hops < 10 && !standard.has(kind.slice(1)); hops++) kind = String(roles[kind] ?? kind)
    if (!standard.has(kind.slice(1))) tell('7.1', `${name} stands for no standard type`)
    return kind.slice(1)
  }
  for (const name of Object.keys(roles))
    if (standard.has(name.slice(1)) && roles[name] !== name) tell('7.1', `${name} is mapped anew`)
  const found: Element[] = []
  const walk = (value: Value | undefined, parent: string, depth: number): void => {
    if (depth > 200) {
      tell('7.1', 'a structure without end')
      return
    }
    const here = pdf.resolve(value)
    if (Array.isArray(here)) for (const kid of here) walk(kid, parent, depth + 1)
    if (!isDict(here) || here['/S'] === undefined) return
    const kind = kindOf(String(here['/S']))
    found.push({ id: String(value), kind, dict: here, parent })
    walk(here['/K'], kind, depth + 1)
  }
  walk(root['/K'], 'root', 0)
  return found
}

function checkElements(pdf: Structure, elements: readonly Element[], tell: Tell): void {
  let level = 0
  const notes = new Set<string>()
  for (const { kind, dict, parent, id } of elements) {
    if (parents[kind] !== undefined && !parents[kind].includes(parent) && parent !== 'NonStruct')
      tell('7.1', `${kind} in ${parent}`)
    if (
      (kind === 'Figure' || kind === 'Formula') &&
      [dict['/Alt'], dict['/ActualText']].every((text) => !textOf(pdf.resolve(text)))
    )
      tell(kind === 'Figure' ? '7.3' : '7.7', `${kind} ${id} without a text`)
    const heading = Number(/^H([1-6])$/.exec(kind)?.[1] ?? 0)
    if (heading > level + 1) tell('7.4.2', `a heading of level ${heading} behind level ${level}`)
    if (heading > 0) level = heading
    if (kind === 'Note') {
      const own = textOf(pdf.resolve(dict['/ID']))
      if (own === undefined || notes.has(own)) tell('7.9', `Note ${id} without an ID of its own`)
      else notes.add(own)
    }
    if (kind === 'TH') {
      const attributes = [pdf.resolve(dict['/A'])].flat().map((one) => pdf.dict(one as Value))
      if (
        !attributes.some((one) => one?.['/Scope'] !== undefined) &&
        textOf(pdf.resolve(dict['/ID'])) === undefined
      )
        tell('7.5', `TH ${id} without a scope`)
    }
  }
}

const paints = new Set(`b B b* B* f F f* S s sh Do Tj TJ ' " BI`.split(' '))

/** All that is drawn is an artifact or belongs to the structure. 7.1. */
function checkContents(pdf: Structure, elements: readonly Element[], tell: Tell): void {
  const claimed = new Map<string, Set<number>>()
  for (const { dict } of elements) {
    for (const kid of [pdf.resolve(dict['/K'])].flat() as Value[]) {
      const here = pdf.resolve(kid)
      const [page, id] = isDict(here) ? [here['/Pg'] ?? dict['/Pg'], here['/MCID']] : [dict['/Pg'], here]
      if (typeof id !== 'number') continue
      const ids = claimed.get(String(page)) ?? new Set()
      claimed.set(String(page), ids.add(id))
    }
  }
  for (const { operators, page, resources, where } of contentsOf(pdf)) {
    if (page === undefined) continue
    const owner = pdf.pages[page]!
    const stack: ('artifact' | 'tagged' | 'other')[] = []
    let marked = false
    for (const { name, operands } of operators) {
      if (name === 'BMC' || name === 'BDC') {
        const id = markedId(pdf, resources, operands[1])
        const artifact = operands[0] === '/Artifact'
        if (artifact && stack.includes('tagged')) tell('7.1', `an artifact in what is tagged, ${where}`)
        if (id !== undefined && stack.includes('artifact'))
          tell('7.1', `something tagged in an artifact, ${where}`)
        if (id !== undefined && !claimed.get(owner.id)?.has(id))
          tell('7.1', `content ${id} of ${where} is in no element`)
        if (id !== undefined) marked = true
        stack.push(artifact ? 'artifact' : id === undefined ? 'other' : 'tagged')
      } else if (name === 'EMC') stack.pop()
      else if (paints.has(name) && !stack.some((one) => one !== 'other'))
        tell('7.1', `${name} in ${where} is neither tagged nor an artifact`)
    }
    if (marked && owner.dict['/StructParents'] === undefined)
      tell('7.1', `${where} has no way to its elements`)
  }
}

function markedId(pdf: Structure, resources: Dict, operand: unknown): number | undefined {
  if (typeof operand === 'string') {
    const id = pdf.dict(pdf.dict(resources['/Properties'])?.[operand])?.['/MCID']
    return typeof id === 'number' ? id : undefined
  }
  const words = (operand as { words?: string } | undefined)?.words
  const found = /\/MCID\s+(\d+)/.exec(words ?? '')?.[1]
  return found === undefined ? undefined : Number(found)
}

function checkAnnotations(pdf: Structure, elements: readonly Element[], tell: Tell): void {
  const holders = new Map<string, string>() // annotation -> kind of its element
  for (const { dict, kind } of elements)
    for (const kid of [pdf.resolve(dict['/K'])].flat() as Value[]) {
      const object = pdf.dict(kid)?.['/Obj']
      if (object !== undefined) holders.set(String(object), kind)
    }
  for (const { dict, id } of pdf.pages) {
    const annotations = pdf.array(dict['/Annots'])
    if (annotations.length > 0 && dict['/Tabs'] !== '/S')
      tell('7.18.3', `page ${id} has another order of tabs`)
    for (const one of annotations) {
      const annotation = pdf.dict(one) ?? {}
      const kind = String(annotation['/Subtype'])
      if (kind === '/Popup' || (Number(annotation['/F'] ?? 0) & 2) !== 0) continue
      const holder = holders.get(String(one))
      const wanted = kind === '/Link' ? 'Link' : kind === '/Widget' ? 'Form' : 'Annot'
      if (holder !== wanted) tell('7.18.1', `${kind} ${String(one)} is in ${holder ?? 'no element'}`)
      if (kind === '/Link' && !textOf(pdf.resolve(annotation['/Contents'])))
        tell('7.18.5', `link ${String(one)} without a description`)
      if (kind !== '/Link' && kind !== '/Widget' && !textOf(pdf.resolve(annotation['/Contents'])))
        tell('7.18.1', `${kind} without a description`)
      if (
        kind === '/Widget' &&
        !textOf(pdf.resolve(annotation['/TU'] ?? pdf.dict(annotation['/Parent'])?.['/TU']))
      )
        tell('7.18.1', `a field without a description`)
      if (annotation['/StructParent'] === undefined)
        tell('7.18.1', `${kind} ${String(one)} has no way to its element`)
    }
  }
}

/** Fonts are embedded and map their characters to Unicode. 7.21.4, 7.21.7. */
function checkFonts(pdf: Structure, tell: Tell): void {
  // Viewers draw new values of fields in these; the file has no text in them.
  const form = pdf.dict(pdf.catalog['/AcroForm'])
  const ofFields = Object.values(pdf.dict(pdf.dict(form?.['/DR'])?.['/Font']) ?? {}).map((font) =>
    pdf.resolve(font),
  )
  for (const { value } of pdf.things.values()) {
    if (ofFields.includes(value)) continue
    if (!isDict(value) || value['/Type'] !== '/Font' || /CIDFont/.test(String(value['/Subtype']))) continue
    const owner = pdf.dict(pdf.array(value['/DescendantFonts'])[0]) ?? value
    const about = pdf.dict(owner['/FontDescriptor'])
    if (
      value['/Subtype'] !== '/Type3' &&
      !['/FontFile', '/FontFile2', '/FontFile3'].some((key) => about?.[key] !== undefined)
    )
      tell('7.21.4', `${value['/BaseFont']} is not embedded`)
    const encoding = pdf.resolve(value['/Encoding'])
    if (value['/ToUnicode'] === undefined && !/^\/(WinAnsi|MacRoman)Encoding$/.test(String(encoding)))
      tell('7.21.7', `${value['/BaseFont']} does not tell its characters`)
  }
}
