import { expect, it } from 'vitest'
import { createMetrics } from '../../origin/metrics.ts'

it('prints counters, histograms and gauges in the exposition format', () => {
  const metrics = createMetrics({ calls_total: 'Calls.', time_seconds: 'Time.', never_total: 'Never.' })
  metrics.count('calls_total', { operation: 'a"b\\c\nd', status: 200 })
  metrics.count('calls_total', { operation: 'a"b\\c\nd', status: 200 }, 2)
  metrics.observe('time_seconds', 0.004, { operation: 'x' })
  metrics.observe('time_seconds', 1000, { operation: 'x' })
  metrics.count('unknown_total')
  const lines = metrics.text([{ name: 'queued', help: 'Waiting.', value: 3 }]).split('\n')
  expect(lines.slice(0, 6)).toEqual([
    '# HELP queued Waiting.',
    '# TYPE queued gauge',
    'queued 3',
    '# HELP calls_total Calls.',
    '# TYPE calls_total counter',
    'calls_total{operation="a\\"b\\\\c\\nd",status="200"} 3',
  ])
  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE time_seconds histogram',
      'time_seconds_bucket{operation="x",le="0.0025"} 0',
      'time_seconds_bucket{operation="x",le="0.005"} 1',
      'time_seconds_bucket{operation="x",le="300"} 1',
      'time_seconds_bucket{operation="x",le="+Inf"} 2',
      'time_seconds_sum{operation="x"} 1000.004',
      'time_seconds_count{operation="x"} 2',
      '# TYPE never_total counter',
    ]),
  )
  expect(lines.join('\n')).not.toContain('unknown_total')
})

it('memory is bounded for any number of labels', () => {
  const metrics = createMetrics({ calls_total: 'Calls.' })
  for (let at = 0; at < 5000; at++) metrics.count('calls_total', { at })
  expect(metrics.text([]).split('\n').length).toBeLessThan(2010)
})
