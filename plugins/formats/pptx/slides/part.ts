import type { UnreadText } from '../../../../shared/document/document.ts'
import type { RunProperties } from '../../../../shared/document/properties.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import type { DrawingContext, DrawingPart } from '../../../../shared/office/ooxml/drawing/part.ts'
import { readRelationships } from '../../../../shared/office/ooxml/relationships.ts'
import { emptyTheme } from '../../../../shared/office/ooxml/theme.ts'
import { noFormats, type ThemeFormats } from '../../../../shared/office/ooxml/theme-formats.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { xmlText } from '../../../../shared/xml/cursor.ts'
import { openSlideXml } from '../reader/vocabulary.ts'
import type { ListStyle } from './list-style.ts'
import { ListBook } from './lists.ts'

/** The number of shapes, paragraphs and cells that may still be read. The limits are far above real presentations. */
export interface DeckBudget {
  shapes: number
  paragraphs: number
}

/** The state of the presentation, and the theme of the slide that a part belongs to. */
export interface SlideContext extends DrawingContext {
  readonly formats: ThemeFormats
  /** The style of text outside of placeholders (p:defaultTextStyle, 19.2.1.8). */
  readonly defaultText: ListStyle
  readonly lists: ListBook
  readonly budget: DeckBudget
  /** The anchors of slides by part name, for links between slides. */
  readonly anchors: ReadonlyMap<string, string>
  /** Properties by their content. Equal properties share one object, since the layout caches by identity. */
  readonly shared: Map<string, object>
  /** The parts with text that is in no shape. */
  readonly unread: UnreadText[]
  /** Whether the height of lines depends on the size of their text alone, in the last text that does not shrink. */
  readonly lines: { ignoreFont: boolean }
  /** Parts of table styles by the id of the style (20.1.4.2.27). */
  readonly tableStyles: Map<string, string>
}

/** The state of reading one part of a presentation. */
export interface SlidePart extends DrawingPart {
  readonly context: SlideContext
  readonly xml: string
}

/** Creates the state of a presentation, initially without a theme. */
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
    lines: { ignoreFont: false },
    tableStyles: new Map(),
    unread: [],
  }
}

/** Opens a part with the cursor on its root; undefined if it is missing or empty. Throws XmlFault. */
export function openPart(context: SlideContext, partName: string): SlidePart | undefined {
  const bytes = context.parts(partName)
  if (bytes === undefined) return undefined
  const xml = xmlText(bytes)
  const cursor = openSlideXml(xml)
  return (
    cursor && { context, cursor, partName, relationships: readRelationships(context.parts, partName), xml }
  )
}

/** Reduces the budget. Throws AppError 'limit.complexity' if it is used up. */
export function spend(budget: DeckBudget, what: keyof DeckBudget): void {
  if (--budget[what] < 0) throw new AppError('convert.document', refusal(what))
}

const refusal = (what: keyof DeckBudget) => ({
  engine: 'The reader',
  from: 'pptx',
  because: `it has too many ${what}`,
})

/** Returns the first object that was passed with this content, so that equal properties share one object. */
export function sharedOf<T extends object>({ shared }: SlideContext, properties: T): T {
  const key = JSON.stringify(properties)
  const cached = shared.get(key)
  if (cached !== undefined) return cached as T
  shared.set(key, properties)
  return properties
}

/** The default formatting of text: 18 points, as in PowerPoint and LibreOffice. */
export const defaultRun: RunProperties = {
  size: 18,
  fonts: { ascii: 'Arial', other: 'Arial', eastAsia: 'Arial', complex: 'Arial' },
  // Text is kerned at every size, whatever the attribute `kern` specifies (observed in LibreOffice).
  kernFrom: 1,
}
