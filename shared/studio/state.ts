import type {
  CaseReport,
  CheckResult,
  Model,
  ReceivedFile,
  ReceivedSample,
  RenderedFile,
  StoredTemplate,
  TemplateCase,
} from './model/client.ts'
import type { StudioConfig } from './model/config.ts'
import type { FileKind } from './model/files.ts'
import type { reportedOptions, StudioOptions } from './model/options.ts'
import type { OutputChoice } from './model/outputs.ts'

/** The state that the views show. Only `session.ts`, `stored.ts`, `cases.ts` and `batch.ts` change it. */
export interface StudioState {
  config: StudioConfig
  template: OpenTemplate | undefined
  options: StudioOptions
  outputs: readonly OutputChoice[]
  live: boolean
  busy: boolean // while a preview is rendered
  preview: Preview
  checks: CheckResult | undefined
  model: Model | undefined
  /** All stored templates; undefined when they have not been requested or are not available. */
  library: readonly StoredTemplate[] | undefined
  libraryNote: string
  versions: readonly StoredTemplate[]
  /** The cases of the stored version; undefined when they have not been requested. */
  cases: readonly TemplateCase[] | undefined
  /** The last report of each test case that ran, by its name. */
  reports: ReadonlyMap<string, CaseReport>
  checking: boolean // while cases run
  casesNote: string
  batch: BatchState
  /** Whether the service requires a token, or a different one. */
  needsToken: boolean
}

export interface OpenTemplate {
  readonly name: string // without the extension
  readonly kind: FileKind
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The stored version that it was opened from or saved as. */
  readonly stored: StoredTemplate | undefined
  /** Whether its bytes differ from those that were opened or saved. */
  readonly changed: boolean
}

/** A batch of documents, from its start to the file that can be downloaded. */
export type BatchState =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'running'
      readonly jobId: string | undefined // until the service has accepted it
      readonly total: number // 0: not known yet
      readonly done: number
      readonly failed: number
      readonly stop: AbortController
    }
  | { readonly kind: 'done'; readonly file: ReceivedFile; readonly done: number; readonly failed: number }
  | { readonly kind: 'failed'; readonly message: string }

export type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'made'; readonly file: RenderedFile; readonly ms: number }
  | { readonly kind: 'pages'; readonly pages: RenderedPages; readonly ms: number }
  | { readonly kind: 'failed'; readonly message: string }

/** A document whose pages are drawn one at a time, as pictures. */
export interface RenderedPages {
  readonly count: number
  /** The page with which the number of pages was determined. */
  readonly first: { readonly number: number; readonly picture: Blob }
  draw(page: number, signal: AbortSignal): Promise<Blob>
  readonly warnings: readonly string[] // codes
  readonly converters: readonly string[]
}

/**
 * The parts of the state that a view can listen to. 'content': the bytes of the template changed by other
 * means than the text editor.
 */
export type StatePart = keyof StudioState | 'content'

/** The events of the element, with their details. */
export type StudioEvent =
  | { readonly type: 'options:updated'; readonly detail: ReturnType<typeof reportedOptions> }
  | { readonly type: 'template:loaded'; readonly detail: Readonly<Record<string, unknown>> }
  | { readonly type: 'template:updated'; readonly detail: UpdatedTemplate }
  | { readonly type: 'template:saved'; readonly detail: SavedTemplate }

export interface UpdatedTemplate {
  readonly createdAt: number // UTC seconds
  readonly type: string
  readonly dataURI: string
}
export type SavedTemplate = Omit<StoredTemplate, 'category'> & { readonly sample: readonly ReceivedSample[] }

export function emptyState(config: StudioConfig): StudioState {
  return {
    config,
    template: undefined,
    options: {},
    outputs: [],
    live: true,
    busy: false,
    preview: { kind: 'none' },
    checks: undefined,
    model: undefined,
    library: undefined,
    libraryNote: '',
    versions: [],
    cases: undefined,
    reports: new Map(),
    checking: false,
    casesNote: '',
    batch: { kind: 'none' },
    needsToken: false,
  }
}
