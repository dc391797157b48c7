import type { Problem } from '../errors/app-error.ts'
import type { FileRelationship } from '../pdf/join/attach.ts'
import type { ByteSource, FormatId, Outcome, Warning } from '../plugin/values.ts'

/** A template to be merged. Compiled plans are cached under `hash`. */
export interface MergeTemplate {
  readonly hash: string // SHA-256 of the bytes, lower-case hex
  readonly bytes: Uint8Array
  readonly format: FormatId
}

/**
 * JSON as text, as UTF-8 bytes or as a parsed value. Text is parsed by the merger, off the thread that serves
 * requests.
 */
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
  /** Short text templates that are merged with the same data and aliases: reportName, batchReportName. */
  readonly names?: Readonly<Record<string, string>>
  readonly now: number // ms since the epoch; becomes c.now
  /**
   * `preReleaseFeatureIn`, or the level of the API version. Levels below 5000000 use the tolerant loop mode.
   */
  readonly languageLevel: number
  readonly debug?: boolean
  /** Conditions that stop the render: 'IMAGE_URL_ERROR'. */
  readonly failOn?: readonly string[]
  /**
   * The files fetched for this render, by address. Absent: nothing was fetched yet. The addresses that a
   * merge would have used are listed in `Merged.needs`; the caller fetches them and merges again.
   */
  readonly files?: ReadonlyMap<string, FetchedFile>
  /** The maximum number of addresses that a merge asks for; 20 unless set. */
  readonly maxFiles?: number
  /**
   * PNGs drawn for this render, by `FallbackImageRequest.key`; undefined for what could not be drawn. Set,
   * though it may be empty, where the caller gets the document itself and may open it with a program that
   * cannot show every type of picture. The images that a merge would have used and was not given are listed
   * in `Merged.fallbackImages`.
   */
  readonly fallbackImages?: ReadonlyMap<string, Uint8Array | undefined>
  /**
   * Write the reference of every row and cell even in large sheets, for engines that cannot read cells
   * without it.
   */
  readonly addressed?: boolean
  /** Set when `data` is one item of a batch. The first tag of the template then decides what `d` is. */
  readonly batch?: BatchShape
}

/**
 * The array from which an item of a batch was taken. `d` is the item itself, unless the first `{d` tag of the
 * template addresses the array: then `d` keeps its original shape, and its array has the item as its only
 * element.
 */
export interface BatchShape {
  readonly array?: string // name of the array in `d`; absent: `d` is the array
  readonly rest?: JsonInput // the other members of `d`
}

/** A fetched file, or the reason why it could not be fetched. The reason must not contain the address. */
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
  /** The width in pixels; for an SVG in its user units. */
  readonly width: number
  readonly height: number
}

/** An operation on the PDF of the render that a tag requests. The operations keep the order of the tags. */
export type FileOperation =
  | { readonly kind: 'append'; readonly source: string; readonly where: 'start' | 'end' }
  | {
      readonly kind: 'attach'
      readonly source: string
      readonly name: string
      readonly relationship: FileRelationship
    }
  | {
      readonly kind: 'template'
      readonly template: string // Template ID or Version ID
      readonly where: 'start' | 'end'
      readonly data: unknown
    }
  | { readonly kind: 'sign'; readonly mark: string; readonly data: unknown }

export interface Merged {
  readonly document: ByteSource
  readonly format: FormatId
  readonly names: Readonly<Record<string, string>> // rendered, unescaped, not yet sanitised
  /** The options that `{o.*}` tags set. They override the request options. */
  readonly tagOptions: {
    readonly lang?: string
    readonly timezone?: string
    readonly converter?: string
    readonly hardRefresh?: boolean
    readonly styleSource?: string
    readonly preReleaseFeatureIn?: number
  }
  readonly debug?: { readonly markers: readonly string[] }
  readonly planReused: boolean // whether the compiled plan came from the cache
  /** Operations on the finished PDF. Absent: none. */
  readonly operations?: readonly FileOperation[]
  /**
   * Addresses of files that were not in `MergeOptions.files`. Placeholders were used instead. Absent: none is
   * missing.
   */
  readonly needs?: readonly string[]
  /**
   * Pictures whose PNG is neither in `MergeOptions.fallbackImages` nor known to be impossible. Absent: none.
   */
  readonly fallbackImages?: readonly FallbackImageRequest[]
}

/**
 * An inspection of a template. `data` and `complement`, if present, are compared with what the template
 * reads.
 */
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
  /** Every value tag with its braces, in document order. */
  readonly tags: readonly string[]
  /** JSON Schema of `{d.}`, and of `{c.}` when the template reads it. */
  readonly schema: Readonly<Record<string, unknown>>
  readonly complementSchema?: Readonly<Record<string, unknown>>
  readonly sample: SampleData
}
/** Made-up data that fits a template, as stored with one (specification 2.1, `sample`). */
export interface SampleData {
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
  /**
   * Opens the template without merging, as a check of uploads. Throws like `merge` for a broken or too large
   * container.
   */
  check?(template: MergeTemplate, signal: AbortSignal): Promise<void>
  /**
   * Inspects a template without rendering it. Problems of the template are part of the result. Throws only
   * what prevents it from being read, and 'template.data'.
   */
  inspect(job: InspectJob, signal: AbortSignal): Promise<Inspection>
  /** Ends the workers, where the host has any. */
  stop?(): Promise<void>
}
