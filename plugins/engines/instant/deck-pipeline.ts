/**
 * The stages for presentations: the model of decks comes in, slides are laid out (`layout/deck/`), pages are painted
 * (`paint/`), a PDF or pictures go out.
 */
import type { Deck } from '../../../shared/document/deck.ts'
import type { Warning } from '../../../shared/plugin/values.ts'
import type { FontRequest } from './fonts/font-book.ts'
import { drawingFontRequests } from './fonts-needed.ts'
import { auditWarning } from './layout/audit/audit.ts'
import { deckDocument } from './layout/deck/deck-document.ts'
import { layoutDeck } from './layout/deck/layout-deck.ts'
import { createOwnership } from './layout/ownership.ts'
import { paintRequested } from './paint/paint-pages.ts'
import { buildDeckStructure } from './paint/pdf/deck-structure.ts'
import { createStructure } from './paint/pdf/structure.ts'
import {
  createBudget,
  imagesOf,
  type PipelineRequest,
  type PipelineResult,
  vectorsOf,
  warnMissing,
} from './pipeline.ts'

/** Everything that the conversion of one deck needs. */
export interface DeckPipelineRequest
  extends Omit<PipelineRequest, 'document' | 'hyphenators' | 'skipBlankPages'> {
  readonly deck: Deck
}

/**
 * Lays a deck out and paints it. Throws AppError 'convert.timeout', 'layout.too-many-pages', 'font.none', 'pdf.promise', or
 * the reason of the signal.
 */
export function paintDeck(request: DeckPipelineRequest): PipelineResult {
  const { deck, fonts } = request
  const warnings = new Map<string, Warning>()
  const warn = (warning: Warning): void => void warnings.set(`${warning.code} ${warning.message}`, warning)
  const budget = createBudget(request)
  const ownership = request.tagged === true ? createOwnership() : undefined
  const { pages, outline, document } = layoutDeck({
    ...(ownership !== undefined && { ownership }),
    deck,
    fonts,
    budget,
    now: request.now(),
    image: imagesOf(deck.media, warn),
    vector: vectorsOf(deck.media, { fonts, check: budget.check }, warn),
    warn,
  })
  for (const text of deck.unread ?? []) warn(auditWarning({ kind: 'unread', ...text }))
  const { information } = deck
  const structure = ownership && createStructure(buildDeckStructure(deck, document, ownership), ownership)
  const files = paintRequested(request, pages, {
    information,
    check: budget.check,
    outline,
    ...(structure !== undefined && { structure }),
    language: information.language ?? deck.run.language,
    warn,
  })
  const report = fonts.report()
  warnMissing(report, warn)
  return { files, pages, warnings: [...warnings.values()], fonts: report }
}

/** The families and characters of a deck, for hosts that fetch fonts. */
export const deckFontRequests = (deck: Deck): FontRequest[] =>
  drawingFontRequests(
    deckDocument(deck),
    deck.slides.flatMap(({ shapes }) => shapes.map(({ drawing }) => drawing.content)),
  )
