import type { Inline } from '../../../../shared/document/content.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { Link } from '../../../../shared/document/properties.ts'
import type { ComputedParagraph } from '../style/computed.ts'
import type { Item, Placed } from './frame.ts'

/**
 * Maps each drawn item to the element of the document that it belongs to, for painters of tagged PDFs. An element is
 * identified by an object that layout never copies.
 */
export interface ItemOwners<Text extends object, Picture extends object, Target extends object> {
  readonly paragraphs: ReadonlyMap<Item, Text>
  readonly drawings: ReadonlyMap<Item, Picture>
  readonly links: ReadonlyMap<Item, Target>
  /** Numbers and bullets of lists. */
  readonly labels: ReadonlySet<Item>
  /** Leader dots before tab stops, which a screen reader skips. */
  readonly leaders: ReadonlySet<Item>
}

/**
 * The owners in a flow document. Layout records them only for a tagged PDF. A paragraph is identified by its list of inlines,
 * which remains the same object when layout copies the paragraph.
 */
export interface Ownership extends ItemOwners<readonly Inline[], Drawing, Link> {
  readonly paragraphs: Map<Item, readonly Inline[]>
  readonly styles: Map<readonly Inline[], ComputedParagraph>
  /** The inlines of the document that inlines with other formatting, such as those of shrunk text, are copies of. */
  readonly originals: Map<readonly Inline[], readonly Inline[]>
  readonly drawings: Map<Item, Drawing>
  readonly links: Map<Item, Link>
  readonly labels: Set<Item>
  readonly leaders: Set<Item>
}

export function createOwnership(): Ownership {
  return {
    paragraphs: new Map(),
    styles: new Map(),
    originals: new Map(),
    drawings: new Map(),
    links: new Map(),
    labels: new Set(),
    leaders: new Set(),
  }
}

/** Assigns the items of a line to its paragraph, except those that already belong to something inside it. */
export function assignLine(
  ownership: Ownership,
  items: readonly Placed[],
  inlines: readonly Inline[],
  style: ComputedParagraph,
): void {
  const owner = ownership.originals.get(inlines) ?? inlines
  ownership.styles.set(owner, style)
  for (const { item } of items) if (!ownership.paragraphs.has(item)) ownership.paragraphs.set(item, owner)
}

/** Assigns items to a drawing, except those that already belong to a drawing inside it. */
export function assignDrawing(ownership: Ownership, items: readonly Placed[], drawing: Drawing): void {
  for (const { item } of items) if (!ownership.drawings.has(item)) ownership.drawings.set(item, drawing)
}
