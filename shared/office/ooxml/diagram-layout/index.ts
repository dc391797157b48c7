/**
 * Lays out SmartArt from its data model and its layout definition (ECMA-376-1 21.4), where the file has no drawing of it. The
 * presentation points that producers store say which layout nodes there are; the definition says how they are placed.
 */
import { type Element, elements } from '../../../xml/read-tree.ts'
import { arrange } from './arrange.ts'
import {
  type DefinedNode,
  DiagramTooComplex,
  maxPoints,
  namedLoops,
  rootNode,
  spendLayout,
} from './definition.ts'
import { readModel } from './model.ts'
import { buildNodes } from './nodes.ts'

/** A shape of a laid out diagram; lengths in points, from the top left corner of its frame. */
export interface DiagramShape {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly rotation: number // degrees, clockwise
  /** Whether the text is not rotated with the shape. The box is then that of the rotated shape. */
  readonly hasLevelText: boolean
  readonly geometry: string // of ST_ShapeType; '' for a shape that shows only its text
  /** The style label of the shape, which selects its colours (21.4.4). */
  readonly label: string
  readonly labelIndex: number
  /** The points whose texts it has, in the order of the tree. */
  readonly texts: readonly string[]
  /** The level of each text below the first of the shape. */
  readonly levels: readonly number[]
  readonly fontSize?: number
  /** The texts are a list below others, at the start of the line. */
  readonly isList: boolean
}

/** The operations for one diagram. Diagrams of Office need some ten thousand. */
const maxOperations = 1_000_000
const maxLevels = 100

/** The arrow that stands for a connector; '' for a plain line, which is not drawn. */
function connectorOf({ parameters }: DefinedNode): string {
  if (parameters.get('endSty') === 'noArr' || parameters.get('dim') === '1D') return ''
  return parameters.get('begSty') === 'arr' ? 'leftRightArrow' : 'rightArrow'
}

/**
 * The shapes of a diagram in a frame of this size in points, or undefined where its presentation is missing or beyond the
 * budget, its definition uses an algorithm that is not supported, or a text would have no shape. `model`: dgm:dataModel;
 * `definition`: dgm:layoutDef.
 */
export function layoutBySpecification(
  data: Element,
  definition: Element,
  width: number,
  height: number,
): readonly DiagramShape[] | undefined {
  const model = readModel(data)
  const [start, root] = [[...model.points.values()].find(({ type }) => type === 'doc'), rootNode(definition)]
  if (start === undefined || root === undefined || model.points.size > maxPoints) return undefined
  const presentation = model
    .targets('presOf', start.id)
    .map((id) => model.points.get(id))
    .find((point) => point?.name === root.attributes.get('name'))
  if (presentation === undefined) return undefined
  try {
    const budget = { left: maxOperations }
    const tree = buildNodes(model, presentation, root, namedLoops(definition), budget)
    const { nodes, missing } = arrange(tree, { x: 0, y: 0, width, height }, budget)
    if (missing.size > 0) return undefined
    const presented = new Map<string, string[]>()
    const depths = new Map<string, number>()
    const visit = (id: string, depth: number): void => {
      if (depths.has(id) || depth > maxLevels) return
      depths.set(id, depth)
      for (const to of model.targets('presOf', id)) {
        spendLayout(budget)
        const texts = presented.get(to) ?? []
        texts.push(id)
        presented.set(to, texts)
      }
      for (const to of model.targets('parOf', id)) {
        spendLayout(budget)
        visit(to, depth + 1)
      }
    }
    visit(start.id, 0)
    const shown = new Set<string>()
    const shapes = nodes.flatMap(
      ({ node, x, y, width: across, height: down, rotation = 0 }): DiagramShape[] => {
        const { defined, point, values } = node
        const texts = defined.algorithm === 'tx' ? (presented.get(point.id) ?? []) : []
        const geometry = defined.isHidden
          ? ''
          : defined.shape === 'conn'
            ? connectorOf(defined)
            : defined.shape
        if (texts.length === 0 && geometry === '') return []
        for (const id of texts) shown.add(id)
        const fontSize = values.get('primFontSz')
        return [
          {
            x,
            y,
            width: across,
            height: down,
            rotation: defined.rotation + rotation,
            hasLevelText: rotation === 0,
            geometry,
            label: point.label === '' ? defined.label : point.label,
            labelIndex: point.labelIndex,
            texts,
            levels: texts.map((id) => (depths.get(id) ?? 0) - (depths.get(texts[0] ?? '') ?? 0)),
            ...(fontSize !== undefined && { fontSize: Math.max(1, Math.min(400, fontSize)) }),
            isList: defined.parameters.get('stBulletLvl') === '1',
          },
        ]
      },
    )
    return withoutText(data, shown) ? undefined : shapes
  } catch (error) {
    if (error instanceof DiagramTooComplex) return undefined
    throw error
  }
}

/** Whether a point of the diagram has text and is not among those shown. */
function withoutText(data: Element, shown: ReadonlySet<string>): boolean {
  const hasText = (element: Element): boolean =>
    element.name === 'a:t'
      ? element.children.length > 0
      : element.children.some((child) => typeof child !== 'string' && hasText(child))
  for (const list of elements(data, 'dgm:ptLst'))
    for (const point of elements(list, 'dgm:pt'))
      if (
        /^(?:node|asst)$/.test(point.attributes.get('type') ?? 'node') &&
        !shown.has(point.attributes.get('modelId') ?? '') &&
        hasText(point)
      )
        return true
  return false
}
