import type { Drawing } from './drawing.ts'
import type { ParagraphProperties, RunProperties } from './properties.ts'

/** A list definition with up to nine levels. Lists with the same `counters` continue one numbering. */
export interface Numbering {
  readonly counters: string
  readonly levels: readonly Level[]
  /** Levels whose numbering restarts in this list: level index to first number. */
  readonly starts?: ReadonlyMap<number, number>
}

/** One level of a list. */
export interface Level {
  readonly start: number
  /**
   * Number format in the names of ECMA-376-1 17.18.59: 'decimal', 'lowerLetter', 'upperRoman', 'bullet',
   * 'none' ... and 'decimalZero3' to 'decimalZero5' for numbers of that many digits.
   */
  readonly format: string
  /** Label template such as '%1.%2)': %n is replaced by the counter of level n, from 1. */
  readonly text: string
  /** The separator after the label. */
  readonly suffix: 'tab' | 'space' | 'nothing' | 'newline'
  readonly align: 'left' | 'center' | 'right'
  /**
   * Number of the level, from 1, whose increase restarts this one; 0: never; absent: the next higher level
   * (ECMA-376-1 17.9.10).
   */
  readonly restartAfter?: number
  /** All counters of the label are shown in decimal (w:isLgl, ECMA-376-1 17.9.4). */
  readonly legal: boolean
  readonly paragraphStyle?: string
  readonly paragraph: ParagraphProperties
  readonly run: RunProperties
  readonly picture?: string // name in Document.media
  readonly pictureSize?: { readonly width: number; readonly height: number }
  /** ODF: margins of the picture and its alignment in the line. */
  readonly picturePlace?: Pick<Drawing, 'extent' | 'lineAlign'>
  /** ODF, older documents: the indent of the level is added to that of the paragraph. */
  readonly addsIndent?: boolean
  /** ODF: position of the tab stop after the label, from the margin. */
  readonly tabAt?: number
  /** ODF, older documents: minimum distance between the text and its label. */
  readonly labelGap?: number
  /** Slides: the label is at half the height of the text of its line, as bullets are in LibreOffice. */
  readonly isCentred?: boolean
}
