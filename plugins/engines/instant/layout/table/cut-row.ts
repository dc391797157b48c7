import type { LayoutContext } from '../context.ts'
import { type Filled, flowStart, type Position } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { cellRequest } from './cell-request.ts'
import type { PreparedCell } from './types.ts'

/** What a cell shows above the cut, and how tall that makes the row, its margins included. */
interface Part {
  readonly filled: Filled
  readonly height: Pt
}

/** A cell whose lines all find room, but not the space below them; `shorter` goes on with its last line. */
interface Tight {
  readonly cell: PreparedCell
  readonly whole: Part
  readonly shorter: Part | undefined // a single line cannot be parted
}

/**
 * Finds what each cell of a row shows above a cut, cell by cell from the first. The space below the text of a cell is
 * part of its last line: without room for it the line goes on, but a single line stays and leaves an empty row behind.
 * Observed in LibreOffice, the order of the cells counts: a cell cut for its space alone takes its line back when a
 * later cell makes the row taller, and then the row is cut only if that one or another goes on itself.
 */
export class RowCut {
  readonly parts = new Map<PreparedCell, Part | 'done'>()
  /** Whether any cell shows something. */
  progress = false
  /** What is left of the row is as tall, the border above it apart. */
  least: Pt = 0
  readonly #context: LayoutContext
  readonly #room: Pt
  readonly #tight: Tight[] = []
  #reach: Pt = 0 // how tall the cells so far make the row
  #full = false // a cell has more lines than room
  #raised = false // a later cell made the row taller than a tight one left it
  #parted = false // between paragraphs, for the space below
  #refused = false

  /** `room`: below the border above the row. */
  constructor(context: LayoutContext, room: Pt) {
    this.#context = context
    this.#room = room
  }

  /** 'none': everything fits; 'space': all lines, but not the space below them; 'refused': the row moves whole. */
  get kind(): 'none' | 'space' | 'lines' | 'refused' {
    if (this.#full) return 'lines'
    if (this.#refused || this.#raised) return 'refused'
    return this.least > 0 || this.#parted || this.#tight.length > 0 ? 'space' : 'none'
  }

  /** False when the cell cannot show its first line. */
  add(cell: PreparedCell, at: Position | 'done' | undefined, forced: boolean): boolean {
    if (at === 'done') {
      this.parts.set(cell, 'done')
      return true
    }
    const free = this.#room - cell.top - cell.bottom
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

  #addTight(cell: PreparedCell, at: Position | undefined, whole: Part): void {
    const reach = this.#reach + 0.01
    const back = this.#tight.every((tight) => tight.shorter === undefined || tight.whole.height <= reach)
    if (this.#raised && back) this.#takeBack()
    else if (!back && whole.height > reach) this.#refused = true
    const { height, trailing, slack } = whole.filled
    const filled = this.#context.flows.fill(
      cell.flow,
      at ?? flowStart,
      cellRequest(cell, height - trailing - slack - 1, false),
    )
    const parted = filled.next !== undefined && !filled.empty
    const shorter = parted ? partOf(cell, filled) : undefined
    if (shorter === undefined) this.#leave(whole, 0)
    else this.parts.set(cell, shorter)
    // A paragraph that went on whole does not come back.
    if (filled.next?.line === 0 && parted) this.#parted = true
    else this.#tight.push({ cell, whole, shorter })
    this.#reach = Math.max(this.#reach, (shorter ?? whole).height)
  }

  #takeBack(): void {
    for (const { cell, whole, shorter } of this.#tight.splice(0)) {
      this.parts.set(cell, whole)
      this.#leave(whole, shorter?.height ?? 0)
    }
    this.#raised = false
  }

  /** Below a cell that stays whole the row goes on, as tall as its last line and the space below. */
  #leave(whole: Part, before: Pt): void {
    this.least = Math.max(this.least, whole.height - before + whole.filled.trailing)
  }
}

function partOf(cell: PreparedCell, filled: Filled): Part {
  const space = filled.next === undefined ? filled.trailing : 0
  return { filled, height: filled.height - space + cell.top + cell.bottom }
}
