import { arcFrom, cubicOf } from '../../../../shared/document/arc.ts'
import type { Geometry, PathSegment } from '../../../../shared/document/drawing.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'

/**
 * Reads a:custGeom (ECMA-376-1 20.1.9). Coordinates must be literal: guides computed by formulas count as 0.
 */
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

/**
 * a:path (20.1.9.15): points become shares of the path's w and h. Values are limited, since a small w or h
 * would put points arbitrarily far away.
 */
function readPath(cursor: XmlCursor, segments: PathSegment[]): void {
  const width = Number.parseFloat(cursor.attribute('w') ?? '') || 0
  const height = Number.parseFloat(cursor.attribute('h') ?? '') || 0
  const share = (text: string | undefined, whole: number): number => {
    const value = Number.parseFloat(text ?? '')
    return Number.isFinite(value) && whole > 0 ? Math.max(-100, Math.min(100, value / whole)) : 0
  }
  // Current point, at which arcs and quadratic curves begin.
  let last: readonly [number, number] = [0, 0]
  cursor.each((name) => {
    const kind = kinds[name]
    if (kind === undefined || segments.length > 20_000) return
    if (name === 'a:arcTo') {
      const value = (key: string): number => Number.parseFloat(cursor.attribute(key) ?? '') || 0
      const [rx, ry] = [share(cursor.attribute('wR'), width), share(cursor.attribute('hR'), height)]
      const arc = { rx, ry, start: value('stAng') / 60_000, sweep: value('swAng') / 60_000 }
      for (const points of arcFrom(last, arc)) {
        segments.push({ kind, points })
        last = [points[4]!, points[5]!]
      }
      return
    }
    const points: number[] = []
    cursor.each((point) => {
      if (point !== 'a:pt') return
      points.push(share(cursor.attribute('x'), width), share(cursor.attribute('y'), height))
    })
    const wanted = kind === 'close' ? 0 : kind === 'curve' ? 6 : 2
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points
    const all = name === 'a:quadBezTo' && points.length === 4 ? cubicOf(last, [x1, y1], [x2, y2]) : points
    if (all.length < wanted) return
    segments.push({ kind, points: all.slice(0, wanted) })
    if (wanted > 0) last = [all[wanted - 2]!, all[wanted - 1]!]
  })
}
