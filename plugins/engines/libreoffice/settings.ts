import type { Schema, SchemaIssue } from '../../../shared/plugin/values.ts'
import type { IntegerRange } from '../../../shared/setting-rules.ts'

/** Settings of the operator for this engine. */
export interface OfficeSettings {
  readonly soffice?: string // path; absent: searched for
  readonly python?: string // path of a Python with UNO; absent: searched for
  readonly factories: number // office processes
  readonly queueSize: number // documents that may wait for one
  readonly memoryLimitMb: number // resident, for each process; a document that exceeds it fails
  readonly recycleMb: number // a process that uses more memory than this after a job is replaced
  readonly bootTimeoutMs: number
  readonly attempts: number // for a document that crashes the office
  readonly scratchDir?: string // absent: the host's scratch folder
  readonly fontsDir?: string // fonts of the operator
}

/** Settings that are integers, with their ranges and defaults. */
const numbers: Readonly<Record<string, IntegerRange>> = {
  factories: { min: 1, max: 64, default: 1, description: 'Office processes at the same time.' },
  queueSize: { min: 0, max: 100_000, default: 100, description: 'Documents that may wait for a process.' },
  memoryLimitMb: { min: 300, max: 1_000_000, default: 2_000, description: 'Resident memory of one process.' },
  recycleMb: {
    min: 200,
    max: 1_000_000,
    default: 900,
    description: 'A process above this is replaced after a job.',
  },
  attempts: {
    min: 1,
    max: 10,
    default: 2,
    description: 'Attempts at a document that brings the office down.',
  },
  bootTimeoutMs: { min: 1_000, max: 600_000, default: 30_000, description: 'Time to start a process.' },
}
/** Settings that are paths. An empty one counts as absent. */
const paths = ['soffice', 'python', 'scratchDir', 'fontsDir'] as const

/** The schema of the settings. Unknown ones are ignored. */
export const settingsSchema: Schema<OfficeSettings> = {
  json: {
    type: 'object',
    properties: {
      ...Object.fromEntries(paths.map((name) => [name, { type: 'string' }])),
      ...Object.fromEntries(
        Object.entries(numbers).map(([name, { min, max, default: start, description }]) => [
          name,
          { type: 'integer', minimum: min, maximum: max, default: start, description },
        ]),
      ),
    },
  },
  parse(input) {
    const settings = (input ?? {}) as Readonly<Record<string, unknown>>
    const issues: SchemaIssue[] = []
    const value: Record<string, unknown> = {}
    for (const [name, { min, max, default: start }] of Object.entries(numbers)) {
      const setting = settings[name] ?? start
      if (Number.isInteger(setting) && (setting as number) >= min && (setting as number) <= max)
        value[name] = setting
      else issues.push({ path: name, rule: `must be an integer from ${min} to ${max}` })
    }
    for (const name of paths) {
      const setting = settings[name]
      if (setting === undefined || setting === '') continue
      if (typeof setting === 'string') value[name] = setting
      else issues.push({ path: name, rule: 'must be a path' })
    }
    if (issues.length > 0) return { ok: false, issues }
    return { ok: true, value: value as unknown as OfficeSettings }
  },
}
