import type { Drawing } from './drawing.ts'
import type { ParagraphProperties, RunProperties } from './properties.ts'

/** A list as paragraphs name it: up to nine levels. Lists that share `counters` count on together. */
export interface Numbering {
  readonly counters: string
  readonly levels: readonly Level[]
  /** Levels that start over in this list: level -> first number. */
  readonly starts?: ReadonlyMap<number, number>
}

export interface Level {
  readonly start: number
  /** ECMA-376-1 17.18.59: 'decimal', 'lowerLetter', 'upperRoman', 'bullet', 'none' ... */
  readonly format: string
  /** '%1.%2)' : %n is the counter of level n, from 1. */
  readonly text: string
  /** After the label: a tab, a space, nothing. */
  readonly suffix: 'tab' | 'space' | 'nothing'
  readonly align: 'left' | 'center' | 'right'
  /** The level whose increase starts this one over; 0 is never, absent the one above. */
  readonly restartAfter?: number
  /** Every counter in the label as decimal (w:isLgl). */
  readonly legal: boolean
  readonly paragraphStyle?: string
  readonly paragraph: ParagraphProperties
  readonly run: RunProperties
  readonly picture?: string // name in Document.media
  readonly pictureSize?: { readonly width: number; readonly height: number }
  /** ODF: the room around the picture, and where it stands in the line. */
  readonly picturePlace?: Pick<Drawing, 'extent' | 'lineAlign'>
  /** ODF, older documents: the level's indent is added to that of the paragraph. */
  readonly addsIndent?: boolean
  /** ODF: where the text after the label starts, from the margin. */
  readonly tabAt?: number
  /** ODF, older documents: least distance between a label that no tab follows and the text. */
  readonly labelGap?: number
}
