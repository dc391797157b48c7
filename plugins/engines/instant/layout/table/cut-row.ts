import { libreOffice } from '../../compat/libreoffice.ts'
import type { LayoutContext } from '../context.ts'
import { type FilledRegion, type FlowPosition, flowStart } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { cellRequest } from './cell-request.ts'
import type { PreparedCell } from './types.ts'

/** The part of a cell above the split, and the height it gives the row, including the cell margins. */
interface CellPart {
  readonly filled: FilledRegion
  readonly height: Pt
}

/** A cell whose lines all fit, but not the space below them. `shorter` is the part without its last line. */
interface Tight {
  readonly cell: PreparedCell
  readonly complete: CellPart
  /** Undefined for a single line, which cannot be split. */
  readonly shorter: CellPart | undefined
}

/**
 * Finds what each cell of a row shows above a page break, cell by cell from the first.
 *
 * The space below the text of a cell belongs to its last line: without height for it the line moves on, except
 * a single line, which stays and leaves an empty row on the next page. The order of the cells matters: a cell
 * that was split only for its space gets its line back when a later cell makes the row taller. The row is then
 * split only if that cell or another one continues itself.
 */
export class RowCut {
  /** The part of each cell above the split; 'done' for a cell that has nothing left. */
  readonly parts = new Map<PreparedCell, CellPart | 'done'>()
  /** Whether any cell shows something above the split. */
  progress = false
  /** The minimum height of the rest of the row, without the border above it. */
  minHeight: Pt = 0
  readonly #context: LayoutContext
  readonly #available: Pt
  /** Cells whose space below does not fit, which may still get their last line back. */
  readonly #tight: Tight[] = []
  /** The height that the cells added so far give the row. */
  #reach: Pt = 0
  /** A cell has more lines than fit. */
  #full = false
  /** A later cell made the row taller than a tight cell left it. */
  #raised = false
  /** A tight cell was split between two paragraphs. */
  #parted = false
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
    return this.minHeight > 0 || this.#parted || this.#tight.length > 0 ? 'space' : 'none'
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
    if (filled.next !== undefined) {
      this.#full = true
      this.#takeBack()
    } else if (filled.trailing > 0 && filled.height > free + 0.01) {
      this.#addTight(cell, at, part)
      return true
    } else if (this.#tight.length > 0 && part.height + filled.trailing > this.#reach) this.#raised = true
    this.#reach = Math.max(this.#reach, part.height + (filled.next === undefined ? filled.trailing : 0))
    return true
  }

  /** Adds a cell whose space below does not fit: it shows all lines but the last, for now. */
  #addTight(cell: PreparedCell, at: FlowPosition | undefined, complete: CellPart): void {
    const reach = this.#reach + 0.01
    const back = this.#tight.every((tight) => tight.shorter === undefined || tight.complete.height <= reach)
    if (this.#raised && back) this.#takeBack()
    else if (!back && complete.height > reach) this.#refused = true
    const { height, trailing, slack } = complete.filled
    const filled = this.#context.flows.fill(
      cell.flow,
      at ?? flowStart,
      cellRequest(cell, height - trailing - slack - 1, false),
    )
    const parted = filled.next !== undefined && !filled.empty
    const shorter = parted ? partOf(cell, filled) : undefined
    if (shorter === undefined) this.#leave(complete, 0)
    else this.parts.set(cell, shorter)
    // A paragraph that moved on entirely does not come back.
    if (filled.next?.line === 0 && parted) this.#parted = true
    else this.#tight.push({ cell, complete, shorter })
    this.#reach = Math.max(this.#reach, (shorter ?? complete).height)
  }

  /** Gives all tight cells their last line back. */
  #takeBack(): void {
    if (!libreOffice.laterCellsGiveLinesBack) return
    for (const { cell, complete, shorter } of this.#tight.splice(0)) {
      this.parts.set(cell, complete)
      this.#leave(complete, shorter?.height ?? 0)
    }
    this.#raised = false
  }

  /**
   * Below a cell that is shown entirely, the row continues at least as tall as the cell's last line and the space below it.
   */
  #leave(complete: CellPart, before: Pt): void {
    this.minHeight = Math.max(this.minHeight, complete.height - before + complete.filled.trailing)
  }
}

/** The space below the text counts only when the cell continues. */
function partOf(cell: PreparedCell, filled: FilledRegion): CellPart {
  const space = filled.next === undefined ? filled.trailing : 0
  return { filled, height: filled.height - space + cell.top + cell.bottom }
}
