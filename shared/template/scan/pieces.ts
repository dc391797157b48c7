/** What scanning a part gives: its markup and tags as one flat row, each with its place in the source. */

export type Piece = MarkupPiece | TextPiece | TagPiece | ComputedPiece

/**
 * open   an opening tag, or its beginning when attributes hold tags: the rest follows as 'text'
 * close  a closing tag; '' where the markup has none (lines, omitted HTML end tags)
 * void   an element without content and without tags
 * An element without content but with tags in its attributes is an 'open', texts and tags, and a 'close' of '/>'.
 */
export interface MarkupPiece {
  readonly kind: 'open' | 'close' | 'void'
  readonly name: string
  readonly raw: string
  readonly offset: number // characters from the start of the part
}
export interface TextPiece {
  readonly kind: 'text'
  readonly raw: string
  readonly offset: number
  /** Set where `raw` is not content of the document: the rest of an opening tag, a comment, the XML declaration. */
  readonly markup?: true
}
export interface TagPiece {
  readonly kind: 'tag'
  /** What stood between the braces, markup and blanks outside quotes removed, entities decoded. */
  readonly text: string
  readonly offset: number
  readonly context: TagContext
  /** Replaces writing the value as text: typed spreadsheet cells. Runs on the value and on its text. */
  readonly output?: (value: unknown, text: string) => string
  /** The formatter at the end that `output` stands for; left out of the chain. */
  readonly absorbs?: string
}
/** Markup that depends on what was written before: row numbers, cell references. */
export interface ComputedPiece {
  readonly kind: 'computed'
  readonly offset: number
  /** `state` lives as long as the writing of the part. */
  readonly compute: (state: Map<string, number>) => string
}

/** Where the value is written: decides how it is escaped. */
export type TagContext =
  | 'text'
  | 'attribute'
  | 'address'
  | 'comment'
  | 'cdata'
  | 'plain'
  | 'markdown'
  | 'csv'
  | 'quoted'
