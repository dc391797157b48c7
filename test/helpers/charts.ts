import JSZip from 'jszip'
import { docxOf } from './docx.ts'
import { pptxOf } from './pptx.ts'
import { xlsxOf } from './xlsx.ts'

/** Documents with native charts, and what their charts say after a render. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const chartSpace =
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
export const chartType = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml'

export const chartKinds = [
  'bar',
  'column',
  'line',
  'pie',
  'doughnut',
  'area',
  'radar',
  'scatter',
  'bubble',
] as const
export type ChartKind = (typeof chartKinds)[number]

/** Cached values: text as it stands in the part. */
export interface Reference {
  readonly formula: string
  readonly cache: readonly (string | number)[]
}
export interface SeriesSpec {
  readonly name?: Reference
  readonly categories?: Reference
  readonly values: Reference
  readonly sizes?: Reference
  readonly color?: string
}
export interface ChartSpec {
  readonly kind: ChartKind
  readonly title?: string
  readonly series: readonly SeriesSpec[]
  readonly workbook?: boolean
  readonly legend?: boolean
}

const points = (cache: Reference['cache']) =>
  `<c:ptCount val="${cache.length}"/>${cache.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}`
const strings = ({ formula, cache }: Reference) =>
  `<c:strRef><c:f>${formula}</c:f><c:strCache>${points(cache)}</c:strCache></c:strRef>`
const numbers = ({ formula, cache }: Reference) =>
  `<c:numRef><c:f>${formula}</c:f><c:numCache><c:formatCode>General</c:formatCode>${points(cache)}</c:numCache></c:numRef>`

function series(
  kind: ChartKind,
  { name, categories, values, sizes, color = 'accent1' }: SeriesSpec,
  at: number,
): string {
  const xy = kind === 'scatter' || kind === 'bubble'
  const fill = `<a:solidFill><a:schemeClr val="${color}"/></a:solidFill>`
  const shape =
    kind === 'pie' || kind === 'doughnut'
      ? ''
      : kind === 'line' || kind === 'radar'
        ? `<c:spPr><a:ln w="28575">${fill}</a:ln></c:spPr>`
        : kind === 'scatter'
          ? `<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr><c:marker><c:symbol val="circle"/><c:size val="8"/><c:spPr>${fill}</c:spPr></c:marker>`
          : `<c:spPr>${fill}</c:spPr>`
  return `<c:ser><c:idx val="${at}"/><c:order val="${at}"/>${name === undefined ? '' : `<c:tx>${strings(name)}</c:tx>`}${shape}${kind === 'bar' || kind === 'column' ? '<c:invertIfNegative val="0"/>' : ''}${
    categories === undefined
      ? ''
      : xy
        ? `<c:xVal>${numbers(categories)}</c:xVal>`
        : `<c:cat>${strings(categories)}</c:cat>`
  }${xy ? `<c:yVal>${numbers(values)}</c:yVal>` : `<c:val>${numbers(values)}</c:val>`}${sizes === undefined ? '' : `<c:bubbleSize>${numbers(sizes)}</c:bubbleSize>`}${kind === 'line' ? '<c:smooth val="0"/>' : ''}</c:ser>`
}

const axes = (xy: boolean) => {
  const scaling = '<c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>'
  const line = '<c:spPr><a:ln w="9525"><a:solidFill><a:srgbClr val="BFBFBF"/></a:solidFill></a:ln></c:spPr>'
  const grid = `<c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="E3E3E3"/></a:solidFill></a:ln></c:spPr></c:majorGridlines>`
  const first = xy
    ? `<c:valAx><c:axId val="111"/>${scaling}<c:axPos val="b"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:tickLblPos val="nextTo"/>${line}<c:crossAx val="222"/></c:valAx>`
    : `<c:catAx><c:axId val="111"/>${scaling}<c:axPos val="b"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>${line}<c:crossAx val="222"/></c:catAx>`
  return `${first}<c:valAx><c:axId val="222"/>${scaling}<c:axPos val="l"/>${grid}<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:spPr><a:ln><a:noFill/></a:ln></c:spPr><c:crossAx val="111"/></c:valAx>`
}

/** The chart part. */
export function chartXml({ kind, title, series: list, workbook = true, legend = true }: ChartSpec): string {
  const all = list.map((each, at) => series(kind, each, at)).join('')
  const ids = '<c:axId val="111"/><c:axId val="222"/>'
  const plot: Record<ChartKind, string> = {
    bar: `<c:barChart><c:barDir val="bar"/><c:grouping val="clustered"/><c:varyColors val="0"/>${all}<c:gapWidth val="80"/>${ids}</c:barChart>`,
    column: `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${all}<c:gapWidth val="80"/>${ids}</c:barChart>`,
    line: `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${all}<c:marker val="1"/>${ids}</c:lineChart>`,
    pie: `<c:pieChart><c:varyColors val="1"/>${all}<c:firstSliceAng val="0"/></c:pieChart>`,
    doughnut: `<c:doughnutChart><c:varyColors val="1"/>${all}<c:firstSliceAng val="0"/><c:holeSize val="55"/></c:doughnutChart>`,
    area: `<c:areaChart><c:grouping val="standard"/><c:varyColors val="0"/>${all}${ids}</c:areaChart>`,
    radar: `<c:radarChart><c:radarStyle val="marker"/><c:varyColors val="0"/>${all}${ids}</c:radarChart>`,
    scatter: `<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>${all}${ids}</c:scatterChart>`,
    bubble: `<c:bubbleChart><c:varyColors val="0"/>${all}<c:bubbleScale val="60"/>${ids}</c:bubbleChart>`,
  }
  const noAxes = kind === 'pie' || kind === 'doughnut'
  const heading =
    title === undefined
      ? '<c:autoTitleDeleted val="1"/>'
      : `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1400" b="1"/></a:pPr><a:r><a:rPr lang="en-US" sz="1400" b="1"/><a:t>${title}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/>`
  return `${declaration}<c:chartSpace ${chartSpace}><c:chart>${heading}<c:plotArea><c:layout/>${plot[kind]}${noAxes ? '' : axes(kind === 'scatter' || kind === 'bubble')}</c:plotArea>${legend ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : ''}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart>${workbook ? '<c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData>' : ''}</c:chartSpace>`
}

/** A workbook whose first sheet, 'Data', has these rows from A1 on. */
export function workbookOf(rows: readonly (readonly (string | number)[])[]): Promise<Uint8Array> {
  const cells: Record<string, string | number> = {}
  rows.forEach((row, down) => {
    row.forEach((value, right) => {
      if (value !== '') cells[`${String.fromCharCode(65 + right)}${down + 1}`] = value
    })
  })
  return xlsxOf({ sheets: [{ name: 'Data', cells }] })
}

export const chartDrawing = (
  id: string,
  at = 1,
  size: readonly [number, number] = [5_486_400, 3_200_400],
): string =>
  `<w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${size[0]}" cy="${size[1]}"/><wp:docPr id="${at}" name="Chart ${at}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="${id}"/></a:graphicData></a:graphic></wp:inline></w:drawing>`
export const chartParagraph = (id: string, at = 1): string => `<w:p><w:r>${chartDrawing(id, at)}</w:r></w:p>`

export interface DocumentChart {
  readonly xml: string
  readonly workbook?: Uint8Array
}

/** Entries for charts chart1.xml … of a document below `folder`, their workbooks, and the relationships rIdC1 …. */
export function chartParts(folder: string, charts: readonly DocumentChart[]) {
  const entries: Record<string, string | Uint8Array> = {}
  const relations: string[] = []
  const types: string[] = []
  charts.forEach(({ xml, workbook }, index) => {
    const at = index + 1
    entries[`${folder}/charts/chart${at}.xml`] = xml
    relations.push(
      `<Relationship Id="rIdC${at}" Type="${office}/chart" Target="/${folder}/charts/chart${at}.xml"/>`,
    )
    types.push(`<Override PartName="/${folder}/charts/chart${at}.xml" ContentType="${chartType}"/>`)
    if (workbook === undefined) return
    entries[`${folder}/charts/_rels/chart${at}.xml.rels`] =
      `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/package" Target="../embeddings/Microsoft_Excel_Sheet${at}.xlsx"/></Relationships>`
    entries[`${folder}/embeddings/Microsoft_Excel_Sheet${at}.xlsx`] = workbook
  })
  return { entries, relations: relations.join(''), types: types.join('') }
}

const xlsxMime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A DOCX whose body shows charts by rIdC1, rIdC2, …. */
export function docxWithCharts(body: string, charts: readonly DocumentChart[]): Promise<Uint8Array> {
  const { entries, relations, types } = chartParts('word', charts)
  return docxOf(body, {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="xlsx" ContentType="${xlsxMime}"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>${types}</Types>`,
    'word/_rels/document.xml.rels': `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
    ...entries,
  })
}

export const chartFrame = (id: string, at: number): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="${at}" name="Chart ${at}"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="1000000" y="2200000"/><a:ext cx="7000000" cy="4000000"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="${id}"/></a:graphicData></a:graphic></p:graphicFrame>`

/** A presentation whose slides show charts; all relationships rIdC1, … stand with the first slide. */
export async function pptxWithCharts(
  slides: readonly (readonly string[])[],
  charts: readonly DocumentChart[],
): Promise<Uint8Array> {
  const { entries, relations, types } = chartParts('ppt', charts)
  const zip = await JSZip.loadAsync(await pptxOf(slides.map((shapes) => shapes.join(''))))
  const change = async (name: string, change: (text: string) => string) =>
    zip.file(name, change(await zip.file(name)!.async('string')), { createFolders: false })
  await change('ppt/slides/_rels/slide1.xml.rels', (text) =>
    text.replace('</Relationships>', `${relations}</Relationships>`),
  )
  await change('[Content_Types].xml', (text) =>
    text
      .replace('<Override', `<Default Extension="xlsx" ContentType="${xlsxMime}"/><Override`)
      .replace('</Types>', `${types}</Types>`),
  )
  for (const [name, content] of Object.entries(entries)) zip.file(name, content, { createFolders: false })
  return zip.generateAsync({ type: 'uint8array', compression: 'DEFLATE' })
}

// ------------------------------------------------------------------------------------------------- reading it again

/** What a chart part draws: each series as its name, categories and values, each reference as `formula: values`. */
export function seriesOf(chart: string): string[][] {
  return [...chart.matchAll(/<c:ser>(.*?)<\/c:ser>/gs)].map(([, ser = '']) =>
    [...ser.matchAll(/<c:(?:str|num|multiLvlStr)Ref>(.*?)<\/c:(?:str|num|multiLvlStr)Ref>/gs)].map(
      ([, reference = '']) => {
        const formula = /<c:f>([^<]*)</.exec(reference)?.[1] ?? ''
        const count = /<c:ptCount val="(\d*)"/.exec(reference)?.[1]
        const list = [...reference.matchAll(/<c:pt idx="(\d+)"><c:v>([^<]*)</g)].map(
          ([, at, value]) => `${at}=${value}`,
        )
        return `${formula} (${count}): ${list.join(' ')}`
      },
    ),
  )
}
