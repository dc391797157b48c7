import { type IntegerRange, programSettings } from '../../../shared/plugin/program-settings.ts'

/** Settings of the operator for this engine. */
export interface BrowserSettings {
  readonly browser?: string // path; absent: searched for
  readonly pages: number // maximum number of documents at the same time
  readonly queueSize: number // documents that may wait for a page
  readonly memoryLimitMb: number // of the browser with all its processes; above it the running documents fail
  readonly recycleMb: number // a browser that uses more memory than this after a job is replaced
  readonly recycleJobs: number // a browser that has served this many documents is replaced
  readonly bootTimeoutMs: number
  readonly attempts: number // for a document that crashes the browser
  readonly scratchDir?: string // absent: the host's scratch folder
  readonly fontsDir?: string // fonts of the operator
}

/** Memory is counted without shared pages: about 400 MB with four pages in use. */
const integers: Readonly<Record<string, IntegerRange>> = {
  pages: { min: 1, max: 64, default: 4, description: 'Documents at the same time.' },
  queueSize: { min: 0, max: 100_000, default: 100, description: 'Documents that may wait for a page.' },
  memoryLimitMb: { min: 500, max: 1_000_000, default: 3_000, description: 'Memory of the browser.' },
  recycleMb: {
    min: 300,
    max: 1_000_000,
    default: 1_500,
    description: 'A browser above this is replaced after a job.',
  },
  recycleJobs: {
    min: 1,
    max: 10_000_000,
    default: 5_000,
    description: 'So is one that has served so many documents.',
  },
  attempts: {
    min: 1,
    max: 10,
    default: 2,
    description: 'Attempts at a document that brings the browser down.',
  },
  bootTimeoutMs: { min: 1_000, max: 600_000, default: 30_000, description: 'Time to start the browser.' },
}
const paths = ['browser', 'scratchDir', 'fontsDir'] as const

export const settingsSchema = programSettings<BrowserSettings>({ integers, paths })
