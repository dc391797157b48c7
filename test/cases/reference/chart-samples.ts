import { par, type WordSample } from './word.ts'

/** Charts of DrawingML in Word documents, feature by feature. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spaces =
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

interface SeriesParts {
  readonly name?: string
  readonly at?: number
  readonly names?: readonly string[]
  readonly values: readonly (number | undefined)[]
  readonly x?: readonly number[]
  readonly sizes?: readonly number[]
  readonly format?: string
  /** Between the name and the data. */
  readonly more?: string
  /** Behind the data. */
  readonly end?: string
  /** Categories as they stand, instead of `names`. */
  readonly cat?: string
}

const points = (values: readonly (string | number | undefined)[]): string =>
  `<c:ptCount val="${values.length}"/>${values.map((value, n) => (value === undefined ? '' : `<c:pt idx="${n}"><c:v>${value}</c:v></c:pt>`)).join('')}`
const numbers = (values: readonly (number | undefined)[], format = 'General'): string =>
  `<c:numRef><c:f>S!A1</c:f><c:numCache><c:formatCode>${format}</c:formatCode>${points(values)}</c:numCache></c:numRef>`
const strings = (values: readonly string[]): string =>
  `<c:strRef><c:f>S!A1</c:f><c:strCache>${points(values)}</c:strCache></c:strRef>`

const four = ['North', 'South', 'East', 'West']

function ser(parts: SeriesParts): string {
  const { at = 0, name, names = four, values, x, sizes, format, more = '', end = '', cat } = parts
  const title = name === undefined ? '' : `<c:tx>${strings([name])}</c:tx>`
  const data =
    x === undefined
      ? `<c:cat>${cat ?? strings(names)}</c:cat><c:val>${numbers(values, format)}</c:val>`
      : `<c:xVal>${numbers(x)}</c:xVal><c:yVal>${numbers(values, format)}</c:yVal>`
  const bubbles = sizes === undefined ? '' : `<c:bubbleSize>${numbers(sizes)}</c:bubbleSize>`
  return `<c:ser><c:idx val="${at}"/><c:order val="${at}"/>${title}${more}${data}${bubbles}${end}</c:ser>`
}

const two = (more = '', end = ''): string =>
  ser({ name: 'Sales', values: [12, 30, 22, 41], more, end }) +
  ser({ at: 1, name: 'Costs', values: [9, 14, 18, 25], more, end })
const one = (more = '', end = ''): string => ser({ name: 'Sales', values: [12, 30, 22, 41], more, end })

const ids = '<c:axId val="1"/><c:axId val="2"/>'
const plot = (kind: string, head: string, series: string, tail = '', axes = ids): string =>
  `<c:${kind}>${head}${series}${tail}${axes}</c:${kind}>`
const bars = (series: string, tail = '', grouping = 'clustered', direction = 'col'): string =>
  plot('barChart', `<c:barDir val="${direction}"/><c:grouping val="${grouping}"/><c:varyColors val="0"/>`, series, tail)
const lines = (series: string, grouping = 'standard', tail = '<c:marker val="1"/>', axes = ids): string =>
  plot('lineChart', `<c:grouping val="${grouping}"/><c:varyColors val="0"/>`, series, tail, axes)
const areas = (series: string, grouping = 'standard'): string =>
  plot('areaChart', `<c:grouping val="${grouping}"/><c:varyColors val="0"/>`, series)
const pie = (series: string, kind = 'pieChart', tail = '<c:firstSliceAng val="0"/>'): string =>
  plot(kind, '<c:varyColors val="1"/>', series, tail, '')
const scatter = (series: string, style = 'lineMarker'): string =>
  plot('scatterChart', `<c:scatterStyle val="${style}"/><c:varyColors val="0"/>`, series)

interface AxisParts {
  readonly id?: number
  readonly cross?: number
  readonly kind?: string
  readonly side?: string
  readonly scaling?: string
  /** Behind the position: grid lines, title. */
  readonly head?: string
  readonly format?: string
  readonly linked?: number
  readonly ticks?: string
  readonly minor?: string
  readonly labels?: string
  readonly look?: string
  readonly deleted?: number
  readonly end?: string
  readonly crosses?: string
}
function axis(parts: AxisParts): string {
  const { id = 1, cross = 2, kind = 'catAx', side = 'b', scaling = '', head = '', look = '', end = '' } = parts
  const { format = 'General', linked = 0, ticks = 'out', minor = 'none', labels = 'nextTo' } = parts
  const { deleted = 0, crosses = '<c:crosses val="autoZero"/>' } = parts
  const orientation = scaling.includes('orientation') ? '' : '<c:orientation val="minMax"/>'
  return `<c:${kind}><c:axId val="${id}"/><c:scaling>${orientation}${scaling}</c:scaling><c:delete val="${deleted}"/><c:axPos val="${side}"/>${head}<c:numFmt formatCode="${format}" sourceLinked="${linked}"/><c:majorTickMark val="${ticks}"/><c:minorTickMark val="${minor}"/><c:tickLblPos val="${labels}"/>${look}<c:crossAx val="${cross}"/>${crosses}${end}</c:${kind}>`
}
const grid = '<c:majorGridlines/>'
const values = (parts: AxisParts = {}): string =>
  axis({ id: 2, cross: 1, kind: 'valAx', side: 'l', head: grid, ...parts })
const names = (parts: AxisParts = {}): string => axis(parts)
const axes = names() + values()
const numeric = names({ kind: 'valAx' }) + values()
const lying = names({ side: 'l' }) + values({ side: 'b' })
const second =
  names({ id: 3, cross: 4, deleted: 1 }) +
  values({ id: 4, cross: 3, side: 'r', head: '', crosses: '<c:crosses val="max"/>' })

const words = (text: string, body = '', look = ''): string =>
  `<c:title><c:tx><c:rich><a:bodyPr${body}/><a:p><a:pPr><a:defRPr${look}/></a:pPr><a:r><a:rPr lang="en-US"${look}/><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`
const legend = (side = 'r', more = ''): string =>
  `<c:legend><c:legendPos val="${side}"/>${more}<c:overlay val="0"/></c:legend>`
const manual = (x: number, y: number, w: number, h: number, inner = ''): string =>
  `<c:layout><c:manualLayout>${inner}<c:xMode val="edge"/><c:yMode val="edge"/><c:x val="${x}"/><c:y val="${y}"/><c:w val="${w}"/><c:h val="${h}"/></c:manualLayout></c:layout>`
const untitled = '<c:autoTitleDeleted val="1"/>'
const shows = (what: string, more = '', end = ''): string =>
  `<c:dLbls>${more}<c:showLegendKey val="${what.includes('k') ? 1 : 0}"/><c:showVal val="${what.includes('v') ? 1 : 0}"/><c:showCatName val="${what.includes('c') ? 1 : 0}"/><c:showSerName val="${what.includes('s') ? 1 : 0}"/><c:showPercent val="${what.includes('p') ? 1 : 0}"/><c:showBubbleSize val="0"/>${end}</c:dLbls>`
const look = (inside: string): string => `<c:spPr>${inside}</c:spPr>`
const text = (size: number, more = '', body = ''): string =>
  `<c:txPr><a:bodyPr${body}/><a:p><a:pPr><a:defRPr sz="${size}"${more}/></a:pPr><a:endParaRPr lang="en-US"/></a:p></c:txPr>`

interface Whole {
  readonly plots: string
  readonly axes?: string
  readonly head?: string
  readonly layout?: string
  readonly legend?: string
  readonly end?: string
  /** Of the whole chart: its look and text. */
  readonly look?: string
  readonly blanks?: string
  readonly more?: string
}
function chart(whole: Whole, width = 400, height = 220): WordSample {
  const { plots, axes: between = axes, head = untitled, layout = '<c:layout/>', legend: key = legend() } = whole
  const { end = '', look: own = '', blanks = 'gap', more = '' } = whole
  return {
    body: par('before') + `<w:p><w:r>${frame(width, height)}</w:r></w:p>` + par('after'),
    chart: `${declaration}<c:chartSpace ${spaces}><c:roundedCorners val="0"/><c:chart>${head}<c:plotArea>${layout}${plots}${between}${more}</c:plotArea>${key}<c:plotVisOnly val="1"/><c:dispBlanksAs val="${blanks}"/>${end}</c:chart>${own}</c:chartSpace>`,
  }
}
const frame = (width: number, height: number): string =>
  `<w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${width * 12_700}" cy="${height * 12_700}"/><wp:docPr id="1" name="c"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="chart"/></a:graphicData></a:graphic></wp:inline></w:drawing>`

const xs = [1, 2.5, 4, 7]
const spots = (more = '', end = ''): string =>
  ser({ name: 'Run', x: xs, values: [3, 8, 5, 12], more, end }) +
  ser({ at: 1, name: 'Walk', x: [0.5, 3, 5, 6], values: [2, 3, 4, 6], more, end })
const many = Array.from({ length: 24 }, (_, n) => `Item number ${n + 1}`)
const pieData = (more = ''): string => ser({ name: 'Share', values: [40, 25, 20, 15], more })
const label = (at: string): string => `<c:dLblPos val="${at}"/>`
const trend = (type: string, more = ''): string => `<c:trendline><c:trendlineType val="${type}"/>${more}</c:trendline>`
const dates = [43831, 43862, 43891, 43922]

export const chartSamples: Readonly<Record<string, WordSample>> = {
  'columns': chart({ plots: bars(two()) }),
  'columns, title and legend below': chart({ plots: bars(two()), head: words('Sales by region'), legend: legend('b') }),
  'bars': chart({ plots: bars(two(), '', 'clustered', 'bar'), axes: lying }),
  'stacked columns': chart({ plots: bars(two(), '<c:gapWidth val="80"/><c:overlap val="100"/>', 'stacked') }),
  'columns of shares': chart({ plots: bars(two(), '<c:overlap val="100"/>', 'percentStacked'), axes: names() + values({ format: '0%' }) }),
  'stacked bars': chart({ plots: bars(two(), '<c:overlap val="100"/>', 'stacked', 'bar'), axes: lying }),
  'lines': chart({ plots: lines(two()) }),
  'smooth lines without marks': chart({ plots: lines(two('<c:marker><c:symbol val="none"/></c:marker>', '<c:smooth val="1"/>')) }),
  'stacked lines': chart({ plots: lines(two(), 'stacked') }),
  'areas': chart({ plots: areas(two()) }),
  'areas of shares': chart({ plots: areas(two(), 'percentStacked'), axes: names() + values({ format: '0%' }) }),
  'pie': chart({ plots: pie(pieData()), axes: '' }),
  'pie with shares': chart({ plots: pie(pieData(shows('p'))), axes: '', head: words('Shares') }),
  'pie with names outside': chart({ plots: pie(pieData(shows('cp', label('outEnd'), '<c:separator>; </c:separator>'))), axes: '', legend: '' }),
  'pie with names above their shares': chart({ plots: pie(pieData(shows('cp', label('ctr')))), axes: '', legend: '' }),
  'pie with values beside names': chart({ plots: pie(pieData(shows('cv', label('ctr')).replace('showBubbleSize val="0"', 'showBubbleSize val="1"'))), axes: '', legend: '' }),
  'pie with sizes of bubbles it has not': chart({ plots: pie(pieData(shows('c', label('ctr')).replace('showBubbleSize val="0"', 'showBubbleSize val="1"'))), axes: '', legend: '' }),
  'pie in one colour': chart({ plots: pie(pieData()).replace('varyColors val="1"', 'varyColors val="0"'), axes: '', legend: legend('b') }),
  'points far from zero': chart({ plots: scatter(ser({ name: 'Run', x: [1, 2, 3, 5], values: [3, 8, 5, 12] })), axes: numeric, legend: '' }),
  'doughnut': chart({ plots: pie(pieData(shows('v')), 'doughnutChart', '<c:firstSliceAng val="90"/><c:holeSize val="60"/>'), axes: '' }),
  'points': chart({ plots: scatter(spots()), axes: numeric }),
  'points without lines': chart({ plots: scatter(spots(look('<a:ln w="19050"><a:noFill/></a:ln>'))), axes: numeric }),
  'bubbles': chart({ plots: plot('bubbleChart', '<c:varyColors val="0"/>', ser({ name: 'Size', x: xs, values: [3, 8, 5, 12], sizes: [1, 2, 3, 4] }), '<c:bubbleScale val="100"/>'), axes: numeric }),
  'radar': chart({ plots: plot('radarChart', '<c:radarStyle val="marker"/><c:varyColors val="0"/>', two()), axes: axes }),
  'filled radar': chart({ plots: plot('radarChart', '<c:radarStyle val="filled"/><c:varyColors val="0"/>', two()), axes: axes }),
  'stock': chart({
    plots: plot('stockChart', '', ['High', 'Low', 'Close'].map((name, at) => ser({ at, name, names: ['Mon', 'Tue', 'Wed'], values: [[32, 35, 34], [22, 25, 21], [30, 27, 31]][at]!, more: look('<a:ln w="19050"><a:noFill/></a:ln>') + '<c:marker><c:symbol val="none"/></c:marker>' })).join(''), '<c:hiLowLines/>'),
  }),
  'candles': chart({
    plots: plot('stockChart', '', ['Open', 'High', 'Low', 'Close'].map((name, at) => ser({ at, name, names: ['Mon', 'Tue', 'Wed'], values: [[25, 30, 28], [32, 35, 34], [22, 25, 21], [30, 27, 31]][at]!, more: look('<a:ln w="19050"><a:noFill/></a:ln>') + '<c:marker><c:symbol val="none"/></c:marker>' })).join(''), '<c:hiLowLines/><c:upDownBars><c:gapWidth val="150"/><c:upBars/><c:downBars/></c:upDownBars>'),
  }),
  'columns and a line on a second axis': chart({
    plots: bars(one()) + lines(ser({ at: 1, name: 'Share', values: [0.12, 0.18, 0.4, 0.33], format: '0%' }), 'standard', '<c:marker val="1"/>', '<c:axId val="3"/><c:axId val="4"/>'),
    axes: axes + names({ id: 3, cross: 4, deleted: 1 }) + values({ id: 4, cross: 3, side: 'r', head: '', format: '0%', crosses: '<c:crosses val="max"/>' }),
  }),
  'axis titles': chart({ plots: bars(two()), axes: names({ head: words('Region') }) + values({ head: grid + words('Thousand euros', ' rot="-5400000" vert="horz"') }), head: words('Sales') }),
  'bars with axis titles': chart({ plots: bars(two(), '', 'clustered', 'bar'), axes: names({ side: 'l', head: words('Region', ' rot="-5400000" vert="horz"') }) + values({ side: 'b', head: grid + words('Euros') }) }),
  'labels of columns': chart({ plots: bars(two(shows('v'))) }),
  'labels inside': chart({ plots: bars(two(shows('v', label('inEnd')))) }),
  'labels in the middle of stacks': chart({ plots: bars(two(shows('v', label('ctr'))), '<c:overlap val="100"/>', 'stacked') }),
  'labels of lines below': chart({ plots: lines(two(shows('v', label('b')))) }),
  'labels with names of series': chart({ plots: bars(one(shows('vcs', '', '<c:separator>, </c:separator>'))) }),
  'formats of labels': chart({ plots: bars(one(shows('v', '<c:numFmt formatCode="#,##0.00&quot; EUR&quot;" sourceLinked="0"/>'))), axes: names() + values({ format: '&quot;$&quot;#,##0' }) }),
  'source format': chart({ plots: bars(ser({ name: 'P', values: [0.5, 0.25, 0.75, 0.1], format: '0.0%' })), axes: names() + values({ format: '0.0%', linked: 1 }) }),
  'bounds and steps': chart({ plots: bars(two()), axes: names() + values({ scaling: '<c:max val="50"/><c:min val="-10"/>', end: '<c:crossBetween val="between"/><c:majorUnit val="15"/>' }) }),
  'negative values': chart({ plots: bars(ser({ name: 'Net', values: [-12, 30, -22, 41] })) }),
  'labels low': chart({ plots: bars(ser({ name: 'Net', values: [-12, 30, -22, 41] })), axes: names({ labels: 'low' }) + values() }),
  'logarithmic': chart({ plots: bars(ser({ name: 'Log', values: [1, 20, 300, 45000] })), axes: names() + values({ scaling: '<c:logBase val="10"/>' }) }),
  'reversed values': chart({ plots: bars(two()), axes: names() + values({ scaling: '<c:orientation val="maxMin"/>' }) }),
  'reversed categories of bars': chart({ plots: bars(two(), '', 'clustered', 'bar'), axes: names({ side: 'l', scaling: '<c:orientation val="maxMin"/>' }) + values({ side: 'b' }) }),
  'axis in the middle': chart({ plots: bars(two()), axes: names({ crosses: '<c:crossesAt val="20"/>' }) + values() }),
  'values on the right': chart({ plots: bars(two()), axes: names() + values({ side: 'r', crosses: '<c:crosses val="max"/>' }) }),
  'hundreds': chart({ plots: bars(ser({ name: 'People', values: [12_000_000, 30_500_000, 22_000_000, 41_000_000] })), axes: names() + values({ format: '#,##0', end: '<c:crossBetween val="between"/><c:dispUnits><c:builtInUnit val="millions"/><c:dispUnitsLbl/></c:dispUnits>' }) }),
  'dates': chart({ plots: lines(ser({ name: 'Day', values: [12, 30, 22, 41], cat: numbers(dates, 'yyyy-mm-dd') })), axes: names({ kind: 'dateAx', format: 'yyyy-mm-dd', end: '<c:auto val="1"/><c:lblOffset val="100"/><c:baseTimeUnit val="months"/>' }) + values() }),
  'categories in levels': chart({
    plots: bars(ser({ name: 'Sales', values: [12, 30, 22, 41], cat: `<c:multiLvlStrRef><c:f>S!A1</c:f><c:multiLvlStrCache><c:ptCount val="4"/><c:lvl>${['Q1', 'Q2', 'Q1', 'Q2'].map((v, n) => `<c:pt idx="${n}"><c:v>${v}</c:v></c:pt>`).join('')}</c:lvl><c:lvl><c:pt idx="0"><c:v>2023</c:v></c:pt><c:pt idx="2"><c:v>2024</c:v></c:pt></c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>` })),
  }),
  'many categories': chart({ plots: bars(ser({ name: 'Sales', names: many, values: many.map((_, n) => (n * 7) % 23) })) }),
  'long names wrap': chart({ plots: bars(ser({ name: 'Sales', names: ['Northern region and islands', 'Southern region with hills', 'Eastern plains of the country', 'Western coast and harbours'], values: [12, 30, 22, 41] })) }),
  'names turned': chart({ plots: bars(two()), axes: names({ look: text(1000, '', ' rot="-2700000" vert="horz"') }) + values() }),
  'names upright': chart({ plots: bars(two()), axes: names({ look: text(1000, '', ' rot="-5400000" vert="horz"') }) + values() }),
  'missing values': chart({ plots: lines(ser({ name: 'Gap', values: [12, undefined, 22, 41] })) }),
  'missing values as zero': chart({ plots: lines(ser({ name: 'Zero', values: [12, undefined, 22, 41] })), blanks: 'zero' }),
  'missing values spanned': chart({ plots: lines(ser({ name: 'Span', values: [12, undefined, 22, 41] })), blanks: 'span' }),
  'linear trend': chart({ plots: bars(one('', ''), '').replace('<c:cat>', `${trend('linear')}<c:cat>`) }),
  'other trends': chart({ plots: scatter(ser({ name: 'Run', x: xs, values: [3, 8, 5, 12], more: trend('poly', '<c:order val="2"/><c:dispRSqr val="1"/><c:dispEq val="1"/>') + trend('exp') + trend('log') + trend('power') + trend('movingAvg', '<c:period val="2"/>') })), axes: numeric }),
  'trend with an equation': chart({ plots: scatter(ser({ name: 'Run', x: xs, values: [3, 8, 5, 12], more: trend('linear', '<c:forward val="1"/><c:dispRSqr val="1"/><c:dispEq val="1"/>') })), axes: numeric }),
  'error bars': chart({ plots: bars(one('<c:errBars><c:errBarType val="both"/><c:errValType val="percentage"/><c:noEndCap val="0"/><c:val val="10"/></c:errBars>')) }),
  'legend at the top': chart({ plots: bars(two()), legend: legend('t') }),
  'legend at the left': chart({ plots: bars(two()), legend: legend('l') }),
  'legend in the corner': chart({ plots: bars(two()), legend: legend('tr') }),
  'legend of its own place': chart({ plots: bars(two()), legend: legend('r', manual(0.7, 0.1, 0.25, 0.2)) }),
  'plot of its own place': chart({ plots: bars(two()), layout: manual(0.2, 0.2, 0.5, 0.5) }),
  'plot of its own inner place': chart({ plots: bars(two()), layout: manual(0.2, 0.2, 0.5, 0.5, '<c:layoutTarget val="inner"/>') }),
  'title of its own place': chart({ plots: bars(two()), head: words('Sales by region').replace('<c:overlay', '<c:layout><c:manualLayout><c:xMode val="edge"/><c:yMode val="edge"/><c:x val="0.1"/><c:y val="0.05"/></c:manualLayout></c:layout><c:overlay') }),
  'without a name, automatic title': chart({ plots: bars(one()), head: '<c:autoTitleDeleted val="0"/>', legend: '' }),
  'sizes of text': chart({ plots: bars(two()), head: words('Big', '', ' sz="2000" b="0"'), axes: names({ look: text(800) }) + values({ look: text(1200, ' b="1"') }), legend: legend('b', text(700)) }),
  'text of the whole chart': chart({ plots: bars(two()), head: words('Big'), look: text(1400) }),
  'table of data': chart({ plots: bars(two()), more: '<c:dTable><c:showHorzBorder val="1"/><c:showVertBorder val="1"/><c:showOutline val="1"/><c:showKeys val="1"/></c:dTable>', legend: '' }),
  'legend entry taken out': chart({ plots: bars(two()), legend: legend('r', '<c:legendEntry><c:idx val="1"/><c:delete val="1"/></c:legendEntry>') }),
  'deleted axes': chart({ plots: bars(two()), axes: names({ deleted: 1 }) + values({ deleted: 1 }) }),
  'minor grid and ticks': chart({ plots: bars(two()), axes: names({ ticks: 'cross' }) + values({ head: `${grid}<c:minorGridlines/>`, minor: 'out' }) }),
  'columns with depth': chart({ plots: plot('bar3DChart', '<c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>', two(), '<c:gapWidth val="150"/><c:shape val="box"/>', `${ids}<c:axId val="0"/>`) }),
  'pie with depth': chart({ plots: pie(pieData(), 'pie3DChart', ''), axes: '' }),
  'small': chart({ plots: bars(two()), head: words('Small') }, 160, 110),
  'drawn out slice': chart({ plots: pie(pieData('<c:explosion val="20"/>' + shows('v'))), axes: '' }),
  'labels of single points': chart({ plots: bars(one('<c:dLbls><c:dLbl><c:idx val="1"/><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Peak</a:t></a:r></a:p></c:rich></c:tx><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbl><c:dLbl><c:idx val="2"/><c:delete val="1"/></c:dLbl><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>')) }),
  'values close together': chart({ plots: lines(ser({ name: 'Near', values: [1010, 1020, 1015, 1012] })) }),
  'fine values': chart({ plots: lines(ser({ name: 'Fine', values: [0.012, 0.034, 0.021, 0.027] })) }),
  'bars in colours': chart({ plots: bars(one()).replace('<c:varyColors val="0"/>', '<c:varyColors val="1"/>'), legend: legend() }),
  'values between points': chart({ plots: lines(two()), axes: names() + values({ end: '<c:crossBetween val="midCat"/>' }) }),
  'unnamed series': chart({ plots: bars(ser({ values: [1, 2, 3, 4] }) + ser({ at: 1, values: [4, 3, 2, 1] })) }),
  'second axis of its own': chart({ plots: lines(one()) + lines(ser({ at: 1, name: 'More', values: [100, 220, 150, 400] }), 'standard', '', '<c:axId val="3"/><c:axId val="4"/>'), axes: axes + second }),
}
