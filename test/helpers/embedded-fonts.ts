/** Documents that carry a monospaced font under another name, and formulas that define symbols. */
import { readFileSync } from 'node:fs'
import { docxOf, odtOf } from './docx.ts'

const font = new Uint8Array(readFileSync('/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf'))
const base64 = Buffer.from(font).toString('base64')
const hex = Buffer.from(font).toString('hex')
const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
const openNamespaces = ['office', 'text', 'style', 'draw', 'config']
  .map((prefix) => `xmlns:${prefix}="${urn}${prefix === 'draw' ? 'drawing' : prefix}:1.0"`)
  .concat(`xmlns:svg="${urn}svg-compatible:1.0"`, 'xmlns:xlink="http://www.w3.org/1999/xlink"')
  .join(' ')
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A line in a font that this machine sets in Liberation Sans. */
export const invoice = (): Promise<Uint8Array> =>
  docxOf(
    '<w:p><w:r><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial"/></w:rPr><w:t>Invoice 12345</w:t></w:r></w:p>',
  )

/** Obfuscated as ECMA-376-4 17.8.1 has it. */
export function docxWithFont(name: string): Promise<Uint8Array> {
  const guid = '00112233-4455-6677-8899-AABBCCDDEEFF'
  const key = guid.replaceAll('-', '')
  const hidden = font.slice()
  for (let at = 0; at < 32; at++)
    hidden[at] = (hidden[at] ?? 0) ^ Number.parseInt(key.slice(30 - 2 * (at % 16), 32 - 2 * (at % 16)), 16)
  const relationships = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/${type}" Target="${target}"/></Relationships>`
  return docxOf(
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}"/></w:rPr><w:t>Other</w:t></w:r></w:p>`,
    {
      '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="odttf" ContentType="application/vnd.openxmlformats-officedocument.obfuscatedFont"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/fontTable.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.fontTable+xml"/></Types>`,
      'word/_rels/document.xml.rels': relationships('fontTable', 'fontTable.xml'),
      'word/_rels/fontTable.xml.rels': relationships('font', 'fonts/font1.odttf'),
      'word/fontTable.xml': `<w:fonts xmlns:w="${word}" xmlns:r="${relation}"><w:font w:name="${name}"><w:embedRegular r:id="rId1" w:fontKey="{${guid}}"/></w:font></w:fonts>`,
      'word/fonts/font1.odttf': hidden,
    },
  )
}

const face = (name: string, source: string) =>
  `<office:font-face-decls><style:font-face style:name="${name}" svg:font-family="${name}"><svg:font-face-src><svg:font-face-uri ${source}<svg:font-face-format svg:string="truetype"/></svg:font-face-uri></svg:font-face-src></style:font-face></office:font-face-decls>`

export const odtWithFont = (name: string): Promise<Uint8Array> =>
  odtOf('', {
    'content.xml': `<office:document-content ${openNamespaces} office:version="1.2">${face(name, 'xlink:href="Fonts/f.ttf" xlink:type="simple">')}<office:body><office:text><text:p>Other</text:p></office:text></office:body></office:document-content>`,
    'Fonts/f.ttf': font,
    'META-INF/manifest.xml': manifest({ 'Fonts/f.ttf': 'application/x-font-ttf' }),
  })

export const flatWithFont = (name: string): Uint8Array =>
  new TextEncoder().encode(
    `<office:document ${openNamespaces} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">${face(name, `><office:binary-data>${base64}</office:binary-data>`)}<office:body><office:text><text:p>Other</text:p></office:text></office:body></office:document>`,
  )

export const rtfWithFont = (name: string): Uint8Array =>
  new TextEncoder().encode(
    `{\\rtf1\\ansi{\\fonttbl{\\f0\\fnil\\fcharset0{\\*\\fontemb\\ftruetype ${hex}}${name};}}\\f0 Other\\par}`,
  )

export const htmlWithFont = (name: string): Uint8Array =>
  new TextEncoder().encode(
    `<html><head><style>@font-face{font-family:"${name}";src:url("data:font/ttf;base64,${base64}")} p{font-family:"${name}"}</style></head><body><p>Other</p></body></html>`,
  )

/** A text with a formula; `symbol` is one that the document defines, shown as X. */
export function odtWithFormula(formula: string, symbol?: string): Promise<Uint8Array> {
  const item = (name: string, type: string, value: string) =>
    `<config:config-item config:name="${name}" config:type="${type}">${value}</config:config-item>`
  const defined =
    symbol === undefined
      ? ''
      : `<config:config-item-map-indexed config:name="Symbols"><config:config-item-map-entry>${item('Name', 'string', symbol)}${item('ExportName', 'string', symbol)}${item('FontName', 'string', 'Liberation Mono')}${['CharSet', 'Family', 'Pitch', 'Weight', 'Italic'].map((name) => item(name, 'short', '0')).join('')}${item('SymbolSet', 'string', 'Own')}${item('Character', 'int', '88')}</config:config-item-map-entry></config:config-item-map-indexed>`
  return odtOf(
    '<text:p><draw:frame draw:name="F" text:anchor-type="as-char" svg:width="5cm" svg:height="1cm"><draw:object xlink:href="./Object 1" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>',
    {
      'Object 1/content.xml': `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi></mrow><annotation encoding="StarMath 5.0">${formula}</annotation></semantics></math>`,
      'Object 1/settings.xml': `<office:document-settings ${openNamespaces} xmlns:ooo="http://openoffice.org/2004/office" office:version="1.2"><office:settings><config:config-item-set config:name="ooo:configuration-settings">${defined}</config:config-item-set></office:settings></office:document-settings>`,
      'META-INF/manifest.xml': manifest({
        'Object 1/': 'application/vnd.oasis.opendocument.formula',
        'Object 1/content.xml': 'text/xml',
        'Object 1/settings.xml': 'text/xml',
      }),
    },
  )
}

function manifest(files: Readonly<Record<string, string>>): string {
  const entries = Object.entries({
    '/': 'application/vnd.oasis.opendocument.text',
    'content.xml': 'text/xml',
    ...files,
  }).map(
    ([path, type]) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`,
  )
  return `<manifest:manifest xmlns:manifest="${urn}manifest:1.0" manifest:version="1.2">${entries.join('')}</manifest:manifest>`
}

/** A PDF without the time it was made at and the numbers that follow from that. */
export function withoutDates(pdf: Uint8Array): string {
  return Buffer.from(pdf)
    .toString('latin1')
    .replace(/\/(?:CreationDate|ModDate)\s*\([^)]*\)/g, '')
    .replace(/\/DocChecksum\s*\/[0-9A-F]+/g, '')
    .replace(/\/ID\s*\[[^\]]*\]/g, '')
}
