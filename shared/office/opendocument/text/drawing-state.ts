import type { ReadFile } from '../../package.ts'
import { readBlocks } from './blocks.ts'
import { noChanges } from './changes.ts'
import type { Shared } from './part-context.ts'

/**
 * The initial state for reading the shapes of a presentation or a spreadsheet. State that only text documents need is empty.
 * Pictures are added to `media`.
 */
export function drawingState(parts: ReadFile, media = new Map<string, Uint8Array>()): Shared {
  return {
    parts,
    media,
    lists: new Map(),
    lastList: new Map(),
    byListId: new Map(),
    notes: new Map(),
    comments: new Map(),
    warnings: new Map(),
    budget: { blocks: 400_000 },
    readBlocks,
    template: false,
    controls: new Map(),
    movesShapesOntoPage: false,
    changes: noChanges(false),
    hasContentsEntries: false,
    onSheets: [],
    emptySpansCount: true,
    spansEndParagraphs: false,
    tableDepth: 0,
    sectionCount: 0,
  }
}
