import { entryOf } from '../entry-of.ts'
import { arc, type PathStep } from './ellipse.ts'

/** Number of values that each command takes. */
const counts: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
}

/**
 * Converts SVG path data into absolute moves, lines and cubic curves. As SVG 2, 9.5.4 requires, everything up
 * to the first error is kept and the rest ignored. Source: SVG 2, clause 9.3.
 */
export function pathCommands(data: string): PathStep[] {
  const builder = new PathBuilder()
  const reader = new Tokens(data)
  for (let letter = reader.letter(); letter !== undefined; letter = reader.letter()) {
    const upper = letter.toUpperCase()
    const count = entryOf(counts, upper)
    if (count === undefined || (!builder.started && upper !== 'M')) break
    if (count === 0) {
      builder.close()
      continue
    }
    let name = upper
    do {
      const values = reader.values(count, upper === 'A')
      if (values === undefined) return builder.commands
      builder.add(name, values, letter !== upper)
      // Further coordinate pairs after a move are implicit line commands (SVG 2, 9.3.3).
      if (name === 'M') name = 'L'
    } while (reader.more())
  }
  return builder.commands
}

/** Scans path data: command letters and their values. */
class Tokens {
  readonly #text: string
  /** Index of the next character. */
  #at = 0
  constructor(text: string) {
    this.#text = text
  }

  letter(): string | undefined {
    this.#blanks()
    const letter = this.#text[this.#at]
    if (letter === undefined || !/[a-z]/i.test(letter)) return undefined
    this.#at += 1
    return letter
  }

  more(): boolean {
    this.#blanks()
    return /[\d.+-]/.test(this.#text[this.#at] ?? '')
  }

  values(count: number, isArc: boolean): number[] | undefined {
    const values: number[] = []
    for (let n = 0; n < count; n += 1) {
      this.#blanks()
      // The flags of an arc are single digits that need no separator between them (SVG 2, 9.3.9).
      const pattern = isArc && (n === 3 || n === 4) ? /[01]/y : /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy
      pattern.lastIndex = this.#at
      const match = pattern.exec(this.#text)
      if (match === null) return undefined
      this.#at = pattern.lastIndex
      values.push(Number(match[0]))
    }
    return values
  }

  #blanks(): void {
    while (/[\s,]/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }
}

/**
 * Keeps the current point while commands are added, and turns relative and shorthand commands into absolute
 * ones.
 */
class PathBuilder {
  readonly commands: PathStep[] = []
  /** Whether a move command has come: path data must begin with one. */
  started = false
  #x = 0
  #y = 0
  /** Start of the current subpath, to which a close command returns. */
  #startX = 0
  #startY = 0
  /**
   * Last control point, mirrored by the smooth commands S and T, and the kind of curve it belongs to. Any
   * other command clears it.
   */
  #control: { readonly kind: 'C' | 'Q'; readonly x: number; readonly y: number } | undefined

  add(name: string, v: readonly number[], relative: boolean): void {
    const [dx, dy] = relative ? [this.#x, this.#y] : [0, 0]
    const px = (at: number) => (v[at] ?? 0) + dx
    const py = (at: number) => (v[at] ?? 0) + dy
    const before = this.#control
    this.#control = undefined
    switch (name) {
      case 'M':
        this.#to(px(0), py(1))
        this.commands.push(['M', this.#x, this.#y])
        this.#startX = this.#x
        this.#startY = this.#y
        this.started = true
        break
      case 'L':
        this.#line(px(0), py(1))
        break
      case 'H':
        this.#line(px(0), this.#y)
        break
      case 'V':
        this.#line(this.#x, (v[0] ?? 0) + dy)
        break
      case 'C':
        this.#curve(px(0), py(1), px(2), py(3), px(4), py(5))
        break
      case 'S': {
        const [x1, y1] = this.#mirrored(before, 'C')
        this.#curve(x1, y1, px(0), py(1), px(2), py(3))
        break
      }
      case 'Q':
        this.#quadratic(px(0), py(1), px(2), py(3))
        break
      case 'T': {
        const [x1, y1] = this.#mirrored(before, 'Q')
        this.#quadratic(x1, y1, px(0), py(1))
        break
      }
      case 'A': {
        const [rx = 0, ry = 0, turn = 0, large = 0, sweep = 0] = v
        const end = { x: px(5), y: py(6) }
        const shape = { rx, ry, turn, large: large === 1, sweep: sweep === 1 }
        for (const item of arc({ x: this.#x, y: this.#y }, end, shape)) this.commands.push(item)
        this.#to(end.x, end.y)
      }
    }
  }

  close(): void {
    this.commands.push(['Z'])
    this.#to(this.#startX, this.#startY)
    this.#control = undefined
  }

  #to(x: number, y: number): void {
    this.#x = x
    this.#y = y
  }

  #line(x: number, y: number): void {
    this.commands.push(['L', x, y])
    this.#to(x, y)
  }

  #curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.commands.push(['C', x1, y1, x2, y2, x, y])
    this.#control = { kind: 'C', x: x2, y: y2 }
    this.#to(x, y)
  }

  #quadratic(x1: number, y1: number, x: number, y: number): void {
    const [fromX, fromY] = [this.#x, this.#y]
    const third = (from: number, to: number) => from + (2 / 3) * (to - from)
    this.#curve(third(fromX, x1), third(fromY, y1), third(x, x1), third(y, y1), x, y)
    this.#control = { kind: 'Q', x: x1, y: y1 }
  }

  #mirrored(
    control: { kind: 'C' | 'Q'; x: number; y: number } | undefined,
    kind: 'C' | 'Q',
  ): [number, number] {
    if (control?.kind !== kind) return [this.#x, this.#y]
    return [2 * this.#x - control.x, 2 * this.#y - control.y]
  }
}
