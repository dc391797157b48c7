import { type LayoutBudget, spendLayout } from './definition.ts'
import { constrain, type LayoutNode } from './nodes.ts'

/** A box in points, from the top left corner of the frame of the diagram. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A node with its place. */
export interface PlacedNode extends Box {
  readonly node: LayoutNode
  /** Degrees, clockwise, in addition to the rotation of the shape. */
  readonly rotation?: number
}

/** The result of a layout. `missing`: an algorithm that is not supported, whose nodes share the box of their parent. */
export interface Arrangement {
  readonly nodes: readonly PlacedNode[]
  readonly missing: ReadonlySet<string>
}

/** Places a node and all below it in a box, by their algorithms (ST_AlgorithmType, ECMA-376-1 21.4.7.1). */
export function arrange(root: LayoutNode, box: Box, budget: LayoutBudget): Arrangement {
  const nodes: PlacedNode[] = []
  const missing = new Set<string>()
  const arrangeNode = (node: LayoutNode, at: Box & { readonly rotation?: number }): void => {
    spendLayout(budget)
    node.values.set('w', at.width)
    node.values.set('h', at.height)
    constrain(node, budget)
    nodes.push({ ...at, node })
    if (node.children.length === 0) return
    const arranged = algorithms.get(node.defined.algorithm)
    if (arranged === undefined) missing.add(node.defined.algorithm)
    for (const child of (arranged ?? shared)(node, at, budget)) arrangeNode(child.node, child)
  }
  arrangeNode(root, box)
  return { nodes, missing }
}

type Algorithm = (node: LayoutNode, box: Box, budget: LayoutBudget) => readonly PlacedNode[]

const shared: Algorithm = ({ children }, { x, y, width, height }) =>
  children.map((node) => ({ node, x, y, width, height }))

const isSpace = ({ defined }: LayoutNode): boolean => defined.algorithm === 'sp' && defined.shape === ''
/** A node that shows nothing, such as that of a branch without points. */
const isEmpty = ({ defined, children }: LayoutNode): boolean =>
  defined.algorithm !== 'tx' && defined.shape === '' && children.length === 0
const isConnector = ({ defined }: LayoutNode): boolean => defined.algorithm === 'conn'

const parameter = ({ defined }: LayoutNode, name: string, otherwise: string): string =>
  defined.parameters.get(name) ?? otherwise

/**
 * Nodes in a row or a column. Nodes that need more than the box are scaled along it; a node without a size has an equal share
 * (observed in LibreOffice).
 */
const linear: Algorithm = (node, { x, y, width, height }) => {
  const direction = parameter(node, 'linDir', 'fromL')
  const isRow = direction === 'fromL' || direction === 'fromR'
  const [along, across] = isRow ? (['w', 'h'] as const) : (['h', 'w'] as const)
  const [length, breadth] = isRow ? [width, height] : [height, width]
  const members = node.children.filter((child) => !isConnector(child))
  const shown = members.filter((child) => !isEmpty(child)).length
  const extents = members.map((child): number => {
    const value = child.values.get(along)
    if (isEmpty(child)) return child.direct.has(along) ? Math.max(0, value ?? 0) : 0
    return Math.max(0, value ?? length / Math.max(1, shown))
  })
  const total = extents.reduce((sum, extent) => sum + extent, 0)
  const scale = total > length && total > 0 ? length / total : 1
  let from = Math.max(0, (length - total * scale) / 2)
  return members.map((child, index): PlacedNode => {
    const extent = (extents[index] ?? 0) * scale
    const wide = Math.min(breadth, child.values.get(across) ?? breadth)
    const start = direction === 'fromR' || direction === 'fromB' ? length - from - extent : from
    from += extent
    const side = (breadth - wide) / 2
    return isRow
      ? { node: child, x: x + start, y: y + side, width: extent, height: wide }
      : { node: child, x: x + side, y: y + start, width: wide, height: extent }
  })
}

/** Height of a node of a grid as a share of its width, and the space between nodes as a share of their size. */
const snakeAspect = 0.54
const snakeSpace = 0.3

/** Nodes in rows; the last row is in the middle (observed in LibreOffice). */
const snake: Algorithm = (node, { x, y, width, height }) => {
  const members = node.children.filter((child) => !isSpace(child) && !isConnector(child))
  const count = members.length
  let rows = 1
  let columns = count
  for (; rows < count; rows++) {
    columns = Math.ceil(count / rows)
    if ((height * rows) / (width * columns) >= snakeAspect) break
  }
  columns = Math.max(1, Math.ceil(count / rows))
  const across = width / (columns + (columns - 1) * snakeSpace)
  const down = across * snakeAspect
  const isReversed = /R$/.test(parameter(node, 'grDir', 'tL'))
  return members.map((child, index): PlacedNode => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, count - row * columns)
    const rowWidth = across * (inRow + (inRow - 1) * snakeSpace)
    const column = isReversed ? inRow - 1 - (index % columns) : index % columns
    return {
      node: child,
      x: x + (width - rowWidth) / 2 + column * across * (1 + snakeSpace),
      y: y + row * down * (1 + snakeSpace),
      width: across,
      height: down,
    }
  })
}

/** Nodes at the positions that their constraints specify; all together are in the middle of the box. */
const composite: Algorithm = (node, { x, y, width, height }, budget) => {
  constrainChildren(node, budget)
  const boxes = node.children.map((child) => {
    const get = (type: string): number | undefined => child.values.get(type)
    const axis = (
      size: string,
      start: string,
      end: string,
      middle: string,
      limit: number,
    ): [number, number] => {
      const [from, to, center] = [get(start), get(end), get(middle)]
      let extent = Math.min(limit, Math.max(0, get(size) ?? limit))
      if (from !== undefined && to !== undefined) extent = Math.max(0, to - from)
      const begin = from ?? (to !== undefined ? to - extent : center !== undefined ? center - extent / 2 : 0)
      return [begin, begin >= 0 && begin < limit ? Math.min(extent, limit - begin) : extent]
    }
    const [left, wide] = axis('w', 'l', 'r', 'ctrX', width)
    const [top, high] = axis('h', 't', 'b', 'ctrY', height)
    return { node: child, x: x + left, y: y + top, width: wide, height: high }
  })
  const bottom = boxes.reduce((max, box) => Math.max(max, box.y + box.height), y)
  const shift = Math.max(0, (y + height - bottom) / 2)
  return boxes.map((box) => ({ ...box, y: box.y + shift }))
}

const positions: ReadonlySet<string> = new Set(['l', 't', 'r', 'b', 'ctrX', 'ctrY'])

/** Limits that children set on their own size apply before the children are placed, and positions that depend on them after. */
function constrainChildren(node: LayoutNode, budget: LayoutBudget): void {
  for (const child of node.children) constrain(child, budget)
  constrain(node, budget)
  for (const child of node.children) constrain(child, budget)
  constrain(node, budget, positions)
}

/** The size of nodes on a circle, and of connectors between them, as a share of the box (observed in LibreOffice). */
const cycleNode = 1 / 4
const cycleConnector = 1 / 12

/** Nodes on a circle, clockwise from the top unless parameters say otherwise, with connectors on the chords between them. */
const cycle: Algorithm = (node, { x, y, width, height }) => {
  const parts = node.children.filter((child) => !isConnector(child) && !isSpace(child))
  const center = parameter(node, 'ctrShpMap', 'none') === 'fNode' ? parts[0] : undefined
  const members = center === undefined ? parts : parts.slice(1)
  const number = (name: string, otherwise: number): number =>
    Number(parameter(node, name, String(otherwise))) || 0
  const [start, span] = [number('stAng', 0), number('spanAng', 360)]
  // The last node of a whole circle is not at the place of the first.
  const step = span / Math.max(1, Math.abs(span) === 360 ? members.length : members.length - 1)
  const [across, down] = [width * cycleNode, height * cycleNode]
  const radius = (Math.min(width, height) - Math.min(across, down)) / 2
  const turns = parameter(node, 'rotPath', 'none') === 'alongPath'
  const box = (
    child: LayoutNode,
    angle: number,
    distance: number,
    share: number,
    rotation: number,
  ): PlacedNode => {
    const [wide, high] = [width * share, height * share]
    const radians = (angle * Math.PI) / 180
    return {
      node: child,
      x: x + width / 2 + distance * Math.sin(radians) - wide / 2,
      y: y + height / 2 - distance * Math.cos(radians) - high / 2,
      width: wide,
      height: high,
      ...(rotation !== 0 && { rotation }),
    }
  }
  let index = -1
  return node.children.flatMap((child): PlacedNode[] => {
    if (isSpace(child)) return []
    if (child === center) return [box(child, 0, 0, cycleNode, 0)]
    if (isConnector(child)) {
      const middle = start + (Math.max(0, index) + 0.5) * step
      const chord = radius * Math.cos((step * Math.PI) / 360)
      return [box(child, middle, chord, cycleConnector, middle + (span < 0 ? 180 : 0))]
    }
    index++
    const angle = start + index * step
    return [box(child, angle, radius, cycleNode, turns ? angle : 0)]
  })
}

const hierarchySpace = { across: 0.1, down: 0.3 }
const childIndent = 0.1
const isHierarchyChild = ({ defined }: LayoutNode): boolean => defined.algorithm === 'hierChild'

/** The number of rows that a part of a hierarchy takes (observed in LibreOffice). */
function rowsOf(node: LayoutNode): number {
  if (isConnector(node)) return 0
  if (node.children.length === 0 || node.defined.algorithm === 'composite') return 1
  const counts = node.children.map((child, index) => {
    const isEmptyBranch = isHierarchyChild(child) && child.children.length === 0
    return isEmptyBranch && index === 2 && omitsAssistants(node) ? 0 : rowsOf(child)
  })
  const direction = parameter(node, 'linDir', 'fromL')
  return node.defined.algorithm === 'hierRoot' || direction === 'fromT' || direction === 'fromB'
    ? counts.reduce((sum, count) => sum + count, 0)
    : counts.reduce((max, count) => Math.max(max, count), 0)
}

/**
 * Whether the empty branch of assistants of a node takes no row: that of nodes of the third level, and of the second where they
 * have nodes below (observed in LibreOffice). Each level has two nodes above each other.
 */
const omitsAssistants = ({ depth, children }: LayoutNode): boolean =>
  depth >= 5 || (depth >= 3 && (children[1]?.children.length ?? 0) > 0)

/** A node above those below it (hierRoot), or nodes beside or below each other (hierChild). */
const hierarchy: Algorithm = (node, { x, y, width, height }) => {
  const isRoot = node.defined.algorithm === 'hierRoot'
  const direction = parameter(node, 'linDir', 'fromL')
  const isRow = !isRoot && (direction === 'fromL' || direction === 'fromR')
  const members = node.children.filter((child) => !isConnector(child))
  const rows = Math.max(1, rowsOf(node))
  const row = height / (rows + (rows - 1) * hierarchySpace.down)
  const columns = isRow ? Math.max(1, members.length) : 1
  const indent = !isRoot && columns === 1 ? childIndent : 0
  const column = width / (columns + (columns - 1) * hierarchySpace.across)
  const breadth = column * (1 - 2 * indent)
  let down = 0
  return members.map((child, index): PlacedNode => {
    const count = rowsOf(child)
    const extent = count === 0 ? 0 : row * (count + (count - 1) * hierarchySpace.down)
    const columnIndex = direction === 'fromR' ? columns - 1 - index : index
    const at = {
      node: child,
      x: x + column * indent + (isRow ? columnIndex * column * (1 + hierarchySpace.across) : 0),
      y: y + (isRow ? 0 : down),
      width: breadth,
      height: extent,
    }
    if (!isRow && count > 0) down += extent + row * hierarchySpace.down
    return at
  })
}

/** Nodes inside of a connector, such as its text, have its box. */
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['lin', linear],
  ['snake', snake],
  ['composite', composite],
  ['cycle', cycle],
  ['conn', shared],
  ['sp', shared],
  ['tx', shared],
  ['hierRoot', hierarchy],
  ['hierChild', hierarchy],
])
