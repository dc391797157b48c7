import { type IntegerRange, programSettings } from '../../../shared/plugin/program-settings.ts'

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
const integers: Readonly<Record<string, IntegerRange>> = {
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

export const settingsSchema = programSettings<OfficeSettings>({ integers, paths })
