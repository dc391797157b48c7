import type { PathSegment } from '../../../../shared/document/drawing.ts'
import { arc, type PathStep } from '../../../../shared/document/ellipse.ts'

/** The coordinate space of the path: coordorigin and coordsize of the shape. */
interface CoordinateSpace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Path commands; those of two letters are matched first. */
const commands = /nf|ns|ae|al|at|ar|wa|wr|qx|qy|qb|[mlctrvxe]/gi
/** Maximum length of a path, in characters. */
const maxLength = 200_000

/**
 * Reads the path of a VML shape as shares of its coordinate space (ECMA-376-4 19.1.2.19, "path"). Undefined
 * for paths with formulas or guides, for invalid ones and for those that draw nothing.
 */
export function readVmlPath(text: string, space: CoordinateSpace): PathSegment[] | undefined {
  if (text.length > maxLength || /[@#]/.test(text) || space.width === 0 || space.height === 0)
    return undefined
  const builder = new VmlPathBuilder(space)
  const starts = [...text.matchAll(commands)]
  for (const [index, match] of starts.entries()) {
    const from = match.index + match[0].length
    const numbers = parameters(text.slice(from, starts[index + 1]?.index))
    if (!builder.draw(match[0].toLowerCase(), numbers)) return undefined
  }
  return builder.segments.length < 2 ? undefined : builder.segments
}

/** Parses numbers separated by commas or spaces; an omitted one is 0. */
function parameters(text: string): number[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  return trimmed.split(/\s*,\s*|\s+/).map((number) => Number.parseFloat(number) || 0)
}

/** Collects the segments and keeps the current point (#x, #y) in the coordinate space of the path. */
class VmlPathBuilder {
  readonly segments: PathSegment[] = []
  readonly #space: CoordinateSpace
  #x = 0
  #y = 0
  constructor(space: CoordinateSpace) {
    this.#space = space
  }

  /** Adds the segments of one command with its parameters; false for an unknown command. */
  draw(command: string, p: readonly number[]): boolean {
    switch (command) {
      case 'm':
        this.#to('move', p[0] ?? 0, p[1] ?? 0)
        break
      case 't':
        this.#to('move', this.#x + (p[0] ?? 0), this.#y + (p[1] ?? 0))
        break
      case 'l':
        for (let i = 0; i < p.length; i += 2) this.#to('line', p[i] ?? 0, p[i + 1] ?? 0)
        break
      case 'r':
        for (let i = 0; i < p.length; i += 2)
          this.#to('line', this.#x + (p[i] ?? 0), this.#y + (p[i + 1] ?? 0))
        break
      case 'c':
      case 'v':
        for (let i = 0; i < p.length; i += 6) this.#curve(p.slice(i, i + 6), command === 'v')
        break
      case 'qx':
      case 'qy':
        for (let i = 0; i < p.length; i += 2)
          this.#quarter(p[i] ?? 0, p[i + 1] ?? 0, (command === 'qx') === (i % 4 === 0))
        break
      case 'at':
      case 'ar':
      case 'wa':
      case 'wr':
        for (let i = 0; i + 7 < p.length; i += 8) this.#arc(command, p.slice(i, i + 8))
        break
      case 'x':
        this.segments.push({ kind: 'close', points: [] })
        break
      case 'e':
      case 'nf':
      case 'ns':
        break
      default:
        return false
    }
    return true
  }

  /** Converts coordinates into shares of the space. */
  #at(x: number, y: number): [number, number] {
    const { x: left, y: top, width, height } = this.#space
    return [(x - left) / width, (y - top) / height]
  }

  #to(kind: 'move' | 'line', x: number, y: number): void {
    ;[this.#x, this.#y] = [x, y]
    this.segments.push({ kind, points: this.#at(x, y) })
  }

  #curve(p: readonly number[], relative: boolean): void {
    const [ox, oy] = relative ? [this.#x, this.#y] : [0, 0]
    const at = (index: number): [number, number] => [ox + (p[index] ?? 0), oy + (p[index + 1] ?? 0)]
    this.#cubic(at(0), at(2), at(4))
  }

  #cubic(a: readonly [number, number], b: readonly [number, number], end: readonly [number, number]): void {
    this.segments.push({ kind: 'curve', points: [...this.#at(...a), ...this.#at(...b), ...this.#at(...end)] })
    ;[this.#x, this.#y] = end
  }

  /** Adds a quarter of an ellipse that starts horizontally (`level`) or vertically. */
  #quarter(x: number, y: number, level: boolean): void {
    // Control point distance that approximates a quarter circle, 4/3 (√2 - 1).
    const bend = 0.5523
    const [dx, dy] = [x - this.#x, y - this.#y]
    const start = [this.#x, this.#y] as const
    if (level) this.#cubic([start[0] + dx * bend, start[1]], [x, y - dy * bend], [x, y])
    else this.#cubic([start[0], start[1] + dy * bend], [x - dx * bend, y], [x, y])
  }

  /**
   * Adds an arc of the ellipse inscribed in the box l t r b, between the rays from its centre through (sx,
   * sy) and (ex, ey). 'wa' and 'wr' run clockwise, 'at' and 'ar' counter-clockwise; 'at' and 'wa' connect the
   * start with a line.
   */
  #arc(
    command: string,
    [l = 0, t = 0, r = 0, b = 0, sx = 0, sy = 0, ex = 0, ey = 0]: readonly number[],
  ): void {
    const [cx, cy, rx, ry] = [(l + r) / 2, (t + b) / 2, Math.abs(r - l) / 2, Math.abs(b - t) / 2]
    if (rx === 0 || ry === 0) return
    const on = (x: number, y: number): [number, number] => {
      const angle = Math.atan2((y - cy) / ry, (x - cx) / rx)
      return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)]
    }
    const [from, to] = [on(sx, sy), on(ex, ey)]
    const clockwise = command[0] === 'w'
    const angleOf = (at: [number, number]): number => Math.atan2((at[1] - cy) / ry, (at[0] - cx) / rx)
    const span = ((angleOf(to) - angleOf(from)) * (clockwise ? 1 : -1) + 4 * Math.PI) % (2 * Math.PI)
    this.#to(command === 'ar' || command === 'wr' ? 'move' : 'line', ...from)
    const steps: readonly PathStep[] = arc(
      { x: from[0], y: from[1] },
      { x: to[0], y: to[1] },
      { rx, ry, turn: 0, large: span > Math.PI, sweep: clockwise },
    )
    for (const step of steps) {
      if (step[0] === 'C') this.#cubic([step[1], step[2]], [step[3], step[4]], [step[5], step[6]])
      else if (step[0] === 'L') this.#to('line', step[1], step[2])
    }
  }
}
