/**
 * Lays a deck out: one page for each slide, with its background and its shapes from the back to the front. Shapes, tables and
 * charts are drawn by the layout of drawings (`../drawing/`).
 */

import type { Deck, Slide } from '../../../../../shared/document/deck.ts'
import type { Document } from '../../../../../shared/document/document.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { Warning } from '../../../../../shared/plugin/values.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { DocumentFonts } from '../../fonts/font-book.ts'
import type { ImageRef } from '../../images/image.ts'
import { countDrawingLabels } from '../../style/labels.ts'
import { createStyler } from '../../style/styler.ts'
import { createTableStyler } from '../../style/table-style.ts'
import type { VectorPicture } from '../../vector/vector.ts'
import { createRecord } from '../audit/record.ts'
import type { LayoutBudget, LayoutContext, PageValues } from '../context.ts'
import { backdropItems } from '../drawing/background.ts'
import { filledBox, type OutlineEntry, type Page, type Placed } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import { layoutContext } from '../layout-context.ts'
import type { Ownership } from '../ownership.ts'
import { deckDocument } from './deck-document.ts'

/** A deck and the resources that its layout needs. */
export interface DeckRequest {
  readonly deck: Deck
  readonly fonts: DocumentFonts
  readonly image: (media: string) => ImageRef | undefined
  readonly vector: (media: string) => VectorPicture | undefined
  readonly budget: LayoutBudget
  /** The time that date fields show, in milliseconds since the epoch. */
  readonly now: number
  readonly warn: (warning: Warning) => void
  /** Receives what each drawn item belongs to, for a tagged PDF. */
  readonly ownership?: Ownership
}

export interface LaidOutDeck {
  readonly pages: readonly Page[]
  readonly outline: readonly OutlineEntry[]
  /** The document in which the text of the slides was laid out. */
  readonly document: Document
}

/** Lays out a deck. Throws AppError 'layout.too-many-pages' and whatever `budget.check` throws. */
export function layoutDeck(request: DeckRequest): LaidOutDeck {
  const { deck, budget } = request
  const { slides } = deck
  if (slides.length > budget.pages) throw new AppError('layout.too-many-pages', { pages: budget.pages })
  const document = deckDocument(deck)
  const styler = createStyler(document)
  const values: PageValues = {
    page: deck.firstNumber,
    pageFormat: 'decimal',
    section: 1,
    pages: slides.length,
    sectionPages: slides.length,
    now: request.now,
    bookmarks: new Map(),
    noteNumbers: new Map(),
    used: { pages: false, page: false, chapter: false, bookmarks: false },
  }
  const contents = slides.flatMap(({ shapes }) => shapes.map(({ drawing }) => drawing.content))
  const context = layoutContext({
    ...request,
    document,
    styler,
    labels: countDrawingLabels(document, styler, contents),
    tableOf: createTableStyler(document.styles),
    textStyles: new Map(),
    values,
    outline: [],
    record: createRecord(),
  })
  const pages = slides.map((slide, index): Page => {
    values.page = deck.firstNumber + index
    return { frame: { width: slide.width, height: slide.height, items: drawSlide(context, slide) } }
  })
  const outline = slides.map(({ id, title }, index): OutlineEntry => {
    return { title: title === '' ? `Slide ${deck.firstNumber + index}` : title, level: 1, bookmark: id }
  })
  return { pages, outline, document }
}

function drawSlide(
  context: LayoutContext,
  { id, width, height, color, background, shapes }: Slide,
): Placed[] {
  const items: Placed[] = [{ x: 0, y: 0, item: { kind: 'mark', id } }]
  const page = { x: 0, y: 0, width, height }
  if (color !== undefined) items.push(filledBox(0, 0, width, height, colourOf(color)))
  if (background !== undefined) pushAll(items, backdropItems(context, background, page))
  for (const { x, y, drawing } of shapes) {
    context.budget.check()
    for (const item of context.flows.draw(drawing, drawing.width, drawing.height))
      items.push({ ...item, x: item.x + x, y: item.y + y })
  }
  return items
}
