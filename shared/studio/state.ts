import type { Findings, Model, RenderedFile, Sample, StoredTemplate } from './model/client.ts'
import type { StudioConfig } from './model/config.ts'
import type { FileKind } from './model/files.ts'
import type { RenderOptions, reportedOptions } from './model/options.ts'
import type { Output } from './model/outputs.ts'

/** What the views show. Only `session.ts` and `stored.ts` change it. */
export interface State {
  config: StudioConfig
  template: OpenTemplate | undefined
  options: RenderOptions
  outputs: readonly Output[]
  live: boolean
  busy: boolean // a preview is being made
  preview: Preview
  findings: Findings | undefined
  model: Model | undefined
  /** All stored templates; undefined: not asked for, or there are none to be had. */
  library: readonly StoredTemplate[] | undefined
  libraryNote: string
  versions: readonly StoredTemplate[]
  /** The service wants a token, or another one. */
  needsToken: boolean
}

export interface OpenTemplate {
  readonly name: string // without its extension
  readonly kind: FileKind
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The version that it came from, or that it was saved as. */
  readonly stored: StoredTemplate | undefined
  /** Whether its bytes are other than those that were opened or saved. */
  readonly changed: boolean
}

export type Preview =
  | { readonly kind: 'none' }
  | { readonly kind: 'made'; readonly file: RenderedFile; readonly ms: number }
  | { readonly kind: 'failed'; readonly message: string }

/** What a view may wait for. 'content': other bytes in the template than those that the text editor gave it. */
export type Part = keyof State | 'content'

/** What the page around is told: events of the element, with what they carry. */
export type Notice =
  | { readonly type: 'options:updated'; readonly detail: ReturnType<typeof reportedOptions> }
  | { readonly type: 'template:loaded'; readonly detail: Readonly<Record<string, unknown>> }
  | { readonly type: 'template:updated'; readonly detail: UpdatedTemplate }
  | { readonly type: 'template:saved'; readonly detail: SavedTemplate }

export interface UpdatedTemplate {
  readonly createdAt: number // UTC seconds
  readonly type: string
  readonly dataURI: string
}
export type SavedTemplate = Omit<StoredTemplate, 'category'> & { readonly sample: readonly Sample[] }

export function emptyState(config: StudioConfig): State {
  return {
    config,
    template: undefined,
    options: {},
    outputs: [],
    live: true,
    busy: false,
    preview: { kind: 'none' },
    findings: undefined,
    model: undefined,
    library: undefined,
    libraryNote: '',
    versions: [],
    needsToken: false,
  }
}
