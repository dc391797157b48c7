/** What a file says of itself: ISO 19005-2, 6.6; ISO 14289-1, 5; ISO 16684-1. */
import { XMLValidator } from 'fast-xml-parser'
import { type Structure, textOf } from './structure.ts'

const unescaped = (text: string) =>
  text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name]!,
  )

/** The packet of the whole document, undefined without one. */
export function metadataOf(pdf: Structure): string | undefined {
  const stream = pdf.stream(pdf.catalog['/Metadata'])
  return stream?.data === undefined ? undefined : Buffer.from(stream.data).toString()
}

/** A property as element or attribute; of lists the first entry. */
export function property(metadata: string, name: string): string | undefined {
  const element = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(metadata)?.[1]
  const inside =
    element === undefined ? undefined : (/<rdf:li[^>]*>([\s\S]*?)<\/rdf:li>/.exec(element)?.[1] ?? element)
  const found = inside ?? new RegExp(`\\s${name}="([^"]*)"`).exec(metadata)?.[1]
  return found === undefined ? undefined : unescaped(found.trim())
}

/** Namespaces that need no description of their own in PDF/A-1 to -3. */
const described = `http://ns.adobe.com/xap/1.0/ http://ns.adobe.com/pdf/1.3/ http://purl.org/dc/elements/1.1/
  http://ns.adobe.com/xap/1.0/mm/ http://ns.adobe.com/xap/1.0/rights/ http://www.aiim.org/pdfa/ns/id/
  http://ns.adobe.com/photoshop/1.0/ http://ns.adobe.com/tiff/1.0/ http://ns.adobe.com/exif/1.0/
  http://www.w3.org/1999/02/22-rdf-syntax-ns# http://www.aiim.org/pdfa/ns/extension/ http://www.aiim.org/pdfa/ns/schema#
  http://www.aiim.org/pdfa/ns/property# http://www.aiim.org/pdfa/ns/type# http://www.aiim.org/pdfa/ns/field#
  adobe:ns:meta/`.split(/\s+/)

const twins = [
  ['/Title', 'dc:title'],
  ['/Author', 'dc:creator'],
  ['/Subject', 'dc:description'],
  ['/Keywords', 'pdf:Keywords'],
  ['/Creator', 'xmp:CreatorTool'],
  ['/Producer', 'pdf:Producer'],
] as const
const dates = [
  ['/CreationDate', 'xmp:CreateDate'],
  ['/ModDate', 'xmp:ModifyDate'],
] as const
const levels: Readonly<Record<number, RegExp>> = { 1: /^[AB]$/, 2: /^[ABU]$/, 3: /^[ABU]$/, 4: /^[EF]$/ }

export function metadataProblems(pdf: Structure, part: number): readonly string[] {
  const metadata = metadataOf(pdf)
  if (metadata === undefined) return ['6.6.2.1: no metadata']
  const problems: string[] = []
  const tell = (clause: string, problem: string) => problems.push(`${clause}: ${problem}`)
  if (pdf.dict(pdf.catalog['/Metadata'])?.['/Filter'] !== undefined && part === 1)
    tell('1: 6.7.2', 'packed metadata')
  const head = /<\?xpacket begin=(["'])(\ufeff?)\1([^?]*)\?>/.exec(metadata)
  if (head === null) tell('6.6.2.1', 'no packet')
  else if (/\b(bytes|encoding)=/.test(head[3] ?? '')) tell('6.6.2.1', 'a packet with bytes or encoding')
  const body = /<x:xmpmeta[\s\S]*<\/x:xmpmeta>/.exec(metadata)?.[0] ?? ''
  const valid = XMLValidator.validate(body)
  if (valid !== true) tell('6.6.2.1', `metadata is not well-formed: ${valid.err.msg}`)
  if (property(metadata, 'pdfaid:part') !== String(part))
    tell('6.6.4', `calls itself part ${property(metadata, 'pdfaid:part')}`)
  const level = property(metadata, 'pdfaid:conformance')
  if (
    part < 4
      ? level === undefined || !levels[part]!.test(level)
      : level !== undefined && !levels[4]!.test(level)
  )
    tell('6.6.4', `level ${level}`)
  if (part === 4 && property(metadata, 'pdfaid:rev') !== '2020') tell('4: 6.7.3', 'no year')
  if (!metadata.includes('"http://www.aiim.org/pdfa/ns/id/"')) tell('6.6.4', 'another namespace for the mark')
  if (part < 4) {
    const declared = new Set(
      [...metadata.matchAll(/<pdfaSchema:namespaceURI>([^<]*)</g)].map(([, uri]) => uri),
    )
    for (const [, uri] of metadata.matchAll(/xmlns:\w+="([^"]*)"/g))
      if (!described.includes(uri!) && !declared.has(uri))
        tell('6.6.2.3', `the namespace ${uri} is not described`)
    checkTwins(pdf, metadata, tell)
  }
  if (level === 'A') problems.push(...taggedProblems(pdf))
  return problems
}

function checkTwins(pdf: Structure, metadata: string, tell: (clause: string, problem: string) => void): void {
  const information = pdf.dict(pdf.trailer['/Info']) ?? {}
  for (const [key, name] of twins) {
    const given = textOf(pdf.resolve(information[key]))
    if (given !== undefined && property(metadata, name) !== given.trim())
      tell('6.6.3', `${key} is ${JSON.stringify(given)}, ${name} ${JSON.stringify(property(metadata, name))}`)
  }
  for (const [key, name] of dates) {
    const given = textOf(pdf.resolve(information[key]))
    if (given === undefined) continue
    const [a, b] = [Date.parse(isoOf(given)), Date.parse(property(metadata, name) ?? '')]
    if (!(a === b)) tell('6.6.3', `${key} is ${given}, ${name} ${property(metadata, name)}`)
  }
}

function isoOf(date: string): string {
  return date.replace(
    /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-]\d\d)'?(\d\d)?'?)?.*/,
    (_, ...[year, month, day, hour, minute, second, zone, more]: string[]) =>
      `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === undefined ? 'Z' : `${zone}:${more ?? '00'}`}`,
  )
}

/** Level A and PDF/UA alike. */
export function taggedProblems(pdf: Structure): readonly string[] {
  const problems: string[] = []
  if (pdf.dict(pdf.catalog['/MarkInfo'])?.['/Marked'] !== true) problems.push('6.7.2: not marked')
  if (pdf.dict(pdf.catalog['/StructTreeRoot']) === undefined) problems.push('6.7.3: no structure')
  return problems
}
