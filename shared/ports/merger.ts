import type { Problem } from '../errors/app-error.ts'
import type { Relationship } from '../pdf/attach.ts'
import type { ByteSource, FormatId, Outcome, Warning } from '../plugin/contract.ts'

/** A template as the merger gets it. `hash` names the bytes: compiled plans are cached by it. */
export interface MergeTemplate {
  readonly hash: string // SHA-256 of the bytes, lower-case hex
  readonly bytes: Uint8Array
  readonly format: FormatId
}

/** JSON that may still be text: parsing happens where merging happens, not on the thread that serves requests. Bytes are UTF-8. */
export type JsonInput = { readonly text: string | Uint8Array } | { readonly value: unknown }

export interface MergeOptions {
  readonly complement?: JsonInput
  readonly lang: string
  readonly timezone: string
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly enum?: Readonly<Record<string, unknown>>
  readonly currencySource?: string
  readonly currencyTarget?: string
  readonly currencyRates?: Readonly<Record<string, number>>
  readonly variableStr?: string
  /** Text templates rendered beside the document, with its aliases: reportName, batchReportName. */
  readonly names?: Readonly<Record<string, string>>
  readonly now: number // ms since the epoch; becomes c.now
  readonly languageLevel: number // preReleaseFeatureIn or the API major: below 5000000 is the tolerant loop mode
  readonly debug?: boolean
  /** Conditions that stop the render: 'IMAGE_URL_ERROR'. */
  readonly failOn?: readonly string[]
  /**
   * The files fetched for this render, by address. Absent: nothing was fetched yet. The addresses that a merge would
   * have used are listed in `Merged.needs`; the caller fetches them and merges again.
   */
  readonly files?: ReadonlyMap<string, FetchedFile>
  /** The maximum number of addresses that a merge asks for; 20 unless set. */
  readonly maxFiles?: number
  /**
   * PNGs drawn for this render, by `FallbackImageRequest.key`; undefined for what could not be drawn. Set, though it may be
   * empty, where the caller gets the document itself and may open it with a program that cannot show every type of
   * picture. The images that a merge would have used and was not given are listed in `Merged.fallbackImages`.
   */
  readonly fallbackImages?: ReadonlyMap<string, Uint8Array | undefined>
  /** Large sheets name every row and cell: for an engine, which may read no others. */
  readonly addressed?: boolean
  /** Set when `data` is one item of a batch: the template's first tag decides what `d` is then. */
  readonly batch?: BatchShape
}

/**
 * Where an item of a batch was taken from. `d` is the item itself, unless the first `{d` tag addresses the array: then
 * `d` is what it was, its array holding the single item.
 */
export interface BatchShape {
  readonly array?: string // name of the array in `d`; absent: `d` is the array
  readonly rest?: JsonInput // the other members of `d`
}

/** `failed` says why in words that hold no address. */
export type FetchedFile = { readonly bytes: Uint8Array } | { readonly failed: string }

export interface MergeJob {
  readonly template: MergeTemplate
  readonly data: JsonInput
  readonly options: MergeOptions
}

/** A picture that needs a PNG beside it or in its place. */
export interface FallbackImageRequest {
  readonly key: string
  readonly kind: 'svg' | 'webp'
  readonly bytes: Uint8Array
  /** Pixels; for SVG units of its own. */
  readonly width: number
  readonly height: number
}

/** What a template asks to be done to the PDF of its render, in the order of its tags. */
export type FileOperation =
  | { readonly kind: 'append'; readonly source: string; readonly where: 'start' | 'end' }
  | {
      readonly kind: 'attach'
      readonly source: string
      readonly name: string
      readonly relationship: Relationship
    }
  | {
      readonly kind: 'template'
      readonly template: string // id of a template or of a version
      readonly where: 'start' | 'end'
      readonly data: unknown
    }
  | { readonly kind: 'sign'; readonly mark: string; readonly data: unknown }

export interface Merged {
  readonly document: ByteSource
  readonly format: FormatId
  readonly names: Readonly<Record<string, string>> // rendered, unescaped, not yet sanitised
  /** What `{o.*}` tags asked for; they win over the request. */
  readonly asked: {
    readonly lang?: string
    readonly timezone?: string
    readonly converter?: string
    readonly hardRefresh?: boolean
    readonly styleSource?: string
    readonly preReleaseFeatureIn?: number
  }
  readonly debug?: { readonly markers: readonly string[] }
  readonly planReused: boolean
  /** Absent: none. */
  readonly operations?: readonly FileOperation[]
  /** Addresses of files that were not given: neutral pictures stand in for them. Absent when nothing is missing. */
  readonly needs?: readonly string[]
  /** Pictures whose PNG is neither in `MergeOptions.fallbackImages` nor known to be impossible. Absent: none. */
  readonly fallbackImages?: readonly FallbackImageRequest[]
}

/** What a template is asked to tell of itself. `data` and `complement`, when given, are compared with what it reads. */
export interface InspectJob {
  readonly template: MergeTemplate
  readonly languageLevel: number
  readonly lang: string
  readonly variableStr?: string
  readonly data?: JsonInput
  readonly complement?: JsonInput
}
export interface Inspection {
  readonly errors: readonly Problem[]
  readonly warnings: readonly Warning[]
  /** JSON Schema of `{d.}`, and of `{c.}` when the template reads it. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly complementSchema?: Readonly<Record<string, unknown>>
  readonly sample: Sample
}
/** Made-up data that fits a template, as stored with one (specification 2.1, `sample`). */
export interface Sample {
  readonly data: unknown
  readonly complement?: unknown
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly enum?: Readonly<Record<string, unknown>>
}

/**
 * Fills a template with data. The origin runs it in worker threads, the edge in the isolate.
 * Throws AppError 'template.*' with every problem of the template listed, or 'api.*' when data is not JSON.
 */
export interface Merger {
  merge(job: MergeJob, signal: AbortSignal): Promise<Outcome<Merged>>
  /** Opens only: what an upload checks. Throws as `merge` does when the container is broken or over a limit. */
  check?(template: MergeTemplate, signal: AbortSignal): Promise<void>
  /** Reads a template without rendering it. Throws only what keeps it from being read at all, and 'template.data'. */
  inspect(job: InspectJob, signal: AbortSignal): Promise<Inspection>
  stop?(): Promise<void>
}
