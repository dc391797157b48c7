/**
 * Lays out SmartArt whose file has no drawing of it, from its data model (ECMA-376-1 21.4.2): the points with their texts, and the
 * connections that make them a tree. Layouts of the standard are programs; here their families have a simple layout each: lists,
 * processes, cycles and hierarchies. All texts are in the frame, in the order of the tree.
 */
import type { Block, Inline } from '../../../../shared/document/content.ts'
import type { Geometry, GroupChild, Shape } from '../../../../shared/document/drawing.ts'
import { defaultBody } from '../../../../shared/office/ooxml/drawing/text-body.ts'
import { integer } from '../../../../shared/office/ooxml/values.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { ParagraphReader } from './paragraph.ts'
import { openPart, type SlidePart } from './part.ts'

/** A larger diagram is drawn as a list of its texts. */
const maxNodes = 400
const maxDepth = 40

/** A point of the diagram with those below it. */
interface DiagramNode {
  readonly blocks: readonly Block[]
  readonly children: readonly DiagramNode[]
}
interface DiagramTree {
  readonly layout: string // such as 'urn:microsoft.com/office/officeart/2005/8/layout/process1'
  readonly nodes: readonly DiagramNode[]
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The shapes of a diagram in a frame of this size in points; undefined where its data is no tree of texts. */
export function layoutDiagram(
  part: SlidePart,
  data: string | undefined,
  width: number,
  height: number,
): readonly GroupChild[] | undefined {
  const tree = readTree(part, data)
  if (tree === undefined || width <= 0 || height <= 0) return undefined
  const { colors } = part.context.theme
  const style: DiagramStyle = { fill: colors.get('accent1') ?? '4472C4', ink: colors.get('lt1') ?? 'FFFFFF' }
  const frame = { x: 0, y: 0, width, height }
  const name = tree.layout.slice(tree.layout.lastIndexOf('/') + 1)
  if (/hierarchy|orgchart/i.test(name)) return drawHierarchy(tree.nodes, frame, style)
  if (/cycle|radial/i.test(name)) return drawCycle(tree.nodes, frame, style)
  if (/process|chevron|arrow|step|timeline/i.test(name)) return drawProcess(tree.nodes, frame, style)
  return drawList(tree.nodes, frame, style, /^v|vert|bullet/i.test(name))
}

interface DiagramStyle {
  readonly fill: string
  readonly ink: string
}

/** Reads dgm:dataModel. Points that only present others, and transitions between points, are not part of the tree. */
function readTree(part: SlidePart, data: string | undefined): DiagramTree | undefined {
  const name = part.relationships.get(data ?? '')?.target
  const inner = name === undefined ? undefined : openPart(part.context, name)
  if (inner === undefined) return undefined
  const { cursor } = inner
  const texts = new Map<string, readonly Block[]>()
  const below = new Map<string, { readonly to: string; readonly order: number }[]>()
  let [root, layout] = ['', '']
  cursor.each((list) => {
    if (list === 'dgm:ptLst')
      cursor.each(() => {
        const id = cursor.attribute('modelId') ?? ''
        const type = cursor.attribute('type') ?? 'node'
        if (type === 'doc') root = id
        if (!/^(?:doc|node|asst)$/.test(type)) return
        const blocks: Block[] = []
        cursor.each((child) => {
          if (child === 'dgm:prSet') layout = cursor.attribute('loTypeId') ?? layout
          else if (child === 'dgm:t') pushAll(blocks, readTexts(inner))
        })
        texts.set(id, blocks)
      })
    else if (list === 'dgm:cxnLst')
      cursor.each(() => {
        if ((cursor.attribute('type') ?? 'parOf') !== 'parOf') return
        const [from, to] = [cursor.attribute('srcId') ?? '', cursor.attribute('destId') ?? '']
        const targets = below.get(from) ?? []
        targets.push({ to, order: integer(cursor.attribute('srcOrd')) ?? 0 })
        below.set(from, targets)
      })
  })
  let left = maxNodes
  const seen = new Set<string>()
  const nodesBelow = (id: string, depth: number): DiagramNode[] =>
    [...(below.get(id) ?? [])]
      .sort((a, b) => a.order - b.order)
      .flatMap(({ to }): DiagramNode[] => {
        const blocks = texts.get(to)
        if (blocks === undefined || seen.has(to)) return []
        seen.add(to)
        left--
        return depth >= maxDepth ? [] : [{ blocks, children: nodesBelow(to, depth + 1) }]
      })
  const nodes = nodesBelow(root, 0)
  // Every text has its place, or none is laid out.
  const isWhole = [...texts].every(([id, blocks]) => id === root || blocks.length === 0 || seen.has(id))
  return nodes.length === 0 || left < 0 || !isWhole ? undefined : { layout, nodes }
}

/** The paragraphs of dgm:t at the cursor that have text. */
function readTexts(part: SlidePart): Block[] {
  const blocks: Block[] = []
  const paragraphs = new ParagraphReader(part, [part.context.defaultText])
  part.cursor.each((name) => {
    const block = name === 'a:p' ? paragraphs.read() : undefined
    if (block !== undefined && block.inlines.length > 0) blocks.push(block)
  })
  return blocks
}

const preset = (name: string): Geometry => ({ kind: 'preset', name, adjust: new Map() })
const placed = ({ x, y, width, height }: Area, content: Shape): GroupChild => ({
  x,
  y,
  drawing: { width, height, rotation: 0, content },
})

/** The space between two shapes as a share of their size. */
const gap = 0.15

/** A box with the text of a node, and with those of the nodes below it where `deep` is set. */
function boxOf(node: DiagramNode, area: Area, { fill, ink }: DiagramStyle, deep: boolean): GroupChild {
  const blocks = deep ? textsOf(node, 0) : node.blocks
  return placed(area, {
    kind: 'shape',
    geometry: preset('roundRect'),
    fill,
    text: {
      ...defaultBody,
      align: 'center',
      blocks: blocks.map((block) => inked(block, ink)),
      shrinks: true,
    },
  })
}

/** The texts of a node and of all below it, which are indented. */
const textsOf = ({ blocks, children }: DiagramNode, depth: number): Block[] => [
  ...blocks.map(
    (block): Block =>
      block.kind !== 'paragraph'
        ? block
        : {
            ...block,
            properties: {
              ...block.properties,
              align: depth === 0 ? 'center' : 'start',
              ...(depth > 0 && { indent: { start: 12 * depth } }),
            },
          },
  ),
  ...children.flatMap((child) => textsOf(child, depth + 1)),
]

function inked(block: Block, color: string): Block {
  if (block.kind !== 'paragraph') return block
  const inlines = block.inlines.map(
    (inline): Inline => (inline.kind === 'text' ? { ...inline, run: { ...inline.run, color } } : inline),
  )
  return { ...block, inlines, properties: { align: 'center', ...block.properties } }
}

/** Boxes in rows that fill the frame, or one below the other. */
function drawList(
  nodes: readonly DiagramNode[],
  frame: Area,
  style: DiagramStyle,
  isVertical: boolean,
): GroupChild[] {
  // Boxes are about five thirds as wide as high, as those of the basic list.
  const ideal = Math.round(Math.sqrt((nodes.length * frame.width) / frame.height / (5 / 3)))
  const columns = isVertical ? 1 : Math.min(nodes.length, Math.max(1, ideal))
  const rows = Math.ceil(nodes.length / columns)
  const [across, down] = [
    frame.width / (columns + gap * (columns - 1)),
    frame.height / (rows + gap * (rows - 1)),
  ]
  return nodes.map((node, at) => {
    const x = (at % columns) * across * (1 + gap)
    const y = Math.floor(at / columns) * down * (1 + gap)
    return boxOf(node, { x, y, width: across, height: down }, style, true)
  })
}

/** Boxes in a row with arrows between them; in a column where the frame is higher than wide. */
function drawProcess(nodes: readonly DiagramNode[], frame: Area, style: DiagramStyle): GroupChild[] {
  const isWide = frame.width >= frame.height
  const length = isWide ? frame.width : frame.height
  const between = 0.4 // of a box
  const size = length / (nodes.length + between * (nodes.length - 1))
  const across = isWide ? frame.height : frame.width
  const thick = Math.min(across, isWide ? Math.max(size * 0.6, across * 0.4) : across)
  const start = (across - thick) / 2
  const at = (from: number, extent: number, breadth: number): Area => {
    const side = (across - breadth) / 2
    return isWide
      ? { x: from, y: side, width: extent, height: breadth }
      : { x: side, y: from, width: breadth, height: extent }
  }
  return nodes.flatMap((node, index) => {
    const from = index * size * (1 + between)
    const box = boxOf(node, at(from, size, across - 2 * start), style, true)
    if (index === nodes.length - 1) return [box]
    const arrow = at(from + size * (1 + between / 4), (size * between) / 2, Math.min(thick, size * 0.4))
    return [
      box,
      placed(arrow, { kind: 'shape', geometry: preset(isWide ? 'rightArrow' : 'downArrow'), fill: 'B0B0B0' }),
    ]
  })
}

/** Boxes on a ring, clockwise from the top. */
function drawCycle(nodes: readonly DiagramNode[], frame: Area, style: DiagramStyle): GroupChild[] {
  const { width, height } = frame
  const count = nodes.length
  const share = count < 2 ? 1 : Math.min(0.34, 1.9 / count)
  const [across, down] = [width * share, Math.min(height * share, width * share * 0.6)]
  const [radiusX, radiusY] = [(width - across) / 2, (height - down) / 2]
  const ring = placed(
    { x: across / 2, y: down / 2, width: 2 * radiusX, height: 2 * radiusY },
    { kind: 'shape', geometry: preset('ellipse'), stroke: { color: 'B0B0B0', width: 2, dash: 'solid' } },
  )
  const boxes = nodes.map((node, at) => {
    const angle = (2 * Math.PI * at) / count - Math.PI / 2
    const x = radiusX * (1 + Math.cos(angle))
    const y = count < 2 ? radiusY : radiusY * (1 + Math.sin(angle))
    return boxOf(node, { x: count < 2 ? 0 : x, y, width: across, height: down }, style, true)
  })
  return count < 2 ? boxes : [ring, ...boxes]
}

const leavesOf = ({ children }: DiagramNode): number =>
  children.length === 0 ? 1 : children.reduce((sum, child) => sum + leavesOf(child), 0)
const levelsOf = ({ children }: DiagramNode): number =>
  1 + children.reduce((max, child) => Math.max(max, levelsOf(child)), 0)

/** A tree from the top to the bottom, with lines between the levels. */
function drawHierarchy(nodes: readonly DiagramNode[], frame: Area, style: DiagramStyle): GroupChild[] {
  const lines: GroupChild[] = []
  const boxes: GroupChild[] = []
  const leaves = nodes.reduce((sum, node) => sum + leavesOf(node), 0)
  const levels = nodes.reduce((max, node) => Math.max(max, levelsOf(node)), 1)
  const column = frame.width / leaves
  const row = frame.height / (levels + 0.5 * (levels - 1))
  const line = (x: number, y: number, width: number, height: number): void =>
    void lines.push(
      placed(
        { x, y, width, height },
        { kind: 'shape', geometry: preset('line'), stroke: { color: '808080', width: 1, dash: 'solid' } },
      ),
    )
  /** Draws a node over its part of the frame and returns its middle. */
  const draw = (node: DiagramNode, left: number, level: number): number => {
    const width = column * leavesOf(node)
    const y = level * row * 1.5
    const middle = left + width / 2
    const breadth = column * (1 - gap)
    boxes.push(boxOf(node, { x: middle - breadth / 2, y, width: breadth, height: row }, style, false))
    let x = left
    const middles = node.children.map((child) => {
      const at = draw(child, x, level + 1)
      x += column * leavesOf(child)
      return at
    })
    const [first, last] = [middles[0], middles.at(-1)]
    if (first === undefined || last === undefined) return middle
    line(middle, y + row, 0, row / 4)
    line(Math.min(first, middle), y + row * 1.25, Math.max(last, middle) - Math.min(first, middle), 0)
    for (const at of middles) line(at, y + row * 1.25, 0, row / 4)
    return middle
  }
  let left = 0
  for (const node of nodes) {
    draw(node, left, 0)
    left += column * leavesOf(node)
  }
  return [...lines, ...boxes]
}
