import { drawChart, loadCharts } from '../../images/chart.ts'
import { readChart } from '../../images/chart-option.ts'
import { value } from './define.ts'
import { DrawnPicture, PictureValue, type RenderContext } from './formatter.ts'

/** Charts drawn from data, in place of the picture that carries the tag. */

/**
 * Draws a chart object in place of the picture that carries the tag: in its alternative text, in the `src` of an HTML
 * image, between the parentheses of a Markdown image. The object is `{ type, width, height, theme, option }`: `type` is
 * `echarts@v5` or `echarts@v5a`, `option` an Apache ECharts 5 option of plain values; 600 by 400 when it names no size.
 * Where the object names its type, the formatter may be left out. What cannot be drawn gives a neutral picture.
 *
 * @example {"v":{"option":{"series":[{"type":"pie","data":[1,2]}]}}} {d.v:chart} =>
 */
export const chart = value(
  'chart',
  [],
  (input, _, { render }) => new PictureValue(chartPicture(input, render) ?? nothing),
  loadCharts,
)

/** The neutral picture in place of a value that is not a chart. */
const nothing = new DrawnPicture('chart', () => undefined, '')

/**
 * The maximum cost of all charts of one render: each costs the number of its values plus 2,000. Elapsed time cannot
 * serve as the measure, because the clock of a Worker stands still while code runs.
 */
const budget = 1_000_000
const spentKey = 'chart spent'

/** The chart as a picture, undefined when the value is none. */
export function chartPicture(input: unknown, render: RenderContext): DrawnPicture | undefined {
  const request = readChart(input)
  if (request === undefined) return undefined
  const key = JSON.stringify(request)
  const draw = () => {
    const steps = ((render.memo.get(spentKey) as number | undefined) ?? 0) + 2_000 + Math.ceil(key.length / 8)
    render.memo.set(spentKey, steps)
    return steps > budget ? undefined : drawChart(request, render.lang)
  }
  return new DrawnPicture(`chart ${render.lang} ${key}`, draw, '')
}
