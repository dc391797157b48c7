/**
 * What a format tells the compiler about its markup. The compiler knows elements only by these lists: a format is
 * added by writing its rules, not by touching the compiler.
 */

import type { PackageWriter } from './package.ts'
import type { Position } from './positions.ts'
import type { Token } from './scan/tokens.ts'
import type { RenderScope } from './scope.ts'

export interface FormatRules {
  /** The markup of a line break between the text of a run, for convCRLF. Absent: breaks stay as they are. */
  readonly lineBreak?: string
  /** The markup of a break at a tag, where that depends on what is around it. Absent: `lineBreak`. */
  readonly lineBreakAt?: (tokens: readonly Token[], parent: Int32Array, at: number) => LineBreak
  /** How a text is written inside of `paragraphs`. Absent: as XML. */
  readonly escape?: (text: string) => string
  /** What `:drop(x)` and `:keep(x)` remove: kind -> element names, the first that is found around the tag. */
  readonly elements: Readonly<Record<string, readonly string[]>>
  /** Kinds of `elements` in the list of parts that repeat: a tag in such a part acts on its entry there. */
  readonly around?: readonly string[]
  /** Elements that hold one paragraph of text: where a snippet for messages begins and ends. */
  readonly paragraphs: readonly string[]
  /** Where a tag stands, in words, for messages: a cell, a page, a line. */
  readonly position?: Position
  /** Elements thrown away when an editor put them inside a tag: proofing marks, soft page breaks. */
  readonly noise: readonly string[]
  /** Elements whose text is no longer part of the document: tracked deletions. Tags in them stay as they are. */
  readonly deleted?: readonly string[]
  /** Elements that are a character of the text: inside a tag they are read as it. */
  readonly characters?: Readonly<Record<string, string>>
  /** Runs that a tag leaves behind empty are thrown away: a run and what it may still hold (its properties). */
  readonly runs?: Readonly<
    Record<string, { readonly text: readonly string[]; readonly properties: readonly string[] }>
  >
  /** Attributes that must differ in each copy of a repeated part. */
  readonly unique?: readonly UniqueAttribute[]
  /** Attributes left out of repeated parts: ids that only an editor's history uses. */
  readonly transient?: RegExp
  /** Tables: what a horizontal loop has to keep in step with the cells. */
  readonly grid?: {
    readonly row: string
    readonly cell: string
    readonly holder: string
    readonly column: string
    /** Other elements that take a column: headings, cells covered by others. */
    readonly otherCells?: readonly string[]
    /** Elements that hold some of the rows. */
    readonly groups?: readonly string[]
    /**
     * How many columns a cell takes: an attribute of it, or of what stands `inside`. `listed`: the cells it covers are
     * there as elements.
     */
    readonly span?: {
      readonly attribute: string
      readonly inside?: readonly string[]
      readonly listed?: true
    }
    /** What says that a cell begins an area over rows below it, and what says that it goes on with one. */
    readonly merge?: {
      readonly element: string
      readonly holders: readonly string[]
      readonly begins: RegExp
      readonly goesOn: string
    }
    /** How many columns a row leaves free before its first cell. */
    readonly before?: { readonly attribute: string; readonly inside?: readonly string[] }
  }
  /** Cells that cover rows below: how many follows where these rows repeat. */
  readonly spans?: {
    readonly table: string
    readonly row: string
    readonly cells: readonly string[]
    readonly attribute: string
  }
  /** Text without markup: nothing is escaped. */
  readonly plain?: boolean
  /** A cell must end with a paragraph: what stands in for the last one when it is dropped. */
  readonly emptyParagraph?: { readonly in: readonly string[]; readonly markup: string }
  /**
   * Elements that may not be left empty when all they hold is repeated or dropped away: `skip` are their properties;
   * `instead` is what stands in for the content, without it the whole element goes.
   */
  readonly filled?: Readonly<Record<string, { readonly skip: readonly string[]; readonly instead?: string }>>
  /** An element that survives the paragraph it stands in: a section break. */
  readonly keepInParagraph?: { readonly element: string; readonly before: string; readonly after: string }
  /** Attributes whose value is an address and may hold percent-encoded tags. */
  readonly addresses?: RegExp
  /** Text elements that keep leading and trailing blanks only when told so: element -> attribute to add. */
  readonly keepBlanks?: Readonly<Record<string, string>>
  /**
   * A last look at the pieces of one part before analysis: turns shared strings into inline ones, positions into
   * computed pieces, typed cells into tags with an `output`. Returns the pieces to go on with.
   */
  readonly prepare?: (part: string, tokens: readonly Token[]) => readonly Token[]
  /** Called once all parts are written: adds what they refer to, pictures and relationships. */
  readonly finish?: (scope: RenderScope, writer: PackageWriter) => void
}

/** Stretches of markup, some of them known only while the document is written. */
export type LineBreak = readonly (string | ((scope: RenderScope) => string))[]

export interface UniqueAttribute {
  readonly elements: readonly string[]
  readonly attribute: string
  /** Attributes of one space share their numbers: no two copies in the package get the same. */
  readonly space: string
  /** 'new' takes the next value; 'same' repeats what the element before it in this copy took. */
  readonly takes: 'new' | 'same'
  /** 'number' counts on; 'name' appends a number. */
  readonly kind: 'number' | 'name'
}
