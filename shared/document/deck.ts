import type { Background } from './background.ts'
import type { DocumentInformation, UnreadText } from './document.ts'
import type { GroupChild } from './drawing.ts'
import type { Numbering } from './numbering.ts'
import type { Color } from './paint.ts'
import type { RunProperties } from './properties.ts'

/**
 * The model of presentations. Readers have applied masters, layouts and themes already: every slide lists all that is
 * drawn on it, with complete formatting. Shapes, tables and charts are those of text documents (`drawing.ts`). Plain data;
 * lengths are in points.
 */
export interface Deck {
  /** The slides that are printed, in their order. */
  readonly slides: readonly Slide[]
  /** List definitions by the id that paragraphs name. */
  readonly numbering: ReadonlyMap<string, Numbering>
  /** What text that specifies nothing looks like. */
  readonly run: RunProperties
  /** Distance between default tab stops. */
  readonly defaultTab: number
  /** Whether the space after a paragraph and that before the next one add up, or the larger one applies; absent: 'add'. */
  readonly paragraphGap?: 'add' | 'collapse'
  /** Number of the first slide. */
  readonly firstNumber: number
  /** Embedded font files, already decoded. */
  readonly fonts?: readonly Uint8Array[]
  /** Picture files by the name that drawings refer to. */
  readonly media: ReadonlyMap<string, Uint8Array>
  readonly information: DocumentInformation
  /** Text of the file that is not in this model, although slides should show it. Absent where there is none. */
  readonly unread?: readonly UnreadText[]
}

/** One slide, or a page of notes or a handout. */
export interface Slide {
  /** The name that links from other slides have as their anchor. */
  readonly id: string
  readonly width: number
  readonly height: number
  /** The title in the outline of the PDF. */
  readonly title: string
  readonly color?: Color
  /** Painted over the colour. */
  readonly background?: Background
  /** From the back to the front; positions count from the top left corner of the slide. */
  readonly shapes: readonly SlideShape[]
}

/** Shapes as those that slides have in common. */
export const repeated = (shapes: readonly GroupChild[]): SlideShape[] =>
  shapes.map((shape) => ({ ...shape, role: 'repeated' }))

export interface SlideShape extends GroupChild {
  /**
   * What the shape is for readers: the title of the slide, or what slides have in common, such as the shapes of the master, the
   * date and the footer; absent: content.
   */
  readonly role?: 'title' | 'repeated'
}
