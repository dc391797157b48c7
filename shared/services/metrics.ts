/**
 * Metrics of one process in the Prometheus text format (exposition format 0.0.4). Counters and histograms are
 * updated as events happen; gauges are read when the text is requested.
 */
export interface Metrics {
  /** Adds `by`, 1 by default, to a counter. */
  count(name: string, labels?: Labels, by?: number): void
  /** Adds a duration to a histogram. */
  observe(name: string, seconds: number, labels?: Labels): void
  /** All metrics as text. */
  text(gauges: readonly Gauge[]): string
}
export type Labels = Readonly<Record<string, string | number>>
export interface Gauge {
  readonly name: string
  readonly help: string
  readonly value: number | readonly { readonly labels: Labels; readonly value: number }[]
  readonly kind?: 'gauge' | 'counter'
}

/**
 * Upper bounds of the histogram buckets in seconds: from a list served from memory to a render that takes
 * minutes.
 */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
/**
 * Label combinations that are kept for one metric; further ones are dropped. Labels are names of this
 * program, so the limit is a guard against a label that a caller could choose.
 */
const maxSeries = 2000

interface Histogram {
  readonly counts: number[] // of each bucket alone; the text adds them up
  sum: number // seconds
  total: number // observations, those above the last bound included
}

/**
 * Creates the metrics of a process. `families` maps each metric name to its help text; other names are
 * ignored. Names that end in `_seconds` are histograms.
 */
export function createMetrics(families: Readonly<Record<string, string>>): Metrics {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()

  return {
    count(name, labels = {}, by = 1) {
      if (families[name] === undefined) return
      const series = seriesOf(counters, name)
      const key = labelText(labels)
      if (series.size < maxSeries || series.has(key)) series.set(key, (series.get(key) ?? 0) + by)
    },
    observe(name, seconds, labels = {}) {
      if (families[name] === undefined) return
      const series = seriesOf(histograms, name)
      const key = labelText(labels)
      let found = series.get(key)
      if (found === undefined) {
        if (series.size >= maxSeries) return
        found = { counts: bounds.map(() => 0), sum: 0, total: 0 }
        series.set(key, found)
      }
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      if (bucket !== -1) found.counts[bucket]!++
      found.sum += seconds
      found.total++
    },
    text(gauges) {
      const lines: string[] = []
      for (const { name, help, value, kind = 'gauge' } of gauges) {
        const series =
          typeof value === 'number'
            ? [`${name} ${value}`]
            : value.map((one) => `${name}{${labelText(one.labels)}} ${one.value}`)
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...series)
      }
      for (const [name, help] of Object.entries(families)) {
        const histogram = histograms.get(name)
        const isHistogram = histogram !== undefined || name.endsWith('_seconds')
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${isHistogram ? 'histogram' : 'counter'}`)
        for (const [labels, one] of histogram ?? []) lines.push(...histogramLines(name, labels, one))
        for (const [labels, value] of counters.get(name) ?? [])
          lines.push(`${name}${labels === '' ? '' : `{${labels}}`} ${value}`)
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function histogramLines(name: string, labels: string, { counts, sum, total }: Histogram): string[] {
  const before = labels === '' ? '' : `${labels},`
  const own = labels === '' ? '' : `{${labels}}`
  let running = 0
  const buckets = bounds.map((bound, at) => {
    running += counts[at]!
    return `${name}_bucket{${before}le="${bound}"} ${running}`
  })
  return [
    ...buckets,
    `${name}_bucket{${before}le="+Inf"} ${total}`,
    `${name}_sum${own} ${sum}`,
    `${name}_count${own} ${total}`,
  ]
}

function seriesOf<T>(families: Map<string, Map<string, T>>, name: string): Map<string, T> {
  const known = families.get(name)
  if (known !== undefined) return known
  const made = new Map<string, T>()
  families.set(name, made)
  return made
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(
      ([name, value]) =>
        `${name}="${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
    )
    .join(',')
}
