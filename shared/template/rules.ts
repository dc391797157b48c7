/**
 * The rules of a format: everything that the compiler needs to know about its markup. The compiler refers to elements only
 * through these lists, so adding a format means writing its rules, not changing the compiler.
 */

import type { PackageWriter } from './package-writer.ts'
import type { Token } from './scan/tokens.ts'
import type { RenderScope } from './scope.ts'

/** Describes the position of a tag for messages. It is computed only for a problem. */
export type DescribePosition = (
  tokens: readonly Token[],
  parent: Int32Array,
  at: number,
) => string | undefined

export interface FormatRules {
  /** The markup of a line break inside the text of a run, for `:convCRLF`. Without it, breaks stay as they are. */
  readonly lineBreak?: string
  /** The markup of a break at the tag `at`, where it depends on the elements around the tag. Without it, `lineBreak`. */
  readonly lineBreakAt?: (tokens: readonly Token[], parent: Int32Array, at: number) => LineBreak
  /** Escapes a text inside of `paragraphs`. Without it, text is escaped as XML. */
  readonly escape?: (text: string) => string
  /**
   * The elements that `:drop(x)` and `:keep(x)` remove: kind -> names of elements. The first name that is found around
   * the tag counts.
   */
  readonly elements: Readonly<Record<string, readonly string[]>>
  /** Kinds of `elements` that list parts, such as sheets. A tag inside such a part acts on the part's entry in the list. */
  readonly listedKinds?: readonly string[]
  /** Elements that hold one paragraph of text. Messages quote the paragraph around a tag. */
  readonly paragraphs: readonly string[]
  /** Names the position of a tag for messages: a cell, a page, a line. */
  readonly position?: DescribePosition
  /** Elements that are removed where a word processor put them inside a tag: proofing marks, soft page breaks. */
  readonly noise: readonly string[]
  /** Elements whose text is no longer part of the document, such as tracked deletions. Tags in them stay text. */
  readonly deleted?: readonly string[]
  /** Elements that represent a character. Inside a tag they are read as that character. */
  readonly characters?: Readonly<Record<string, string>>
  /** Runs, with the elements of their text and of their properties. A run that a tag leaves empty is removed. */
  readonly runs?: Readonly<
    Record<string, { readonly text: readonly string[]; readonly properties: readonly string[] }>
  >
  /** Attributes that must differ in each copy of a repeated part. */
  readonly unique?: readonly UniqueAttribute[]
  /** Whether repeated elements go without an attribute: an id that only the revision history of a word processor uses. */
  readonly transient?: (attribute: string) => boolean
  /** Tables: what must change when cells repeat horizontally or a column is dropped. */
  readonly grid?: {
    readonly row: string
    readonly cell: string
    /** The list of columns; '' when its entries are direct children of the table. */
    readonly holder: string
    readonly column: string
    /** Other elements that take a column: header cells, cells covered by others. */
    readonly otherCells?: readonly string[]
    /** Elements that hold some of the rows, such as a table head. */
    readonly groups?: readonly string[]
    /**
     * Where a cell declares how many columns it covers: in an attribute of its own, or of the element at the path
     * `inside`. With `listed` the covered cells are elements of their own.
     */
    readonly span?: {
      readonly attribute: string
      readonly inside?: readonly string[]
      readonly listed?: true
    }
    /** Cells merged over rows: the element that declares it, when it begins a merged cell, and its markup that continues one. */
    readonly merge?: {
      readonly element: string
      readonly holders: readonly string[]
      readonly begins: (tag: string) => boolean
      readonly continuation: string
    }
    /** How many columns a row leaves free before its first cell. */
    readonly before?: { readonly attribute: string; readonly inside?: readonly string[] }
  }
  /** Cells that declare how many rows they cover. The number follows where these rows repeat. */
  readonly spans?: {
    readonly table: string
    readonly row: string
    readonly cells: readonly string[]
    readonly attribute: string
  }
  /** Text without markup: nothing is escaped. */
  readonly plain?: boolean
  /** Elements that must hold a paragraph, and the markup of an empty one for when the last is dropped. */
  readonly emptyParagraph?: { readonly in: readonly string[]; readonly markup: string }
  /**
   * Elements that must not be left empty if their content repeats zero times or is dropped. `skip` are their properties;
   * `instead` replaces the content. Without it, the entire element is removed.
   */
  readonly filled?: Readonly<Record<string, { readonly skip: readonly string[]; readonly instead?: string }>>
  /** An element that stays when its paragraph is dropped, with the markup around it: a section break. */
  readonly keepInParagraph?: { readonly element: string; readonly before: string; readonly after: string }
  /** Attributes whose value is an address and may hold percent-encoded tags. */
  readonly addresses?: RegExp
  /** Browsers show the markup: scripts, style sheets and handlers in it are code, and values in them are escaped for it. */
  readonly scripted?: true
  /** Text elements that keep leading and trailing blanks only with an attribute: element -> attribute to add. */
  readonly keepBlanks?: Readonly<Record<string, string>>
  /**
   * Rewrites the tokens of one part at the end of the scan: shared strings become inline strings, positions become computed
   * tokens, tags in typed cells get an `output`.
   */
  readonly prepare?: (part: string, tokens: readonly Token[]) => readonly Token[]
  /** Called once all parts are written, to add what they refer to: pictures and relationships. */
  readonly finish?: (scope: RenderScope, writer: PackageWriter) => void
}

/** The markup of a line break in several parts, some of which are known only while rendering. */
export type LineBreak = readonly (string | ((scope: RenderScope) => string))[]

/** An attribute whose values must differ, so that copies of its element get new ones. */
export interface UniqueAttribute {
  readonly elements: readonly string[]
  readonly attribute: string
  /** Attributes of one space share their numbers, so that no two copies in a package have the same. */
  readonly space: string
  /** 'new' takes the next value, 'same' repeats the value that an element before it in this copy took. */
  readonly takes: 'new' | 'same'
  /** 'number' counts up; 'name' appends a number. */
  readonly kind: 'number' | 'name'
}
