import type { RunProperties } from '../../../../shared/document/properties.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import type { DrawingContext, DrawingPart } from '../../../../shared/office/ooxml/drawing/part.ts'
import { readRelationships } from '../../../../shared/office/ooxml/relationships.ts'
import { emptyTheme } from '../../../../shared/office/ooxml/theme.ts'
import { noFormats, type ThemeFormats } from '../../../../shared/office/ooxml/theme-formats.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { openSlidePart } from '../reader/vocabulary.ts'
import type { ListStyle } from './list-style.ts'
import { ListBook } from './lists.ts'

/** Shapes, paragraphs and cells that may still be read. They are far above what real presentations have. */
export interface DeckBudget {
  shapes: number
  paragraphs: number
}

/** What a part is read with: the state of the presentation, and the theme of the slide that the part belongs to. */
export interface SlideContext extends DrawingContext {
  readonly formats: ThemeFormats
  /** Text outside of placeholders (p:defaultTextStyle, 19.2.1.8). */
  readonly defaultText: ListStyle
  readonly lists: ListBook
  readonly budget: DeckBudget
  /** The names of slides by their part, for links from slide to slide. */
  readonly anchors: ReadonlyMap<string, string>
  /** Properties by their content: equal ones become one object, by which the layout caches what it computes. */
  readonly shared: Map<string, object>
  /** Parts of table styles by the id of the style (20.1.4.2.27). */
  readonly tableStyles: Map<string, string>
}

/** One part of a presentation while it is read. */
export interface SlidePart extends DrawingPart {
  readonly context: SlideContext
}

/** Creates the state of one presentation, without a theme yet. */
export function newContext(parts: ReadFile, anchors: ReadonlyMap<string, string>): SlideContext {
  return {
    parts,
    theme: emptyTheme,
    formats: noFormats,
    media: new Map(),
    warnings: new Map(),
    defaultText: new Map(),
    lists: new ListBook(),
    budget: { shapes: 100_000, paragraphs: 400_000 },
    anchors,
    shared: new Map(),
    tableStyles: new Map(),
  }
}

/** Opens a part with the cursor on its root; undefined when it is missing or empty. Throws XmlFault. */
export function openPart(context: SlideContext, partName: string): SlidePart | undefined {
  const cursor = openSlidePart(context.parts(partName))
  return cursor && { context, cursor, partName, relationships: readRelationships(context.parts, partName) }
}

/** Takes from the budget. Throws AppError 'limit.complexity' when the presentation has too much of it. */
export function spend(budget: DeckBudget, what: keyof DeckBudget): void {
  if (--budget[what] < 0) throw new AppError('convert.document', refusal(what))
}

const refusal = (what: keyof DeckBudget) => ({
  engine: 'The reader',
  from: 'pptx',
  because: `it has too many ${what}`,
})

/** Returns the first object with this content that was passed, so that equal properties are one object. */
export function sharedOf<T extends object>({ shared }: SlideContext, properties: T): T {
  const key = JSON.stringify(properties)
  const cached = shared.get(key)
  if (cached !== undefined) return cached as T
  shared.set(key, properties)
  return properties
}

/** Text that nothing formats: 18 points, as PowerPoint and LibreOffice set it. */
export const defaultRun: RunProperties = {
  size: 18,
  fonts: { ascii: 'Arial', other: 'Arial', eastAsia: 'Arial', complex: 'Arial' },
  // Text is kerned at every size, whatever the attribute `kern` asks for (observed in LibreOffice).
  kernFrom: 1,
}
