import type { Geometry, PathSegment } from '../../../../shared/document/drawing.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'

/** a:custGeom (ECMA-376-1 20.1.9): paths with literal coordinates or guides that are plain values. */
export function readCustomGeometry(cursor: XmlCursor): Geometry {
  const segments: PathSegment[] = []
  cursor.each((name) => {
    if (name !== 'a:pathLst') return
    cursor.each((path) => {
      if (path === 'a:path') readPath(cursor, segments)
    })
  })
  return { kind: 'path', segments }
}

const kinds: Readonly<Record<string, PathSegment['kind']>> = {
  'a:moveTo': 'move',
  'a:lnTo': 'line',
  'a:cubicBezTo': 'curve',
  'a:quadBezTo': 'curve',
  'a:arcTo': 'curve',
  'a:close': 'close',
}

function readPath(cursor: XmlCursor, segments: PathSegment[]): void {
  const width = Number.parseFloat(cursor.attribute('w') ?? '') || 0
  const height = Number.parseFloat(cursor.attribute('h') ?? '') || 0
  const share = (text: string | undefined, whole: number): number => {
    const value = Number.parseFloat(text ?? '')
    return Number.isFinite(value) && whole > 0 ? Math.max(-100, Math.min(100, value / whole)) : 0
  }
  let last: readonly number[] = [0, 0]
  cursor.each((name) => {
    const kind = kinds[name]
    if (kind === undefined || segments.length > 20_000) return
    if (name === 'a:arcTo') {
      const value = (key: string): number => Number.parseFloat(cursor.attribute(key) ?? '') || 0
      const [rx, ry] = [share(cursor.attribute('wR'), width), share(cursor.attribute('hR'), height)]
      for (const points of arcFrom(last, rx, ry, value('stAng') / 60_000, value('swAng') / 60_000)) {
        segments.push({ kind, points })
        last = points.slice(4)
      }
      return
    }
    const points: number[] = []
    cursor.each((point) => {
      if (point !== 'a:pt') return
      points.push(share(cursor.attribute('x'), width), share(cursor.attribute('y'), height))
    })
    const wanted = kind === 'close' ? 0 : kind === 'curve' ? 6 : 2
    const all = name === 'a:quadBezTo' && points.length === 4 ? cubic(last, points) : points
    if (all.length < wanted) return
    segments.push({ kind, points: all.slice(0, wanted) })
    if (wanted > 0) last = all.slice(wanted - 2, wanted)
  })
}

/** An arc that starts where the path is (20.1.9.4), a curve for each quarter. Angles in degrees clockwise. */
function arcFrom(from: readonly number[], rx: number, ry: number, start: number, sweep: number): number[][] {
  const [x0 = 0, y0 = 0] = from
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const limited = Math.max(-360, Math.min(360, sweep))
  const parts = Math.max(1, Math.ceil(Math.abs(limited) / 90))
  const step = radians(limited) / parts
  const handle = (4 / 3) * Math.tan(step / 4)
  const [cx, cy] = [x0 - rx * Math.cos(radians(start)), y0 - ry * Math.sin(radians(start))]
  return Array.from({ length: parts }, (_, n) => {
    const [a, b] = [radians(start) + n * step, radians(start) + (n + 1) * step]
    return [
      cx + rx * (Math.cos(a) - handle * Math.sin(a)),
      cy + ry * (Math.sin(a) + handle * Math.cos(a)),
      cx + rx * (Math.cos(b) + handle * Math.sin(b)),
      cy + ry * (Math.sin(b) - handle * Math.cos(b)),
      cx + rx * Math.cos(b),
      cy + ry * Math.sin(b),
    ]
  })
}

/** A quadratic curve as a cubic one. */
function cubic(from: readonly number[], [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): number[] {
  const [x0 = 0, y0 = 0] = from
  return [
    x0 + ((x1 - x0) * 2) / 3,
    y0 + ((y1 - y0) * 2) / 3,
    x2 + ((x1 - x2) * 2) / 3,
    y2 + ((y1 - y2) * 2) / 3,
    x2,
    y2,
  ]
}
