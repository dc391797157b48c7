/**
 * The plugin contract: what a format and an engine are, mostly data. Read `registry.ts` next for how a side finds
 * them and `../convert/graph.ts` for what becomes of the conversions an engine lists.
 */

/** Canonical extension: 'docx', 'odt', 'pdf'. */
export type FormatId = string

/** Bytes that need not be in memory: a Blob is one, so is a file on disk or an object in a bucket. */
export interface ByteSource {
  readonly size: number // bytes
  slice(start: number, end: number): ByteSource
  stream(): ReadableStream<Uint8Array>
  arrayBuffer(): Promise<ArrayBuffer>
  /** The bytes themselves where they are in memory already: spares a copy. Never written to. */
  readonly view?: Uint8Array
  /** Writes all bytes into memory of the reader's, of `size` bytes, where the host can: spares what stands between. */
  readInto?(target: Uint8Array): Promise<void>
}

/** Something worth telling that did not stop the work. Codes are listed in `../errors/catalogue`. */
export interface Warning {
  readonly code: string
  readonly message: string
  readonly where?: string
}

export interface Outcome<T> {
  readonly value: T
  readonly warnings: readonly Warning[]
}

/** What a conversion made. */
export interface Made extends Outcome<ByteSource> {
  /**
   * All files, in order, where the format holds one page, slide or sheet each; `value` is the first. The converter
   * hands several over as a zip (`../convert/pages.ts`).
   */
  readonly pages?: readonly ByteSource[]
  /** What became of the fonts, from an engine that sets text itself. */
  readonly fonts?: import('./fonts-report.ts').FontsReport
  /** What `value` is, when not what the job asked for: said by an engine that stands for others and passes a zip on. */
  readonly format?: FormatId
}

/** `using`: what an engine with a choice works with. */
export type Verdict =
  | { readonly ok: true; readonly using?: string }
  | { readonly ok: false; readonly because: string }

/** A checked shape. `json` is its JSON Schema (2020-12), which also feeds the OpenAPI document. */
export interface Schema<T> {
  readonly json: Readonly<Record<string, unknown>>
  parse(input: unknown): Parsed<T>
}
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] }
export interface SchemaIssue {
  readonly path: string // 'formatOptions.Watermarks[1].size'
  readonly rule: string // 'must be a number between 1 and 2000'
}

export type FormatFamily =
  | 'document'
  | 'spreadsheet'
  | 'presentation'
  | 'graphics'
  | 'web'
  | 'text'
  | 'image'
  | 'data'

export interface FormatPlugin {
  readonly kind: 'format'
  readonly id: FormatId
  readonly family: FormatFamily
  readonly extensions: readonly [string, ...string[]] // no dot; the first is the one we write
  readonly mime: readonly [string, ...string[]] // the first is the one we send
  /** Judges the content, not the name. Reads as little as it can; never throws. Absent: known by name only. */
  sniff?(source: ByteSource): Promise<'no' | 'maybe' | 'sure'>
  /** Absent: carries no tags. */
  readonly template?: TemplateSupport
  /** Absent: cannot be laid out. */
  readonly reader?: DocumentReader
  /**
   * The document that a file is handed out as when nothing else is done to it: without macros, and of the document type
   * where the file is an office template. `undefined` where the file is one already. Absent: every file is.
   */
  plainCopy?(bytes: Uint8Array, context: OpenContext): Uint8Array | undefined
  /**
   * Takes out what a page says about its own printing. `options` are named as in `formatOptions`; those of the request
   * win over them. `undefined` where the page says nothing.
   */
  printOptions?(bytes: Uint8Array): PrintOptions | undefined
  /** Set by a format that is another one under a name and a type of its own. */
  readonly variantOf?: FormatVariant
  /** Set where documents of this format can take over the styles of a stored template (`{o.styleSource}`). */
  readonly styleTransfer?: StyleTransfer
}

/** What an engine is asked to make where this format is wanted. */
export const engineFormat = (format: FormatPlugin): FormatId => format.variantOf?.base ?? format.id

export interface PrintOptions {
  readonly bytes: Uint8Array // without them
  readonly options: Readonly<Record<string, unknown>>
}

/** Engines make `base`; `rewrite` turns its bytes into the variant. */
export interface FormatVariant {
  readonly base: FormatId
  rewrite(bytes: Uint8Array, context: OpenContext): Uint8Array
}

/** How a document takes over styles, headers and footers: both files are converted to one format and joined there. */
export interface StyleTransfer {
  /** Formats of the templates that can lend their styles. */
  readonly sources: readonly FormatId[]
  /** Outputs that have styles, headers and footers. */
  readonly outputs: ReadonlySet<FormatId>
  /** The format in which the two are joined, and the letter of the engine that converts the template to it. */
  readonly through: FormatId
  readonly letter: string
  /** Letters of engines that cannot be pinned with it, and why. */
  readonly unfit: Readonly<Record<string, string>>
  /** `undefined` where the styles cannot be read. */
  join(document: string, styles: string): string | undefined
}

/** Bytes to the format-neutral document model. Implemented under `plugins/formats/<id>/reader`. */
export interface DocumentReader {
  read(bytes: Uint8Array, context: OpenContext): Outcome<import('../document/document.ts').Document>
}

/** How a format is opened for merging. Implemented under `plugins/formats/<id>/template`. */
export interface TemplateSupport {
  open(bytes: Uint8Array, context: OpenContext): Promise<import('../template/package.ts').TemplatePackage>
}
export interface OpenContext {
  readonly codec: Codec
  readonly limits: import('../template/limits.ts').Limits
  /** Opens a file inside the file, by its name; undefined where it is no template. Absent: files inside stay as they are. */
  readonly inner?: (
    name: string,
    bytes: Uint8Array,
    numbers?: readonly string[],
  ) => Promise<import('../template/package.ts').TemplatePackage | undefined>
  /** Addresses of a workbook that a chart draws: a cell with nothing but a tag holds a number there. */
  readonly numbers?: readonly string[]
}

/** Raw DEFLATE (RFC 1951), given by the side: native on the origin, pure JS at the edge. */
export interface Codec {
  /** Throws AppError 'package.too-large' as soon as more than `maxBytes` come out. */
  inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array
  /** `fast`: about half the time for some percent more bytes, where the side has a choice. */
  deflateRaw(bytes: Uint8Array, effort?: 'fast'): Uint8Array
  crc32(bytes: Uint8Array, seed?: number): number
  /** AES-CBC with padding and SHA-2 at once, where the side has them: WebCrypto takes a turn of another thread for each. */
  readonly ciphers?: Ciphers
}

type Held = Uint8Array<ArrayBuffer>

export interface Ciphers {
  encryptCbc(key: Held, iv: Held, data: Held): Held | Promise<Held>
  digest(algorithm: 'SHA-256' | 'SHA-384' | 'SHA-512', data: Held): Held | Promise<Held>
}

export interface EnginePlugin<Settings = unknown, Options = unknown> {
  readonly kind: 'engine'
  readonly contract: 1 // raised when this file changes shape
  readonly id: string
  /** The letter callers pin it with in `converter`; absent for helpers that only the router picks. */
  readonly letter?: string
  readonly title: string
  /** Letters of engines in whose place a helper may work alone: a caller who pins one of them is served by it too. */
  readonly standsFor?: readonly string[]
  /** Source families this engine serves when the caller names none. */
  readonly defaultFor?: readonly FormatFamily[]
  readonly sides: readonly ('edge' | 'origin')[]
  readonly conversions: readonly Conversion[] // accepts(from, to) is a lookup in this list
  readonly settings: Schema<Settings> // the operator's, checked once at start
  readonly options: Schema<Options> // the caller's, checked for each job
  /**
   * It knows when a document is beyond it: told to be careful, it throws 'convert.beyond' rather than draw something
   * else than the document says. What callers get who leave the choice to the service (`converter: "auto"`).
   */
  readonly judges?: boolean
  /** Nothing is wrong with a side where it is off. */
  readonly optional?: true
  /** It reads documents with programs of the system, which run confined; `browser`: with one that has a sandbox too. */
  readonly programs?: 'plain' | 'browser'
  /** Takes all options of an output and applies them itself: nothing is left to do behind it. */
  readonly finishesOutput?: boolean
  create(settings: Settings, host: Host): Engine<Options>
  /**
   * Fetches what a source names and does not hold, before the work, which may run where nothing can be called. Returns
   * the source to work on.
   */
  prepare?(
    job: Pick<ConvertJob<Options>, 'source' | 'from' | 'to' | 'egressAuthorization'>,
    host: Host,
    signal: AbortSignal,
  ): Promise<Outcome<ByteSource>>
}

/** One arrow of the conversion graph. */
export interface Conversion {
  readonly from: FormatId
  readonly to: FormatId
  readonly fidelity: 'exact' | 'high' | 'basic'
  readonly cost: number // ms for a typical page: the weight of the arrow
  /** Set by an engine that stands for several others (the origin, seen from the edge). */
  readonly letter?: string
  /** Only asked for, never passed through: as a source the name of the output means another format. */
  readonly last?: true
}

export interface Engine<Options = unknown> {
  /** A cheap look before the work; a refusal sends the job to the next engine. Absent: accepts. */
  accepts?(job: ConvertJob<Options>): Promise<Verdict>
  convert(job: ConvertJob<Options>, signal: AbortSignal): Promise<Made>
  start?(): Promise<void> // called on first use, or ahead of it to warm up
  stop?(): Promise<void> // jobs in flight have ended or were aborted
  health?(): Promise<Verdict>
}

export interface ConvertJob<Options = unknown> {
  readonly source: ByteSource
  readonly from: FormatId
  readonly to: FormatId
  readonly options: Options
  /** The letter the caller pinned, or that the chosen arrow carries. */
  readonly letter?: string
  /** Sent as `authorization` with each call that the document makes the engine do (`service-egress-header-authorization`). */
  readonly egressAuthorization?: string
  /** See `EnginePlugin.judges`. */
  readonly careful?: boolean
  /** ms since the epoch; engines pass it on to the processes they drive. */
  readonly deadline: number
}

export interface Log {
  debug(event: string, details?: Readonly<Record<string, unknown>>): void
  info(event: string, details?: Readonly<Record<string, unknown>>): void
  warn(event: string, details?: Readonly<Record<string, unknown>>): void
  error(event: string, details?: Readonly<Record<string, unknown>>): void
}

export type DecodeWebp = (
  bytes: Uint8Array,
) => Promise<{ readonly width: number; readonly height: number; readonly rgba: Uint8Array } | undefined>

/** All that a plugin may ask of its side. */
export interface Host {
  format(id: FormatId): FormatPlugin | undefined
  asset(name: string): Promise<Uint8Array | undefined> // fonts, hyphenation tables
  /** The fonts of this side, for engines that set text themselves. Absent: what `asset('fonts/...')` gives. */
  fonts?(): import('./font-library.ts').FontLibrary
  readonly codec: Codec
  readonly log: Log
  now(): number // ms since the epoch
  /** A folder that is the plugin's own, emptied at start. Origin only. */
  scratch?(name: string): Promise<string>
  /** Keeps programs running for the plugin. Origin only. */
  readonly supervise?: import('./processes.ts').Supervise
  /** Outbound calls under the operator's policy. */
  readonly outbound?: import('../ports/index.ts').Outbound
  /** Decodes a WebP picture, of any kind; undefined when it is none. */
  readonly decodeWebp?: DecodeWebp
  /** Puts pictures that an engine drew into another form. Origin only. */
  readonly encodePicture?: import('./pictures.ts').EncodePicture
  /** A new folder of the plugin's own with a path short enough for sockets (unix(7): 107 bytes). Origin only. */
  socketFolder?(): Promise<string>
  /** Takes network, privileges and files from a program that is about to be started. Origin only. */
  readonly confine?: import('./processes.ts').Confine
  /** Runs a program once. Origin only. */
  readonly runProgram?: import('./processes.ts').RunProgram
}

/** Only adds types; a plugin is a plain object. */
export function defineEngine<Settings, Options>(
  plugin: EnginePlugin<Settings, Options>,
): EnginePlugin<Settings, Options> {
  return plugin
}
export function defineFormat(plugin: FormatPlugin): FormatPlugin {
  return plugin
}

export type Plugin = FormatPlugin | EnginePlugin
