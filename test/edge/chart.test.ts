import { expect, it } from 'vitest'
import { drawChart, loadCharts } from '../../shared/images/chart.ts'
import { readChart } from '../../shared/images/chart-option.ts'

it('a chart object is drawn inside workerd', async () => {
  await loadCharts()
  const request = readChart({
    type: 'echarts@v5a',
    option: { xAxis: { type: 'category', data: ['a'] }, yAxis: {}, series: [{ type: 'bar', data: [3] }] },
  })
  const svg = new TextDecoder().decode(drawChart(request!, 'de-de'))
  expect(svg).toMatch(/^<svg width="600" height="400"/)
  expect(svg).toContain('>a</text>')
})
