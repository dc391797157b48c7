import type { Inline, Link } from '../../../../shared/document/document.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { ComputedParagraph } from '../style/computed.ts'
import type { Item, Placed } from './frame.ts'

/**
 * What of the document each thing drawn belongs to, for a PDF that knows its structure. Layout keeps it only where it is
 * asked for. Paragraphs go by their inlines, which stay the same where layout copies a paragraph.
 */
export interface Ownership {
  readonly paragraphs: Map<Item, readonly Inline[]>
  readonly styles: Map<readonly Inline[], ComputedParagraph>
  readonly drawings: Map<Item, Drawing>
  readonly links: Map<Item, Link>
  /** Numbers and bullets. */
  readonly labels: Set<Item>
  /** Dots before tab stops: nothing to read out. */
  readonly leaders: Set<Item>
}

export function createOwnership(): Ownership {
  return {
    paragraphs: new Map(),
    styles: new Map(),
    drawings: new Map(),
    links: new Map(),
    labels: new Set(),
    leaders: new Set(),
  }
}

/** The items of a line are its paragraph's, unless something inside it has them. */
export function ownLine(
  ownership: Ownership,
  items: readonly Placed[],
  inlines: readonly Inline[],
  style: ComputedParagraph,
): void {
  ownership.styles.set(inlines, style)
  for (const { item } of items) if (!ownership.paragraphs.has(item)) ownership.paragraphs.set(item, inlines)
}

export function ownDrawing(ownership: Ownership, items: readonly Placed[], drawing: Drawing): void {
  for (const { item } of items) if (!ownership.drawings.has(item)) ownership.drawings.set(item, drawing)
}
