/** The tree of content: blocks with paragraphs, tables and drawings, and the inlines of paragraphs. */

import type { Inset } from './box.ts'
import type { ContentsTable } from './contents.ts'
import type { Drawing, MathContent } from './drawing.ts'
import type { FormField } from './form-field.ts'
import { type MathNode, mathWords } from './math.ts'
import type { Color } from './paint.ts'
import type { Link, ParagraphProperties, RunProperties, TabStop } from './properties.ts'
import type { Table } from './table.ts'

/** A paragraph or table, of which every text consists. */
export type Block = Paragraph | Table

/** A paragraph with its content. */
export interface Paragraph {
  readonly kind: 'paragraph'
  readonly properties: ParagraphProperties
  /**
   * Formatting of the paragraph mark: it gives an empty paragraph its height and list labels their text
   * style.
   */
  readonly mark: RunProperties
  readonly inlines: readonly Inline[]
  /**
   * Tracked changes: the paragraph's formatting was changed ('whole'), or only its paragraph mark ('end').
   */
  readonly changed?: 'whole' | 'end'
  readonly inset?: Inset
  /** ODF: the number of the innermost text section around the paragraph. */
  readonly section?: number
  /** The table of contents that this paragraph is an entry of. */
  readonly contents?: ContentsTable
  /** The table of contents that this paragraph is the title of (ODF). */
  readonly contentsAfter?: ContentsTable
}

/** One item of the content of a paragraph. */
export type Inline =
  | {
      readonly kind: 'text'
      readonly text: string
      readonly run: RunProperties
      readonly link?: Link
      /** It is the content of a content control that holds plain text (w:text, ECMA-376-1 17.5.2.44). */
      readonly isInPlainControl?: boolean
      /** The field of a form that the text is the content of. All its content has the same object. */
      readonly control?: FormField
    }
  | { readonly kind: 'tab'; readonly run: RunProperties; readonly link?: Link; readonly to?: PositionedTab }
  | {
      readonly kind: 'break'
      readonly at: 'line' | 'page' | 'column'
      readonly run: RunProperties
      /** Line breaks only: the next line starts below any float at this side. */
      readonly clear?: 'left' | 'right' | 'all'
    }
  | {
      readonly kind: 'drawing'
      readonly drawing: Drawing
      readonly run: RunProperties
      readonly link?: Link
      /** ODF: it stands before the paragraph rather than in it, although it is not anchored to a page. */
      readonly beforeParagraph?: boolean
    }
  | { readonly kind: 'field'; readonly field: Field; readonly run: RunProperties; readonly link?: Link }
  | { readonly kind: 'note'; readonly note: string; readonly run: RunProperties; readonly mark?: string }
  | {
      readonly kind: 'note-mark'
      readonly run: RunProperties
      /** Text before an automatic number (ODF). */
      readonly prefix?: string
      /** Text after an automatic number (ODF). */
      readonly suffix?: string
      /**
       * In a paragraph with a hanging indent the number is padded to the start of the text, and the first tab
       * after it is dropped.
       */
      readonly replacesTab?: boolean
    }
  | {
      readonly kind: 'bookmark'
      readonly name: string
      /** The place of a comment, by its key in the document; no link leads there. */
      readonly comment?: string
    }
  | { readonly kind: 'soft-hyphen'; readonly run: RunProperties }

/** A phonetic guide: base text with small text above it, laid out as one box in the line. */
export function rubyOf(base: string, above: string, run: RunProperties, link?: Link): Inline {
  const drawing: Drawing = {
    width: 0,
    height: 0,
    rotation: 0,
    content: { kind: 'ruby', base, above },
    description: above === '' ? base : `${base} (${above})`,
  }
  return { kind: 'drawing', drawing, run, ...(link !== undefined && { link }) }
}

/**
 * An equation in the line. `size` (pt) and `color` override those of the surrounding text; `display` sets it
 * in display style.
 */
export function mathInline(
  math: MathNode,
  options: {
    readonly run: RunProperties
    readonly link?: Link | undefined
    readonly display?: boolean
    readonly size?: number | undefined
    readonly color?: Color | undefined
  },
): Inline {
  const { run, link, display = false, size, color } = options
  const content: MathContent = {
    kind: 'math',
    math,
    display,
    ...(size !== undefined && { size }),
    ...(color !== undefined && color !== 'auto' && { color }),
  }
  const drawing: Drawing = { width: 0, height: 0, rotation: 0, content, description: mathWords(math) }
  return { kind: 'drawing', drawing, run, link }
}

/**
 * A tab that moves to a position of the page rather than to a tab stop of the paragraph (w:ptab, ECMA-376-1
 * 17.3.3.23).
 */
export interface PositionedTab {
  readonly align: 'left' | 'center' | 'right'
  readonly from: 'margin' | 'indent'
  readonly leader?: TabStop['leader']
}

/** A value that depends on the layout or on the current date. `text` is the result saved in the file. */
export interface Field {
  /** 'moment' is the current date or time. */
  readonly name:
    | 'moment'
    | 'page'
    | 'pages'
    | 'section-pages'
    | 'page-of'
    | 'section'
    | 'number' // the number in `value`, formatted
    | 'label-of' // the list label of the paragraph that contains the bookmark
    | 'note-of' // the number of the note inside the bookmark
    | 'chapter' // the heading that applies to the page of a header or footer
  readonly of?: string // name of the bookmark referred to
  readonly value?: number
  /** As in Level.format; for 'page-of' also 'page', the format of the page referred to. */
  readonly format?: string
  readonly text: string
  /** The field shows its saved result, unless tables of contents are made anew. */
  readonly saved?: boolean
  readonly offset?: number // number of pages added to the page number (ODF)
  /** For 'chapter': the maximum outline level of the heading, from 1. */
  readonly level?: number
  /** For 'chapter': which part of the heading is shown. */
  readonly parts?: 'number' | 'name' | 'both'
  /** For 'moment': a date pattern in the letters of Unicode TR 35. */
  readonly pattern?: string
  readonly time?: boolean // without a pattern: show the time rather than the date
  /** For 'moment': language of the month and day names. */
  readonly language?: string
  /** For 'moment': milliseconds added to the current time. */
  readonly shift?: number
}

/** A remark beside the text. Layouts do not draw it. */
export interface DocumentComment {
  readonly author?: string
  readonly blocks: readonly Block[]
}

export interface Note {
  readonly kind: 'footnote' | 'endnote'
  readonly blocks: readonly Block[]
}
