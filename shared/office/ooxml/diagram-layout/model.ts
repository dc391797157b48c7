import type { Element } from '../../../xml/read-tree.ts'
import { elements, first } from '../../../xml/read-tree.ts'
import { integer } from '../values.ts'

/** A point of a diagram (dgm:pt, ECMA-376-1 21.4.3.5). */
export interface DiagramPoint {
  readonly id: string
  readonly type: string // 'doc', 'node', 'asst', 'pres', 'parTrans' or 'sibTrans'
  /** Presentation points: the name of the layout node that they are made from. */
  readonly name: string
  /** Presentation points: the point that they present. */
  readonly presents: string
  /** Presentation points: the style label, which selects the colours. */
  readonly label: string
  /** The number of the point among those with its style label, from 0. */
  readonly labelIndex: number
  /** The variables of dgm:presLayoutVars (21.4.2.20), such as 'dir', with their values. */
  readonly variables: ReadonlyMap<string, string>
}

export type Connection = 'parOf' | 'presOf' | 'presParOf'

/** The data model of a diagram (21.4.2.10). */
export interface DiagramModel {
  readonly points: ReadonlyMap<string, DiagramPoint>
  /** The points at the ends of the connections of one kind that start at a point, in their order. */
  readonly targets: (kind: Connection, id: string) => readonly string[]
}

/** Reads dgm:dataModel. */
export function readModel(root: Element): DiagramModel {
  const points = new Map<string, DiagramPoint>()
  for (const point of elements(first(root, 'dgm:ptLst'), 'dgm:pt')) {
    const set = first(point, 'dgm:prSet')
    const id = point.attributes.get('modelId') ?? ''
    points.set(id, {
      id,
      type: point.attributes.get('type') ?? 'node',
      name: set?.attributes.get('presName') ?? '',
      presents: set?.attributes.get('presAssocID') ?? '',
      label: set?.attributes.get('presStyleLbl') ?? '',
      labelIndex: Math.max(0, integer(set?.attributes.get('presStyleIdx')) ?? 0),
      variables: new Map(
        [...elements(first(set, 'dgm:presLayoutVars'))].map(({ name, attributes }) => [
          name.slice(name.indexOf(':') + 1),
          attributes.get('val') ?? '',
        ]),
      ),
    })
  }
  const ordered = new Map<string, { readonly to: string; readonly order: number }[]>()
  for (const { attributes } of elements(first(root, 'dgm:cxnLst'), 'dgm:cxn')) {
    const key = `${attributes.get('type') ?? 'parOf'} ${attributes.get('srcId')}`
    const targets = ordered.get(key) ?? []
    targets.push({ to: attributes.get('destId') ?? '', order: integer(attributes.get('srcOrd')) ?? 0 })
    ordered.set(key, targets)
  }
  const sorted = new Map(
    [...ordered].map(([key, targets]) => [
      key,
      targets.sort((a, b) => a.order - b.order).map(({ to }) => to),
    ]),
  )
  return { points, targets: (kind, id) => sorted.get(`${kind} ${id}`) ?? [] }
}
