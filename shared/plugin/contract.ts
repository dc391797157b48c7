/**
 * The plugin contract: what a format and an engine are, mostly as data. Read `registry.ts` next for how a
 * host finds plugins, and `../convert/graph.ts` for how the conversions of all engines become one graph.
 */

/** Canonical extension: 'docx', 'odt', 'pdf'. */
export type FormatId = string

/** Bytes that need not be in memory, such as a Blob, a file on disk or an object in a bucket. */
export interface ByteSource {
  readonly size: number // bytes
  slice(start: number, end: number): ByteSource
  stream(): ReadableStream<Uint8Array>
  arrayBuffer(): Promise<ArrayBuffer>
  /**
   * The bytes themselves, set when they are already in memory, so that readers need no copy. Must not be
   * written to.
   */
  readonly view?: Uint8Array
  /**
   * Writes all bytes into `target`, a buffer of at least `size` bytes that the caller allocated. Hosts that
   * can do this avoid an intermediate copy.
   */
  readInto?(target: Uint8Array): Promise<void>
}

/** A condition to report that did not stop the work. Codes are listed in `../errors/catalogue`. */
export interface Warning {
  readonly code: string
  readonly message: string
  readonly where?: string
}

export interface Outcome<T> {
  readonly value: T
  readonly warnings: readonly Warning[]
}

/** The result of a conversion. */
export interface Made extends Outcome<ByteSource> {
  /**
   * All files in order, for a format whose files hold one page, slide or sheet each; `value` is the first of
   * them. Several files are delivered as one zip (`../convert/pages.ts`).
   */
  readonly pages?: readonly ByteSource[]
  /** Which fonts were used and substituted. Set by engines that lay out text themselves. */
  readonly fonts?: import('./fonts-report.ts').FontsReport
  /**
   * The format of `value` when it differs from the target of the job. The edge sets it when the origin
   * answers with a zip of pages.
   */
  readonly format?: FormatId
}

/**
 * Whether an engine takes a job, or is able to work at all. `using` names the program or variant that an
 * engine with several of them has chosen.
 */
export type Verdict =
  | { readonly ok: true; readonly using?: string }
  | { readonly ok: false; readonly because: string }

/** A parser for untrusted input, with the JSON Schema (2020-12) that the OpenAPI document shows for it. */
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
  readonly extensions: readonly [string, ...string[]] // without a dot; output files get the first
  readonly mime: readonly [string, ...string[]] // responses are sent with the first
  /**
   * Recognizes the format by content, not by name. Reads as little as possible and never throws. Formats
   * without it are recognized by name only.
   */
  sniff?(source: ByteSource): Promise<'no' | 'maybe' | 'sure'>
  /** Absent for formats that cannot contain tags. */
  readonly template?: TemplateSupport
  /** Absent for formats that the layout engine cannot draw. */
  readonly reader?: DocumentReader
  /**
   * Returns the document to deliver when a file is neither merged nor converted: without macros, and as a
   * document when the file is an office template (DOTX, OTT). Returns `undefined` when the file can be
   * delivered as it is. Absent for formats whose files always can.
   */
  plainCopy?(bytes: Uint8Array, context: OpenContext): Uint8Array | undefined
  /**
   * Extracts the print options that a page declares for itself. They are named as in `formatOptions`, and the
   * options of the request override them. Returns `undefined` when the page declares none.
   */
  printOptions?(bytes: Uint8Array): PrintOptions | undefined
  /** Set by a format that is a variant of another one, with its own extension and media type. */
  readonly variantOf?: FormatVariant
  /** Set when documents of this format can adopt the styles of a stored template (`{o.styleSource}`). */
  readonly styleTransfer?: StyleTransfer
}

/** The format that an engine must produce to obtain `format`: the base format for a variant. */
export const engineFormat = (format: FormatPlugin): FormatId => format.variantOf?.base ?? format.id

export interface PrintOptions {
  readonly bytes: Uint8Array // the page without the declared options
  readonly options: Readonly<Record<string, unknown>>
}

/** Engines produce `base`, and `rewrite` turns the result into the variant. */
export interface FormatVariant {
  readonly base: FormatId
  rewrite(bytes: Uint8Array, context: OpenContext): Uint8Array
}

/**
 * How a document adopts styles, headers and footers: both files are converted to one format and joined there.
 */
export interface StyleTransfer {
  /** Formats of the templates whose styles can be adopted. */
  readonly sources: readonly FormatId[]
  /** Outputs that have styles, headers and footers. */
  readonly outputs: ReadonlySet<FormatId>
  /** The format in which the two are joined, and the letter of the engine that converts the template to it. */
  readonly through: FormatId
  readonly letter: string
  /**
   * Letters of the engines that cannot be pinned together with a style source, and the reason for the
   * message.
   */
  readonly unfit: Readonly<Record<string, string>>
  /** Joins two files in the format `through`. Returns `undefined` when the styles cannot be read. */
  join(document: string, styles: string): string | undefined
}

/** Turns bytes into the format-neutral document model. Implemented under `plugins/formats/<id>/reader`. */
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
  /**
   * Opens an embedded file for merging, by its name. Resolves to undefined when it is not a template. Without
   * this function, embedded files are copied unchanged.
   */
  readonly inner?: (
    name: string,
    bytes: Uint8Array,
    numbers?: readonly string[],
  ) => Promise<import('../template/package.ts').TemplatePackage | undefined>
  /**
   * Cell references that a chart draws from this workbook. A cell among them that contains only a tag is
   * written as a number.
   */
  readonly numbers?: readonly string[]
}

/** Raw DEFLATE (RFC 1951), provided by the host: native on the origin, pure JavaScript at the edge. */
export interface Codec {
  /** Throws AppError 'package.too-large' as soon as more than `maxBytes` come out. */
  inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array
  /** `fast` takes about half the time for a few percent more bytes, on hosts that offer the choice. */
  deflateRaw(bytes: Uint8Array, effort?: 'fast'): Uint8Array
  crc32(bytes: Uint8Array, seed?: number): number
  /**
   * Synchronous AES-CBC with padding and SHA-2, on hosts that have them. WebCrypto hands every call to
   * another thread, which is slow for the many small calls of a PDF password hash.
   */
  readonly ciphers?: Ciphers
}

type OwnedBytes = Uint8Array<ArrayBuffer>

export interface Ciphers {
  encryptCbc(key: OwnedBytes, iv: OwnedBytes, data: OwnedBytes): OwnedBytes | Promise<OwnedBytes>
  digest(algorithm: 'SHA-256' | 'SHA-384' | 'SHA-512', data: OwnedBytes): OwnedBytes | Promise<OwnedBytes>
}

export interface EnginePlugin<Settings = unknown, Options = unknown> {
  readonly kind: 'engine'
  readonly contract: 1 // raised by incompatible changes of this file
  readonly id: string
  /**
   * The letter by which callers choose the engine in `converter`. Absent for helpers that only the router
   * uses.
   */
  readonly letter?: string
  readonly title: string
  /**
   * Letters of the engines that this helper may replace: a request that pins one of them can be served by it
   * alone.
   */
  readonly standsFor?: readonly string[]
  /** Families of source formats for which this engine is the default. */
  readonly defaultFor?: readonly FormatFamily[]
  readonly sides: readonly ('edge' | 'origin')[]
  readonly conversions: readonly Conversion[]
  readonly settings: Schema<Settings> // set by the operator, checked once at start
  readonly options: Schema<Options> // set by the caller, checked for each job
  /**
   * The engine is self-assessing: when the job is strict (`careful`), it throws 'convert.beyond' rather than
   * draw a document approximately. Requests with `converter: "auto"` use such engines first.
   */
  readonly judges?: boolean
  /** A host without this engine is still healthy. */
  readonly optional?: true
  /**
   * Set when documents are read by external programs, which run in a sandbox. A `browser` brings a second one
   * of its own.
   */
  readonly programs?: 'plain' | 'browser'
  /** The engine applies all options of an output itself, so that the service does no post-processing. */
  readonly finishesOutput?: boolean
  create(settings: Settings, host: Host): Engine<Options>
  /**
   * Fetches the resources that a source refers to, before the conversion, which may run in a thread without
   * network access. Returns the source to convert.
   */
  prepare?(
    job: Pick<ConvertJob<Options>, 'source' | 'from' | 'to' | 'egressAuthorization'>,
    host: Host,
    signal: AbortSignal,
  ): Promise<Outcome<ByteSource>>
}

/** One edge of the conversion graph. */
export interface Conversion {
  readonly from: FormatId
  readonly to: FormatId
  readonly fidelity: 'exact' | 'high' | 'basic'
  readonly cost: number // ms for a typical page, used as the weight of the edge
  /** Set by an engine that represents several others, as the origin does at the edge. */
  readonly letter?: string
  /** The output can only end a route: as a source, the same format name means a different kind of file. */
  readonly last?: true
}

export interface Engine<Options = unknown> {
  /**
   * A cheap check before the work. When it declines, the next engine gets the job. Absent for engines that
   * take all jobs.
   */
  accepts?(job: ConvertJob<Options>): Promise<Verdict>
  convert(job: ConvertJob<Options>, signal: AbortSignal): Promise<Made>
  start?(): Promise<void> // called on first use, or earlier to warm up
  stop?(): Promise<void> // called when all running jobs have ended or were aborted
  health?(): Promise<Verdict>
}

export interface ConvertJob<Options = unknown> {
  readonly source: ByteSource
  readonly from: FormatId
  readonly to: FormatId
  readonly options: Options
  /** The letter that the caller pinned, or that of the chosen conversion. */
  readonly letter?: string
  /**
   * Sent as `authorization` with every outbound call that the document causes
   * (`service-egress-header-authorization`).
   */
  readonly egressAuthorization?: string
  /** Whether the job is strict; see `EnginePlugin.judges`. */
  readonly careful?: boolean
  /**
   * The instant at which the job stops, in ms since the epoch. Engines pass it on to the processes they
   * control.
   */
  readonly deadline: number
}

export interface Log {
  debug(event: string, details?: Readonly<Record<string, unknown>>): void
  info(event: string, details?: Readonly<Record<string, unknown>>): void
  warn(event: string, details?: Readonly<Record<string, unknown>>): void
  error(event: string, details?: Readonly<Record<string, unknown>>): void
}

/** Decodes a WebP image to RGBA samples of 8 bits. Resolves to undefined when it is not WebP. */
export type DecodeWebp = (
  bytes: Uint8Array,
) => Promise<{ readonly width: number; readonly height: number; readonly rgba: Uint8Array } | undefined>

/** Everything that a host offers to its plugins. */
export interface Host {
  format(id: FormatId): FormatPlugin | undefined
  asset(name: string): Promise<Uint8Array | undefined> // fonts, hyphenation tables
  /**
   * The fonts of this host, for engines that lay out text themselves. Without it, fonts come from
   * `asset('fonts/...')`.
   */
  fonts?(): import('./font-library.ts').FontLibrary
  readonly codec: Codec
  readonly log: Log
  now(): number // ms since the epoch
  /** Returns a folder that only this plugin uses, emptied at start. Origin only. */
  scratch?(name: string): Promise<string>
  /** Keeps programs running for the plugin. Origin only. */
  readonly supervise?: import('./processes.ts').Supervise
  /** Outbound calls under the operator's egress policy. */
  readonly outbound?: import('../ports/index.ts').Outbound
  readonly decodeWebp?: DecodeWebp
  /** Encodes pictures that an engine drew in another format. Origin only. */
  readonly encodePicture?: import('./pictures.ts').EncodePicture
  /**
   * Creates a folder for this plugin with a path short enough for sockets (unix(7): 107 bytes). Origin only.
   */
  socketFolder?(): Promise<string>
  /** Prepares the sandbox of a program that is about to be started. Origin only. */
  readonly confine?: import('./processes.ts').Confine
  /** Runs a program once. Origin only. */
  readonly runProgram?: import('./processes.ts').RunProgram
}

/** Returns `plugin` unchanged and only infers its types. */
export function defineEngine<Settings, Options>(
  plugin: EnginePlugin<Settings, Options>,
): EnginePlugin<Settings, Options> {
  return plugin
}
export function defineFormat(plugin: FormatPlugin): FormatPlugin {
  return plugin
}

export type Plugin = FormatPlugin | EnginePlugin
