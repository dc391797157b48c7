/** What scanning a part gives: its markup and tags as one flat row, each with its place in the source. */

import type { EmbeddedObject } from '../embedded.ts'
import type { RenderScope } from '../scope.ts'

export type Token = ElementToken | TextToken | TagToken | ComputedToken

/**
 * open   an opening tag, or its beginning when attributes hold tags: the rest follows as 'text'
 * close  a closing tag; '' where the markup has none (lines, omitted HTML end tags)
 * void   an element without content and without tags
 * An element without content but with tags in its attributes is an 'open', texts and tags, and a 'close' of '/>'.
 */
export interface ElementToken {
  readonly kind: 'open' | 'close' | 'void'
  readonly name: string
  readonly raw: string
  readonly offset: number // characters from the start of the part
  /** What people call the element: 'cell B2 of sheet Prices'. */
  readonly label?: string
}
export interface TextToken {
  readonly kind: 'text'
  readonly raw: string
  readonly offset: number
  /** Set where `raw` is not content of the document: the rest of an opening tag, a comment, the XML declaration. */
  readonly markup?: true
}
export interface TagToken {
  readonly kind: 'tag'
  /** What stood between the braces, markup and blanks outside quotes removed, entities decoded. */
  readonly text: string
  readonly offset: number
  readonly context: TagContext
  /** Replaces writing the value as text: typed spreadsheet cells. `text` gives the text of a value. */
  readonly output?: (value: unknown, text: (value: unknown) => string, scope: RenderScope) => string
  /** The formatter at the end that `output` stands for; left out of the chain. */
  readonly absorbs?: string
  /** Leaves its value with the render before anything is written, too. */
  readonly measured?: true
  readonly hidden?: true
  /** What the value becomes where that is not text: told to who asks what data a template needs. */
  readonly shows?: 'picture' | 'link'
}
/** Markup that depends on where things go: row numbers, cell references. */
export interface ComputedToken {
  readonly kind: 'computed'
  readonly offset: number
  readonly compute: (scope: RenderScope) => string
  /**
   * Called in a first pass over loops and conditions, before any part is written, once for each time `compute` will
   * be. `recorder` is told of the loops around it.
   */
  readonly measure?: (scope: RenderScope) => void
  readonly recorder?: Recorder
  /** No content where it stands: an element with nothing else is empty. */
  readonly hidden?: true
  /** Documents that belong to this place; what they write stands here in place of what `compute` gives. */
  readonly embedded?: EmbeddedObject
}

export interface Recorder {
  /** An iteration of a loop begins. `loop` tells the loops of a part apart. */
  enter(scope: RenderScope, loop: number): void
  leave(scope: RenderScope): void
}

/** Where the value is written: decides how it is escaped. */
export type TagContext =
  | 'text'
  | 'paragraph' // text that the format writes in its own way
  | 'attribute'
  | 'bare' // whole attributes, between the others
  | 'address'
  | 'comment'
  | 'cdata'
  | 'plain'
  | 'markdown'
  | 'csv'
  | 'quoted'
