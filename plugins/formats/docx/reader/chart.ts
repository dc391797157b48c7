import type { Axis, Chart, Plot, Series } from '../../../../shared/document/chart.ts'
import type { Color } from '../../../../shared/document/properties.ts'
import { type XmlCursor, xmlText } from '../../../../shared/document/xml-cursor.ts'
import { readPaint } from './colors.ts'
import { openStory, type ReaderContext, warn } from './story.ts'
import { type Theme, themeColor } from './theme.ts'

/** A chart part with the values that its file keeps of the workbook behind it. Source: ECMA-376-1, clause 21.2. */
export function readChart(context: ReaderContext, part: string): Chart | undefined {
  const story = openStory(context, part)
  if (story === undefined) return undefined
  const left = undrawn(xmlText(context.parts(part) ?? new Uint8Array()))
  if (left !== undefined) warn(context, 'read.chart-part', `A chart is drawn without ${left}.`, part)
  const reader = new ChartReader(story.cursor, context.theme)
  return reader.chart()
}

const parts: readonly (readonly [string, string])[] = [
  ['trendline', 'its trend lines'],
  ['errBars', 'its error bars'],
  ['(?:hiLowLines|upDownBars|dropLines)', 'the lines between its series'],
  ['dTable', 'its table of data'],
  ['(?:bar|line|area|pie)3DChart', 'depth'],
  ['ofPieChart', 'its second pie'],
]

/** What a chart holds that is not drawn, in words. */
function undrawn(xml: string): string | undefined {
  const found = parts
    .filter(([name]) => new RegExp(`<(?:\\w+:)?${name}[\\s/>]`).test(xml))
    .map(([, words]) => words)
  const secondary =
    (xml.match(/<(?:\w+:)?valAx[\s>]/g)?.length ?? 0) > 1 &&
    !/<(?:\w+:)?(?:scatter|bubble)Chart[\s>]/.test(xml)
  if (secondary) found.push('its second axis')
  return found.length === 0 ? undefined : found.join(', ')
}

/** A chart has dozens of points to be read; thousands are a scatter of measurements. */
const mostPoints = 20_000
const mostSeries = 200

const kinds: Readonly<Record<string, Plot['kind']>> = {
  'c:barChart': 'bar',
  'c:bar3DChart': 'bar',
  'c:lineChart': 'line',
  'c:line3DChart': 'line',
  'c:stockChart': 'line',
  'c:areaChart': 'area',
  'c:area3DChart': 'area',
  'c:pieChart': 'pie',
  'c:pie3DChart': 'pie',
  'c:ofPieChart': 'pie',
  'c:doughnutChart': 'doughnut',
  'c:scatterChart': 'scatter',
  'c:bubbleChart': 'bubble',
  'c:radarChart': 'radar',
}
const sides: Readonly<Record<string, Chart['legend']>> = {
  l: 'left',
  r: 'right',
  tr: 'right',
  t: 'top',
  b: 'bottom',
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

class ChartReader {
  readonly #cursor: XmlCursor
  readonly #theme: Theme
  #left = mostPoints

  constructor(cursor: XmlCursor, theme: Theme) {
    this.#cursor = cursor
    this.#theme = theme
  }

  chart(): Chart | undefined {
    const cursor = this.#cursor
    const palette = [1, 2, 3, 4, 5, 6].flatMap((n) => themeColor(this.#theme, `accent${n}`) ?? [])
    const chart: Mutable<Chart> & { plots: Plot[] } = {
      plots: [],
      categories: noAxis,
      values: noAxis,
      palette,
    }
    let autoTitle = true
    cursor.each((name) => {
      if (name === 'c:spPr') {
        const fill = this.#shapeFill().fill
        if (fill !== undefined && fill !== 'none') chart.background = fill
      }
      if (name !== 'c:chart') return
      cursor.each((part) => {
        if (part === 'c:title') chart.title = this.#words()
        else if (part === 'c:autoTitleDeleted') autoTitle = !this.#on()
        else if (part === 'c:legend') chart.legend = this.#legend()
        else if (part === 'c:plotArea') this.#plotArea(chart)
      })
    })
    if (chart.plots.length === 0) return undefined
    const [only] = chart.plots.flatMap(({ series }) => series)
    const single = chart.plots.reduce((sum, { series }) => sum + series.length, 0) === 1
    // A title without words of its own is the name of the only series.
    if (chart.title === '' && autoTitle && single) chart.title = only?.name ?? ''
    if (chart.title === '') delete chart.title
    return chart
  }

  #on(): boolean {
    const value = this.#cursor.attribute('val')
    return value === undefined || value === '1' || value === 'true'
  }
  #value(): string | undefined {
    return this.#cursor.attribute('val')
  }
  #number(): number | undefined {
    const value = Number(this.#value())
    return Number.isFinite(value) ? value : undefined
  }

  /** All text inside the current element, a line for each paragraph. */
  #words(): string {
    const cursor = this.#cursor
    const lines: string[] = []
    const visit = (name: string): void => {
      if (name === 'a:p') lines.push('')
      if (name === 'a:t' || name === 'c:v') {
        const text = cursor.text()
        lines[Math.max(0, lines.length - 1)] = (lines.at(-1) ?? '') + text
      } else cursor.each(visit)
    }
    cursor.each(visit)
    return lines.join('\n').trim()
  }

  #legend(): Chart['legend'] {
    let side: Chart['legend'] = 'right'
    this.#cursor.each((name) => {
      if (name === 'c:legendPos') side = sides[this.#value() ?? 'r'] ?? 'right'
    })
    return side
  }

  #shapeFill(): { fill?: Color | 'none'; line?: Color; noLine: boolean } {
    const cursor = this.#cursor
    const found: { fill?: Color | 'none'; line?: Color; noLine: boolean } = { noLine: false }
    cursor.each((name) => {
      if (name === 'a:noFill') found.fill = 'none'
      else if (name === 'a:solidFill') {
        const paint = readPaint(cursor, this.#theme)
        if (paint !== undefined) found.fill = paint.color
      } else if (name === 'a:gradFill') {
        cursor.each((list) => {
          if (list !== 'a:gsLst') return
          cursor.each(() => {
            const paint = readPaint(cursor, this.#theme)
            if (found.fill === undefined && paint !== undefined) found.fill = paint.color
          })
        })
      } else if (name === 'a:ln') {
        cursor.each((part) => {
          if (part === 'a:noFill') found.noLine = true
          else if (part === 'a:solidFill') {
            const paint = readPaint(cursor, this.#theme)
            if (paint !== undefined) found.line = paint.color
          }
        })
      }
    })
    return found
  }

  #plotArea(chart: Mutable<Chart> & { plots: Plot[] }): void {
    let values = 0
    this.#cursor.each((name) => {
      const kind = kinds[name]
      if (kind !== undefined) chart.plots.push(this.#plot(kind))
      else if (name === 'c:catAx' || name === 'c:dateAx') chart.categories = this.#axis()
      else if (name === 'c:valAx') {
        const axis = this.#axis()
        const isScatter = chart.plots.some(({ kind: own }) => own === 'scatter' || own === 'bubble')
        // Of two value axes a scatter has the first below; other charts have a second one, which is not drawn.
        if (isScatter && values === 0) chart.categories = axis
        else if (values === 0 || (isScatter && values === 1)) chart.values = axis
        values += 1
      }
    })
  }

  #plot(kind: Plot['kind']): Plot {
    const plot: Mutable<Plot> & { series: Series[] } = {
      kind,
      horizontal: false,
      grouping: 'side',
      gap: 1.5,
      overlap: 0,
      hole: 0.5,
      lines: true,
      filled: false,
      series: [],
    }
    let labels: Series['labels']
    let varied = kind === 'pie' || kind === 'doughnut'
    this.#cursor.each((name) => {
      switch (name) {
        case 'c:barDir':
          plot.horizontal = this.#value() === 'bar'
          break
        case 'c:grouping':
          plot.grouping =
            ({ stacked: 'stacked', percentStacked: 'share' } as const)[this.#value() ?? ''] ?? 'side'
          break
        case 'c:gapWidth':
          plot.gap = Math.min(5, Math.max(0, (this.#number() ?? 150) / 100))
          break
        case 'c:overlap':
          plot.overlap = Math.min(1, Math.max(-1, (this.#number() ?? 0) / 100))
          break
        case 'c:holeSize':
          plot.hole = Math.min(0.9, Math.max(0.1, (this.#number() ?? 50) / 100))
          break
        case 'c:scatterStyle':
          plot.lines = this.#value() !== 'marker'
          break
        case 'c:radarStyle':
          plot.filled = this.#value() === 'filled'
          break
        case 'c:varyColors':
          varied = this.#on()
          break
        case 'c:dLbls':
          labels = this.#labels()
          break
        case 'c:ser':
          if (plot.series.length < mostSeries) plot.series.push(this.#series(plot))
          break
      }
    })
    const inherited = labels
    if (inherited !== undefined)
      plot.series = plot.series.map((series) =>
        series.labels === undefined ? { ...series, labels: inherited } : series,
      )
    return varied || plot.series.length !== 1 ? plot : { ...plot, series: plot.series }
  }

  #series(plot: Plot): Series {
    const series: Mutable<Series> & { pointColors: Map<number, Color> } = {
      name: '',
      categories: [],
      values: [],
      pointColors: new Map(),
      smooth: false,
      markers: plot.kind === 'scatter',
    }
    this.#cursor.each((name) => {
      switch (name) {
        case 'c:tx':
          series.name = this.#words()
          break
        case 'c:spPr': {
          const { fill, line, noLine } = this.#shapeFill()
          const isLine = plot.kind === 'line' || plot.kind === 'scatter' || plot.kind === 'radar'
          const own = isLine
            ? (line ?? (fill === 'none' ? undefined : fill))
            : fill === 'none'
              ? undefined
              : fill
          if (own !== undefined) series.color = own
          if (isLine && noLine) series.noFill = true
          break
        }
        case 'c:marker':
          this.#cursor.each((part) => {
            if (part === 'c:symbol') series.markers = this.#value() !== 'none'
          })
          break
        case 'c:smooth':
          series.smooth = this.#on()
          break
        case 'c:dPt':
          this.#point(series.pointColors)
          break
        case 'c:dLbls': {
          const labels = this.#labels()
          if (labels !== undefined) series.labels = labels
          break
        }
        case 'c:cat':
          series.categories = this.#texts()
          break
        case 'c:xVal':
          series.x = this.#numbers().values
          break
        case 'c:val':
        case 'c:yVal': {
          const { values, format } = this.#numbers()
          series.values = values
          if (format !== undefined) series.format = format
          break
        }
        case 'c:bubbleSize':
          series.sizes = this.#numbers().values
          break
      }
    })
    return series
  }

  #point(colors: Map<number, Color>): void {
    let index = -1
    this.#cursor.each((name) => {
      if (name === 'c:idx') index = this.#number() ?? -1
      else if (name === 'c:spPr') {
        const { fill } = this.#shapeFill()
        if (fill !== undefined && fill !== 'none' && index >= 0) colors.set(index, fill)
      }
    })
  }

  #labels(): Series['labels'] {
    const shown = { value: false, share: false, category: false }
    let deleted = false
    this.#cursor.each((name) => {
      if (name === 'c:delete') deleted = this.#on()
      else if (name === 'c:showVal') shown.value = this.#on()
      else if (name === 'c:showPercent') shown.share = this.#on()
      else if (name === 'c:showCatName') shown.category = this.#on()
    })
    return deleted || !(shown.value || shown.share || shown.category) ? undefined : shown
  }

  /** The points of a cache by their index; of several levels the innermost. */
  #points(take: (index: number, text: string) => void): { count: number; format: string | undefined } {
    const cursor = this.#cursor
    let count = 0
    let format: string | undefined
    let levels = 0
    const visit = (name: string): void => {
      if (name === 'c:ptCount') count = Math.min(mostPoints, Math.max(count, this.#number() ?? 0))
      else if (name === 'c:formatCode') format = cursor.text()
      else if (name === 'c:pt') {
        const index = Number(cursor.attribute('idx') ?? -1)
        cursor.each((part) => {
          if (part !== 'c:v' || !(index >= 0 && index < mostPoints) || --this.#left < 0) return
          take(index, cursor.text())
        })
      } else if (name === 'c:lvl') {
        if (levels++ === 0) cursor.each(visit)
      } else if (name !== 'c:f') cursor.each(visit)
    }
    cursor.each(visit)
    return { count, format }
  }

  #texts(): string[] {
    const texts: string[] = []
    const { count } = this.#points((index, text) => {
      texts[index] = text
    })
    return Array.from({ length: Math.max(count, texts.length) }, (_, n) => texts[n] ?? '')
  }

  #numbers(): { values: (number | undefined)[]; format: string | undefined } {
    const found: (number | undefined)[] = []
    const { count, format } = this.#points((index, text) => {
      const value = Number(text)
      if (text.trim() !== '' && Number.isFinite(value)) found[index] = value
    })
    return { values: Array.from({ length: Math.max(count, found.length) }, (_, n) => found[n]), format }
  }

  #axis(): Axis {
    const axis: Mutable<Axis> = { ...noAxis, hidden: false, grid: false }
    const cursor = this.#cursor
    cursor.each((name) => {
      switch (name) {
        case 'c:delete':
          axis.hidden = this.#on()
          break
        case 'c:majorGridlines':
          axis.grid = true
          break
        case 'c:title': {
          const title = this.#words()
          if (title !== '') axis.title = title
          break
        }
        case 'c:numFmt': {
          const format = cursor.attribute('formatCode')
          if (format !== undefined && cursor.attribute('sourceLinked') !== '1') axis.format = format
          break
        }
        case 'c:majorUnit': {
          const step = this.#number()
          if (step !== undefined && step > 0) axis.step = step
          break
        }
        case 'c:scaling':
          cursor.each((part) => {
            const value = this.#number()
            if (part === 'c:orientation') axis.reversed = this.#value() === 'maxMin'
            else if (part === 'c:min' && value !== undefined) axis.min = value
            else if (part === 'c:max' && value !== undefined) axis.max = value
          })
          break
      }
    })
    return axis
  }
}

const noAxis: Axis = { hidden: true, reversed: false, grid: false }
