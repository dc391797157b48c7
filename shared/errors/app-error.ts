import { catalogue, type ErrorCode } from './catalogue.ts'
import type { Entry } from './entry.ts'

/** The holes of a message, `{tag}`, as the names of its details. */
type Holes<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Holes<Rest>
  : never
type Texts<Code extends ErrorCode> =
  | (typeof catalogue)[Code]['message']
  | ((typeof catalogue)[Code] extends { hint: infer Hint extends string } ? Hint : never)
export type Details<Code extends ErrorCode> = { readonly [Name in Holes<Texts<Code>>]: string | number }

/** Where in a template something is wrong. Positions are for people: they never hold the caller's data. */
export interface Place {
  readonly part: string // 'word/document.xml'
  readonly tag?: string // '{d.total:formatQ}'
  readonly snippet?: string // the paragraph, cell or line the tag stands in
  readonly at?: string // 'cell B2 of sheet Prices', 'line 12'
}
export interface Problem {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
  readonly place?: Place
}

/**
 * The one error class. What it says is written in the catalogue; leaving out a detail does not compile.
 * `problems` lists every problem of a template when there are several; `cause` is for the log only.
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
    const entry: Entry = catalogue[this.code]
    const text = entry.hint === undefined ? '' : fill(entry.hint, this.details)
    return text === '' ? undefined : text
  }
  /** The short code of the wire, 'w101'. */
  get wire(): string | undefined {
    const entry: Entry = catalogue[this.code]
    return entry.wire
  }
}

export type Blame = 'caller' | 'document' | 'engine' | 'us'
export interface ErrorExtra {
  readonly cause?: unknown
  readonly problems?: readonly Problem[]
}

function fill(text: string, details: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(details[name] ?? hole))
}
