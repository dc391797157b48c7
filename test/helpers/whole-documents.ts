import { read } from '@e965/xlsx'
import { XMLValidator } from 'fast-xml-parser'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import JSZip from 'jszip'
import type { FormatId } from '../../shared/plugin/values.ts'

/** What is wrong inside a document, table or text, read to its end as its format says; undefined when all is well. */
type Walk = (bytes: Uint8Array) => string | undefined | Promise<string | undefined>

const utf8 = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Well-formed XML with this first element. */
const xml =
  (root: RegExp): Walk =>
  (bytes) =>
    xmlProblem(utf8(bytes), root)

function xmlProblem(text: string, root = /./): string | undefined {
  const valid = XMLValidator.validate(text)
  if (valid !== true) return `line ${valid.err.line}: ${valid.err.msg}`
  const first = /<(?![?!])([^\s/>]+)/.exec(text)?.[1] ?? ''
  return root.test(first) ? undefined : `its first element is ${first}`
}

/** Every part that is XML is well-formed; OpenDocument names its type in the first entry, which is not packed. */
async function packaged(bytes: Uint8Array): Promise<string | undefined> {
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true })
  const typed = zip.file('mimetype')
  if (typed !== null) {
    const head = view(bytes)
    if (latin(bytes.subarray(30, 38)) !== 'mimetype' || head.getUint16(8, true) !== 0)
      return 'does not begin with its type'
  }
  for (const file of Object.values(zip.files)) {
    if (file.dir || !/\.(?:xml|rels|xhtml|opf|ncx|rdf)$/.test(file.name)) continue
    const text = await file.async('string')
    // The office writes settings that are empty.
    if (text === '' && /^(?:Configurations2|Configurations)\//.test(file.name)) continue
    const wrong = xmlProblem(text.replace(/^\ufeff/, ''))
    if (wrong !== undefined) return `${file.name}: ${wrong}`
  }
  const manifest = await zip.file('META-INF/manifest.xml')?.async('string')
  for (const [, path = ''] of manifest?.matchAll(/manifest:full-path="([^"]*[^"/])"/g) ?? [])
    if (zip.file(path) === null && zip.file(decodeURIComponent(path)) === null)
      return `its manifest names ${path}`
  return undefined
}

/** An EPUB container names a package, whose reading order names parts that are there. */
async function book(bytes: Uint8Array): Promise<string | undefined> {
  const wrong = await packaged(bytes)
  if (wrong !== undefined) return wrong
  const zip = await JSZip.loadAsync(bytes)
  const container = await zip.file('META-INF/container.xml')?.async('string')
  const path = /full-path="([^"]+)"/.exec(container ?? '')?.[1] ?? ''
  const opf = await zip.file(path)?.async('string')
  if (opf === undefined) return `its container names ${path}`
  const items = new Map<string, string>()
  for (const [item] of opf.matchAll(/<item\b[^>]*>/g))
    items.set(/\sid="([^"]*)"/.exec(item)?.[1] ?? '', /\shref="([^"]*)"/.exec(item)?.[1] ?? '')
  const folder = path.replace(/[^/]*$/, '')
  for (const href of items.values()) if (zip.file(folder + href) === null) return `lacks ${href}`
  const order = [...opf.matchAll(/<itemref\b[^>]*idref="([^"]*)"/g)].map(([, id]) => items.get(id as string))
  return order.length > 0 && order.every((href) => href !== undefined) ? undefined : 'has no reading order'
}

/** [MS-CFB]: sectors follow each other in the table of the file, and the directory names this stream, which is not empty. */
const compound =
  (stream: string): Walk =>
  (bytes) => {
    const data = view(bytes)
    const sector = 2 ** data.getUint16(30, true)
    const place = (number: number) => (number + 1) * sector
    const tables = Array.from({ length: Math.min(109, data.getUint32(44, true)) }, (_, at) =>
      data.getUint32(76 + at * 4, true),
    )
    const next = (number: number) => {
      const table = tables[Math.floor(number / (sector / 4))]
      return table === undefined ? -2 : data.getInt32(place(table) + (number % (sector / 4)) * 4, true)
    }
    let steps = 0
    for (let number = data.getInt32(48, true); number >= 0; number = next(number)) {
      if (place(number) + sector > bytes.length || steps++ > 1e5) return 'its directory lies outside'
      for (let at = place(number); at < place(number) + sector; at += 128) {
        const length = Math.max(0, data.getUint16(at + 64, true) - 2)
        const name = Buffer.from(bytes.subarray(at, at + length)).toString('utf16le')
        if (name === stream) return data.getUint32(at + 120, true) > 0 ? undefined : `${stream} is empty`
      }
    }
    return `lacks ${stream}`
  }

/** Groups that are closed, and nothing behind the last. */
function rich(bytes: Uint8Array): string | undefined {
  const text = latin(bytes)
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const one = text[at]
    if (one === '\\') {
      const raw = /^\\bin(\d+) ?/.exec(text.slice(at, at + 20))
      at += raw === null ? 1 : raw[0].length - 1 + Number(raw[1])
    } else if (one === '{') depth++
    else if (one === '}' && --depth === 0)
      return /^[\s\0]*$/.test(text.slice(at + 1)) ? undefined : 'goes on behind its end'
  }
  return `${depth} groups are open at its end`
}

/** Elements of markup that need an end have it. */
function page(bytes: Uint8Array): string | undefined {
  const text = utf8(bytes)
  for (const name of ['html', 'body', 'table', 'style', 'script', 'ul', 'ol', 'tr']) {
    const [opened, closed] = [`<${name}\\b`, `</${name}\\s*>`].map(
      (tag) => text.match(new RegExp(tag, 'gi'))?.length ?? 0,
    )
    if (opened !== closed) return `has ${opened} of ${name} and ${closed} ends`
  }
  return undefined
}

/**
 * Data Interchange Format: two lines an item, as many rows and columns as the header says. A text goes on to its closing
 * mark, over several lines too.
 */
function interchange(bytes: Uint8Array): string | undefined {
  const lines = latin(bytes).split(/\r?\n/)
  const said = (name: string) => Number(lines[lines.indexOf(name) + 1]?.split(',')[1])
  let at = lines.indexOf('DATA') + 3
  const rows: number[] = []
  for (; at < lines.length; at += 2) {
    const head = lines[at] ?? ''
    let value = lines[at + 1] ?? ''
    if (head === '-1,0' && value === 'EOD') break
    while (/^"/.test(value) && !/^"(?:[^"]|"")*"$/.test(value) && at + 2 < lines.length)
      value += `\n${lines[++at + 1]}`
    if (head === '-1,0' && value === 'BOT') rows.push(0)
    else if (
      /^0,-?[\d.]+(?:E[+-]?\d+)?$/i.test(head) ||
      (head === '1,0' && /^"[\s\S]*"$|^[^"]*$/.test(value))
    )
      rows[rows.length - 1] = (rows.at(-1) ?? 0) + 1
    else return `line ${at + 1} is no item`
  }
  if (lines[at + 1] !== 'EOD') return 'has no end'
  const widest = Math.max(0, ...rows)
  return rows.length === said('TUPLES') && widest === said('VECTORS')
    ? undefined
    : `says ${said('VECTORS')} by ${said('TUPLES')} and has ${widest} by ${rows.length}`
}

/** SYLK: records by the line, cells with a place and a value, E at the end. */
function symbolicLink(bytes: Uint8Array): string | undefined {
  const lines = latin(bytes).trimEnd().split(/\r?\n/)
  if (lines.at(-1) !== 'E') return 'has no end'
  const odd = lines.findIndex((line) => !/^(?:ID|[BCFPEOW]|NN|NE|NU);|^E$/.test(line))
  if (odd >= 0) return `line ${odd + 1} is no record`
  const cells = lines.filter((line) => /^C;/.test(line))
  const wrong = cells.find(
    (line) => !/^C;(?:X\d+;Y\d+|Y\d+;X\d+);(?:K(?:"[^"]*(?:""[^"]*)*"|[^";]+))/.test(line),
  )
  return wrong === undefined && cells.length > 0 ? undefined : `a cell is ${wrong ?? 'missing'}`
}

/** dBASE: fields and rows as long as the header says. */
function database(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  const [rows, header, row] = [data.getUint32(4, true), data.getUint16(8, true), data.getUint16(10, true)]
  let [length, fields] = [1, 0] // a row begins with its mark of deletion
  for (let at = 32; bytes[at] !== 0x0d && at < header; at += 32, fields++) length += bytes[at + 16] ?? 0
  if (fields === 0 || length !== row) return `its fields are ${length} long, its rows ${row}`
  const wanted = header + rows * row + 1
  return bytes.length === wanted ? undefined : `has ${bytes.length} of ${wanted}`
}

async function columns(bytes: Uint8Array): Promise<string | undefined> {
  const file = bytes.slice().buffer
  const metadata = parquetMetadata(file)
  const rows = await parquetReadObjects({ file })
  return rows.length === Number(metadata.num_rows) ? undefined : `says ${metadata.num_rows} rows`
}

function tables(bytes: Uint8Array): string | undefined {
  const { SheetNames: names, Sheets: sheets } = read(bytes)
  return names.length > 0 && names.every((name) => sheets[name]?.['!ref'] !== undefined)
    ? undefined
    : 'has a sheet without cells'
}

/** TeX: braces and environments that are closed, in their order. */
function tex(bytes: Uint8Array): string | undefined {
  const text = utf8(bytes)
    .replace(/\\begin\{(?:verbatim|lstlisting)\}[\s\S]*?\\end\{(?:verbatim|lstlisting)\}/g, '')
    .replace(/(?<!\\)%.*$/gm, '')
    .replace(/\\[\\{}%]/g, '')
  const open: string[] = []
  for (const [whole, kind, name = ''] of text.matchAll(/\\(begin|end)\{([^}]*)\}/g)) {
    if (kind === 'begin') open.push(name)
    else if (open.pop() !== name) return `${whole} ends something else`
  }
  return open.length > 0 ? `${open.at(-1)} has no end` : braces(text)
}

function braces(text: string): string | undefined {
  let depth = 0
  for (const one of text) {
    if (one === '{') depth++
    if (one === '}' && --depth < 0) return 'closes a brace too many'
  }
  return depth === 0 ? undefined : `${depth} braces are open at its end`
}

export const documentWalks: Readonly<Record<FormatId, Walk>> = {
  ...each('docx docx7 docm dotx xlsx xlsm xltx pptx ppsx potx potm', packaged),
  ...each('odt ott ods ots odp otp odg odd otg sxw stw sxc stc sxi sti sxd std', packaged),
  epub: book,
  ...each('fodt paged fods fodp fodg', xml(/^office:document$/)),
  ...each('uot uos uop', xml(/^uof:UOF$/)),
  ooxml: xml(/^(?:w:wordDocument|(?:ss:)?Workbook)$/),
  docbook: xml(/^article$/),
  xhtml: xml(/^html$/),
  svg: xml(/^(?:svg:)?svg$/),
  doc: compound('WordDocument'),
  ...each('xls xlt', compound('Workbook')),
  ...each('xls5 xls95 xlt5 xlt95', compound('Book')),
  ...each('ppt pps pot', compound('PowerPoint Document')),
  ...each('rtf doc6 doc95', rich),
  ...each('html html10', page),
  dif: interchange,
  slk: symbolicLink,
  dbf: database,
  parquet: columns,
  numbers: tables,
  latex: tex,
  bib: (bytes) => braces(utf8(bytes)),
}

function each(formats: string, walk: Walk): Readonly<Record<FormatId, Walk>> {
  return Object.fromEntries(formats.split(' ').map((format) => [format, walk]))
}
