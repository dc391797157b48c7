import type { Element } from '../../../xml/read-tree.ts'
import { elements, first } from '../../../xml/read-tree.ts'
import { integer } from '../values.ts'
import type { DiagramModel, DiagramPoint } from './model.ts'

/** A constraint of a layout node (dgm:constr, ECMA-376-1 21.4.2.8). Lengths are millimetres, sizes of fonts are points. */
export interface Constraint {
  readonly type: string
  readonly target: 'self' | 'ch' | 'des'
  readonly name: string // of the layout node that it is for; '' for all
  readonly operator: string
  readonly value: number | undefined
  readonly factor: number
  readonly from:
    | { readonly type: string; readonly target: 'self' | 'ch' | 'des'; readonly name: string }
    | undefined
}

/** What a layout node specifies for one presentation point. */
export interface DefinedNode {
  readonly algorithm: string
  readonly parameters: ReadonlyMap<string, string>
  readonly shape: string // of ST_ShapeType; '' for none
  readonly rotation: number
  readonly isHidden: boolean
  readonly label: string
  readonly constraints: readonly Constraint[]
}

/** The operations that remain for a layout definition. They bound definitions that refer to each other. */
export interface LayoutBudget {
  left: number
}

/** Thrown within the layout of a diagram whose definition exceeds the budget. */
export class DiagramTooComplex extends Error {}

export function spendLayout(budget: LayoutBudget, operations = 1): void {
  budget.left -= operations
  if (budget.left < 0) throw new DiagramTooComplex()
}

/** The point that conditions are about, and its presentation. */
export interface Condition {
  readonly model: DiagramModel
  readonly presentation: DiagramPoint
  /** Variables of the presentation points above, which apply where a point has none of that name. */
  readonly inherited: ReadonlyMap<string, string>
  readonly budget: LayoutBudget
}

/** Reads what a dgm:layoutNode (21.4.2.19) specifies; dgm:choose takes the branch that holds. */
export function defineNode(node: Element, condition: Condition): DefinedNode {
  let algorithm = ''
  let parameters: ReadonlyMap<string, string> = new Map()
  let shape: Element | undefined
  const constraints: Constraint[] = []
  const visit = (parent: Element): void => {
    for (const child of elements(parent)) {
      spendLayout(condition.budget)
      if (child.name === 'dgm:choose') {
        const branch = branchOf(child, condition)
        if (branch !== undefined) visit(branch)
      } else if (child.name === 'dgm:alg') {
        algorithm = child.attributes.get('type') ?? ''
        parameters = new Map(
          [...elements(child, 'dgm:param')].map(({ attributes }) => [
            attributes.get('type') ?? '',
            attributes.get('val') ?? '',
          ]),
        )
      } else if (child.name === 'dgm:shape') shape = child
      else if (child.name === 'dgm:constrLst')
        for (const item of elements(child, 'dgm:constr')) {
          spendLayout(condition.budget)
          constraints.push(constraintOf(item))
        }
    }
  }
  visit(node)
  return {
    algorithm,
    parameters,
    shape: shape?.attributes.get('type') ?? '',
    rotation: Number(shape?.attributes.get('rot') ?? 0) || 0,
    isHidden: /^(?:1|true)$/.test(shape?.attributes.get('hideGeom') ?? ''),
    label: node.attributes.get('styleLbl') ?? '',
    constraints,
  }
}

const targetOf = (text: string | undefined): Constraint['target'] =>
  text === 'ch' || text === 'des' ? text : 'self'

function constraintOf({ attributes }: Element): Constraint {
  const number = (name: string): number | undefined => {
    const value = Number(attributes.get(name) ?? Number.NaN)
    return Number.isFinite(value) && Math.abs(value) < 1e6 ? value : undefined
  }
  const refType = attributes.get('refType')
  return {
    type: attributes.get('type') ?? '',
    target: targetOf(attributes.get('for')),
    name: attributes.get('forName') ?? '',
    operator: attributes.get('op') ?? 'none',
    value: number('val'),
    factor: number('fact') ?? 1,
    from:
      refType === undefined || refType === 'none'
        ? undefined
        : {
            type: refType,
            target: targetOf(attributes.get('refFor')),
            name: attributes.get('refForName') ?? '',
          },
  }
}

/** The first dgm:if of a dgm:choose that holds, else its dgm:else. */
function branchOf(choose: Element, condition: Condition): Element | undefined {
  for (const branch of elements(choose))
    if (branch.name === 'dgm:else' || holds(branch, condition)) return branch
  return undefined
}

/** The values of variables that a diagram does not set (21.4.7). */
const defaults: ReadonlyMap<string, string> = new Map([
  ['dir', 'norm'],
  ['hierBranch', 'std'],
])

/** Whether a dgm:if holds (21.4.2.15). */
function holds({ attributes }: Element, condition: Condition): boolean {
  const { presentation, inherited } = condition
  const operand = attributes.get('val') ?? ''
  const operator = attributes.get('op') ?? 'equ'
  const variable = attributes.get('arg') ?? 'none'
  if (attributes.get('func') === 'var') {
    const set = presentation.variables.get(variable) ?? inherited.get(variable)
    const value = set === undefined || set === '' ? (defaults.get(variable) ?? '') : set
    return (value === operand) === (operator === 'equ')
  }
  const value = measured(attributes.get('func') ?? '', attributes, condition)
  const number = integer(operand) ?? 0
  switch (operator) {
    case 'neq':
      return value !== number
    case 'gt':
      return value > number
    case 'gte':
      return value >= number
    case 'lt':
      return value < number
    case 'lte':
      return value <= number
    default:
      return value === number
  }
}

/** The value of a function of a condition (ST_FunctionType, 21.4.7.28) for the presented point. */
function measured(func: string, attributes: ReadonlyMap<string, string>, condition: Condition): number {
  const { model, presentation, budget } = condition
  const axes = (attributes.get('axis') ?? 'none').split(' ')
  const types = (attributes.get('ptType') ?? 'all').split(' ')
  const at = model.points.get(presentation.presents)
  if (at === undefined) return 0
  let points: readonly string[] = [at.id]
  axes.forEach((axis, index) => {
    const type = types[index] ?? types[0] ?? 'all'
    points = points.flatMap((id) => {
      const reached = alongAxis(axis, id, condition)
      // Connections may repeat, so that each axis has many times the points of the one before.
      spendLayout(budget, reached.length)
      return reached.filter((other) => isOfType(model.points.get(other), type))
    })
  })
  if (func === 'cnt') return points.length
  if (func === 'maxDepth')
    return points.reduce((max, id) => Math.max(max, depthBelow(id, at.id, condition)), 0)
  const siblings = model.targets('parOf', parentOf(at.id, condition))
  const position = siblings.indexOf(at.id)
  switch (func) {
    case 'pos':
      return position + 1
    case 'revPos':
      return siblings.length - position
    case 'posEven':
      return position % 2
    case 'posOdd':
      return (position + 1) % 2
    case 'depth':
      return depthBelow(at.id, '', condition)
    default:
      return 0
  }
}

const isOfType = (point: DiagramPoint | undefined, type: string): boolean =>
  point !== undefined &&
  (type === 'all' ||
    point.type === type ||
    (type === 'node' && point.type === 'asst') ||
    (type === 'nonAsst' && point.type !== 'asst'))

function alongAxis(axis: string, id: string, condition: Condition): readonly string[] {
  const { model, budget } = condition
  spendLayout(budget)
  switch (axis) {
    case 'self':
    case 'none':
      return [id]
    case 'ch':
      return model.targets('parOf', id)
    case 'des':
    case 'desOrSelf': {
      const below: string[] = axis === 'des' ? [] : [id]
      const seen = new Set([id])
      const visit = (from: string): void => {
        for (const to of model.targets('parOf', from)) {
          spendLayout(budget)
          if (seen.has(to)) continue
          seen.add(to)
          below.push(to)
          if (seen.size < maxPoints) visit(to)
        }
      }
      visit(id)
      return below
    }
    case 'root':
      return [...model.points.values()].filter(({ type }) => type === 'doc').map((point) => point.id)
    case 'par': {
      const parent = parentOf(id, condition)
      return parent === '' ? [] : [parent]
    }
    case 'followSib':
    case 'precedSib': {
      const siblings = model.targets('parOf', parentOf(id, condition))
      const position = siblings.indexOf(id)
      return axis === 'followSib' ? siblings.slice(position + 1) : siblings.slice(0, position)
    }
    default:
      return []
  }
}

/** A diagram with more points has a simpler layout. */
export const maxPoints = 4000

function parentOf(id: string, { model, budget }: Condition): string {
  for (const from of model.points.keys()) {
    spendLayout(budget)
    if (model.targets('parOf', from).includes(id)) return from
  }
  return ''
}

/** The number of levels of a point below another, or below the document. */
function depthBelow(id: string, above: string, condition: Condition): number {
  let depth = 0
  for (let at = id; at !== '' && at !== above && depth < 100; at = parentOf(at, condition)) depth++
  return above === '' ? depth - 1 : depth
}

/**
 * The dgm:layoutNode of this name directly below another: inside of dgm:forEach, which may refer to another by its name, and
 * of dgm:choose, whose branches that hold come first.
 */
export function findNode(
  parent: Element,
  name: string,
  named: ReadonlyMap<string, Element>,
  condition: Condition,
): Element | undefined {
  const entered = new Set<Element>()
  const search = (inside: Element): Element | undefined => {
    if (entered.has(inside)) return undefined
    entered.add(inside)
    for (const child of elements(inside)) {
      spendLayout(condition.budget)
      let match: Element | undefined
      if (child.name === 'dgm:layoutNode') {
        if (child.attributes.get('name') === name) return child
      } else if (child.name === 'dgm:forEach')
        match = search(named.get(child.attributes.get('ref') ?? '') ?? child)
      else if (child.name === 'dgm:choose') {
        const branch = branchOf(child, condition)
        match = branch && search(branch)
        for (const other of elements(child)) match ??= search(other)
      }
      if (match !== undefined) return match
    }
    return undefined
  }
  return search(parent)
}

/** All dgm:forEach by their names (21.4.2.12). */
export function namedLoops(root: Element): ReadonlyMap<string, Element> {
  const loops = new Map<string, Element>()
  const visit = (parent: Element): void => {
    for (const child of elements(parent)) {
      const name = child.name === 'dgm:forEach' ? child.attributes.get('name') : undefined
      if (name !== undefined) loops.set(name, child)
      visit(child)
    }
  }
  visit(root)
  return loops
}

export const rootNode = (definition: Element): Element | undefined => first(definition, 'dgm:layoutNode')
