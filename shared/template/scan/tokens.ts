/** The tokens that scanning a part gives: its markup, its text and its tags in one flat list, each with its offset. */

import type { EmbeddedObject } from '../embedded.ts'
import type { RenderScope } from '../scope.ts'

/** One item of the list that scanning a part produces. */
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
  /** The name of the element for messages: 'cell B2 of sheet Prices'. */
  readonly label?: string
}
/** Text between elements, escaped as it is in the file. */
export interface TextToken {
  readonly kind: 'text'
  readonly raw: string
  readonly offset: number
  /** Set where `raw` is not content of the document: the rest of an opening tag, a comment, the XML declaration. */
  readonly markup?: true
}
/** A template tag, without its braces. */
export interface TagToken {
  readonly kind: 'tag'
  /** The text between the braces, without markup and without blanks outside quotes, entities decoded. */
  readonly text: string
  readonly offset: number
  readonly context: TagContext
  /** Writes the value in a special way, as typed spreadsheet cells require. `text` converts a value to text. */
  readonly output?: (value: unknown, text: (value: unknown) => string, scope: RenderScope) => string
  /** The formatter at the end of the chain that `output` replaces. */
  readonly absorbs?: string
  /** The tag runs in the measuring pass, too, so that its value is known before anything is written. */
  readonly measured?: true
  /** The tag prints nothing at its position: an element that contains nothing else is empty. */
  readonly hidden?: true
  /**
   * The kind of content that the value becomes, when that is not text. Inspection reports it as part of the data that a
   * template needs.
   */
  readonly shows?: 'picture' | 'link'
}
/** Markup that is known only while rendering: row numbers, cell references, colours. */
export interface ComputedToken {
  readonly kind: 'computed'
  readonly offset: number
  readonly compute: (scope: RenderScope) => string
  /**
   * Called in the measuring pass, once for each time that `compute` will be called. `recorder` is notified when
   * the loops around the token begin and end an item.
   */
  readonly measure?: (scope: RenderScope) => void
  readonly recorder?: Recorder
  /** Prints nothing at its position: an element that contains nothing else is empty. */
  readonly hidden?: true
  /** An object that belongs to this position. Its output is written here, and `compute` is not called. */
  readonly embedded?: EmbeddedObject
}

/**
 * Is called when an iteration of a loop begins and ends, for tokens whose output depends on how often things repeat.
 */
export interface Recorder {
  /** An item of a loop begins. `loop` identifies the loop within its part. */
  enter(scope: RenderScope, loop: number): void
  leave(scope: RenderScope): void
}

/** The context that a value is written into, which determines how it is escaped. */
export type TagContext =
  | 'text'
  | 'paragraph' // text that the format writes in its own way
  | 'attribute'
  | 'bare' // whole attributes, between the others
  | 'name' // the name of an attribute, or the end of an element's
  | 'element' // the whole name of an element
  | 'animated' // values that an animation gives an attribute, which may be an address
  | 'document' // a whole page in an attribute
  | CodeContext
  | `${CodeContext}-in-attribute`
  | `${CodeContext}-in-address` // after `javascript:`
  | 'address'
  | 'comment'
  | 'cdata'
  | 'plain'
  | 'markdown'
  | 'csv' // a whole field
  | 'csv-part' // beside other text in a field that is not in quotes
  | 'quoted'
  | 'json' // inside a string of JSON
  | 'json-value' // a whole value of JSON

/** The context of a value in a script or a style sheet. */
export type CodeContext =
  | 'script' // an expression
  | 'script-name' // beside other characters of a name
  | 'script-text' // in a string, a template literal, a regular expression or a comment
  | 'style' // a value, a name or a selector
  | 'style-rules' // whole declarations or whole rules
  | 'style-text' // in a string or a comment
  | 'style-url' // in `url(...)`
