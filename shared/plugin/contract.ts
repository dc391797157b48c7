/**
 * The plugin contract: what a format and an engine are, mostly as data. Read `registry.ts` next for how a
 * host finds plugins, and `../convert/graph.ts` for how the conversions of all engines become one graph.
 */

import type {
  ByteSource,
  Client,
  Codec,
  FormatFamily,
  FormatId,
  Log,
  Outcome,
  PrintOptions,
  Schema,
} from './values.ts'

/** The result of a conversion. */
export interface ConversionResult extends Outcome<ByteSource> {
  /**
   * All files in order, for a format whose files hold one page, slide or sheet each; `value` is the first of
   * them. Several files are delivered as one zip (`../convert/pages.ts`).
   */
  readonly pages?: readonly ByteSource[]
  /**
   * Number of pages of the whole document, of which `PageRange` may have chosen some. Set by engines that make a file of
   * each page.
   */
  readonly pageCount?: number
  /** Which fonts were used and substituted. Set by engines that lay out text themselves. */
  readonly fonts?: import('./fonts-report.ts').FontsReport
  /**
   * The format of `value` when it differs from the target of the job. The edge sets it when the origin
   * answers with a zip of pages.
   */
  readonly format?: FormatId
  /** The letters of the engines that worked. Set by an engine that represents several others. */
  readonly letters?: readonly string[]
}

/**
 * Whether an engine takes a job, or is able to work at all. `using` names the program or variant that an
 * engine with several of them has chosen.
 */
export type Acceptance =
  | { readonly ok: true; readonly using?: string }
  | { readonly ok: false; readonly because: string }

/**
 * A value, or a promise of one where a plugin imports its code at the first call, so that an idle host holds
 * descriptions only.
 */
type Awaitable<T> = T | Promise<T>

export interface FormatPlugin {
  readonly kind: 'format'
  readonly id: FormatId
  readonly family: FormatFamily
  readonly extensions: readonly [string, ...string[]] // without a dot; output files get the first
  readonly mime: readonly [string, ...string[]] // responses are sent with the first
  /**
   * Recognizes the format by content, not by name. Reads as little as possible and never throws. Formats
   * without it are recognized by name; those for templates of text also by media type.
   */
  sniff?(source: ByteSource): Promise<'no' | 'maybe' | 'sure'>
  /** Absent for formats that cannot contain tags. */
  readonly template?: TemplateSupport
  /** Absent for formats that the layout engine cannot draw. */
  readonly reader?: {
    read(...args: Parameters<DocumentReader['read']>): Awaitable<ReturnType<DocumentReader['read']>>
  }
  /** Absent for formats that are not workbooks, and for those that the layout engine cannot draw. */
  readonly workbookReader?: {
    read(...args: Parameters<WorkbookReader['read']>): Awaitable<ReturnType<WorkbookReader['read']>>
  }
  /** Absent for formats that are not presentations, and for those that the layout engine cannot draw. */
  readonly deckReader?: {
    read(...args: Parameters<DeckReader['read']>): Awaitable<ReturnType<DeckReader['read']>>
  }
  /** Reads files as text without a layout. Absent for formats that a `reader` or an engine reads, or that have no text. */
  readonly flow?: {
    read(...args: Parameters<FlowReader['read']>): Awaitable<ReturnType<FlowReader['read']>>
  }
  /**
   * Returns the document to deliver when a file is neither merged nor converted: without macros, and as a
   * document when the file is an office template (DOTX, OTT). Returns `undefined` when the file can be
   * delivered as it is. Absent for formats whose files always can.
   */
  plainCopy?(bytes: Uint8Array, context: OpenContext): Awaitable<Uint8Array | undefined>
  /**
   * Extracts the print options that a page declares for itself. They are named as in `formatOptions`, and the
   * options of the request override them. Returns `undefined` when the page declares none.
   */
  printOptions?(bytes: Uint8Array): Awaitable<PrintOptions | undefined>
  /** Set by a format that is a variant of another one, with its own extension and media type. */
  readonly variantOf?: FormatVariant
  /** Set when documents of this format can adopt the styles of a stored template (`{o.styleSource}`). */
  readonly styleTransfer?: StyleTransfer
}

/** Engines produce `base`, and `rewrite` turns the result into the variant. */
export interface FormatVariant {
  readonly base: FormatId
  rewrite(bytes: Uint8Array, context: OpenContext): Awaitable<Uint8Array>
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
  join(document: string, styles: string): Awaitable<string | undefined>
}

/** Turns bytes into the format-neutral document model. Implemented under `plugins/formats/<id>/reader`. */
export interface DocumentReader {
  read(bytes: Uint8Array, context: OpenContext): Outcome<import('../document/document.ts').Document>
}

/** Turns bytes into the model of workbooks. Implemented under `plugins/formats/<id>/reader`. */
export interface WorkbookReader {
  read(bytes: Uint8Array, context: OpenContext): Outcome<import('../document/sheet.ts').Workbook>
}

/** Turns bytes into the model of presentations. Implemented under `plugins/formats/<id>/slides`. */
export interface DeckReader {
  read(bytes: Uint8Array, context: OpenContext): Outcome<import('../document/deck.ts').Deck>
}

/** Turns bytes into text without a layout. Implemented under `plugins/formats/<id>/reader`. */
export interface FlowReader {
  read(bytes: Uint8Array, context: OpenContext): Outcome<import('../flow/flow.ts').Flow>
}

/** An entry of a package, in its stored form. */
export interface PackedPart {
  readonly name: string
  readonly method: 0 | 8
  readonly crc: number
  readonly size: number // bytes when unpacked, as declared
  readonly stored: Uint8Array
}

/** Unpacked parts that several documents contain unchanged. */
export interface PartCache {
  /**
   * The content of a part, by `unpack` if it is not cached. The same array is returned for the same bytes, so it must not be
   * changed or transferred.
   */
  content(part: PackedPart, unpack: () => Uint8Array): Uint8Array
}

/** How a format is opened for merging. Implemented under `plugins/formats/<id>/template`. */
export interface TemplateSupport {
  open(bytes: Uint8Array, context: OpenContext): Promise<import('../template/package.ts').TemplatePackage>
}
export interface OpenContext {
  readonly codec: Codec
  readonly limits: import('../limits.ts').Limits
  /** Parts of earlier documents. Without it, every part is unpacked and read. */
  readonly partCache?: PartCache
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
   * The engine is self-assessing: when the job is strict (`strict`), it throws 'convert.beyond' rather than
   * draw a document approximately. Requests with `converter: "auto"` use such engines first.
   */
  readonly selfAssessing?: boolean
  /**
   * Its PDFs, printed with the option `UseTaggedPDF`, embed their fonts, so that the post-processing of the service makes
   * PDF/A and PDF/UA of them where the options ask for it.
   */
  readonly conformable?: true
  /** A host without this engine is still healthy. */
  readonly optional?: true
  /** It stands for a host that is not there: its conversions end with an error that says so, and no list has them. */
  readonly absent?: true
  /**
   * Set when documents are read by external programs, which run in a sandbox. A `browser` brings a second one
   * of its own.
   */
  readonly programs?: 'plain' | 'browser'
  /** The engine applies all options of an output itself, so that the service does no post-processing. */
  readonly finishesOutput?: boolean
  /** The engine also draws text for post-processing, such as watermarks (`text-drawing.ts`). */
  readonly drawsText?: true
  create(settings: Settings, host: Host): Engine<Options>
  /**
   * Fetches the resources that a source refers to, before the conversion, which may run in a thread without
   * network access. Returns the source to convert, and pictures for an engine that inserts them itself.
   */
  prepare?(
    job: Pick<ConvertJob<Options>, 'source' | 'from' | 'to' | 'egressAuthorization'>,
    host: Host,
    signal: AbortSignal,
  ): Promise<Outcome<ByteSource> & Pick<ConvertJob, 'pictures'>>
}

/** One edge of the conversion graph. */
export interface Conversion {
  readonly from: FormatId
  readonly to: FormatId
  readonly fidelity: 'exact' | 'high' | 'basic'
  readonly cost: number // ms for a typical page, used as the weight of the edge
  /** Set by an engine that represents several others, as the origin does at the edge. */
  readonly letter?: string
  /** Options that this conversion cannot apply. A route to the same output that can is preferred for them. */
  readonly lacks?: readonly string[]
  /**
   * Names of `formatOptions` that this conversion applies. Absent: those of the engine's schema, which is right
   * where each of them applies to every output.
   */
  readonly options?: readonly string[]
  /** The output can only end a route: as a source, the same format name means a different kind of file. */
  readonly last?: true
  /** The input can only begin a route: what other files become of this format is not what the conversion is made for. */
  readonly first?: true
  /**
   * The formats that a route with this conversion may begin with. Absent: any. What other files become of its input on the
   * way is not what the conversion is made for.
   */
  readonly origins?: readonly FormatId[]
  /** It stands for a whole route of another host: no conversion precedes or follows it. */
  readonly alone?: true
}

export interface Engine<Options = unknown> {
  /**
   * A cheap check before the work. When it declines, the next engine gets the job. Absent for engines that
   * take all jobs.
   */
  accepts?(job: ConvertJob<Options>): Promise<Acceptance>
  convert(job: ConvertJob<Options>, signal: AbortSignal): Promise<ConversionResult>
  /** Draws text for post-processing. Present on the engines of plugins with `drawsText`. */
  readonly drawText?: import('./text-drawing.ts').DrawText
  start?(): Promise<void> // called on first use, or earlier to warm up
  stop?(): Promise<void> // called when all running jobs have ended or were aborted
  health?(): Promise<Acceptance>
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
  /** The pictures of the source that `EnginePlugin.prepare` fetched, by address. */
  readonly pictures?: ReadonlyMap<string, import('./incoming.ts').FetchedPicture>
  /** For whom the document is converted. Absent where no account is known. */
  readonly client?: Client
  /** Whether the job is strict; see `EnginePlugin.selfAssessing`. */
  readonly strict?: boolean
  /**
   * The instant at which the job stops, in ms since the epoch. Engines pass it on to the processes they
   * control.
   */
  readonly deadline: number
}

/** Decodes a WebP image to RGBA samples of 8 bits. Returns undefined when it is not WebP, and may throw. */
export type DecodeWebp = (
  bytes: Uint8Array,
) => { readonly width: number; readonly height: number; readonly rgba: Uint8Array } | undefined

/** Encodes RGBA samples of 8 bits as WebP. The quality is 1 to 100. May throw. */
export type EncodeWebp = (
  picture: { readonly width: number; readonly height: number; readonly rgba: Uint8Array },
  quality: number,
) => Uint8Array

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
  /** Loads the decoder at its first use. It occupies megabytes, so call this only when there is a WebP image. */
  loadWebpDecoder?(): Promise<DecodeWebp>
  /** Loads the encoder at its first use. */
  loadWebpEncoder?(): Promise<EncodeWebp>
  /** Encodes pictures that an engine drew in another format. Origin only. */
  readonly encodePicture?: import('./pictures.ts').EncodePicture
  /**
   * Creates a folder for this plugin with a path short enough for sockets (unix(7): 107 bytes). Origin only.
   */
  socketFolder?(): Promise<string>
  /**
   * Reads an office document on another thread and takes its links out, before an office opens it; see
   * `scanDocument` in `../office/incoming/scan-document.ts`. Origin only.
   */
  readonly scanOffice?: (
    document: import('./incoming.ts').IncomingDocument,
    signal: AbortSignal,
  ) => Promise<import('./incoming.ts').IncomingScan>
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
