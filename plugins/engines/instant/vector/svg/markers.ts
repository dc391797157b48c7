import type { Matrix, PathCommand } from '../../layout/frame.ts'

/** A vertex of an outline with its incoming and outgoing direction, in radians. */
export interface Vertex {
  readonly x: number
  readonly y: number
  readonly into: number | undefined
  readonly out: number | undefined
}

const maxVertices = 2000

/** The vertices of an outline, at which markers are drawn. Source: SVG 2, clause 13.7. */
export function verticesOf(commands: readonly PathCommand[]): Vertex[] {
  const vertices: { x: number; y: number; into: number | undefined; out: number | undefined }[] = []
  let [x, y]: [number, number] = [0, 0]
  let first: [number, number] = [0, 0]
  const directionOf = (fx: number, fy: number, tx: number, ty: number): number | undefined =>
    Math.hypot(tx - fx, ty - fy) < 1e-9 ? undefined : Math.atan2(ty - fy, tx - fx)
  const step = (tx: number, ty: number, out: number | undefined, into: number | undefined): void => {
    const last = vertices.at(-1)
    if (last !== undefined) last.out = out
    vertices.push({ x: tx, y: ty, into, out: undefined })
    ;[x, y] = [tx, ty]
  }
  for (const command of commands) {
    if (vertices.length >= maxVertices) break
    if (command[0] === 'M') {
      ;[x, y] = [command[1], command[2]]
      first = [x, y]
      vertices.push({ x, y, into: undefined, out: undefined })
    } else if (command[0] === 'L') {
      const direction = directionOf(x, y, command[1], command[2])
      step(command[1], command[2], direction, direction)
    } else if (command[0] === 'C') {
      const [, a, b, c, d, tx, ty] = command
      step(
        tx,
        ty,
        directionOf(x, y, a, b) ?? directionOf(x, y, c, d) ?? directionOf(x, y, tx, ty),
        directionOf(c, d, tx, ty) ?? directionOf(a, b, tx, ty) ?? directionOf(x, y, tx, ty),
      )
    } else if (command[0] === 'Z') {
      const direction = directionOf(x, y, ...first)
      if (direction !== undefined) step(first[0], first[1], direction, direction)
    }
  }
  return vertices
}

/** The rotation of a marker inside a line: the mean of its incoming and outgoing direction. */
export function angleAt({ into, out }: Vertex): number {
  if (into === undefined) return out ?? 0
  if (out === undefined) return into
  return Math.atan2(Math.sin(into) + Math.sin(out), Math.cos(into) + Math.cos(out))
}

/** The matrix that places a marker at a vertex, rotated and scaled. */
export function markerMatrix({ x, y }: Vertex, angle: number, scale: number): Matrix {
  const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale]
  return [cos, sin, -sin, cos, x, y]
}
