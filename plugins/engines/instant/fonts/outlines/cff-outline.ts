import type { PathStep } from '../../../../../shared/document/ellipse.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { firstNumber, operator, stemHints } from '../charstring-operators.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { flatCharStrings } from '../subset/cff.ts'

/**
 * Reads outlines of the `CFF` table. The returned function gives an empty outline for glyphs that the font lacks, and for
 * all glyphs of a font whose table is damaged.
 */
export function createCffOutlines(font: FontFile): (glyph: number) => readonly PathStep[] {
  let charStringOf: ReturnType<typeof flatCharStrings>
  try {
    charStringOf = flatCharStrings(font)
  } catch (error) {
    if (error instanceof AppError && error.code === 'font.damaged') return () => []
    throw error
  }
  return (glyph) => {
    const charString = charStringOf(glyph)
    return charString === undefined ? [] : charStringOutline(charString)
  }
}

/** The state of the Type 2 interpreter: operands, the current point, and the hints counted so far. */
interface CharstringState {
  readonly out: PathStep[]
  readonly stack: number[]
  x: number
  y: number
  stems: number
  isOpen: boolean
}

/** The format allows 48 operands; wrong programs may leave more. */
const maxOperands = 513

/**
 * Draws a Type 2 charstring that calls no subroutines. Hints are skipped, and so are the arithmetic operators, which no
 * font in use has. Source: Adobe TN 5177, chapter 4.
 */
export function charStringOutline(code: Uint8Array): readonly PathStep[] {
  const state: CharstringState = { out: [], stack: [], x: 0, y: 0, stems: 0, isOpen: false }
  for (let at = 0; at < code.length; ) {
    const byte = code[at++] ?? 0
    if (byte >= firstNumber || byte === operator.shortInt) {
      const [value, end] = operand(code, at, byte)
      at = end
      if (state.stack.length < maxOperands) state.stack.push(value)
      continue
    }
    if (byte === operator.endChar) break
    if (stemHints.has(byte)) state.stems += state.stack.length >> 1
    if (byte === operator.hintMask || byte === operator.counterMask) at += (state.stems + 7) >> 3
    else if (byte === operator.escape) draw[0x0c00 | (code[at++] ?? 0)]?.(state)
    else draw[byte]?.(state)
    state.stack.length = 0
  }
  if (state.isOpen) state.out.push(['Z'])
  return state.out
}

function operand(code: Uint8Array, at: number, byte: number): readonly [value: number, end: number] {
  const [first = 0, second = 0, third = 0, fourth = 0] = code.subarray(at, at + 4)
  if (byte === operator.shortInt) return [((first << 24) >> 16) | second, at + 2]
  if (byte < 247) return [byte - 139, at]
  if (byte < 251) return [(byte - 247) * 256 + first + 108, at + 1]
  if (byte < 255) return [-(byte - 251) * 256 - first - 108, at + 1]
  return [((first << 24) | (second << 16) | (third << 8) | fourth) / 65_536, at + 4]
}

function move(state: CharstringState, dx: number, dy: number): void {
  if (state.isOpen) state.out.push(['Z'])
  state.isOpen = true
  state.out.push(['M', (state.x += dx), (state.y += dy)])
}

function line(state: CharstringState, dx: number, dy: number): void {
  state.out.push(['L', (state.x += dx), (state.y += dy)])
}

function curve(
  state: CharstringState,
  [dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dy3 = 0]: readonly number[],
): void {
  const [x1, y1] = [state.x + dx1, state.y + dy1]
  const [x2, y2] = [x1 + dx2, y1 + dy2]
  state.out.push(['C', x1, y1, x2, y2, (state.x = x2 + dx3), (state.y = y2 + dy3)])
}

function curves(state: CharstringState, from: number, to: number): void {
  for (let at = from; at + 6 <= to; at += 6) curve(state, state.stack.slice(at, at + 6))
}

function lines(state: CharstringState, from: number, to: number): void {
  for (let at = from; at + 2 <= to; at += 2) line(state, state.stack[at] ?? 0, state.stack[at + 1] ?? 0)
}

/** Lines that alternate between horizontal and vertical. */
function alternatingLines(state: CharstringState, horizontalFirst: boolean): void {
  for (const [index, length] of state.stack.entries()) {
    const isHorizontal = (index % 2 === 0) === horizontalFirst
    line(state, isHorizontal ? length : 0, isHorizontal ? 0 : length)
  }
}

/** Curves that start horizontally and end vertically, alternating with the other way round. */
function alternatingCurves(state: CharstringState, horizontalFirst: boolean): void {
  const { stack } = state
  let isHorizontal = horizontalFirst
  for (let at = 0; at + 4 <= stack.length; at += 4) {
    const [start = 0, dx = 0, dy = 0, end = 0] = stack.slice(at, at + 4)
    // An odd operand at the end bends the last curve away from the axis.
    const last = stack.length - at === 5 ? (stack[at + 4] ?? 0) : 0
    if (isHorizontal) curve(state, [start, 0, dx, dy, last, end])
    else curve(state, [0, start, dx, dy, end, last])
    isHorizontal = !isHorizontal
  }
}

/** Curves that start and end along one axis; a first operand may move the first one off it. */
function axisCurves(state: CharstringState, isHorizontal: boolean): void {
  const { stack } = state
  let at = stack.length % 4 === 1 ? 1 : 0
  let aside = at === 1 ? (stack[0] ?? 0) : 0
  for (; at + 4 <= stack.length; at += 4) {
    const [start = 0, dx = 0, dy = 0, end = 0] = stack.slice(at, at + 4)
    if (isHorizontal) curve(state, [start, aside, dx, dy, end, 0])
    else curve(state, [aside, start, dx, dy, 0, end])
    aside = 0
  }
}

/** `flex1`: the last operand goes along the axis on which the curves moved farther. */
function flex1(state: CharstringState): void {
  const [dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dy3 = 0, dx4 = 0, dy4 = 0, dx5 = 0, dy5 = 0, d6 = 0] =
    state.stack
  const dx = dx1 + dx2 + dx3 + dx4 + dx5
  const dy = dy1 + dy2 + dy3 + dy4 + dy5
  curve(state, [dx1, dy1, dx2, dy2, dx3, dy3])
  const isWide = Math.abs(dx) > Math.abs(dy)
  curve(state, [dx4, dy4, dx5, dy5, isWide ? d6 : -dx, isWide ? -dy : d6])
}

/** What each operator does. A move takes its operands from the end, because a width may stand before them. */
const draw: Readonly<Record<number, (state: CharstringState) => void>> = {
  4: (state) => move(state, 0, state.stack.at(-1) ?? 0), // vmoveto
  5: (state) => lines(state, 0, state.stack.length), // rlineto
  6: (state) => alternatingLines(state, true), // hlineto
  7: (state) => alternatingLines(state, false), // vlineto
  8: (state) => curves(state, 0, state.stack.length), // rrcurveto
  21: (state) => move(state, state.stack.at(-2) ?? 0, state.stack.at(-1) ?? 0), // rmoveto
  22: (state) => move(state, state.stack.at(-1) ?? 0, 0), // hmoveto
  // rcurveline
  24(state) {
    curves(state, 0, state.stack.length - 2)
    lines(state, state.stack.length - 2, state.stack.length)
  },
  // rlinecurve
  25(state) {
    lines(state, 0, state.stack.length - 6)
    curves(state, state.stack.length - 6, state.stack.length)
  },
  26: (state) => axisCurves(state, false), // vvcurveto
  27: (state) => axisCurves(state, true), // hhcurveto
  30: (state) => alternatingCurves(state, false), // vhcurveto
  31: (state) => alternatingCurves(state, true), // hvcurveto
  // hflex
  3106(state) {
    const [dx1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dx4 = 0, dx5 = 0, dx6 = 0] = state.stack
    curve(state, [dx1, 0, dx2, dy2, dx3, 0])
    curve(state, [dx4, 0, dx5, -dy2, dx6, 0])
  },
  // flex
  3107: (state) => curves(state, 0, 12),
  // hflex1
  3108(state) {
    const [dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dx4 = 0, dx5 = 0, dy5 = 0, dx6 = 0] = state.stack
    curve(state, [dx1, dy1, dx2, dy2, dx3, 0])
    curve(state, [dx4, 0, dx5, dy5, dx6, -(dy1 + dy2 + dy5)])
  },
  3109: flex1,
}
