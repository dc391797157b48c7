import { entryOf } from '../entry-of.ts'
import { catalogue, type ErrorCode } from './catalogue.ts'
import type { CatalogueEntry } from './entry.ts'

/** The names of the placeholders of a message, such as `tag` for `{tag}`. */
type Holes<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never
type Texts<Code extends ErrorCode> =
  | (typeof catalogue)[Code]['message']
  | ((typeof catalogue)[Code] extends { hint: infer Hint extends string } ? Hint : never)
/** The values for all placeholders in the message and the hint of an error. */
export type Details<Code extends ErrorCode> = { readonly [Name in Holes<Texts<Code>>]: string | number }

/**
 * The location of a problem in a template, for display. It quotes the template, but never the data of the
 * caller.
 */
export interface ProblemLocation {
  readonly part: string // 'word/document.xml'
  readonly tag?: string // '{d.total:formatQ}'
  readonly snippet?: string // the paragraph, cell or line that contains the tag
  readonly at?: string // 'cell B2 of sheet Prices', 'line 12'
}
/** One of several errors of a template. */
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
  readonly place?: ProblemLocation
  /** Of an electronic invoice: the number of the rule and the business term, such as 'BR-25' and 'BT-153'. */
  readonly rule?: string
  readonly field?: string
}

/**
 * The class of all errors of the service. The catalogue contains the messages, and the types require a value
 * for each of their placeholders. `problems` lists all problems of a template when there are several. `cause`
 * is only logged.
 */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code
  readonly details: Readonly<Record<string, string | number>>
  readonly problems: readonly Problem[]

  constructor(
    code: Code,
    ...rest: keyof Details<Code> extends never
      ? [details?: Record<string, never>, extra?: ErrorExtra]
      : [details: Details<Code>, extra?: ErrorExtra]
  ) {
    const [details = {}, extra = {}] = rest as [Record<string, string | number>?, ErrorExtra?]
    super(
      fill(catalogue[code].message, details),
      extra.cause === undefined ? undefined : { cause: extra.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.details = details
    this.problems = extra.problems ?? []
  }

  get status(): number {
    return catalogue[this.code].status
  }
  get blame(): Blame {
    return catalogue[this.code].blame
  }
  get hint(): string | undefined {
    const entry: CatalogueEntry = catalogue[this.code]
    const text = entry.hint === undefined ? '' : fill(entry.hint, this.details)
    return text === '' ? undefined : text
  }
  /** The message and the hint as sentences. `more` follows the message. */
  explained(more = ''): string {
    const stated = `${this.message}${more}`
    if (this.hint === undefined) return stated
    return `${/[.!?]$/.test(stated) ? stated : `${stated}.`} ${this.hint}`
  }
  /** The short code that clients see instead of `code`, such as 'w101'; undefined for most errors. */
  get wire(): string | undefined {
    const entry: CatalogueEntry = catalogue[this.code]
    return entry.wire
  }
}

/**
 * Who can do something about an error; 'us' is the service. It decides fallback, retries and the log level.
 */
export type Blame = 'caller' | 'document' | 'engine' | 'us'
export interface ErrorExtra {
  readonly cause?: unknown
  readonly problems?: readonly Problem[]
}

/** Replaces the placeholders of a message. */
function fill(text: string, details: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(entryOf(details, name) ?? hole))
}
