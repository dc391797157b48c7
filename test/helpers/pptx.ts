import { zipOf } from './docx.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const type = 'application/vnd.openxmlformats-officedocument.presentationml'
const namespaces = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relation}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`

function relationships(list: readonly (readonly [type: string, target: string])[]): string {
  const each = list.map(
    ([kind, target], at) => `<Relationship Id="rId${at + 1}" Type="${relation}/${kind}" Target="${target}"/>`,
  )
  return `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`
}

const tree = (shapes: string) =>
  `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`

/** A presentation: each slide is the XML of its shapes; so are the notes, by slide number. */
export function pptxOf(
  slides: readonly string[],
  { layout = '', notes = {} }: { layout?: string; notes?: Readonly<Record<number, string>> } = {},
): Promise<Uint8Array> {
  const entries: Record<string, string> = {}
  const overrides: [string, string][] = [
    ['ppt/presentation.xml', `${type}.presentation.main+xml`],
    ['ppt/slideMasters/slideMaster1.xml', `${type}.slideMaster+xml`],
    ['ppt/slideLayouts/slideLayout1.xml', `${type}.slideLayout+xml`],
    ['ppt/theme/theme1.xml', 'application/vnd.openxmlformats-officedocument.theme+xml'],
  ]
  slides.forEach((shapes, at) => {
    const name = `ppt/slides/slide${at + 1}.xml`
    overrides.push([name, `${type}.slide+xml`])
    entries[name] = `${declaration}<p:sld ${namespaces}>${tree(shapes)}</p:sld>`
    const links: [string, string][] = [['slideLayout', '../slideLayouts/slideLayout1.xml']]
    const note = notes[at + 1]
    if (note !== undefined) {
      links.push(['notesSlide', `../notesSlides/notesSlide${at + 1}.xml`])
      overrides.push([`ppt/notesSlides/notesSlide${at + 1}.xml`, `${type}.notesSlide+xml`])
      entries[`ppt/notesSlides/notesSlide${at + 1}.xml`] =
        `${declaration}<p:notes ${namespaces}>${tree(note)}</p:notes>`
      entries[`ppt/notesSlides/_rels/notesSlide${at + 1}.xml.rels`] = relationships([
        ['slide', `../slides/slide${at + 1}.xml`],
      ])
    }
    entries[`ppt/slides/_rels/slide${at + 1}.xml.rels`] = relationships(links)
  })
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
  const line = `<a:ln w="9525">${fill}</a:ln>`
  const color = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`
  const colors = [
    'dk1',
    'lt1',
    'dk2',
    'lt2',
    'accent1',
    'accent2',
    'accent3',
    'accent4',
    'accent5',
    'accent6',
    'hlink',
    'folHlink',
  ]
  return zipOf({
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.map(([part, kind]) => `<Override PartName="/${part}" ContentType="${kind}"/>`).join('')}</Types>`,
    '_rels/.rels': relationships([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `${declaration}<p:presentation ${namespaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 3}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships([
      ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ['theme', 'theme/theme1.xml'],
      ...slides.map((_, at) => ['slide', `slides/slide${at + 1}.xml`] as const),
    ]),
    'ppt/slideMasters/slideMaster1.xml': `${declaration}<p:sldMaster ${namespaces}>${tree('')}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['theme', '../theme/theme1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': `${declaration}<p:sldLayout ${namespaces} type="blank">${tree(layout)}</p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      ['slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    'ppt/theme/theme1.xml': `${declaration}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="T"><a:themeElements><a:clrScheme name="T">${colors.map((name, at) => color(name, at % 2 === 0 ? '000000' : 'FFFFFF')).join('')}</a:clrScheme><a:fontScheme name="T"><a:majorFont><a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/></a:majorFont><a:minorFont><a:latin typeface="Arial"/><a:ea typeface=""/><a:cs typeface=""/></a:minorFont></a:fontScheme><a:fmtScheme name="T"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${'<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`,
    ...entries,
  })
}

const frame = '<a:off x="100000" y="100000"/><a:ext cx="6000000" cy="2000000"/>'
export const pptxParagraph = (text: string): string =>
  `<a:p><a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r></a:p>`
/** A text box. */
export const pptxShape = (id: number, ...paragraphs: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}" descr=""/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>${frame}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs.join('')}</p:txBody></p:sp>`
/** A table. */
export const pptxTable = (id: number, ...rows: readonly (readonly string[])[]): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${id}" name="Table ${id}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${frame}</p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid>${'<a:gridCol w="1000000"/>'.repeat(Math.max(...rows.map((row) => row.length)))}</a:tblGrid>${rows.map((row) => `<a:tr h="300000">${row.map((text) => `<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:rPr lang="en-US"/><a:t>${text}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>`).join('')}</a:tr>`).join('')}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
