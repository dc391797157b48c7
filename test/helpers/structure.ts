import { XMLValidator } from 'fast-xml-parser'
import JSZip from 'jszip'
import { conventionalXml } from '../../shared/xml/conventional.ts'
import { schemaProblems } from './schema.ts'

/** What would make an office program refuse or repair a package; empty when all is well. */
export async function problemsOf(bytes: Uint8Array): Promise<string[]> {
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true })
  const names = new Set(Object.keys(zip.files).filter((name) => !name.endsWith('/')))
  const problems: string[] = []
  const texts = new Map<string, string>()
  for (const name of names) {
    if (!/\.(?:xml|rels|vml)$/.test(name)) continue
    const text = await zip.file(name)!.async('string')
    // LibreOffice writes settings that are empty.
    if (text === '' && name.startsWith('Configurations2/')) continue
    // The checks of names know those of the conventional form.
    texts.set(name, conventionalXml(text))
    const valid = XMLValidator.validate(text)
    if (valid !== true) problems.push(`${name}: ${valid.err.msg}`)
    problems.push(...wellFormed(name, text))
    if (!/\.(?:rels|vml)$/.test(name)) problems.push(...schemaProblems(name, text))
  }
  if (names.has('[Content_Types].xml'))
    problems.push(...contentTypes(texts, names), ...relationships(texts, names))
  for (const [name, text] of texts) {
    if (/^xl\/worksheets\/[^/]*\.xml$/.test(name)) problems.push(...worksheet(name, text))
    if (/^ppt\/slides\/[^/]*\.xml$/.test(name))
      problems.push(...uniqueValues(name, text, /<p:cNvPr\b[^>]*\sid="(\d+)"/g), ...grids(name, text))
    if (/^ppt\/(?:slides|notesSlides)\/[^/]*\.xml$/.test(name)) problems.push(...textBodies(name, text))
    if (name === 'ppt/presentation.xml') problems.push(...slideList(name, text))
    if (/^word\/[^/]*\.xml$/.test(name)) problems.push(...word(name, text))
    if (/^xl\/drawings\/[^/]*$/.test(name))
      problems.push(
        ...uniqueValues(name, text, /<xdr:cNvPr\b[^>]*\sid="(\d+)"/g),
        ...uniqueValues(name, text, /<v:shape\b[^>]*\sid="([^"]*)"/g),
      )
    if (/^xl\/comments[^/]*\.xml$/.test(name))
      problems.push(...uniqueValues(name, text, /<comment\b[^>]*\sref="([^"]*)"/g))
    if (name === 'xl/workbook.xml') problems.push(...sheetNames(text), ...localNames(name, text))
    if (/(^|\/)content\.xml$/.test(name)) problems.push(...openDocument(name, text))
  }
  const tables = [...texts].flatMap(([name, text]) => (/^xl\/tables\//.test(name) ? [text] : [])).join('')
  for (const attribute of ['id', 'displayName'])
    problems.push(
      ...uniqueValues('xl/tables', tables, new RegExp(`<table\\b[^>]*\\s${attribute}="([^"]*)"`, 'g')),
    )
  return problems
}

/** What XML parsers refuse and the one above lets through. */
function wellFormed(name: string, text: string): string[] {
  const declared = new Set([...text.matchAll(/\sxmlns:([\w.-]+)\s*=/g)].map(([, prefix]) => prefix))
  const used = new Set([...text.matchAll(/<\/?([\w.-]+):[\w.-]+/g)].map(([, prefix = '']) => prefix))
  const undeclared = [...used].filter((prefix) => !declared.has(prefix) && prefix !== 'xml')
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)
  return [
    ...undeclared.map((prefix) => `${name}: the prefix ${prefix} is not declared`),
    ...(forbidden ? [`${name}: a character that XML cannot hold`] : []),
  ]
}

/** What Word repairs or refuses: cells without a last paragraph, rows without cells, ids that stand twice. */
function word(name: string, text: string): string[] {
  const holds = (pattern: RegExp, what: string) => (pattern.test(text) ? [`${name}: ${what}`] : [])
  return [
    ...holds(
      /<w:tc(?:\s[^>]*)?\/>|(?<!<\/w:p>|<w:p\/>|<w:p [^>]*\/>|<\/w:sdt>)<\/w:tc>/,
      'a cell does not end with a paragraph',
    ),
    ...holds(/<w:tr(?:\s[^>]*)?>(?:<w:trPr>(?:(?!<\/w:trPr>).)*<\/w:trPr>)?<\/w:tr>/s, 'a row without cells'),
    ...holds(/<\/w:tblGrid><\/w:tbl>/, 'a table without rows'),
    ...holds(
      /<w:(?:txbxContent|hdr|ftr|footnote|comment)(?:\s[^>]*[^/>])?><\//,
      'a story without a paragraph',
    ),
    ...uniqueValues(
      name,
      text.replace(/<mc:Fallback>.*?<\/mc:Fallback>/gs, ''),
      /<wp:docPr\b[^>]*\sid="(\d+)"/g,
    ),
    ...[
      'footnote',
      'endnote',
      'comment',
      'footnoteReference',
      'endnoteReference',
      'commentReference',
    ].flatMap((element) =>
      uniqueValues(name, text, new RegExp(`<w:${element}\\b[^>]*\\sw:id="(-?\\d+)"`, 'g')),
    ),
    ...uniqueValues(name, text, /<w:bookmarkStart\b[^>]*\sw:id="(\d+)"/g),
    ...uniqueValues(name, text, /<w:bookmarkStart\b[^>]*\sw:name="([^"]*)"/g),
  ]
}

function textBodies(name: string, text: string): string[] {
  return [...text.matchAll(/<([ap]):txBody>(.*?)<\/\1:txBody>/gs)].flatMap(([, , body = '']) =>
    /<a:p[\s/>]/.test(body) ? [] : [`${name}: a text body without a paragraph`],
  )
}

function slideList(name: string, text: string): string[] {
  const ids = [...text.matchAll(/<p:sldId\b[^>]*\sid="(\d+)"/g)].map(([, id]) => Number(id))
  return [
    ...uniqueValues(name, text, /<p:sldId\b[^>]*\sid="(\d+)"/g),
    ...uniqueValues(name, text, /<p:sldId\b[^>]*\sr:id="([^"]*)"/g),
    ...ids.filter((id) => id < 256 || id >= 2 ** 31).map((id) => `${name}: slide id ${id}`),
  ]
}

/** Names of one sheet count the sheets; two of one name on one sheet are a mistake. */
function localNames(name: string, text: string): string[] {
  const sheets = text.split(/<sheet[\s]/).length - 1
  const names = [...text.matchAll(/<definedName\b([^>]*)>/g)].map(([, attributes = '']) => ({
    name: /\sname="([^"]*)"/.exec(attributes)?.[1] ?? '',
    sheet: /\slocalSheetId="([^"]*)"/.exec(attributes)?.[1],
  }))
  const keys = names.map((each) => `${each.name.toLowerCase()} ${each.sheet ?? ''}`)
  return [
    ...(sheets === 0 ? [`${name}: no sheets`] : []),
    ...names
      .filter(({ sheet }) => sheet !== undefined && Number(sheet) >= sheets)
      .map((each) => `${name}: ${each.name} of sheet ${each.sheet}`),
    ...(new Set(keys).size === keys.length ? [] : [`${name}: a defined name appears twice`]),
  ]
}

function contentTypes(texts: ReadonlyMap<string, string>, names: ReadonlySet<string>): string[] {
  const text = texts.get('[Content_Types].xml') ?? ''
  const defaults = new Set(
    [...text.matchAll(/<Default\b[^>]*Extension="([^"]*)"/g)].map(([, extension = '']) =>
      extension.toLowerCase(),
    ),
  )
  const overrides = [...text.matchAll(/<Override\b[^>]*PartName="\/?([^"]*)"/g)].map(([, part = '']) => part)
  const listed = new Set(overrides)
  return [
    ...overrides.filter((part) => !names.has(part)).map((part) => `content type of a missing part ${part}`),
    ...[...names]
      .filter(
        (name) =>
          name !== '[Content_Types].xml' &&
          !listed.has(name) &&
          !defaults.has(name.split('.').at(-1)!.toLowerCase()),
      )
      .map((name) => `no content type for ${name}`),
  ]
}

function relationships(texts: ReadonlyMap<string, string>, names: ReadonlySet<string>): string[] {
  const problems: string[] = []
  for (const [name, text] of texts) {
    if (!name.endsWith('.rels')) continue
    const folder = name.replace(/_rels\/[^/]*$/, '')
    const source = name.replace(/_rels\/([^/]*)\.rels$/, '$1')
    const ids = new Set<string>()
    for (const [element] of text.matchAll(/<Relationship\b[^>]*>/g)) {
      const id = /\sId="([^"]*)"/.exec(element)?.[1] ?? ''
      if (ids.has(id)) problems.push(`${name}: ${id} twice`)
      ids.add(id)
      const target = /\sTarget="([^"]*)"/.exec(element)?.[1] ?? ''
      if (/TargetMode="External"/.test(element) || target.startsWith('#')) continue
      const path = new URL(target, `http://x/${folder}`).pathname.slice(1)
      if (!names.has(decodeURIComponent(path))) problems.push(`${name}: ${target} is missing`)
    }
    const used = [...(texts.get(source) ?? '').matchAll(/\sr:(?:id|embed|link|pict)="([^"]+)"/g)].map(
      ([, id = '']) => id,
    )
    for (const id of used) if (!ids.has(id)) problems.push(`${source}: ${id} has no relationship`)
  }
  return problems
}

const order = [
  'sheetPr',
  'dimension',
  'sheetViews',
  'sheetFormatPr',
  'cols',
  'sheetData',
  'sheetCalcPr',
  'sheetProtection',
  'protectedRanges',
  'scenarios',
  'autoFilter',
  'sortState',
  'dataConsolidate',
  'customSheetViews',
  'mergeCells',
  'phoneticPr',
  'conditionalFormatting',
  'dataValidations',
  'hyperlinks',
  'printOptions',
  'pageMargins',
  'pageSetup',
  'headerFooter',
  'rowBreaks',
  'colBreaks',
  'customProperties',
  'cellWatches',
  'ignoredErrors',
  'smartTags',
  'drawing',
  'legacyDrawing',
  'legacyDrawingHF',
  'picture',
  'oleObjects',
  'controls',
  'webPublishItems',
  'tableParts',
  'extLst',
]

function worksheet(name: string, text: string): string[] {
  const problems: string[] = []
  const inside = text.replace(/<sheetData>[\s\S]*<\/sheetData>/, '<sheetData/>')
  const children = childrenOf(inside)
  const places = children.map((child) => order.indexOf(child))
  if (places.some((place, at) => at > 0 && place >= 0 && place < places[at - 1]!))
    problems.push(`${name}: elements out of order: ${children.join(' ')}`)
  let row = 0
  for (const [, attributes = '', content = ''] of text.matchAll(/<row\b([^>]*?)(?:\/>|>(.*?)<\/row>)/gs)) {
    // Left out where it follows from the row before: ECMA-376-1, 18.3.1.73.
    const number = Number(/\sr="(\d+)"/.exec(attributes)?.[1] ?? row + 1)
    if (!(number > row)) problems.push(`${name}: row ${number} after ${row}`)
    row = number
    let column = 0
    for (const [, cell = ''] of content.matchAll(/<c\b([^>]*)/g)) {
      const [, letters, digits = ''] = /\sr="([A-Z]+)(\d+)"/.exec(cell) ?? []
      if (letters === undefined) {
        column += 1
        continue
      }
      const place = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
      if (place <= column || Number(digits) !== number)
        problems.push(`${name}: cell ${letters}${digits} in row ${number}`)
      column = place
    }
  }
  const merged = [...text.matchAll(/<mergeCell ref="([^"]*)"/g)].map(([, ref = '']) => ref)
  if (new Set(merged).size !== merged.length) problems.push(`${name}: cells merged twice`)
  for (const list of ['mergeCells', 'dataValidations', 'hyperlinks'])
    if (new RegExp(`<${list}\\b[^>]*(?:/>|></${list}>)`).test(text)) problems.push(`${name}: empty ${list}`)
  return problems
}

function childrenOf(text: string): string[] {
  const found: string[] = []
  let depth = 0
  for (const [, slash, name = '', end] of text.matchAll(
    /<(\/?)([\w:.-]+)(?:[^>"']|"[^"]*"|'[^']*')*?(\/?)>/g,
  )) {
    if (slash === '/') depth -= 1
    else {
      if (depth === 1) found.push(name)
      if (end !== '/') depth += 1
    }
  }
  return found
}

function sheetNames(text: string): string[] {
  const names = [...text.matchAll(/<sheet\b[^>]*\sname="([^"]*)"/g)].map(([, name = '']) =>
    name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
  )
  const bad = names.filter((name) => name === '' || name.length > 31 || /[[\]:*?/\\]/.test(name))
  const twice = new Set(names.map((name) => name.toLowerCase())).size !== names.length
  return [...bad.map((name) => `sheet name "${name}"`), ...(twice ? ['two sheets of one name'] : [])]
}

function uniqueValues(name: string, text: string, pattern: RegExp): string[] {
  const values = [...text.matchAll(pattern)].map(([, value]) => value)
  return new Set(values).size === values.length ? [] : [`${name}: an id appears twice`]
}

/** Each row of a table has as many cells as the table has columns. */
function grids(name: string, text: string): string[] {
  return [...text.matchAll(/<a:tbl>(.*?)<\/a:tbl>/gs)].flatMap(([, table = '']) => {
    const columns = table.split('<a:gridCol').length - 1
    const rows = [...table.matchAll(/<a:tr\b[^>]*>(.*?)<\/a:tr>/gs)].map(
      ([, row = '']) => row.split(/<a:tc[\s>]/).length - 1,
    )
    return rows.every((cells) => cells === columns)
      ? []
      : [`${name}: rows of ${rows.join(', ')} cells in ${columns} columns`]
  })
}

function openDocument(name: string, text: string): string[] {
  const unique = (pattern: RegExp) => uniqueValues(name, text, pattern)
  return [
    ...unique(/<draw:page\b[^>]*\sdraw:name="([^"]*)"/g),
    ...unique(/<table:table\b[^>]*\stable:name="([^"]*)"/g),
    ...unique(/\sxml:id="([^"]*)"/g),
    ...unique(/<text:note(?=\s)[^>]*\stext:id="([^"]*)"/g),
    ...unique(/<office:annotation(?=\s)[^>]*\soffice:name="([^"]*)"/g),
    ...(text.includes('soft-page-break') ? [`${name}: soft page breaks`] : []),
  ]
}
