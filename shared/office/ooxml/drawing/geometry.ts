import type {
  DefinedCommand,
  DefinedPath,
  Guide,
  PathFill,
  ShapeDefinition,
} from '../../../document/drawing.ts'
import { entryOf } from '../../../entry-of.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { isOn } from '../values.ts'

/** Bounds of one shape. The freeforms that Word draws have two guides for each of their points. */
const maxGuides = 40_000
const maxCommands = 20_000

/** Reads a:custGeom (ECMA-376-1 20.1.9.8), on which the cursor stands. Its formulas are evaluated by the layout. */
export function readCustomGeometry(cursor: XmlCursor): ShapeDefinition {
  const adjust: Guide[] = []
  const guides: Guide[] = []
  const paths: DefinedPath[] = []
  let text: ShapeDefinition['text']
  let commands = 0
  cursor.each((name) => {
    switch (name) {
      case 'a:avLst':
        readGuides(cursor, adjust)
        break
      case 'a:gdLst':
        readGuides(cursor, guides)
        break
      case 'a:rect':
        text = [side(cursor, 'l'), side(cursor, 't'), side(cursor, 'r'), side(cursor, 'b')]
        break
      case 'a:pathLst':
        cursor.each((child) => {
          if (child !== 'a:path' || commands >= maxCommands) return
          const path = readPath(cursor, maxCommands - commands)
          commands += path.commands.length
          paths.push(path)
        })
        break
    }
  })
  return { adjust, guides, paths, ...(text !== undefined && { text }) }
}

function readGuides(cursor: XmlCursor, guides: Guide[]): void {
  cursor.each(() => {
    const name = cursor.attribute('name')
    if (name === undefined || guides.length >= maxGuides) return
    const [operator = '', ...operands] = (cursor.attribute('fmla') ?? '').trim().split(/\s+/, 4)
    guides.push({ name, operator, operands })
  })
}

/** A side of a:rect (20.1.9.22); an absent one is that of the shape, whose guide has the name of the attribute. */
const side = (cursor: XmlCursor, name: string): string => cursor.attribute(name) ?? name

const fills: ReadonlySet<string> = new Set<PathFill>([
  'norm',
  'none',
  'lighten',
  'lightenLess',
  'darken',
  'darkenLess',
])
const isFill = (text: string): text is PathFill => fills.has(text)

/** Commands of a path with the number of operands that each has (20.1.9). */
const kinds: Readonly<Record<string, readonly [kind: DefinedCommand['kind'], operands: number]>> = {
  'a:moveTo': ['M', 2],
  'a:lnTo': ['L', 2],
  'a:cubicBezTo': ['C', 6],
  'a:quadBezTo': ['Q', 4],
  'a:arcTo': ['A', 4],
  'a:close': ['Z', 0],
}

/** a:path (20.1.9.15). Commands with too few points are dropped. */
function readPath(cursor: XmlCursor, maxLength: number): DefinedPath {
  const size = (name: string): number => Number.parseFloat(cursor.attribute(name) ?? '') || 0
  const [width, height] = [size('w'), size('h')]
  const fill = cursor.attribute('fill') ?? 'norm'
  const stroked = isOn(cursor.attribute('stroke') ?? '1')
  const commands: DefinedCommand[] = []
  cursor.each((name) => {
    const command = entryOf(kinds, name)
    if (command === undefined || commands.length >= maxLength) return
    const [kind, count] = command
    const operands = kind === 'A' ? arcOperands(cursor) : pointsIn(cursor, count)
    if (operands.length === count) commands.push({ kind, operands })
  })
  return {
    ...(width > 0 && { width }),
    ...(height > 0 && { height }),
    fill: isFill(fill) ? fill : 'norm',
    stroked,
    commands,
  }
}

const arcOperands = (cursor: XmlCursor): string[] =>
  ['wR', 'hR', 'stAng', 'swAng'].map((name) => cursor.attribute(name) ?? '0')

/** The coordinates of the points below a command, as many as it takes. */
function pointsIn(cursor: XmlCursor, count: number): string[] {
  const points: string[] = []
  cursor.each((name) => {
    if (name === 'a:pt' && points.length < count)
      points.push(cursor.attribute('x') ?? '0', cursor.attribute('y') ?? '0')
  })
  return points
}
