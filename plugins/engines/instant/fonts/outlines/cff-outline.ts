import type { PathStep } from '../../../../../shared/document/ellipse.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { bareCharStrings } from '../subset/cff.ts'

/**
 * Reads outlines of the `CFF` table. The returned function gives an empty outline for glyphs that the font lacks, and for
 * all glyphs of a font whose table is damaged.
 */
export function createCffOutlines(font: FontFile): (glyph: number) => readonly PathStep[] {
  let charStringOf: ReturnType<typeof bareCharStrings>
  try {
    charStringOf = bareCharStrings(font)
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
interface Pen {
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
  const pen: Pen = { out: [], stack: [], x: 0, y: 0, stems: 0, isOpen: false }
  for (let at = 0; at < code.length; ) {
    const byte = code[at++] ?? 0
    if (byte >= 32 || byte === 28) {
      const [value, end] = operand(code, at, byte)
      at = end
      if (pen.stack.length < maxOperands) pen.stack.push(value)
      continue
    }
    if (byte === operator.endChar) break
    if (stemOperators.has(byte)) pen.stems += pen.stack.length >> 1
    if (byte === operator.hintMask || byte === operator.counterMask) at += (pen.stems + 7) >> 3
    else if (byte === 12) draw[0x0c00 | (code[at++] ?? 0)]?.(pen)
    else draw[byte]?.(pen)
    pen.stack.length = 0
  }
  if (pen.isOpen) pen.out.push(['Z'])
  return pen.out
}

const operator = { endChar: 14, hintMask: 19, counterMask: 20 } as const
/** Operators whose operands are stems; a mask may follow vertical stems without their operator. */
const stemOperators: ReadonlySet<number> = new Set([1, 3, 18, 23, operator.hintMask, operator.counterMask])

function operand(code: Uint8Array, at: number, byte: number): readonly [value: number, end: number] {
  const [first = 0, second = 0, third = 0, fourth = 0] = code.subarray(at, at + 4)
  if (byte === 28) return [((first << 24) >> 16) | second, at + 2]
  if (byte < 247) return [byte - 139, at]
  if (byte < 251) return [(byte - 247) * 256 + first + 108, at + 1]
  if (byte < 255) return [-(byte - 251) * 256 - first - 108, at + 1]
  return [((first << 24) | (second << 16) | (third << 8) | fourth) / 65_536, at + 4]
}

function move(pen: Pen, dx: number, dy: number): void {
  if (pen.isOpen) pen.out.push(['Z'])
  pen.isOpen = true
  pen.out.push(['M', (pen.x += dx), (pen.y += dy)])
}

function line(pen: Pen, dx: number, dy: number): void {
  pen.out.push(['L', (pen.x += dx), (pen.y += dy)])
}

function curve(pen: Pen, [dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dy3 = 0]: readonly number[]): void {
  const [x1, y1] = [pen.x + dx1, pen.y + dy1]
  const [x2, y2] = [x1 + dx2, y1 + dy2]
  pen.out.push(['C', x1, y1, x2, y2, (pen.x = x2 + dx3), (pen.y = y2 + dy3)])
}

function curves(pen: Pen, from: number, to: number): void {
  for (let at = from; at + 6 <= to; at += 6) curve(pen, pen.stack.slice(at, at + 6))
}

function lines(pen: Pen, from: number, to: number): void {
  for (let at = from; at + 2 <= to; at += 2) line(pen, pen.stack[at] ?? 0, pen.stack[at + 1] ?? 0)
}

/** Lines that alternate between horizontal and vertical. */
function alternatingLines(pen: Pen, horizontalFirst: boolean): void {
  for (const [index, length] of pen.stack.entries()) {
    const isHorizontal = (index % 2 === 0) === horizontalFirst
    line(pen, isHorizontal ? length : 0, isHorizontal ? 0 : length)
  }
}

/** Curves that start horizontally and end vertically, alternating with the other way round. */
function alternatingCurves(pen: Pen, horizontalFirst: boolean): void {
  const { stack } = pen
  let isHorizontal = horizontalFirst
  for (let at = 0; at + 4 <= stack.length; at += 4) {
    const [start = 0, dx = 0, dy = 0, end = 0] = stack.slice(at, at + 4)
    // An odd operand at the end bends the last curve away from the axis.
    const last = stack.length - at === 5 ? (stack[at + 4] ?? 0) : 0
    if (isHorizontal) curve(pen, [start, 0, dx, dy, last, end])
    else curve(pen, [0, start, dx, dy, end, last])
    isHorizontal = !isHorizontal
  }
}

/** Curves that start and end along one axis; a first operand may move the first one off it. */
function axisCurves(pen: Pen, isHorizontal: boolean): void {
  const { stack } = pen
  let at = stack.length % 4 === 1 ? 1 : 0
  let aside = at === 1 ? (stack[0] ?? 0) : 0
  for (; at + 4 <= stack.length; at += 4) {
    const [start = 0, dx = 0, dy = 0, end = 0] = stack.slice(at, at + 4)
    if (isHorizontal) curve(pen, [start, aside, dx, dy, end, 0])
    else curve(pen, [aside, start, dx, dy, 0, end])
    aside = 0
  }
}

/** `flex1`: the last operand goes along the axis on which the curves moved farther. */
function flex1(pen: Pen): void {
  const [dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dy3 = 0, dx4 = 0, dy4 = 0, dx5 = 0, dy5 = 0, d6 = 0] =
    pen.stack
  const dx = dx1 + dx2 + dx3 + dx4 + dx5
  const dy = dy1 + dy2 + dy3 + dy4 + dy5
  curve(pen, [dx1, dy1, dx2, dy2, dx3, dy3])
  const isWide = Math.abs(dx) > Math.abs(dy)
  curve(pen, [dx4, dy4, dx5, dy5, isWide ? d6 : -dx, isWide ? -dy : d6])
}

/** What each operator does. A move takes its operands from the end, because a width may stand before them. */
const draw: Readonly<Record<number, (pen: Pen) => void>> = {
  4: (pen) => move(pen, 0, pen.stack.at(-1) ?? 0), // vmoveto
  5: (pen) => lines(pen, 0, pen.stack.length), // rlineto
  6: (pen) => alternatingLines(pen, true), // hlineto
  7: (pen) => alternatingLines(pen, false), // vlineto
  8: (pen) => curves(pen, 0, pen.stack.length), // rrcurveto
  21: (pen) => move(pen, pen.stack.at(-2) ?? 0, pen.stack.at(-1) ?? 0), // rmoveto
  22: (pen) => move(pen, pen.stack.at(-1) ?? 0, 0), // hmoveto
  // rcurveline
  24(pen) {
    curves(pen, 0, pen.stack.length - 2)
    lines(pen, pen.stack.length - 2, pen.stack.length)
  },
  // rlinecurve
  25(pen) {
    lines(pen, 0, pen.stack.length - 6)
    curves(pen, pen.stack.length - 6, pen.stack.length)
  },
  26: (pen) => axisCurves(pen, false), // vvcurveto
  27: (pen) => axisCurves(pen, true), // hhcurveto
  30: (pen) => alternatingCurves(pen, false), // vhcurveto
  31: (pen) => alternatingCurves(pen, true), // hvcurveto
  // hflex
  3106(pen) {
    const [dx1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dx4 = 0, dx5 = 0, dx6 = 0] = pen.stack
    curve(pen, [dx1, 0, dx2, dy2, dx3, 0])
    curve(pen, [dx4, 0, dx5, -dy2, dx6, 0])
  },
  // flex
  3107: (pen) => curves(pen, 0, 12),
  // hflex1
  3108(pen) {
    const [dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dx4 = 0, dx5 = 0, dy5 = 0, dx6 = 0] = pen.stack
    curve(pen, [dx1, dy1, dx2, dy2, dx3, 0])
    curve(pen, [dx4, 0, dx5, dy5, dx6, -(dy1 + dy2 + dy5)])
  },
  3109: flex1,
}
