import type { PdfComposition } from '../pdf/join/compose.ts'
import type { FormatPlugin } from '../plugin/contract.ts'
import type { FontsReport } from '../plugin/fonts-report.ts'
import type { ByteSource, Client, Warning } from '../plugin/values.ts'
import type { Merged } from '../ports/index.ts'
import type { Manifest } from '../provenance/manifest.ts'
import type { Services } from '../services/services.ts'
import type { RenderTemplate } from '../services/templates.ts'
import type { PreparedSignature } from '../signing/request.ts'
import type { BatchItem } from './batch/split.ts'
import type { Signature } from './pdf-parts.ts'
import type { FormatOptions, RenderRequest } from './request.ts'

/** One document to render. */
export interface RenderInput {
  readonly services: Services
  readonly template: RenderTemplate
  readonly request: RenderRequest
  readonly signal: AbortSignal
  readonly deadline: number // ms since the epoch
  /** The account whose stored templates may be appended or used as style source; absent if there is none. */
  readonly account?: string | undefined
  /** The client whose conversions share a slot in queues. Absent if no account is known. */
  readonly client?: Client | undefined
  /** Called when a stage begins; once for each item of a batch. */
  readonly onStage?: ((stage: Stage) => void) | undefined
  /** Set for one item of a batch. */
  readonly item?: BatchItem | undefined
  /** Signatures of the document. Absent: none. */
  readonly signatures?: readonly PreparedSignature[] | undefined
  /** Set for a template that another one appends. */
  readonly isNested?: true
}

/** The constant inputs of the steps of one render. */
export interface PipelineContext extends RenderInput {
  /** Renders a template that `:appendTemplate` names, with this request and other data, to a PDF. */
  /** Renders the XML template of the electronic invoice. */
  readonly renderInvoice: (template: string) => Promise<Uint8Array>
  readonly renderNested: (template: string, data: unknown, merged: Merged | undefined) => Promise<ByteSource>
}

export type Stage = 'merging' | 'converting'

/** The result of a step. It is immutable: each step returns a new state. */
export interface PipelineState {
  /** The document after the last step. */
  readonly source: ByteSource
  readonly format: FormatPlugin
  /** The output that `convertTo` names. Absent: the document keeps its format. */
  readonly target?: FormatPlugin
  /** Set by `merge`, unless the request has no data. */
  readonly merged?: Merged
  /** Set by `chooseOutput`. */
  readonly output?: OutputPlan
  readonly warnings: readonly Warning[]
  readonly converters: readonly string[]
  readonly fonts?: FontsReport
  readonly pageCount?: number
  /** Set by `addManifest`. */
  readonly manifest?: Manifest
  readonly signatures: readonly Signature[]
}

/** How the merged document becomes the output. */
export interface OutputPlan {
  readonly format: FormatPlugin
  /** 'keep': the document is the output already. 'convert': an engine has to work on it. */
  readonly action: 'keep' | 'convert'
  /** The engine that was pinned; absent for the default one and for 'auto'. */
  readonly letter?: string | undefined
  readonly auto: boolean
  readonly hardRefresh: boolean
  /** Options for the engine. */
  readonly options?: FormatOptions | undefined
  /** Set if the template requests that other files be joined or attached to its PDF. */
  readonly assembly?: PdfAssembly
}

export interface PdfAssembly {
  /** The files to join and attach. They are fetched and rendered while the engine runs. */
  readonly parts: Promise<PdfComposition>
  /** Options that apply to the assembled PDF: watermarks, page selection, encryption. */
  readonly options: FormatOptions
}

/** The state before the merge, without the document. */
export function firstState(target: FormatPlugin | undefined): Omit<PipelineState, 'source' | 'format'> {
  return { ...(target !== undefined && { target }), converters: [], signatures: [], warnings: [] }
}

/** Adds warnings to a state. Returns the same object if there are none. */
export function withWarnings(state: PipelineState, warnings: readonly Warning[]): PipelineState {
  return warnings.length === 0 ? state : { ...state, warnings: [...state.warnings, ...warnings] }
}
