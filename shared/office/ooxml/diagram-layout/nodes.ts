import type { Element } from '../../../xml/read-tree.ts'
import {
  type Condition,
  type Constraint,
  type DefinedNode,
  defineNode,
  findNode,
  type LayoutBudget,
  spendLayout,
} from './definition.ts'
import type { DiagramModel, DiagramPoint } from './model.ts'

/** A presentation point with its definition. `values`: its constraints by type, lengths in points. */
export interface LayoutNode {
  readonly point: DiagramPoint
  readonly defined: DefinedNode
  readonly children: readonly LayoutNode[]
  readonly depth: number // 0 for the root
  readonly values: Map<string, number>
  /** Types of values that the layout node above sets for its children. */
  readonly direct: Set<string>
}

const maxDepth = 60

/** The tree of presentation points below a point, with the layout nodes that they are made from. */
export function buildNodes(
  model: DiagramModel,
  root: DiagramPoint,
  definition: Element,
  named: ReadonlyMap<string, Element>,
  budget: LayoutBudget,
): LayoutNode {
  const seen = new Set<string>()
  const build = (
    point: DiagramPoint,
    element: Element,
    inherited: ReadonlyMap<string, string>,
    depth: number,
  ): LayoutNode => {
    spendLayout(budget)
    seen.add(point.id)
    const variables = new Map([...inherited, ...point.variables])
    const condition: Condition = { model, presentation: point, inherited: variables, budget }
    const children: LayoutNode[] = []
    for (const id of depth < maxDepth ? model.targets('presParOf', point.id) : []) {
      spendLayout(budget)
      const child = model.points.get(id)
      if (child === undefined || seen.has(id)) continue
      const match = findNode(element, child.name, named, { ...condition, presentation: child })
      if (match !== undefined) children.push(build(child, match, variables, depth + 1))
    }
    return {
      point,
      defined: defineNode(element, condition),
      children,
      depth,
      values: new Map(),
      direct: new Set(),
    }
  }
  return build(root, definition, new Map(), 0)
}

const pointsPerMillimetre = 72 / 25.4
const isFont = (type: string): boolean => type.endsWith('FontSz')

/**
 * Applies the constraints of a node to itself and the nodes below. Constraints above come first. `types`: only constraints of
 * these types.
 */
export function constrain(node: LayoutNode, budget: LayoutBudget, types?: ReadonlySet<string>): void {
  for (const constraint of node.defined.constraints)
    if (types === undefined || types.has(constraint.type)) apply(node, constraint, budget)
}

function apply(node: LayoutNode, constraint: Constraint, budget: LayoutBudget): void {
  spendLayout(budget)
  const { type, operator, factor, from } = constraint
  // Observed in LibreOffice: the nodes of hierarchies have the size of text that no constraint sets.
  if (isFont(type) && /^hier/.test(node.defined.algorithm)) return
  if (isFont(type) && constraint.name === '' && node.defined.parameters.get('rotPath') === 'alongPath') return
  // Observed in LibreOffice: a node has the size of text that one above it sets.
  if (type === 'primFontSz' && constraint.target === 'self' && (from === undefined || node.direct.has(type)))
    return
  const reference = from && referred(node, from, budget)
  let value: number
  if (from !== undefined) {
    if (reference === undefined) return
    // Observed in LibreOffice: a length that depends on the size of a font is that number of millimetres.
    value = reference * factor * (isFont(from.type) && !isFont(type) ? pointsPerMillimetre : 1)
  } else if (constraint.value !== undefined)
    value = constraint.value * factor * (isFont(type) ? 1 : pointsPerMillimetre)
  else if (type === 'l' || type === 't') value = 0
  else if (type === 'primFontSz' && operator === 'equ') {
    // Observed in LibreOffice: texts of equal size, which is not said, have that of other text, whatever they specify themselves.
    for (const target of targetsOf(node, constraint, budget)) target.direct.add(type)
    return
  } else return
  const isSize = type === 'w' || type === 'h'
  // Observed in LibreOffice: a node limits its size, but does not set it.
  if (constraint.target === 'self' && isSize && operator !== 'lte' && operator !== 'gte') return
  for (const target of targetsOf(node, constraint, budget)) {
    const old = target.values.get(type)
    if (operator === 'lte') {
      if (old === undefined || old > value) target.values.set(type, value)
    } else if (operator === 'gte') {
      if (old !== undefined && old < value) target.values.set(type, value)
    } else target.values.set(type, value)
    if (constraint.target === 'ch') target.direct.add(type)
  }
}

function referred(
  node: LayoutNode,
  from: { readonly type: string; readonly target: Constraint['target']; readonly name: string },
  budget: LayoutBudget,
): number | undefined {
  for (const target of targetsOf(node, from, budget)) {
    const value = target.values.get(from.type)
    if (value !== undefined) return value
  }
  return undefined
}

function* targetsOf(
  node: LayoutNode,
  { target, name }: { readonly target: Constraint['target']; readonly name: string },
  budget: LayoutBudget,
): Generator<LayoutNode> {
  if (target === 'self') {
    yield node
    return
  }
  for (const child of node.children) {
    spendLayout(budget)
    if (name === '' || child.point.name === name) yield child
    if (target === 'des') yield* targetsOf(child, { target, name }, budget)
  }
}
