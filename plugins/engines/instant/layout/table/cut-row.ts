import { libreOffice } from '../../compat/libreoffice.ts'
import type { LayoutContext } from '../context.ts'
import { type FilledRegion, type FlowPosition, flowStart } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { emptyLineHeight } from '../inline/line-height.ts'
import { cellRequest } from './cell-request.ts'
import { endOfCell } from './measure-rows.ts'
import type { PreparedCell } from './types.ts'

/** The part of a cell above the split, and the height it gives the row, including the cell margins. */
interface CellPart {
  readonly filled: FilledRegion
  readonly height: Pt
}

/** A cell whose lines all fit, but not the space below them. */
interface Tight {
  readonly cell: PreparedCell
  readonly complete: CellPart
  /** The height of its rest, in points with the margins of the cell; absent where its last line moved on. */
  readonly emptyRest?: Pt
}

/**
 * Finds what each cell of a row shows above a page break, cell by cell from the first.
 *
 * The space below the text of a cell belongs to its last line: without height for it the line moves on, except
 * a single line, which stays and leaves an empty line on the next page. The order of the cells matters: a cell
 * that was split only for its space becomes complete again when a later cell makes the row taller. The row is then
 * split only if another cell continues.
 */
export class RowCut {
  /** The part of each cell above the split; 'done' for a cell that has nothing left. */
  readonly parts = new Map<PreparedCell, CellPart | 'done'>()
  /** Whether any cell shows something above the split. */
  progress = false
  readonly #context: LayoutContext
  readonly #available: Pt
  /** Cells whose space below does not fit, which may still become complete. */
  readonly #tight: Tight[] = []
  /** The height that the cells added so far give the row, without what line spacing adds below their last lines. */
  #reach: Pt = 0
  /** A cell has more lines than fit. */
  #full = false
  /** A later cell made the row taller than a tight cell left it. */
  #raised = false
  /** A tight cell was split between two paragraphs. */
  #parted = false
  /** A cell became complete again although the space below it does not fit. */
  #joined = false
  /** The row must move to the next region as a whole. */
  #refused = false

  /** `available` is the height below the border above the row. */
  constructor(context: LayoutContext, available: Pt) {
    this.#context = context
    this.#available = available
  }

  /**
   * The kind of split. 'none': everything fits. 'space': all lines fit, but not the space below them.
   * 'refused': the row moves as a whole.
   */
  get kind(): 'none' | 'space' | 'lines' | 'refused' {
    if (this.#full) return 'lines'
    if (this.#refused || this.#raised) return 'refused'
    if (this.#parted || this.#tight.length > 0) return 'space'
    return this.#joined ? 'refused' : 'none'
  }

  /** The minimum height of the rest of the row, without the border above it. */
  get minHeight(): Pt {
    return this.#tight.reduce((height, { emptyRest = 0 }) => Math.max(height, emptyRest), 0)
  }

  /** Adds a cell, continued at `at`. Returns false when it cannot show its first line. */
  add(cell: PreparedCell, at: FlowPosition | 'done' | undefined, forced: boolean): boolean {
    if (at === 'done') {
      this.parts.set(cell, 'done')
      return true
    }
    const free = this.#available - cell.top - cell.bottom
    const filled = this.#context.flows.fill(cell.flow, at ?? flowStart, cellRequest(cell, free, forced))
    if (filled.next !== undefined && filled.empty && !forced) return false
    if (!filled.empty) this.progress = true
    const part = partOf(cell, filled)
    this.parts.set(cell, part)
    const margins = cell.top + cell.bottom
    if (filled.next !== undefined) {
      this.#full = true
      this.#raise(textHeight(filled) + margins)
      this.#complete(() => true)
      this.#reach = Math.max(this.#reach, textHeight(filled) + margins)
      return true
    }
    const height = filled.height + endOfCell(this.#context, cell, filled) + margins
    if (height - margins > free + 0.01 && !filled.empty) this.#addTight(cell, at, part, height)
    else {
      this.#raise(height)
      this.#reach = Math.max(this.#reach, height)
    }
    return true
  }

  /** Notes that a cell makes the row as tall as `height`: the single lines that lost only the space below them are complete then. */
  #raise(height: Pt): void {
    if (height <= this.#reach + 0.01) return
    this.#complete(({ emptyRest }) => emptyRest !== undefined)
    this.#raised = this.#tight.length > 0
  }

  /** Adds a cell whose space below does not fit: it shows all lines but the last, for now. */
  #addTight(cell: PreparedCell, at: FlowPosition | undefined, complete: CellPart, height: Pt): void {
    const reach = this.#reach + 0.01
    const fits = this.#tight.every((tight) => tight.emptyRest !== undefined || tight.complete.height <= reach)
    if (this.#raised && fits) this.#complete(() => true)
    else if (!fits && complete.height > reach) this.#refused = true
    else if (height > reach) this.#complete(({ emptyRest }) => emptyRest !== undefined)
    const { filled } = complete
    const lines = this.#context.flows.fill(
      cell.flow,
      at ?? flowStart,
      cellRequest(cell, textHeight(filled) - 1, false),
    )
    const parted = lines.next !== undefined && !lines.empty
    const part = parted ? partOf(cell, lines) : complete
    this.parts.set(cell, part)
    // A paragraph that moved on entirely does not come back.
    if (lines.next?.line === 0 && parted) this.#parted = true
    else this.#tight.push({ cell, complete, ...(!parted && { emptyRest: this.#emptyRest(cell, complete) }) })
    this.#reach = Math.max(this.#reach, textHeight(part.filled) + cell.top + cell.bottom)
  }

  /** Makes tight cells complete. */
  #complete(chosen: (tight: Tight) => boolean): void {
    if (!libreOffice.laterCellsGiveLinesBack) return
    for (const tight of this.#tight.splice(0)) {
      if (chosen(tight)) {
        this.parts.set(tight.cell, tight.complete)
        this.#joined = true
      } else this.#tight.push(tight)
    }
    if (this.#tight.length === 0) this.#raised = false
  }

  /** The height of a cell that continues without any line: an empty line in the font of its last paragraph, and its spaces. */
  #emptyRest({ flow, top, bottom }: PreparedCell, { filled }: CellPart): Pt {
    const last = flow.blocks.at(-1)
    if (last?.kind !== 'paragraph') return 0
    const above = libreOffice.splitCellsKeepSpaceAbove ? last.style.spaceBefore : 0
    const line = emptyLineHeight(this.#context, last.content(), last.style.line)
    return top + above + line + filled.trailing + bottom
  }
}

/** The space below the text counts only when the cell continues. */
function partOf(cell: PreparedCell, filled: FilledRegion): CellPart {
  const space = filled.next === undefined ? filled.trailing : 0
  return { filled, height: filled.height - space + cell.top + cell.bottom }
}

/** The height of the lines of a region, in points, without the spaces below the last of them. */
const textHeight = ({ height, trailing, slack }: FilledRegion): Pt => height - trailing - slack
