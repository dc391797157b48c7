/**
 * The building blocks of small word processing documents whose layout is compared with LibreOffice's. Plain Arial 10 on
 * A4 with an inch around unless a sample says otherwise.
 */
import { zipOf } from '../../helpers/docx.ts'
import { plainPng } from '../../helpers/png.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${office}"`,
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
].join(' ')
const emu = 12_700

export interface WordSample {
  readonly body: string
  readonly styles?: string
  readonly settings?: string | false // false: a document without the part
  readonly numbering?: string
  readonly footnotes?: string
  readonly endnotes?: string
  readonly header?: string
  readonly footer?: string
  readonly section?: string
  /** Further parts by name, and the relationships of the text that name them. */
  readonly parts?: Readonly<Record<string, string>>
  readonly relations?: string
  /** Instead of a plain PNG. */
  readonly picture?: Uint8Array
  /** The part of a chart that the body shows as 'chart'. */
  readonly chart?: string
}

export const lorem =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat. Duis aute irure dolor in reprehenderit in voluptate velit esse cillum dolore eu fugiat nulla pariatur.'
export const times = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index + 1)).join('')

const mode = (value: number): string =>
  `<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${value}"/></w:compat>`
export const mode14 = mode(14)

export const run = (text: string, properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
export const par = (text = '', properties = '', runProperties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${text === '' ? '' : run(text, runProperties)}</w:p>`
/** A run that only breaks: a line, or what `type` names. */
export const broken = (type = 'textWrapping', properties = ''): string =>
  `<w:r><w:rPr>${properties}</w:rPr><w:br w:type="${type}"/></w:r>`
/** A paragraph of ready-made runs followed by text. */
export const mixed = (runs: string, text = lorem, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr>${runs}${run(text)}</w:p>`

export const cell = (width: number, content: string, properties = ''): string =>
  `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/>${properties}</w:tcPr>${content}</w:tc>`
export const row = (cells: string, properties = ''): string =>
  `<w:tr>${properties === '' ? '' : `<w:trPr>${properties}</w:trPr>`}${cells}</w:tr>`
const side = (name: string, size: number): string => `<w:${name} w:val="single" w:sz="${size}" w:space="0"/>`
export const ruled = (size = 4): string =>
  `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((name) => side(name, size)).join('')}</w:tblBorders>`
export const table = (
  grid: readonly number[],
  rows: string,
  properties = ruled(),
  width = '<w:tblW w:w="0" w:type="auto"/>',
): string =>
  `<w:tbl><w:tblPr>${width}${properties}</w:tblPr><w:tblGrid>${grid.map((w) => `<w:gridCol w:w="${w}"/>`).join('')}</w:tblGrid>${rows}</w:tbl>`

const page = (more: string): string =>
  `<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/>${more}`
export const section = (first = '', last = ''): string => `<w:sectPr>${first}${page(last)}</w:sectPr>`
export const columns = (count: number, gap: number, type: string): string =>
  section(`<w:type w:val="${type}"/>`, `<w:cols w:num="${count}" w:space="${gap}"/>`)
export const endOf = (properties: string): string => `<w:p><w:pPr>${properties}</w:pPr></w:p>`
export const headed = '<w:headerReference w:type="default" r:id="header"/>'
export const footed = '<w:footerReference w:type="default" r:id="footer"/>'

const picture = (width: number, height: number): string =>
  `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="img1"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width * emu}" cy="${height * emu}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>`
const textBox = (width: number, height: number, text: string): string =>
  `<a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width * emu}" cy="${height * emu}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/><a:ln w="9525"><a:solidFill><a:srgbClr val="000000"/></a:solidFill></a:ln></wps:spPr><wps:txbx><w:txbxContent>${text}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic>`

export interface AnchorOptions {
  readonly wrap?: 'square' | 'tight' | 'top-bottom' | 'none'
  readonly side?: 'bothSides' | 'left' | 'right' | 'largest'
  readonly x?: number
  readonly y?: number
  readonly alignX?: string
  readonly fromX?: string
  readonly fromY?: string
  readonly width?: number
  readonly height?: number
  /** A text box with these paragraphs instead of a picture. */
  readonly text?: string
}
/** A run with a picture or text box beside the text; lengths in points. */
export function anchor(options: AnchorOptions): string {
  const { wrap = 'square', side: beside = 'bothSides', x = 0, y = 0, fromX = 'column' } = options
  const { width = 100, height = 60, fromY = 'paragraph' } = options
  const outline =
    '<wp:wrapPolygon edited="0"><wp:start x="0" y="0"/><wp:lineTo x="0" y="21600"/><wp:lineTo x="21600" y="21600"/><wp:lineTo x="21600" y="0"/><wp:lineTo x="0" y="0"/></wp:wrapPolygon>'
  const wraps = {
    square: `<wp:wrapSquare wrapText="${beside}"/>`,
    tight: `<wp:wrapTight wrapText="${beside}">${outline}</wp:wrapTight>`,
    'top-bottom': '<wp:wrapTopAndBottom/>',
    none: '<wp:wrapNone/>',
  }
  const across =
    options.alignX === undefined
      ? `<wp:posOffset>${x * emu}</wp:posOffset>`
      : `<wp:align>${options.alignX}</wp:align>`
  const content = options.text === undefined ? picture(width, height) : textBox(width, height, options.text)
  return `<w:r><w:drawing><wp:anchor distT="0" distB="0" distL="114300" distR="114300" simplePos="0" relativeHeight="2" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="${fromX}">${across}</wp:positionH><wp:positionV relativeFrom="${fromY}"><wp:posOffset>${y * emu}</wp:posOffset></wp:positionV><wp:extent cx="${width * emu}" cy="${height * emu}"/><wp:effectExtent l="0" t="0" r="0" b="0"/>${wraps[wrap]}<wp:docPr id="1" name="p"/><wp:cNvGraphicFramePr/>${content}</wp:anchor></w:drawing></w:r>`
}
/** A run with a picture in the line. */
export const inline = (width: number, height: number): string =>
  `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${width * emu}" cy="${height * emu}"/><wp:docPr id="1" name="p"/>${picture(width, height)}</wp:inline></w:drawing></w:r>`

export const footnote = (id: number, text: string): string =>
  `<w:footnote w:id="${id}"><w:p><w:r><w:footnoteRef/></w:r>${run(` ${text}`)}</w:p></w:footnote>`
export const noted = (text: string, id: number): string =>
  `<w:p>${run(text)}<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r></w:p>`

/** A list of three levels as numbering 1. */
export function listOf(format = 'decimal', text = '%1.', more = ''): string {
  const levels = [0, 1, 2].map(
    (level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text.replaceAll('%1', `%${level + 1}`)}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${720 * (level + 1)}" w:hanging="360"/></w:pPr></w:lvl>`,
  )
  return `<w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`
}
export const item = (text: string, level = 0, properties = ''): string =>
  par(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>${properties}`)

const defaults =
  '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:cs="Arial"/><w:sz w:val="20"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
const separators = (kind: string): string =>
  `<w:${kind} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:${kind}><w:${kind} w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:${kind}>`
const root = (name: string, content: string): string =>
  `${declaration}<w:${name} ${namespaces}>${content}</w:${name}>`
const relationships = (targets: Readonly<Record<string, string>>): string =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(
    targets,
  )
    .map(
      ([id, target]) =>
        `<Relationship Id="${id}" Type="${office}/${id === 'img1' ? 'image' : id}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const swatches = ['4472C4', 'ED7D31', 'A5A5A5', 'FFC000', '5B9BD5', '70AD47', '0563C1', '954F72']
const slots = ['accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6', 'hlink', 'folHlink']
const flat = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
const strokeOf = (width: number): string => `<a:ln w="${width}">${flat}<a:prstDash val="solid"/></a:ln>`
const plainEffect = '<a:effectStyle><a:effectLst/></a:effectStyle>'
const face = '<a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/>'
/** Colours of charts come from the theme. */
const theme = `${declaration}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="T"><a:themeElements><a:clrScheme name="C"><a:dk1><a:srgbClr val="000000"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:dk2><a:srgbClr val="44546A"/></a:dk2><a:lt2><a:srgbClr val="E7E6E6"/></a:lt2>${slots.map((slot, n) => `<a:${slot}><a:srgbClr val="${swatches[n]}"/></a:${slot}>`).join('')}</a:clrScheme><a:fontScheme name="F"><a:majorFont>${face}</a:majorFont><a:minorFont>${face}</a:minorFont></a:fontScheme><a:fmtScheme name="S"><a:fillStyleLst>${flat}${flat}${flat}</a:fillStyleLst><a:lnStyleLst>${[6350, 12_700, 19_050].map(strokeOf).join('')}</a:lnStyleLst><a:effectStyleLst>${plainEffect}${plainEffect}${plainEffect}</a:effectStyleLst><a:bgFillStyleLst>${flat}${flat}${flat}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`

/** The bytes of a DOCX. */
export function wordFile(sample: WordSample): Promise<Uint8Array> {
  const bands = { header: sample.header, footer: sample.footer }
  const parts: Record<string, string> = {
    document: root('document', `<w:body>${sample.body}${sample.section ?? section()}</w:body>`),
    styles: root('styles', defaults + (sample.styles ?? '')),
    numbering: root('numbering', sample.numbering ?? ''),
    ...(sample.settings !== false && { settings: root('settings', sample.settings ?? mode(15)) }),
    footnotes: root('footnotes', separators('footnote') + (sample.footnotes ?? '')),
    endnotes: root('endnotes', separators('endnote') + (sample.endnotes ?? '')),
  }
  const targets: Record<string, string> = { img1: 'media/img1.png' }
  for (const name of Object.keys(parts)) if (name !== 'document') targets[name] = `${name}.xml`
  const types = Object.keys(parts).map((name): [string, string] => [
    name,
    name === 'document' ? 'document.main' : name,
  ])
  for (const [name, content] of Object.entries(bands)) {
    if (content === undefined) continue
    parts[name] = root(name === 'header' ? 'hdr' : 'ftr', content)
    targets[name] = `${name}.xml`
    types.push([name, name])
  }
  const overrides = types.map(
    ([name, type]) =>
      `<Override PartName="/word/${name}.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${type}+xml"/>`,
  )
  if (sample.chart !== undefined) {
    parts.chart = sample.chart
    parts.theme = theme
    targets.chart = 'chart.xml'
    targets.theme = 'theme.xml'
    overrides.push(
      '<Override PartName="/word/chart.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>',
      '<Override PartName="/word/theme.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/>',
    )
  }
  const images = relationships({ img1: 'media/img1.png' })
  return zipOf({
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${overrides.join('')}</Types>`,
    '_rels/.rels': relationships({ officeDocument: 'word/document.xml' }),
    'word/_rels/document.xml.rels': relationships(targets).replace(
      '</Relationships>',
      `${sample.relations ?? ''}</Relationships>`,
    ),
    'word/_rels/header.xml.rels': images,
    'word/_rels/footer.xml.rels': images,
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [`word/${name}.xml`, text])),
    'word/media/img1.png': sample.picture ?? plainPng(60, 40),
    ...sample.parts,
  })
}
